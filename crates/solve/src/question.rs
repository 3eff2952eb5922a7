//! One question, with one way to answer it: does Attacker win this position?
//!
//! The rules are asked first, then the store, then the prover, with the threads of this machine or
//! with workers elsewhere. What is called proved is a [`Certified`]: a proof of the store and one
//! of the prover go through the same checker. The store keeps what a search finds.
//!
//! ```text
//!            rules -> store (checked) -> prover, with journal and hints -> checker -> store
//!            `------ known() -------'    `--------------- search() ---------------------'
//! ```

use std::ops::ControlFlow;
use std::time::Duration;

use sixproof_certificate::{Certified, Claim, Refused, certify};
use sixproof_game::{Color, Move, Position, Square};
use sixproof_prover::prove::{
    self, Journal, NoJournal, Options, Outcome, Progress, RemotePool, Resources, ZoneRule,
};

use crate::earlier;
use crate::foregone::{Foregone, foregone};
use crate::store::{self, Memory};
use crate::words;

/// Does Attacker win this position?
#[derive(Clone)]
pub struct Question<'a> {
    /// What is to be proved.
    pub claim: &'a Claim,
    /// The move that led to the position, where the question is whether this move wins.
    pub attack: Option<&'a [Square]>,
    /// Earlier positions of the same game, whose stored proofs may go on to this one.
    pub earlier: &'a [Position],
    /// Limits, hints and rules of the search.
    pub options: &'a Options,
    /// The store that is asked, and that keeps what was found.
    pub memory: &'a Memory,
    /// Whether the search goes on from what the store's journal has of an earlier one.
    pub resumes: bool,
}

/// What a search reports while it runs.
pub enum Event<'a> {
    /// How far the search is.
    Progress(&'a Progress),
    /// A Defender move that a verification could not answer; with fewer stones than a move has, all
    /// moves that contain these.
    Unsolved(Move),
}

/// Why a search is stopped before it ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The time is over.
    Time(Duration),
    /// The user stopped it.
    Interrupted,
}

/// The answer to a question.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Who wins, as far as it is known.
    pub verdict: Verdict,
    /// How that is known.
    pub source: Source,
    /// The order of the proof, or the highest order that was tried; none where it is not known.
    pub order: Option<u32>,
    /// Nodes of the search.
    pub nodes: u64,
    /// Defender's moves that a verification left unsolved.
    pub unsolved: Vec<Move>,
    /// Where Defender has to play against the move that was verified: elsewhere the first proof
    /// stands. Empty without such a proof.
    pub zone: Vec<Square>,
    /// Whether the store has the search's answers to jobs, so that the same question goes on from
    /// here.
    pub is_kept: bool,
}

/// Who wins, as far as it is known.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Attacker: the checker has accepted the certificate.
    Proved(Box<Proof>),
    /// Attacker does not win, and why.
    NoWin(NoWin),
    /// The search ended without a verdict.
    Unknown(Ended),
}

/// A proof that the checker has accepted.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The checker's verdict.
    pub certified: Certified,
    /// The certificate.
    pub certificate: Vec<u8>,
    /// The longest line of play, from the side to move on.
    pub line: Vec<Move>,
}

/// Why Attacker does not win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoWin {
    /// The rules say so; the sentence is about both sides.
    Rules(String),
    /// Defender wins, by a proof with this many nodes that the checker has accepted.
    OtherWins(u64),
    /// Every strategy up to this order was tried.
    Order(u32),
}

/// What ended a search without a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// What it tries was tried.
    Tried,
    /// Its nodes are used up.
    Nodes,
    /// Its memory is full.
    Memory,
    /// Its caller stopped it.
    Stopped(Stop),
}

/// How an answer is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// From the rules.
    Rules,
    /// From the store.
    Store,
    /// From a search that has just ended.
    Search,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Unanswered {
    /// Attacker has won already: nothing is left to be proved.
    Over(Color),
    /// The checker refuses what the prover found, which is a mistake in the prover.
    Refused {
        /// Why.
        why: Refused,
        /// What the prover found.
        certificate: Vec<u8>,
    },
}

impl<'a> Question<'a> {
    /// A question about a position alone, whose search begins anew.
    pub fn new(claim: &'a Claim, options: &'a Options, memory: &'a Memory) -> Question<'a> {
        Question { claim, attack: None, earlier: &[], options, memory, resumes: false }
    }
}

impl Question<'_> {
    /// Answers from the rules or the store, or else by a search on this machine.
    pub fn answer(
        &self,
        watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<Stop>,
    ) -> Result<Answer, Unanswered> {
        match self.known()? {
            Some(answer) => Ok(answer),
            None => self.search(None, watch),
        }
    }

    /// The answer, where it needs no search.
    pub fn known(&self) -> Result<Option<Answer>, Unanswered> {
        match foregone(self.claim) {
            Some(Foregone::Won) => return Err(Unanswered::Over(self.claim.attacker)),
            Some(Foregone::Lost(why)) => {
                let verdict = Verdict::NoWin(NoWin::Rules(why));
                return Ok(Some(Answer::known(verdict, Source::Rules)));
            }
            None => {}
        }
        Ok(self.remembered())
    }

    /// The answer of an earlier search, if the store has it. A proof is checked like any other.
    fn remembered(&self) -> Option<Answer> {
        let Question { claim, memory, .. } = self;
        if let Some(found) = memory.proof(claim) {
            match Proof::checked(claim, found.certificate) {
                Ok(proof) => {
                    let verdict = Verdict::Proved(Box::new(proof));
                    return Some(Answer {
                        order: found.meta.order,
                        nodes: found.meta.search_nodes,
                        ..Answer::known(verdict, Source::Store)
                    });
                }
                Err(why) => memory.drop_invalid(claim, &why),
            }
        }
        if let Some(proof) = earlier::proof(claim, self.earlier, memory) {
            return Some(Answer::known(Verdict::Proved(Box::new(proof)), Source::Store));
        }
        // Where the other side wins, this one does not, and no search would find more.
        let other = claim.of_the_other_side();
        if let Some(found) = memory.proof(&other)
            && certify(&other, &found.certificate).is_ok()
        {
            let verdict = Verdict::NoWin(NoWin::OtherWins(found.certificate_nodes));
            return Some(Answer::known(verdict, Source::Store));
        }
        // A verification reports more than a verdict: which replies are left.
        let order = memory.refuted(claim).filter(|_| self.attack.is_none());
        let order = order.filter(|&order| self.options.order_max <= order)?;
        Some(Answer::known(Verdict::NoWin(NoWin::Order(order)), Source::Store))
    }

    /// Searches with the threads of this machine, or with workers elsewhere. `watch` may stop it.
    pub fn search(
        &self,
        pool: Option<&mut dyn RemotePool>,
        watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<Stop>,
    ) -> Result<Answer, Unanswered> {
        let Question { claim, options, memory, .. } = *self;
        let work = memory.journal(claim);
        let journal: &dyn Journal = if self.resumes { &work } else { &NoJournal };
        let pool = pool.map(|pool| pool as &mut dyn RemotePool);
        let resources = Resources { journal, pool };
        let mut stopped = None;
        let mut see = |event: Event<'_>| watch(event).map_break(|stop| stopped = Some(stop));
        let (report, unsolved, zone) =
            match self.attack {
                None => {
                    let report = prove::prove_on(claim, options, resources, &mut |progress| {
                        see(Event::Progress(progress))
                    });
                    (report, Vec::new(), Vec::new())
                }
                Some(_) => {
                    let reply_nodes = words::reply_nodes(options.nodes_max);
                    let verification =
                        prove::verify(claim, options, reply_nodes, resources, &mut |event| {
                            match event {
                                prove::Event::Progress(progress) => see(Event::Progress(&progress)),
                                prove::Event::Unsolved(squares) => see(Event::Unsolved(squares)),
                            }
                        });
                    (verification.report, verification.unsolved, verification.zone)
                }
            };
        let (order, nodes) = (report.order, report.counts.nodes);
        let is_kept = self.resumes && memory.flush();
        let verdict = match report.outcome {
            Outcome::Proved { certificate, .. } => {
                let certified = match certify(claim, &certificate) {
                    Ok(certified) => certified,
                    Err(why) => return Err(Unanswered::Refused { why, certificate }),
                };
                memory.keep(&certified, &certificate, Some(order), nodes);
                Verdict::Proved(Box::new(Proof::new(certified, certificate)))
            }
            Outcome::NoWin => {
                // With another rule it speaks of that method only.
                if options.zones == ZoneRule::Segment {
                    memory.keep_refuted(claim, order, nodes);
                }
                Verdict::NoWin(NoWin::Order(order))
            }
            Outcome::Unknown => Verdict::Unknown(match stopped {
                Some(stop) => Ended::Stopped(stop),
                None if report.out_of_memory => Ended::Memory,
                None if nodes >= options.nodes_max => Ended::Nodes,
                None => Ended::Tried,
            }),
        };
        let (source, order) = (Source::Search, Some(order));
        Ok(Answer { verdict, source, order, nodes, unsolved, zone, is_kept })
    }

    /// What the question is about: `Black`, or the move `K11 L10`.
    pub fn subject(&self) -> String {
        match self.attack {
            Some(squares) => self.claim.position.game().square_names(squares),
            None => self.claim.attacker.title().to_string(),
        }
    }
}

impl Proof {
    /// The proof that a certificate is, if the checker accepts it for this claim.
    pub fn checked(claim: &Claim, certificate: Vec<u8>) -> Result<Proof, Refused> {
        certify(claim, &certificate).map(|certified| Proof::new(certified, certificate))
    }

    fn new(certified: Certified, certificate: Vec<u8>) -> Proof {
        let line = store::longest_line(&certificate);
        Proof { certified, certificate, line }
    }
}

impl Answer {
    /// An answer without a search.
    fn known(verdict: Verdict, source: Source) -> Answer {
        let (unsolved, zone) = (Vec::new(), Vec::new());
        Answer { verdict, source, order: None, nodes: 0, unsolved, zone, is_kept: false }
    }

    /// The proof, if there is one.
    pub fn proof(&self) -> Option<&Proof> {
        match &self.verdict {
            Verdict::Proved(proof) => Some(proof),
            _ => None,
        }
    }
}
