//! A session: the game, an engine, its clocks and its files. Front ends send commands, and get text
//! to show, or a search to run.

use std::time::{Duration, SystemTime};

use sixproof_certificate::{Claim, certify};
use sixproof_game::load::Loaded;
use sixproof_game::picture::Picture;
use sixproof_game::{Color, Move, Position, Square};
use sixproof_player::{Control, Engine, Level, Limits, Settings, Style, Thought};
use sixproof_prover::prove;

use super::super::threats;
use super::command::{HELP, PlayCommand};
use super::played::{GameEnd, PlayedGame};
use super::save::GameFile;
use super::thinking::Thinking;
use crate::options::{self, LimitArgs, UserSide};
use crate::try_next;
use sixproof_solve::defaults::TIME_USUAL;
use sixproof_solve::explain::Explained;
use sixproof_solve::failure::Result;
use sixproof_solve::output::{GOOD, HINT};
use sixproof_solve::quantity::{short_time_text, time_text};
use sixproof_solve::question::{Proof, Question, Verdict};
use sixproof_solve::store::Memory;
use sixproof_solve::words;

/// What can be done when a game is over.
const AFTERWARDS: &str =
    "`new` begins another game, `undo` goes back, `save` keeps this one, `quit` ends.";

/// What the engine thinks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A move of its own.
    Move,
    /// A move for the user.
    Hint,
    /// What it thinks of the position.
    Now,
}

/// What comes after a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// These words; perhaps the position is another.
    Said(String),
    /// The board is wanted.
    Board,
    Think(Purpose),
    Quit,
}

/// A game between the user and an engine.
pub(super) struct Session {
    pub(super) played: PlayedGame,
    file: GameFile,
    settings: Settings,
    /// How the engine is given its time, if at all, and what else limits it.
    control: Option<Control>,
    limits: LimitArgs,
    /// What is left of the engine's time for the game, for Black and White.
    clocks: [Duration; 2],
    /// The engine, unless it thinks.
    engine: Option<Engine>,
    /// The engine that gives hints, at its full strength.
    advisor: Option<Engine>,
    /// The side of the engine whose win was announced, and after how many moves.
    announced: Option<(Color, usize)>,
    /// The position in which a win of the user was announced.
    advised: Option<Position>,
    /// The move that was last suggested, while the position is the same.
    hint: Move,
    shows_threats: bool,
    /// The store, which knows who wins some positions.
    memory: Memory,
}

impl Session {
    pub(super) fn new(options: &options::Play, start: Loaded, memory: Memory) -> Result<Session> {
        let side_of_user = options.user.unwrap_or(UserSide::of(start.position.to_move()));
        let played = PlayedGame::new(start, side_of_user);
        let given = &options.position.position;
        let file = GameFile::new(options.sgf.as_deref(), given, played.keeps_all())?;
        let level = Level::new(options::LEVEL_USUAL).unwrap_or(Level::MAX);
        let (settings, limits) = (options.player.settings(level, any_seed())?, options.limits);
        let control = limits.control(TIME_USUAL);
        let mut session = Session {
            played,
            file,
            settings,
            control,
            limits,
            clocks: [Duration::ZERO; 2],
            engine: None,
            advisor: None,
            announced: None,
            advised: None,
            hint: Move::default(),
            memory,
            shows_threats: false,
        };
        session.wind_clocks();
        Ok(session)
    }

    fn wind_clocks(&mut self) {
        if let Some(Control::Game { total, .. }) = self.control {
            self.clocks = [total; 2];
        }
    }

    /// What the engine is called: `sixproof, level 5`.
    fn engine_name(&self) -> String {
        match self.settings.style {
            Style::Sixproof => format!("sixproof, level {}", self.settings.level.number()),
            style => format!("sixproof, style {style}"),
        }
    }

    /// The first words.
    pub(super) fn greeting(&self) -> String {
        let engine = self.engine_name();
        let who = match self.played.side_of_user() {
            UserSide::Black => format!("You are Black, against {engine}."),
            UserSide::White => format!("You are White, against {engine}."),
            UserSide::Both => "You play both sides.".to_string(),
            UserSide::None => format!("{engine} plays both sides."),
        };
        let over = self.end_text().map(|text| format!("\n{text}")).unwrap_or_default();
        format!("{who} Type a move, or `help`.{over}")
    }

    /// Whose move it is.
    pub(super) fn prompt(&self) -> String {
        let position = self.played.position();
        if self.played.end().is_some() {
            return "The game is over".to_string();
        }
        let you = if self.played.side_of_user().has(position.to_move()) { " (you)" } else { "" };
        let stones = if position.left() == 1 { "stone" } else { "stones" };
        format!("{}{you}, {} {stones}", position.to_move().title(), position.left())
    }

    /// The board as it is to be shown.
    pub(super) fn picture(&self) -> Picture {
        let position = self.played.position();
        let mut picture = Picture::new(position).last_move(self.played.last_squares());
        for &square in &self.hint {
            picture = picture.ghost(square, position.to_move(), None);
        }
        if self.shows_threats {
            picture = picture.threats_of(Color::Black).threats_of(Color::White);
        }
        picture
    }

    /// Runs a command.
    pub(super) fn act(&mut self, command: PlayCommand) -> Effect {
        let said = match command {
            PlayCommand::Stones(text) => self.stones(&text),
            PlayCommand::Stone(square) => self.stone(square),
            PlayCommand::TakeBack => match self.played.take_back() {
                Some(square) => {
                    self.forget_signs();
                    Ok(format!("Taken back: {}", self.played.game().square_name(square)))
                }
                None => Err("no stone of this move is on the board; `undo` goes back".to_string()),
            },
            PlayCommand::Undo => self.played.undo().map(|text| self.after_change(text)),
            PlayCommand::Hint if self.played.end().is_none() => match self.known_hint() {
                Some(text) => Ok(text),
                None => return Effect::Think(Purpose::Hint),
            },
            PlayCommand::Now if self.played.end().is_none() => match self.known_value() {
                Some(text) => Ok(text),
                None => return Effect::Think(Purpose::Now),
            },
            PlayCommand::Hint | PlayCommand::Now => Err("the game is over".to_string()),
            PlayCommand::Why => match self.why() {
                Some(text) => Ok(text),
                None if self.played.end().is_some() => Err("the game is over".to_string()),
                None => return Effect::Think(Purpose::Now),
            },
            PlayCommand::Threats => {
                self.shows_threats = self.played.end().is_none();
                match self.played.end() {
                    Some(_) => Err("the game is over: there are no threats".to_string()),
                    None => Ok(threats::texts(self.played.position())),
                }
            }
            PlayCommand::Resign => self.resign(),
            PlayCommand::Save(path) => {
                let record = self.played.record(&self.engine_name());
                let saved = self.file.save(path, &record);
                saved.map(|path| format!("Saved in {}.", path.display())).map_err(|e| e.to_string())
            }
            PlayCommand::Level(level) => self.set_level(level),
            PlayCommand::Swap => self.played.swap().map(|side| {
                let text = format!("You are {} now.", side.title());
                self.announced = None;
                self.after_change(text)
            }),
            PlayCommand::New => Ok(self.begin_again()),
            PlayCommand::Go => match self.played.end() {
                Some(_) => Err("the game is over".to_string()),
                None if self.played.provisional().is_empty() => {
                    self.played.pause(false);
                    return Effect::Think(Purpose::Move);
                }
                None => Err("your move has begun; `back` takes its stones back".to_string()),
            },
            PlayCommand::Board => return Effect::Board,
            PlayCommand::Moves => Ok(match self.moves() {
                moves if moves.is_empty() => "No moves yet.".to_string(),
                moves => moves.join("\n"),
            }),
            PlayCommand::Help => Ok(HELP.to_string()),
            PlayCommand::Quit => return Effect::Quit,
        };
        Effect::Said(said.unwrap_or_else(|mistake| mistake))
    }

    fn stones(&mut self, text: &str) -> std::result::Result<String, String> {
        self.ensure_users_turn()?;
        let placed = self.played.place_text(text).map_err(|error| match error.help {
            Some(help) => format!("{}; {help}", error.message),
            None => error.message,
        });
        placed.map(|_| self.after_stones())
    }

    fn stone(&mut self, square: Square) -> std::result::Result<String, String> {
        self.ensure_users_turn()?;
        self.played.place(square).map(|()| self.after_stones())
    }

    fn ensure_users_turn(&self) -> std::result::Result<(), String> {
        if self.played.end().is_some() {
            return Err(format!("the game is over. {AFTERWARDS}"));
        }
        match self.played.side_of_user().has(self.played.position().to_move()) {
            true => Ok(()),
            false => Err("it is the engine's move: `go` lets it play".to_string()),
        }
    }

    fn after_stones(&mut self) -> String {
        if !self.played.provisional().is_empty() {
            self.forget_signs();
            let names = self.played.game().square_names(self.played.provisional());
            return format!("So far: {names}. `back` takes the last stone back.");
        }
        let text = self.end_text().unwrap_or_default();
        self.after_change(text)
    }

    /// The position is another: what was shown on it goes, and the game is kept.
    fn after_change(&mut self, text: String) -> String {
        self.forget_signs();
        let turns = self.played.turns().len();
        self.announced = self.announced.filter(|&(_, number)| number <= turns);
        let record = self.played.record(&self.engine_name());
        match self.file.changed(&record, turns > 0) {
            Ok(()) => text,
            Err(failure) => lines([text, failure.to_string()]),
        }
    }

    fn forget_signs(&mut self) {
        self.hint = Move::default();
        self.shows_threats = false;
    }

    fn resign(&mut self) -> std::result::Result<String, String> {
        if self.played.end().is_some() {
            return Err("the game is over".to_string());
        }
        self.played.resign()?;
        let text = self.end_text().unwrap_or_default();
        Ok(self.after_change(text))
    }

    fn set_level(&mut self, level: Level) -> std::result::Result<String, String> {
        if self.settings.style != Style::Sixproof {
            return Err(format!("the style {} has no levels", self.settings.style));
        }
        self.settings.level = level;
        self.engine = None;
        Ok(format!("The engine plays at level {} now.", level.number()))
    }

    fn begin_again(&mut self) -> String {
        self.played.restart();
        self.file.renew();
        self.forget_signs();
        self.announced = None;
        self.engine = None;
        self.advisor = None;
        self.settings.seed = self.settings.seed.wrapping_add(1);
        self.wind_clocks();
        format!("A new game. {}", self.greeting())
    }

    /// The moves of this session, one a line.
    pub(super) fn moves(&self) -> Vec<String> {
        let game = self.played.game();
        let first = self.played.number() - self.played.turns().len();
        let moves = self.played.turns().iter().enumerate().map(|(index, turn)| {
            let side = turn.color().title();
            format!("{}. {side} {}", first + index, game.square_names(&turn.squares))
        });
        moves.collect()
    }

    /// Why the engine played its last move, if the last move was the engine's.
    fn why(&self) -> Option<String> {
        let turn = self.played.turns().last()?;
        let thought = turn.thought.as_ref()?;
        let style = self.settings.style;
        let explained = Explained { position: &turn.before, thought, style, proved: turn.proved };
        Some(explained.why().join("\n"))
    }

    /// How the game ended, if it has.
    fn end_text(&self) -> Option<String> {
        let position = self.played.position();
        let game = self.played.game();
        let text = match self.played.end()? {
            GameEnd::Line(winner) => {
                let squares: Vec<Square> = position.winning_squares().into_iter().collect();
                let names = game.square_names(&squares);
                let winner = winner.title();
                format!("{GOOD}{winner} wins{GOOD:#} with {} in a row: {names}.", game.k())
            }
            GameEnd::Resigned(winner) => {
                format!("{} resigns: {GOOD}{} wins{GOOD:#}.", (!winner).title(), winner.title())
            }
            GameEnd::Draw => "The board is full: a draw.".to_string(),
        };
        Some(format!("{text}\n{AFTERWARDS}"))
    }

    /// Where the game is; `is_read` says whether the user sees it.
    pub(super) fn closing_text(&mut self, is_read: bool) -> Option<String> {
        let record = self.played.record(&self.engine_name());
        self.file.closing_text(&record, is_read)
    }

    /// Lets an engine think.
    pub(super) fn start_thinking(&mut self, purpose: Purpose) -> Result<Thinking> {
        let position = self.played.position().clone();
        let limits = self.limits(purpose, position.to_move());
        let settings = &self.settings;
        let engine = match purpose {
            Purpose::Move => self.engine.take().unwrap_or_else(|| Engine::new(settings.clone())),
            Purpose::Hint | Purpose::Now => self.advisor.take().unwrap_or_else(|| {
                let (style, level) = (Style::Sixproof, Level::MAX);
                Engine::new(Settings { style, level, ..settings.clone() })
            }),
        };
        Thinking::start(engine, position, limits)
    }

    fn limits(&self, purpose: Purpose, color: Color) -> Limits {
        let limits = match self.control {
            None => Limits::default(),
            Some(control @ Control::Move(time)) => control.limits(time),
            Some(control) if purpose == Purpose::Move => {
                control.limits(self.clocks[color as usize])
            }
            Some(_) => Control::Move(TIME_USUAL).limits(TIME_USUAL),
        };
        self.limits.beside(limits)
    }

    /// The time that the engine has left for the game.
    pub(super) fn clock(&self) -> Option<Duration> {
        match self.control {
            Some(Control::Game { .. }) => {
                Some(self.clocks[self.played.position().to_move() as usize])
            }
            _ => None,
        }
    }

    /// The time of the engine, if it is limited by time.
    pub(super) fn clock_text(&self) -> Option<String> {
        let side = self.played.side_of_user();
        let left = |color: Color| {
            let time = time_text(self.clocks[color as usize]);
            (!side.has(color)).then(|| format!("{} has {time} left", color.title()))
        };
        let text = match self.control? {
            Control::Move(time) => format!("Engine: {} a move", short_time_text(time)),
            Control::Game { .. } => [Color::Black, Color::White]
                .into_iter()
                .filter_map(left)
                .collect::<Vec<_>>()
                .join(", "),
        };
        Some(text).filter(|text| !text.is_empty() && side != UserSide::Both)
    }

    /// One line on what is thought so far.
    pub(super) fn progress(&self, thinking: &Thinking) -> String {
        let side = self.played.position().to_move().title();
        let spent = thinking.elapsed().as_secs_f64();
        let clock = self.clock().map(|left| format!(" of {:.0} s", left.as_secs_f64()));
        let clock = clock.unwrap_or_default();
        let latest = thinking.latest().map(|thought| {
            let position = self.played.position();
            let style = self.settings.style;
            Explained { position, thought: &thought, style, proved: false }.progress()
        });
        let latest = latest.map(|latest| format!(": {latest}")).unwrap_or_default();
        format!("{side} thinks, {spent:.1} s{clock}{latest}")
    }

    /// Plays the result of a search, or reports it.
    pub(super) fn conclude(&mut self, purpose: Purpose, thinking: Thinking) -> String {
        let (engine, thought, spent) = thinking.finish();
        match purpose {
            Purpose::Move => {
                self.engine = Some(engine);
                self.count_time(spent);
                self.play(thought)
            }
            Purpose::Hint | Purpose::Now => {
                self.advisor = Some(engine);
                self.advise(purpose, &thought)
            }
        }
    }

    fn count_time(&mut self, spent: Duration) {
        if let Some(Control::Game { increment, .. }) = self.control {
            let clock = &mut self.clocks[self.played.position().to_move() as usize];
            *clock = clock.saturating_sub(spent) + increment;
        }
    }

    pub(super) fn play(&mut self, thought: Thought) -> String {
        let before = self.played.position().clone();
        let (color, number) = (before.to_move(), self.played.number());
        if let Err(why) = self.played.play_thought(thought.clone()) {
            self.played.pause(true);
            return format!(
                "The engine's move is not legal ({why}). This is a bug, please report it with the \
                 game (`save`); `go` lets the engine try again."
            );
        }
        let game = self.played.game();
        let squares = self.played.turns().last().map_or(&[][..], |turn| &turn.squares);
        let moved = format!("{} plays {}.", color.title(), game.square_names(squares));
        let (proved, announcement) = match self.played.end() {
            Some(_) => (false, String::new()),
            None => {
                // An engine that goes on with a win goes on with the same one.
                let is_announced = self.announced.is_some_and(|(side, _)| side == color);
                self.judge(&before, &thought, number, is_announced)
            }
        };
        if proved && self.announced.is_none_or(|(side, _)| side != color) {
            self.announced = Some((color, self.played.turns().len()));
        }
        let style = self.settings.style;
        let explained = Explained { position: &before, thought: &thought, style, proved };
        if let Some(turn) = self.played.last_turn_mut() {
            turn.comment = explained.comment();
            turn.proved = proved;
        }
        let end = self.end_text().unwrap_or_default();
        self.after_change(lines([moved, announcement, end]))
    }

    pub(super) fn advise(&mut self, purpose: Purpose, thought: &Thought) -> String {
        let position = self.played.position().clone();
        let number = self.played.number();
        let is_announced = self.advised.as_ref() == Some(&position);
        let (proved, announcement) = self.judge(&position, thought, number, is_announced);
        if proved {
            self.advised = Some(position.clone());
        }
        let style = Style::Sixproof;
        let explained = Explained { position: &position, thought, style, proved };
        let mut text = explained.why();
        if purpose == Purpose::Hint {
            self.hint = thought.squares[..].into();
            text.insert(0, format!("Try {}.", position.game().square_names(&thought.squares)));
        }
        lines([text.join("\n"), announcement])
    }

    /// The proof that the store has for a side, which the checker has accepted.
    fn known(&self, attacker: Color) -> Option<Proof> {
        let claim = Claim::new(self.played.position(), attacker);
        let options = prove::Options::default();
        match Question::new(&claim, &options, &self.memory).known().ok()??.verdict {
            Verdict::Proved(proof) => Some(*proof),
            _ => None,
        }
    }

    /// Who wins, where the store knows it.
    fn known_value(&self) -> Option<String> {
        let position = self.played.position();
        let (proof, side) = [position.to_move(), !position.to_move()]
            .into_iter()
            .find_map(|side| Some((self.known(side)?, side.title())))?;
        let line = words::line_text(position.game(), &proof.line, position);
        let line = line.map(|line| format!(": {line}")).unwrap_or_default();
        let nodes = words::nodes_text(proof.certified.counts().nodes);
        Some(format!("{GOOD}{side} wins by force{GOOD:#}{line} (from the store, {nodes}, checked)"))
    }

    /// The winning move, where the store knows one.
    fn known_hint(&mut self) -> Option<String> {
        let position = self.played.position();
        let squares = self.known(position.to_move())?.line.first()?.clone();
        let text = format!("Try {}.", position.game().square_names(&squares));
        let value = self.known_value()?;
        self.hint = squares;
        Some(lines([text, value]))
    }

    /// Has the proof of a thought checked, if it has one. A win that was not announced before is
    /// announced with its certificate.
    fn judge(
        &self,
        position: &Position,
        thought: &Thought,
        number: usize,
        is_announced: bool,
    ) -> (bool, String) {
        let Some(win) = &thought.proof else { return (false, String::new()) };
        let color = position.to_move();
        let claim = Claim::new(position, color);
        if is_announced {
            return (certify(&claim, &win.certificate).is_ok(), String::new());
        }
        match self.file.certificate(&claim, &win.certificate, number) {
            Ok((certified, written)) => {
                let line = words::line_text(position.game(), &win.line, position);
                let line = line.map(|line| format!(": {line}")).unwrap_or_default();
                let nodes = certified.counts().nodes;
                self.memory.keep(&certified, &win.certificate, Some(win.order), 0);
                let file = match written {
                    Ok(path) => format!(
                        "certificate written to {} ({nodes} nodes, checked)\n\
                         check it: {HINT}{}{HINT:#}",
                        path.display(),
                        try_next::command(&format!("check {}", try_next::quoted(&path)))
                    ),
                    Err(failure) => {
                        format!("checked, but the certificate was not kept: {failure}")
                    }
                };
                let side = color.title();
                (true, format!("{GOOD}{side} wins by force{GOOD:#}{line}; {file}"))
            }
            Err(failure) => (false, failure.to_string()),
        }
    }
}

/// A seed from the clock, so that the next game is another one.
fn any_seed() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(1, |time| time.as_micros() as u64)
}

/// The texts that are not empty, one below the other.
fn lines<const N: usize>(texts: [String; N]) -> String {
    let texts: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    texts.join("\n")
}
