//! One game under the eyes of an arbiter, who has the clock, places the stones, and knows when it
//! is over.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use sixproof_certificate::{Claim, certify};
use sixproof_game::{Color, DIRECTIONS, Game, Position, Segment, Square};
use sixproof_player::Control;

use super::player::{ActivePlayer, Fault, PlayerReply, PlayerTurn};

/// The longest wait for a player where no time is limited.
const PATIENCE: Duration = Duration::from_secs(600);

/// What holds for all games of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The game.
    pub game: Game,
    /// How the time is given; none where it is not limited.
    pub control: Option<Control>,
    /// Nodes searched for a move at most.
    pub nodes: Option<u64>,
    /// Moves looked ahead at most.
    pub depth: Option<u32>,
    /// How late an answer may be.
    pub tolerance: Duration,
    /// Whether a game ends with a proof that the checker accepts.
    pub adjudicate: bool,
    /// A game with this many moves of both sides is drawn.
    pub moves_max: Option<u32>,
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// A line was completed.
    Line,
    /// The checker verified a proof.
    Proof,
    /// No empty square is left.
    Full,
    /// Neither side can complete a line any more.
    Dead,
    /// The game had as many moves as were allowed.
    Moves,
    /// The loser resigned.
    Resigned,
    /// The loser's program ended.
    Crash,
    /// The loser played an illegal move.
    Illegal,
    /// The loser gave no answer that can be understood.
    Garbage,
    /// The loser was late.
    Time,
}

impl Ending {
    /// All, with their names in journals.
    pub(super) const ALL: [(Ending, &str); 10] = [
        (Ending::Line, "line"),
        (Ending::Proof, "proof"),
        (Ending::Full, "full"),
        (Ending::Dead, "dead"),
        (Ending::Moves, "moves"),
        (Ending::Resigned, "resigned"),
        (Ending::Crash, "crash"),
        (Ending::Illegal, "illegal"),
        (Ending::Garbage, "garbage"),
        (Ending::Time, "time"),
    ];

    /// Its name in journals.
    pub fn name(self) -> &'static str {
        Ending::ALL.iter().find(|(ending, _)| *ending == self).map_or("", |(_, name)| name)
    }
}

/// What the moves of one player took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerEffort {
    /// How many moves.
    pub moves: u64,
    /// Seconds for all of them.
    pub seconds: f64,
    /// Seconds for the slowest.
    pub seconds_max: f64,
    /// Nodes, where the player reports them.
    pub nodes: u64,
    /// The sum of the depths.
    pub depths: u64,
    /// The number of moves whose depth is known.
    pub depth_moves: u64,
}

impl PlayerEffort {
    fn add(&mut self, time: Duration, reply: &PlayerReply) {
        let seconds = time.as_secs_f64();
        self.moves += 1;
        self.seconds += seconds;
        self.seconds_max = self.seconds_max.max(seconds);
        self.nodes += reply.nodes;
        self.depths += u64::from(reply.depth);
        self.depth_moves += u64::from(reply.depth > 0);
    }

    pub(super) fn join(&mut self, other: &PlayerEffort) {
        self.moves += other.moves;
        self.seconds += other.seconds;
        self.seconds_max = self.seconds_max.max(other.seconds_max);
        self.nodes += other.nodes;
        self.depths += other.depths;
        self.depth_moves += other.depth_moves;
    }
}

/// A game that is over.
#[derive(Clone, Debug, PartialEq)]
pub struct GameResult {
    /// All moves, those of the opening included.
    pub moves: Vec<Vec<Square>>,
    /// Who won; none in a draw.
    pub winner: Option<Color>,
    /// Why it is over.
    pub ending: Ending,
    /// What was wrong, where something was.
    pub remark: String,
    /// Of Black and of White.
    pub efforts: [PlayerEffort; 2],
    /// Certificates that the checker refused.
    pub rejected: u64,
}

/// The index of a side.
pub(super) fn side(color: Color) -> usize {
    match color {
        Color::Black => 0,
        Color::White => 1,
    }
}

/// A game that is being played: the position and the clocks.
struct LiveGame<'a> {
    terms: &'a Terms,
    position: Position,
    clocks: [Duration; 2],
    stop: &'a Arc<AtomicBool>,
    played: GameResult,
}

/// Plays a game from an opening; `None` if it was given up because the match was stopped.
pub(super) fn play(
    terms: &Terms,
    opening: &[Vec<Square>],
    players: &mut [ActivePlayer; 2],
    stop: &Arc<AtomicBool>,
) -> Option<GameResult> {
    let mut position = Position::new(terms.game);
    for stones in opening {
        position.play(stones).ok()?;
    }
    let clock = match terms.control {
        Some(Control::Move(time)) => time,
        Some(Control::Game { total, .. }) => total,
        None => PATIENCE,
    };
    let played = GameResult {
        moves: opening.to_vec(),
        winner: None,
        ending: Ending::Full,
        remark: String::new(),
        efforts: [PlayerEffort::default(); 2],
        rejected: 0,
    };
    let mut game = LiveGame { terms, position, clocks: [clock; 2], stop, played };
    let is_over = game.run(players);
    for player in players {
        player.end();
    }
    is_over.then_some(game.played)
}

impl LiveGame<'_> {
    /// Plays to the end; false if the game was given up.
    fn run(&mut self, players: &mut [ActivePlayer; 2]) -> bool {
        for color in [Color::Black, Color::White] {
            let ready = players[side(color)].prepare(self.terms.game, &self.turn(color));
            if let Err(fault) = ready {
                return self.fault(color, fault);
            }
        }
        while self.over().is_none() {
            let color = self.position.to_move();
            let start = Instant::now();
            let reply = players[side(color)].think(&self.turn(color));
            let time = start.elapsed();
            if self.stop.load(Ordering::Relaxed) {
                return false;
            }
            let reply = match reply {
                Ok(reply) => reply,
                Err(fault) => return self.fault(color, fault),
            };
            self.played.efforts[side(color)].add(time, &reply);
            if !self.has_time(color, time) {
                return self.fault(color, Fault::Late);
            }
            if reply.squares.is_empty() {
                self.lose(color, Ending::Resigned, String::new());
                return true;
            }
            let before = self.position.clone();
            if let Err(why) = self.place(&reply.squares) {
                return self.fault(color, Fault::Illegal(why));
            }
            if self.position.winner().is_none() && self.is_proved(&before, color, &reply) {
                self.played.winner = Some(color);
                self.played.ending = Ending::Proof;
                return true;
            }
        }
        if let Some((winner, ending)) = self.over() {
            self.played.winner = winner;
            self.played.ending = ending;
        }
        true
    }

    fn turn(&self, color: Color) -> PlayerTurn<'_> {
        let left = self.clocks[side(color)];
        PlayerTurn {
            position: &self.position,
            moves: &self.played.moves,
            control: self.terms.control,
            left,
            nodes: self.terms.nodes,
            depth: self.terms.depth,
            deadline: Instant::now() + left + self.terms.tolerance,
            stop: self.stop,
        }
    }

    /// Takes the time of a move off the clock. Whether there was so much on it.
    fn has_time(&mut self, color: Color, time: Duration) -> bool {
        let clock = &mut self.clocks[side(color)];
        let is_within = time <= *clock + self.terms.tolerance;
        if let Some(Control::Game { increment, .. }) = self.terms.control {
            *clock = clock.saturating_sub(time) + increment;
        }
        is_within || self.terms.control.is_none()
    }

    /// Places the stones of a move, all of them or none.
    fn place(&mut self, squares: &[Square]) -> Result<(), String> {
        let game = self.terms.game;
        let played = self
            .position
            .play(squares)
            .map_err(|illegal| illegal.describe(game, Game::square_name))?;
        self.played.moves.push(squares[..played.stones().len()].to_vec());
        Ok(())
    }

    /// Whether the checker verifies the claim that came with a move.
    fn is_proved(&mut self, before: &Position, color: Color, reply: &PlayerReply) -> bool {
        let Some(certificate) = reply.certificate.as_ref().filter(|_| self.terms.adjudicate) else {
            return false;
        };
        match certify(&Claim::new(before, color), certificate) {
            Ok(_) => true,
            Err(why) => {
                self.played.rejected += 1;
                self.played.remark = format!("a certificate was rejected: {why}");
                false
            }
        }
    }

    /// The result, if the rules or the terms of the match say that the game is over.
    fn over(&self) -> Option<(Option<Color>, Ending)> {
        if let Some(winner) = self.position.winner() {
            return Some((Some(winner), Ending::Line));
        }
        if self.position.is_full() {
            return Some((None, Ending::Full));
        }
        if is_dead(&self.position) {
            return Some((None, Ending::Dead));
        }
        let moves = self.played.moves.len();
        let is_long = self.terms.moves_max.is_some_and(|max| moves >= max as usize);
        is_long.then_some((None, Ending::Moves))
    }

    /// The side to move loses by its own fault; false without such a fault.
    fn fault(&mut self, color: Color, fault: Fault) -> bool {
        let (ending, remark) = match fault {
            Fault::Stopped => return false,
            _ if self.stop.load(Ordering::Relaxed) => return false,
            Fault::Crash(why) => (Ending::Crash, why),
            Fault::Illegal(why) => (Ending::Illegal, why),
            Fault::Garbage(why) => (Ending::Garbage, why),
            Fault::Late => (Ending::Time, String::new()),
        };
        self.lose(color, ending, remark);
        true
    }

    fn lose(&mut self, color: Color, ending: Ending, remark: String) {
        self.played.winner = Some(!color);
        self.played.ending = ending;
        self.played.remark = remark;
    }
}

/// Whether every line of a bounded board has stones of both sides, so that neither side can win.
/// Under the exact rule a line that would be too long is no line, either.
pub(super) fn is_dead(position: &Position) -> bool {
    let game = position.game();
    let (cols, rows) = (game.cols() as i32, game.rows() as i32);
    if game.is_unbounded() {
        return false;
    }
    let mut stones = vec![None; (cols * rows) as usize];
    for (square, color) in position.stones() {
        stones[(square.y * cols + square.x) as usize] = Some(color);
    }
    let at = |square: Square| match game.contains(square) {
        true => stones[(square.y * cols + square.x) as usize],
        false => None,
    };
    let is_open = |segment: Segment, color: Color| {
        segment.squares(game).all(|square| at(square) != Some(!color))
            && (!game.exact() || segment.beyond(game).into_iter().all(|s| at(s) != Some(color)))
    };
    let mut segments = game.squares().flat_map(|start| {
        let of = DIRECTIONS.into_iter().map(move |direction| Segment { start, direction });
        of.filter(|segment| game.contains(segment.ends(game)[1]))
    });
    !segments.any(|segment| is_open(segment, Color::Black) || is_open(segment, Color::White))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(game: &str, names: &str) -> Position {
        let mut position = Position::new(game.parse().unwrap());
        for name in names.split_whitespace() {
            position.place(position.game().parse_square(name).unwrap()).unwrap();
        }
        position
    }

    #[test]
    fn a_board_is_dead_when_every_line_is_blocked() {
        assert!(!is_dead(&position("tic-tac-toe", "")));
        assert!(!is_dead(&position("tic-tac-toe", "B2 A1 A2 C2 C1 A3 B1 B3")));
        assert!(!is_dead(&position("tic-tac-toe", "B2 A1 A2 C2 C1 A3 B1")));
        assert!(is_dead(&position("tic-tac-toe", "B2 A1 A2 C2 C1 A3 B3 B1")));
        assert!(!is_dead(&position("inf,6,2,1", "0,0")));
    }

    /// A row of four squares, where exactly two wins.
    #[test]
    fn a_line_that_would_be_too_long_is_none() {
        let game: Game = "4,1,2,1,1,exact".parse().unwrap();
        let square = |x| Square::new(x, 0);
        let set_up = |black: &[i32], white: &[i32]| {
            let squares = |list: &[i32]| list.iter().map(|&x| square(x)).collect::<Vec<_>>();
            Position::set_up(game, &squares(black), &squares(white), Color::Black, 1).unwrap()
        };
        assert!(!is_dead(&set_up(&[0], &[])));
        // B1 would make three of Black's two, and every other pair has stones of both sides.
        assert!(is_dead(&set_up(&[0, 2], &[3])));
        assert!(!is_dead(&set_up(&[0], &[3])));
    }

    #[test]
    fn endings_are_read_as_they_are_written() {
        for (ending, name) in Ending::ALL {
            assert_eq!(serde_json::from_value::<Ending>(name.into()).ok(), Some(ending));
            assert_eq!(ending.name(), name);
        }
        assert!(serde_json::from_value::<Ending>("luck".into()).is_err());
    }

    fn live_game<'a>(terms: &'a Terms, stop: &'a Arc<AtomicBool>) -> LiveGame<'a> {
        let played = GameResult {
            moves: Vec::new(),
            winner: None,
            ending: Ending::Full,
            remark: String::new(),
            efforts: [PlayerEffort::default(); 2],
            rejected: 0,
        };
        let clocks = [Duration::from_secs(10); 2];
        LiveGame { terms, position: Position::new(terms.game), clocks, stop, played }
    }

    fn terms(game: &str, control: Option<Control>) -> Terms {
        Terms {
            game: game.parse().unwrap(),
            control,
            nodes: None,
            depth: None,
            tolerance: Duration::from_millis(50),
            adjudicate: true,
            moves_max: None,
        }
    }

    #[test]
    fn a_move_has_all_its_stones_or_ends_the_game() {
        let (terms, stop) = (terms("3,3,3,2,1", None), Arc::default());
        let mut game = live_game(&terms, &stop);
        let squares = |names: &str| -> Vec<Square> {
            names.split(' ').map(|name| terms.game.parse_square(name).unwrap()).collect()
        };
        assert!(game.place(&squares("A1 B1")).is_err(), "q = 1");
        game.place(&squares("A1")).unwrap();
        for wrong in ["A1 B1", "B2", "B2 B2", "B2 B3 C3"] {
            let why = game.place(&squares(wrong)).unwrap_err();
            assert!(!why.is_empty() && game.played.moves.len() == 1, "{wrong}: {why}");
        }
        game.place(&squares("B2 B3")).unwrap();
        game.place(&squares("C1 C3")).unwrap();
        // The first stone wins; a second one is not placed, but has to be on an empty square.
        assert!(game.place(&squares("B1 A1")).is_err());
        game.place(&squares("B1 C2")).unwrap();
        assert_eq!(game.over(), Some((Some(Color::White), Ending::Line)));
        assert_eq!(game.played.moves.last(), Some(&squares("B1")));
    }

    #[test]
    fn clocks_run_down_and_late_is_late_beyond_the_tolerance() {
        let second = Duration::from_secs(1);
        let stop = Arc::default();
        let total = 10 * second;
        let game = terms("connect6", Some(Control::Game { total, increment: second }));
        let mut clocks = live_game(&game, &stop);
        assert!(clocks.has_time(Color::Black, 4 * second));
        assert_eq!(clocks.clocks, [7 * second, 10 * second]);
        assert!(clocks.has_time(Color::Black, 7 * second + game.tolerance));
        assert_eq!(clocks.clocks[0], second);
        assert!(!clocks.has_time(Color::Black, 2 * second));
        let each = terms("connect6", Some(Control::Move(total)));
        let mut clocks = live_game(&each, &stop);
        assert!(clocks.has_time(Color::White, 10 * second));
        assert!(clocks.has_time(Color::White, 10 * second));
        assert!(!clocks.has_time(Color::White, 11 * second));
        let none = terms("connect6", None);
        assert!(live_game(&none, &stop).has_time(Color::Black, 3_600 * second));
    }

    #[test]
    fn a_game_ends_with_a_proof_only_if_the_checker_accepts_it() {
        let certificate = b"sixproof-certificate 1 game 3 3 3 1 1 attacker black
            black A1 B1 white A2 B2 to-move black 1 W C1 ";
        let position = position("tic-tac-toe", "A1 A2 B1 B2");
        let (mut terms, stop) = (terms("tic-tac-toe", None), Arc::default());
        let claims = |certificate: &[u8]| PlayerReply {
            certificate: Some(certificate.to_vec()),
            ..PlayerReply::default()
        };
        let mut wrong = certificate.to_vec();
        *wrong.iter_mut().rfind(|b| **b == b'1').unwrap() = b'3';
        let mut at = live_game(&terms, &stop);
        assert!(at.is_proved(&position, Color::Black, &claims(certificate)));
        assert!(!at.is_proved(&position, Color::White, &claims(certificate)));
        assert!(!at.is_proved(&position, Color::Black, &claims(&wrong)));
        assert!(!at.is_proved(&position, Color::Black, &PlayerReply::default()));
        assert_eq!(at.played.rejected, 2);
        terms.adjudicate = false;
        assert!(!live_game(&terms, &stop).is_proved(&position, Color::Black, &claims(certificate)));
    }
}
