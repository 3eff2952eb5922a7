//! Quick claims that need quiet moves.

use std::ops::ControlFlow;

use sixproof_game::{Color, Game, Position, Square};
use sixproof_prover::prove::{Journal, NoJournal, Options, Outcome, Report, Resources, prove_on};

/// A position that Black wins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim {
    game: &'static str,
    black: &'static str,
    white: &'static str,
    /// The side to move, and the number of stones that are left to place.
    to_move: (Color, u32),
}

/// From 2,000 to 30,000 nodes: Connect6 and others, Attacker or Defender to move, bounded and not.
pub(crate) const QUICK: [Claim; 6] = [
    claim("connect6", "J10", "D4 P16", (Color::Black, 2)),
    claim("connect6", "J10", "G7 J14", (Color::Black, 2)),
    claim("connect6", "J10 J12 K11", "", (Color::White, 2)),
    claim("19,19,6,2,1,exact", "J10 J12 K11", "", (Color::White, 2)),
    claim("13,13,5,2,1", "G7 H7", "", (Color::White, 2)),
    claim("0,0,6,2,1", "0,0 0,2 1,1", "", (Color::White, 2)),
];

/// One that takes longer, 60,000 nodes.
pub(crate) const LONGER: Claim = claim("connect6", "J10", "M10 N12", (Color::Black, 2));

/// One stone of the move at hand is left. (A board with so few moves is too small for the driver in
/// `prove`, so the test calls it by itself.)
pub(crate) const HALF_MADE: [Claim; 6] = [
    claim("connect6", "L8 K9", "A17", (Color::Black, 1)),
    claim("connect6", "H10 H8", "", (Color::Black, 1)),
    claim("connect6", "L8 L9 L11", "Q2 M7", (Color::White, 1)),
    claim("connect6", "I10 J11 K8", "J13 K14", (Color::White, 1)),
    claim("connect6", "L12 J11 L8", "F18 S6", (Color::White, 1)),
    claim("connect6", "J12 J11 L8", "Q5 Q18 G14", (Color::White, 1)),
];

const fn claim(
    game: &'static str,
    black: &'static str,
    white: &'static str,
    to_move: (Color, u32),
) -> Claim {
    Claim { game, black, white, to_move }
}

impl Claim {
    pub(crate) fn position(&self) -> Position {
        let game: Game = self.game.parse().expect("a game");
        let squares = |names: &str| -> Vec<Square> {
            names
                .split_whitespace()
                .map(|name| game.parse_square(name).expect("a square"))
                .collect()
        };
        let (to_move, left) = self.to_move;
        Position::set_up(game, &squares(self.black), &squares(self.white), to_move, left)
            .expect("a position")
    }

    /// The claim that Black wins.
    pub(crate) fn of_black(&self) -> sixproof_certificate::Claim {
        sixproof_certificate::Claim { position: self.position(), attacker: Color::Black }
    }

    /// Searches a win of Black, which the checker accepts if there is one.
    pub(crate) fn prove(&self, options: &Options) -> Report {
        self.prove_on(options, &NoJournal)
    }

    /// As [`Claim::prove`], with a journal.
    pub(crate) fn prove_on(&self, options: &Options, journal: &dyn Journal) -> Report {
        self.prove_for(Color::Black, options, journal)
    }

    /// As [`Claim::prove_on`], for either side.
    pub(crate) fn prove_for(
        &self,
        attacker: Color,
        options: &Options,
        journal: &dyn Journal,
    ) -> Report {
        let claim = sixproof_certificate::Claim { position: self.position(), attacker };
        let report =
            prove_on(
                &claim,
                options,
                Resources::local(journal),
                &mut |_| ControlFlow::Continue(()),
            );
        if let Some(certificate) = certificate(&report) {
            let checked = sixproof_check::check_bytes(certificate);
            assert!(checked.is_ok(), "{self:?}, {options:?}: {checked:?}");
        }
        report
    }
}

/// Options without a first look.
pub(crate) fn options(nodes_max: u64) -> Options {
    Options { nodes_max, first_look: 0, ..Options::default() }
}

/// The certificate, if there is one.
pub(crate) fn certificate(report: &Report) -> Option<&[u8]> {
    match &report.outcome {
        Outcome::Proved { certificate, .. } => Some(certificate),
        Outcome::NoWin | Outcome::Unknown => None,
    }
}
