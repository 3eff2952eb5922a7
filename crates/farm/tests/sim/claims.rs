//! The jobs of a simulated search: tiny claims with real certificates, and questions whose answers
//! are plain words.

use sixproof_certificate::{Claim, certify};
use sixproof_check::check_bytes;
use sixproof_farm::manager::Judgement;
use sixproof_farm::wire::{Body, Outcome};
use sixproof_farm::{JobId, ManagerId};
use sixproof_oracle::mutants::byte_mutant;
use sixproof_oracle::random::Random;

/// Headers and proofs: won positions of games with at most 12 squares.
const CERTIFICATES: &[(&str, &str)] = &[
    ("3 3 3 1 1 attacker black black A1 B1 white A2 B2 to-move black 1", "W C1"),
    ("3 3 3 1 1 attacker black black A1 B2 white A2 B1 to-move black 1", "W C3"),
    ("3 3 3 1 1 attacker white black A1 B1 C3 white A2 B2 to-move white 1", "W C2"),
    ("3 3 3 1 1 attacker black black A1 C1 white A2 B2 to-move black 1", "W B1"),
    ("4 3 3 1 1 attacker black black A1 B1 white A2 B2 to-move black 1", "W C1"),
    ("4 3 3 1 1 attacker black black B1 C1 white A2 D3 to-move black 1", "W D1"),
    ("4 3 3 1 1 attacker black black B1 C1 white A2 D3 to-move white 1", "D 0"),
    ("4 3 3 1 1 attacker black black B3 white A1 D1 to-move black 1", "A C3 D 0"),
    ("4 3 3 1 1 attacker black black C2 white A3 D3 to-move black 1", "A B2 D! 1 B2-D2 1 R W A2"),
    ("4 3 3 1 1 attacker black black C2 white A3 D3 to-move black 1 ", "A B2 D 0"),
    ("5 5 3 1 2 attacker black black white to-move black 2", "A C2 C3 D 0"),
    ("6 3 3 1 1 exact attacker black black B1 C1 E1 white A1 F3 to-move black 1", "A B2 D 0"),
];

/// Number of questions whose answers are plain words.
const QUESTIONS: usize = 4;
/// The first characters of every well-formed answer in words.
const ANSWER: &str = "answer ";
/// The separator between the key of a job and its hints in a body.
const HINT: char = '|';

/// One job of the search.
pub(crate) struct Task {
    pub(crate) id: JobId,
    pub(crate) key: Vec<u8>,
    /// The claim; `None` if the answer is in words.
    claim: Option<Claimed>,
    /// The outcome of an honest worker.
    answer: Outcome,
}

/// A claim in our words and in the checker's.
struct Claimed {
    ours: Claim,
    checkers: sixproof_check::Claim,
}

/// All jobs that a search may ask for.
pub(crate) struct Claims {
    pub(crate) tasks: Vec<Task>,
}

impl Claims {
    pub(crate) fn new(manager: ManagerId) -> Claims {
        let proved = CERTIFICATES.iter().map(|(header, proof)| {
            let certificate = format!("sixproof-certificate 1\ngame {header}\n{proof}\n");
            let verified = check_bytes(certificate.as_bytes())
                .unwrap_or_else(|refusal| panic!("{certificate} is no certificate: {refusal:?}"));
            let key = header.as_bytes().to_vec();
            let answer = Outcome::Won(Body::Inline(certificate.into_bytes()));
            let id = JobId::of(manager, &key);
            let ours = Claim::try_from(&verified.claim).expect("a position");
            let claim = Some(Claimed { ours, checkers: verified.claim });
            Task { id, key, claim, answer }
        });
        let questions = (0..QUESTIONS).map(|number| {
            let key = format!("question {number}").into_bytes();
            let answer = Outcome::Uncertified(format!("{ANSWER}{number}").into_bytes());
            Task { id: JobId::of(manager, &key), key, claim: None, answer }
        });
        Claims { tasks: proved.chain(questions).collect() }
    }

    /// The task of a body.
    pub(crate) fn of_body(&self, body: &[u8]) -> &Task {
        let key = body.split(|&byte| byte == HINT as u8).next().unwrap_or_default();
        let task = self.tasks.iter().find(|task| task.key == key);
        task.expect("only jobs of the search are published")
    }

    pub(crate) fn find(&self, job: JobId) -> Option<&Task> {
        self.tasks.iter().find(|task| task.id == job)
    }

    /// The verdict of the program of the manager: by the checker, or by the form of the answer.
    pub(crate) fn verdict(&self, key: &[u8], outcome: &Outcome) -> Judgement {
        let Some(task) = self.tasks.iter().find(|task| task.key == key) else {
            return Judgement::Bad { why: "an answer to nothing".to_string() };
        };
        match (&task.claim, outcome) {
            (Some(claim), Outcome::Won(Body::Inline(certificate))) => {
                match certify(&claim.ours, certificate) {
                    Ok(_) => Judgement::Good { record: certificate.clone() },
                    Err(refused) => Judgement::Bad { why: refused.to_string() },
                }
            }
            (None, Outcome::Uncertified(words)) if words.starts_with(ANSWER.as_bytes()) => {
                Judgement::Good { record: words.clone() }
            }
            (_, Outcome::Won(Body::Remote { .. })) => {
                Judgement::Missing { why: "nothing was uploaded".to_string() }
            }
            _ => Judgement::Bad { why: "not an answer to this".to_string() },
        }
    }

    /// Whether a record is a true answer, decided without the code under test.
    pub(crate) fn is_true(&self, job: JobId, record: &[u8]) -> bool {
        let Some(task) = self.find(job) else { return false };
        match &task.claim {
            // The words of an honest worker, with the hints of any body.
            None => {
                let Outcome::Uncertified(words) = &task.answer else { return false };
                record.strip_prefix(&words[..]).is_some_and(|hint| {
                    hint.len() == 2 && hint[0] == HINT as u8 && hint[1].is_ascii_digit()
                })
            }
            // A lying worker may write the stones in another order, and be right by chance.
            Some(claim) => check_bytes(record)
                .is_ok_and(|verified| in_order(&verified.claim) == in_order(&claim.checkers)),
        }
    }
}

fn in_order(claim: &sixproof_check::Claim) -> sixproof_check::Claim {
    let mut claim = claim.clone();
    for stones in [&mut claim.black, &mut claim.white] {
        stones.sort_by_key(|square| (square.x, square.y));
    }
    claim
}

impl Task {
    /// The body of the job, with hints that depend on `hint`.
    pub(crate) fn body(&self, hint: u64) -> Vec<u8> {
        let mut body = self.key.clone();
        body.extend(format!("{HINT}{}", hint / 3 % 10).into_bytes());
        body
    }

    /// The outcome of an honest worker for a body: an answer in words depends on the hints.
    pub(crate) fn honest(&self, body: &[u8]) -> Outcome {
        match &self.answer {
            Outcome::Uncertified(words) => {
                Outcome::Uncertified([&words[..], &body[self.key.len()..]].concat())
            }
            other => other.clone(),
        }
    }

    /// The outcome of a subtle liar: well-formed, but wrong if it needs no certificate, and
    /// different from that of any other liar.
    pub(crate) fn plausible_lie(&self, body: &[u8], random: &mut Random) -> Outcome {
        match &self.answer {
            Outcome::Uncertified(_) => {
                Outcome::Uncertified(format!("{ANSWER}{}", random.bits()).into_bytes())
            }
            _ => self.honest(body),
        }
    }

    /// The outcome of a plain liar.
    pub(crate) fn lie(&self, claims: &Claims, random: &mut Random) -> Outcome {
        let other = random.pick(&claims.tasks);
        let Outcome::Won(Body::Inline(certificate)) = &self.answer else {
            return Outcome::Uncertified(b"nonsense".to_vec());
        };
        let text = String::from_utf8_lossy(certificate);
        match random.below(7) {
            // A true certificate of something else.
            0 | 1 => other.answer.clone(),
            2 => Outcome::Won(Body::Inline(byte_mutant(certificate, random))),
            // The right proof of the wrong game: true, or not.
            3 => Outcome::Won(Body::Inline(text.replace("game 3 3", "game 4 4").into_bytes())),
            4 => Outcome::Won(Body::Inline(Vec::new())),
            5 => Outcome::Won(Body::Remote { hash: [7; 32], len: 7 }),
            _ => Outcome::Uncertified(b"answer".to_vec()),
        }
    }
}
