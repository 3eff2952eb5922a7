//! The threats of both sides, and the patterns that one move makes into threats.

use std::collections::BTreeSet;

use serde::Serialize;
use sixproof_game as game;
use sixproof_prover::threats::{self, Number, PatternKind};

use super::{Color, SquareName, names};

/// The threats of both sides.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Threats {
    /// Black, then White; empty when the game is over.
    pub(crate) sides: Vec<SideThreats>,
}

/// The threats of a side.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct SideThreats {
    pub(crate) color: Color,
    /// The number of stones that block all threats; null if it takes too long to compute.
    pub(crate) number: Option<u32>,
    pub(crate) threats: Vec<Threat>,
    /// The patterns that one move makes into threats.
    pub(crate) patterns: Vec<Pattern>,
    /// The squares on which the other side has to answer.
    pub(crate) must_answer: Vec<SquareName>,
}

/// A segment that one move completes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Threat {
    pub(crate) squares: Vec<SquareName>,
    pub(crate) empties: Vec<SquareName>,
}

/// Live or dead.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum PatternName {
    Live,
    Dead,
}

/// A live-l or dead-l of a line.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Pattern {
    pub(crate) kind: PatternName,
    pub(crate) l: u32,
    pub(crate) squares: Vec<SquareName>,
    pub(crate) stones: Vec<SquareName>,
}

impl Threats {
    /// The threats of both sides in a position.
    pub(crate) fn new(position: &game::Position) -> Threats {
        if position.winner().is_some() {
            return Threats { sides: Vec::new() };
        }
        let sides = [game::Color::Black, game::Color::White];
        Threats { sides: sides.map(|color| SideThreats::new(position, color)).to_vec() }
    }
}

impl SideThreats {
    fn new(position: &game::Position, color: game::Color) -> SideThreats {
        let game = position.game();
        let threats = threats::threats(position, color);
        let must_answer: BTreeSet<game::Square> =
            threats.iter().flat_map(|threat| threat.empties.iter().copied()).collect();
        let mut patterns = threats::patterns(position, color);
        patterns.retain(|pattern| pattern.missing <= game.p());
        SideThreats {
            color: color.into(),
            number: match threats::number(position, color) {
                Number::Exactly(number) => Some(number),
                _ => None,
            },
            threats: threats
                .iter()
                .map(|threat| Threat {
                    squares: names(game, threat.segment.squares(game)),
                    empties: names(game, &threat.empties),
                })
                .collect(),
            patterns: patterns
                .iter()
                .map(|pattern| Pattern {
                    kind: match pattern.kind {
                        PatternKind::Live => PatternName::Live,
                        PatternKind::Dead => PatternName::Dead,
                    },
                    l: pattern.l,
                    squares: names(game, &pattern.squares),
                    stones: names(game, &pattern.stones),
                })
                .collect(),
            must_answer: names(game, must_answer),
        }
    }
}
