//! What an engine thought, in words. Pure. That a side wins by force is only said of a proof that
//! the checker has accepted.

use sixproof_game::{Position, Square};
use sixproof_player::{Reason, Score, Style, Thought};

use crate::output::grouped;
use crate::words::line_text;

/// A thought about a position, to be explained.
pub struct Explained<'a> {
    /// Where the engine was to move.
    pub position: &'a Position,
    /// What it thought.
    pub thought: &'a Thought,
    /// How it plays.
    pub style: Style,
    /// Whether the checker has accepted the proof.
    pub proved: bool,
}

impl Explained<'_> {
    /// Why this move: its reason, what is expected of it, and the line of play.
    pub fn why(&self) -> Vec<String> {
        let mut lines = vec![format!("{}: {}", self.names(&self.thought.squares), self.reason())];
        lines.extend(self.expectation());
        lines.extend(self.line());
        lines
    }

    /// The sentence that is written beside the move in a file.
    pub fn comment(&self) -> String {
        let mut lines = vec![self.reason()];
        lines.extend(self.expectation());
        lines.extend(self.line());
        lines.join("\n")
    }

    fn names(&self, squares: &[Square]) -> String {
        self.position.game().square_names(squares)
    }

    /// Where the move comes from, in a sentence.
    pub fn reason(&self) -> String {
        let (own, other) = (self.position.to_move().title(), (!self.position.to_move()).title());
        let k = self.position.game().k();
        match self.thought.reason {
            Reason::Completes => format!("it completes {k} in a row."),
            Reason::Forces if self.proved => {
                let order = self.thought.proof.as_ref().map_or(0, |proof| proof.order);
                format!("{own} wins by force with it, by a checked proof of order {order}.")
            }
            Reason::Forces => "it was hoped to win by force, but nothing is proved.".to_string(),
            Reason::Book => "it is in the opening book.".to_string(),
            Reason::Blocks => {
                format!("it blocks {other}, who threatens to complete {k} in a row.")
            }
            Reason::Defends => {
                let danger = match &self.thought.danger[..] {
                    [] => String::new(),
                    squares => format!(", beginning with {}", self.names(squares)),
                };
                format!(
                    "{other} would win by force if nothing were done{danger}; \
                     it was chosen among the moves that can prevent that."
                )
            }
            Reason::HoldsOut => format!(
                "nothing that was tried prevents a win of {other}; it seems to hold out longest."
            ),
            Reason::Searched => "the search finds it best.".to_string(),
            Reason::Chosen => format!("the style {} chooses without searching.", self.style),
        }
    }

    /// What the side to move may expect, where the engine has an opinion.
    fn expectation(&self) -> Option<String> {
        let side = self.position.to_move().title();
        let thought = self.thought;
        let score = match (thought.score, thought.reason) {
            (_, Reason::Chosen | Reason::Completes) => return None,
            (Score::Win, _) if self.proved => return None,
            // What is not proved is not called certain.
            (Score::Win, _) => format!("{side} seems to be winning"),
            (Score::Loss, _) => format!("{side} seems to be losing"),
            (score @ Score::Value(_), _) => {
                format!("{side} may expect {}", percent(score))
            }
        };
        let counts = thought.counts;
        let effort = match (counts.depth, counts.nodes + counts.threat_nodes) {
            (0, 0) => String::new(),
            (0, nodes) => format!(" ({} nodes)", grouped(nodes)),
            (depth, nodes) => format!(" (depth {depth}, {} nodes)", grouped(nodes)),
        };
        Some(format!("{score}{effort}."))
    }

    /// The line of play: of the win that is proved, else the one that is expected.
    fn line(&self) -> Option<String> {
        let game = self.position.game();
        let proof = self.thought.proof.as_ref().filter(|_| self.proved);
        let (name, line) = match proof {
            Some(proof) if !proof.line.is_empty() => ("Winning line", &proof.line),
            _ => ("Expected line", &self.thought.line),
        };
        if line.len() < 2 {
            return None;
        }
        line_text(game, line, self.position).map(|text| format!("{name}: {text}"))
    }

    /// One line on what is thought so far.
    pub fn progress(&self) -> String {
        let Thought { counts, score, squares, .. } = self.thought;
        let score = match score {
            Score::Win => "winning".to_string(),
            Score::Loss => "losing".to_string(),
            Score::Value(_) => percent(*score),
        };
        let nodes = grouped(counts.nodes + counts.threat_nodes);
        format!("depth {}, {score}, {}, {nodes} nodes", counts.depth, self.names(squares))
    }
}

/// An expected score: `62 %`, never quite 0 or 100.
fn percent(score: Score) -> String {
    format!("{} %", (score.expected() * 100.0).round().clamp(1.0, 99.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sixproof_game::Game;
    use sixproof_player::{Counts, WinProof};

    fn thought(reason: Reason) -> Thought {
        let square = |name: &str| Game::CONNECT6.parse_square(name).unwrap();
        Thought {
            squares: vec![square("J10")],
            reason,
            score: Score::Value(50),
            line: vec![[square("J10")].into(), [square("K11"), square("L10")].into()],
            danger: [square("C3")].into(),
            counts: Counts { nodes: 1_000, threat_nodes: 234, depth: 4, ..Counts::default() },
            proof: Some(WinProof { order: 2, ..WinProof::default() }),
        }
    }

    fn why(reason: Reason, proved: bool) -> String {
        let position = Position::new(Game::CONNECT6);
        let thought = thought(reason);
        let explained =
            Explained { position: &position, thought: &thought, style: Style::Sixproof, proved };
        explained.why().join("\n")
    }

    #[test]
    fn a_move_is_explained_with_what_is_expected() {
        assert_eq!(
            why(Reason::Searched, false),
            "J10: the search finds it best.\n\
             Black may expect 62 % (depth 4, 1,234 nodes).\n\
             Expected line: J10 / L10 K11"
        );
        assert!(why(Reason::Defends, false).contains("White would win by force"));
        assert!(why(Reason::Defends, false).contains("beginning with C3"));
        assert!(why(Reason::Blocks, false).contains("complete 6 in a row"));
    }

    #[test]
    fn a_win_is_only_claimed_when_it_is_proved() {
        assert!(why(Reason::Forces, true).contains("Black wins by force"));
        let unproved = why(Reason::Forces, false);
        assert!(!unproved.contains("wins by force"), "{unproved}");
        for score in [Score::Win, Score::Loss, Score::Value(99_999), Score::Value(-99_999)] {
            let position = Position::new(Game::CONNECT6);
            let thought = Thought { score, ..thought(Reason::Searched) };
            let style = Style::Sixproof;
            let explained =
                Explained { position: &position, thought: &thought, style, proved: false };
            let text = explained.why().join("\n") + &explained.progress();
            assert!(!text.contains("100 %") && !text.contains(" 0 %"), "{text}");
            assert!(!text.contains("wins"), "{text}");
        }
    }
}
