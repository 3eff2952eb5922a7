//! The game so far, and the side that the user plays. Pure: no clock, no files, no engine.

use sixproof_game::load::Loaded;
use sixproof_game::{Color, Game, InputError, Node, Position, Record, Square, moves};
use sixproof_player::Thought;

use crate::options::UserSide;

/// A game that is being played.
pub(super) struct PlayedGame {
    /// Where it began, with what led there.
    start: Loaded,
    turns: Vec<PlayedMove>,
    /// The position, provisional stones included.
    position: Position,
    /// Stones of a move that is not complete, which the user may take back one by one.
    provisional: Vec<Square>,
    side_of_user: UserSide,
    resigned: Option<Color>,
    /// Whether the engine waits although it is its turn.
    paused: bool,
}

/// A move that was made.
#[derive(Clone)]
pub(super) struct PlayedMove {
    pub(super) before: Position,
    pub(super) squares: Vec<Square>,
    /// What the engine thought, if it was the engine's move.
    pub(super) thought: Option<Thought>,
    /// Whether the checker has accepted the proof that came with the thought.
    pub(super) proved: bool,
    /// The comment of the move.
    pub(super) comment: String,
}

impl PlayedMove {
    pub(super) fn color(&self) -> Color {
        self.before.to_move()
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GameEnd {
    /// k in a row.
    Line(Color),
    /// The other side resigned.
    Resigned(Color),
    /// The board is full.
    Draw,
}

impl PlayedGame {
    pub(super) fn new(start: Loaded, side_of_user: UserSide) -> PlayedGame {
        let position = start.position.clone();
        PlayedGame {
            start,
            turns: Vec::new(),
            position,
            provisional: Vec::new(),
            side_of_user,
            resigned: None,
            paused: false,
        }
    }

    pub(super) fn game(&self) -> Game {
        self.position.game()
    }

    /// The position with the provisional stones.
    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    /// The stones of a move that is not complete.
    pub(super) fn provisional(&self) -> &[Square] {
        &self.provisional
    }

    pub(super) fn turns(&self) -> &[PlayedMove] {
        &self.turns
    }

    pub(super) fn last_turn_mut(&mut self) -> Option<&mut PlayedMove> {
        self.turns.last_mut()
    }

    pub(super) fn side_of_user(&self) -> UserSide {
        self.side_of_user
    }

    pub(super) fn pause(&mut self, paused: bool) {
        self.paused = paused;
    }

    /// The number of the next move, from 1.
    pub(super) fn number(&self) -> usize {
        let before = self.start.played.iter().map(|&(_, number)| number).max().unwrap_or(0);
        before as usize + self.turns.len() + 1
    }

    /// The stones that show what happened last: the provisional ones, else those of the last move.
    pub(super) fn last_squares(&self) -> Vec<Square> {
        if !self.provisional.is_empty() {
            return self.provisional.clone();
        }
        match self.turns.last() {
            Some(turn) => turn.squares.clone(),
            None => sixproof_solve::notation::last_move(&self.start.played).collect(),
        }
    }

    pub(super) fn end(&self) -> Option<GameEnd> {
        match (self.position.winner(), self.resigned) {
            (Some(winner), _) => Some(GameEnd::Line(winner)),
            (None, Some(side)) => Some(GameEnd::Resigned(!side)),
            (None, None) if self.position.is_full() => Some(GameEnd::Draw),
            (None, None) => None,
        }
    }

    /// Whether the engine is to move now.
    pub(super) fn is_engines_turn(&self) -> bool {
        self.end().is_none() && !self.paused && !self.side_of_user.has(self.position.to_move())
    }

    /// Places stones that the user typed: either all of them or none.
    pub(super) fn place_text(&mut self, text: &str) -> Result<Vec<Square>, InputError> {
        let (squares, after) = moves::read_stones(&self.position, text)?;
        self.place_all(&squares, after, None);
        Ok(squares)
    }

    /// Places one stone of the user.
    pub(super) fn place(&mut self, square: Square) -> Result<(), String> {
        let mut after = self.position.clone();
        after.place(square).map_err(|reason| {
            format!("no stone can be placed on {}: {reason}", self.game().square_name(square))
        })?;
        self.place_all(&[square], after, None);
        Ok(())
    }

    /// Plays the move of an engine. A move that the rules do not allow changes nothing.
    pub(super) fn play_thought(&mut self, thought: Thought) -> Result<(), String> {
        let mut after = self.position.clone();
        let played = after
            .play(&thought.squares)
            .map_err(|illegal| illegal.describe(self.game(), Game::square_name))?;
        self.place_all(played.stones(), after, Some(thought));
        Ok(())
    }

    /// Takes over stones that were placed on a copy of the position.
    fn place_all(&mut self, squares: &[Square], after: Position, thought: Option<Thought>) {
        let mover = self.position.to_move();
        self.provisional.extend(squares);
        let is_over = after.is_over();
        self.position = after;
        if !is_over && self.position.to_move() == mover {
            return;
        }
        let squares = std::mem::take(&mut self.provisional);
        let before = self.turns_position();
        let comment = String::new();
        self.turns.push(PlayedMove { before, squares, thought, proved: false, comment });
    }

    /// The position after the complete moves: provisional stones are not on it.
    fn turns_position(&self) -> Position {
        let Some(turn) = self.turns.last() else { return self.start.position.clone() };
        let mut position = turn.before.clone();
        for &square in &turn.squares {
            position.place(square).expect("the move was played");
        }
        position
    }

    /// Takes the last provisional stone back.
    pub(super) fn take_back(&mut self) -> Option<Square> {
        let square = self.provisional.pop()?;
        self.position = self.turns_position();
        for &square in &self.provisional {
            self.position.place(square).expect("the stone was there");
        }
        Some(square)
    }

    /// Takes back what the user did last: a resignation, the stones of a move that is not
    /// complete, or the user's last move with all that followed. What was taken back, in words.
    pub(super) fn undo(&mut self) -> Result<String, String> {
        if self.resigned.take().is_some() {
            return Ok("The game goes on.".to_string());
        }
        let game = self.game();
        if !self.provisional.is_empty() {
            let squares = std::mem::take(&mut self.provisional);
            self.position = self.turns_position();
            return Ok(format!("Taken back: {}", game.square_names(&squares)));
        }
        let keep = match self.side_of_user {
            UserSide::Both | UserSide::None => self.turns.len().checked_sub(1),
            UserSide::Black | UserSide::White => {
                self.turns.iter().rposition(|turn| self.side_of_user.has(turn.color()))
            }
        };
        let Some(keep) = keep else {
            return Err("there is no move of yours to take back".to_string());
        };
        let gone = self.turns.split_off(keep);
        self.position = gone[0].before.clone();
        // An engine that plays itself would make the move again at once.
        self.paused = self.side_of_user == UserSide::None;
        let names: Vec<String> = gone.iter().map(|turn| game.square_names(&turn.squares)).collect();
        Ok(format!("Taken back: {}", names.join(" / ")))
    }

    /// The user resigns: the side that does.
    pub(super) fn resign(&mut self) -> Result<Color, String> {
        let side = match self.side_of_user {
            UserSide::Black => Color::Black,
            UserSide::White => Color::White,
            UserSide::Both => self.position.to_move(),
            UserSide::None => return Err("you play neither side".to_string()),
        };
        self.provisional.clear();
        self.position = self.turns_position();
        self.resigned = Some(side);
        Ok(side)
    }

    /// The user takes the other side: which one.
    pub(super) fn swap(&mut self) -> Result<Color, String> {
        let side = match self.side_of_user {
            UserSide::Black => Color::White,
            UserSide::White => Color::Black,
            UserSide::Both => return Err("you play both sides".to_string()),
            UserSide::None => return Err("you play neither side".to_string()),
        };
        self.provisional.clear();
        self.position = self.turns_position();
        self.side_of_user = UserSide::of(side);
        Ok(side)
    }

    /// Another game from the same start.
    pub(super) fn restart(&mut self) {
        *self = PlayedGame::new(self.start.clone(), self.side_of_user);
    }

    /// The game as a record: the line that led to the start, and the moves that were made.
    pub(super) fn record(&self, engine: &str) -> Record {
        let source = &self.start.record;
        let mut record = Record::new(self.game());
        record.info = source.info.clone();
        let path = source.path_to(self.start.node);
        record.set(0, source.node(path[0]).clone());
        let mut at = 0;
        for &id in &path[1..] {
            at = record.add(at, source.node(id).clone());
        }
        for turn in &self.turns {
            for &square in &turn.squares {
                at = record.add_stone(at, turn.color(), square);
            }
            let node: &mut Node = record.node_mut(at);
            node.comment.clone_from(&turn.comment);
        }
        self.inform(&mut record, engine);
        record
    }

    /// Writes who played, and how it ended.
    fn inform(&self, record: &mut Record, engine: &str) {
        for (key, color) in [("PB", Color::Black), ("PW", Color::White)] {
            if !record.info.iter().any(|(known, _)| known == key) {
                let name = if self.side_of_user.has(color) { "human" } else { engine };
                record.info.push((key.to_string(), name.to_string()));
            }
        }
        let letter = |color: Color| &color.title()[..1];
        let result = match self.end() {
            Some(GameEnd::Line(winner)) => Some(format!("{}+", letter(winner))),
            Some(GameEnd::Resigned(winner)) => Some(format!("{}+R", letter(winner))),
            Some(GameEnd::Draw) => Some("0".to_string()),
            None => None,
        };
        if result.is_some() || !self.turns.is_empty() {
            record.info.retain(|(key, _)| key != "RE");
            record.info.extend(result.map(|result| ("RE".to_string(), result)));
        }
    }

    /// Whether the record is all that the file had from which the game began.
    pub(super) fn keeps_all(&self) -> bool {
        let source = &self.start.record;
        self.start.games == 1 && source.path_to(self.start.node).len() == source.nodes().len()
    }
}
