//! The game and the session, without a terminal and without a clock.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use clap::Parser as _;
use sixproof_certificate::{Claim, certify};
use sixproof_game::load::Loaded;
use sixproof_game::{Color, Game, Position, Square, moves, sgf};
use sixproof_player::{Reason, Score, Thought, WinProof};
use sixproof_prover::prove::{self, Outcome};
use sixproof_solve::output::Output;
use sixproof_solve::store::{Choice, Memory};

use super::command::{PlayCommand, parse};
use super::played::{GameEnd, PlayedGame};
use super::session::{Effect, Purpose, Session};
use crate::options::{self, Cli, UserSide};

fn played(game: &str, line: &str, side_of_user: UserSide) -> PlayedGame {
    let record = moves::read(game.parse().unwrap(), line).unwrap();
    PlayedGame::new(Loaded::at(record, None).unwrap(), side_of_user)
}

fn thought(game: Game, names: &str) -> Thought {
    let squares = names.split(' ').map(|name| game.parse_square(name).unwrap());
    Thought { squares: squares.collect(), reason: Reason::Chosen, ..Thought::default() }
}

/// The options of a command line.
fn options(words: &[&str]) -> Box<options::Play> {
    let cli = Cli::try_parse_from([&["sixproof", "play"], words].concat()).unwrap();
    match cli.command {
        Some(options::Command::Play(options)) => options,
        _ => panic!("play is play"),
    }
}

fn no_store() -> Memory {
    Memory::on(None, Output { json: false })
}

fn session(start: Position, words: &[&str]) -> Session {
    Session::new(&options(words), Loaded::position(start), no_store()).unwrap()
}

/// Does what a line says, and what comes of it at once.
fn said(session: &mut Session, line: &str) -> String {
    match session.act(parse(line).unwrap().unwrap()) {
        Effect::Said(text) => anstream::adapter::strip_str(&text).to_string(),
        effect => format!("{effect:?}"),
    }
}

#[test]
fn the_last_stone_of_a_move_makes_it_final() {
    let mut played = played("connect6", "J10", UserSide::White);
    played.place(Square::new(0, 0)).unwrap();
    assert_eq!((played.provisional().len(), played.turns().len()), (1, 0));
    assert!(!played.is_engines_turn());
    assert_eq!(played.take_back(), Some(Square::new(0, 0)));
    assert_eq!(played.position().at(Square::new(0, 0)), None);
    assert_eq!(played.take_back(), None);
    played.place(Square::new(1, 1)).unwrap();
    played.place(Square::new(2, 2)).unwrap();
    assert_eq!((played.provisional().len(), played.turns().len()), (0, 1));
    assert!(played.is_engines_turn());
    assert_eq!(played.take_back(), None);
}

#[test]
fn stones_that_cannot_be_placed_change_nothing() {
    let mut played = played("connect6", "J10", UserSide::White);
    played.place_text("A1").unwrap();
    let before = played.position().clone();
    for text in ["J10", "A1", "T1", "B2 C3", "B2 B2", "", "zz", "B2 /", "🎲"] {
        assert!(played.place_text(text).is_err(), "{text}");
        assert_eq!(played.position(), &before, "{text}");
        assert_eq!(played.provisional().len(), 1, "{text}");
    }
}

#[test]
fn undo_goes_back_to_the_persons_own_turn() {
    let mut played = played("connect6", "J10", UserSide::White);
    let game = played.game();
    let start = played.position().clone();
    assert!(played.undo().is_err());
    played.place_text("A1 B1").unwrap();
    played.play_thought(thought(game, "K10 L10")).unwrap();
    let second = played.position().clone();
    played.place_text("A2 B2").unwrap();
    played.play_thought(thought(game, "M10 N10")).unwrap();
    played.place_text("A3").unwrap();
    assert_eq!(played.undo().unwrap(), "Taken back: A3");
    assert_eq!(played.undo().unwrap(), "Taken back: A2 B2 / M10 N10");
    assert_eq!(played.position(), &second);
    assert_eq!(played.undo().unwrap(), "Taken back: A1 B1 / K10 L10");
    assert_eq!(played.position(), &start);
    assert!(played.undo().is_err());
}

#[test]
fn an_engines_first_move_is_not_the_persons_to_take_back() {
    let mut played = played("connect6", "", UserSide::White);
    played.play_thought(thought(Game::CONNECT6, "J10")).unwrap();
    assert!(played.undo().is_err());
    assert_eq!(played.turns().len(), 1);
}

#[test]
fn an_engine_that_plays_itself_waits_after_undo() {
    let mut played = played("tic-tac-toe", "", UserSide::None);
    assert!(played.is_engines_turn());
    played.play_thought(thought(played.game(), "B2")).unwrap();
    played.undo().unwrap();
    assert!(!played.is_engines_turn());
    played.pause(false);
    assert!(played.is_engines_turn());
}

#[test]
fn a_move_of_an_engine_must_be_legal_and_complete() {
    let mut played = played("connect6", "J10", UserSide::Black);
    let game = played.game();
    for names in ["J10 A1", "A1", "A1 A1", "A1 B1 C1"] {
        assert!(played.play_thought(thought(game, names)).is_err(), "{names}");
        assert!(played.turns().is_empty() && played.position().count(Color::White) == 0);
    }
    assert!(played.play_thought(Thought::default()).is_err());
}

#[test]
fn stones_after_the_winning_one_are_left_out() {
    let mut played = played("5,5,3,2,1", "A1 / A5 B5 / B1 E4 / A4 B4", UserSide::White);
    played.play_thought(thought(played.game(), "C1 D1")).unwrap();
    assert_eq!(played.end(), Some(GameEnd::Line(Color::Black)));
    assert_eq!(played.turns()[0].squares.len(), 1);
    // Black's win goes; White has no move to take back before it.
    assert!(played.undo().is_err());
}

#[test]
fn a_full_board_is_a_draw() {
    let mut played = played("3,3,3,1,1", "A1 / B1 / C1 / A2 / B2 / C3 / C2 / A3", UserSide::Black);
    assert_eq!(played.end(), None);
    played.place_text("B3").unwrap();
    assert_eq!(played.end(), Some(GameEnd::Draw));
    let mut half = self::played("2,2,2,4,1", "", UserSide::Black);
    half.place_text("A1").unwrap();
    half.play_thought(thought(half.game(), "B2 A2 B1")).unwrap();
    assert_eq!(half.end(), Some(GameEnd::Line(Color::White)));
}

#[test]
fn the_record_has_what_led_to_the_start_and_all_moves() {
    let file = b"(;GM[511]SZ[19]PB[Ann]RE[B+R];B[j10]C[centre];W[i8h9](;B[k11l10])(;B[a1b1]))";
    let record = sgf::read(file, &sgf::Options::default()).unwrap();
    let mut played = PlayedGame::new(Loaded::at(record, Some("2")).unwrap(), UserSide::Black);
    assert!(!played.keeps_all());
    assert!(played.record("engine").info.contains(&("RE".to_string(), "B+R".to_string())));
    played.place_text("C3 D4").unwrap();
    played.play_thought(thought(played.game(), "E5 F6")).unwrap();
    played.place_text("A1").unwrap();
    let bytes = sgf::from_record(&played.record("engine")).write();
    let record = sgf::read(&bytes, &sgf::Options::default()).unwrap();
    let line = moves::write(&record, record.main_line_end(0)).unwrap();
    assert_eq!(line, "J10 / I8 H9 / C3 D4 / E5 F6");
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.contains("C[centre]"), "{text}");
    assert!(text.contains("PB[Ann]") && text.contains("PW[engine]"), "{text}");
    assert!(!text.contains("RE["), "{text}");
    played.resign().unwrap();
    let text = String::from_utf8(sgf::from_record(&played.record("engine")).write()).unwrap();
    assert!(text.contains("RE[W+R]"), "{text}");
}

#[test]
fn commands_that_make_no_sense_change_nothing() {
    let start = Position::new("tic-tac-toe".parse().unwrap());
    let mut session = session(start, &["--as", "both", "--nodes", "10"]);
    for (line, part) in [
        ("back", "no stone of this move"),
        ("undo", "no move of yours"),
        ("swap", "both sides"),
        ("b2 c3", "one stone too many"),
        ("d4", "off the board"),
    ] {
        let text = said(&mut session, line);
        assert!(text.contains(part), "{line}: {text}");
    }
    assert_eq!(session.played.position().stones().count(), 0);
    assert_eq!(session.act(PlayCommand::Hint), Effect::Think(Purpose::Hint));
    assert_eq!(session.act(PlayCommand::Why), Effect::Think(Purpose::Now));
    assert!(said(&mut session, "resign").starts_with("Black resigns: White wins."));
    assert!(said(&mut session, "b2").contains("the game is over"));
    assert!(said(&mut session, "hint").contains("the game is over"));
    assert_eq!(said(&mut session, "undo"), "The game goes on.");
    assert_eq!(said(&mut session, "b2"), "");
}

#[test]
fn levels_belong_to_one_style() {
    let start = Position::new(Game::CONNECT6);
    let mut strong = session(start.clone(), &[]);
    assert!(said(&mut strong, "level 7").contains("level 7"));
    assert!(strong.greeting().contains("level 7"));
    let mut random = session(start, &["--style", "random"]);
    assert!(said(&mut random, "level 7").contains("no levels"));
}

/// Black makes an open four, and wins.
const WON: &str = "D5 / A9 / E5 / B9 / F5 / I1";

/// What the prover finds.
fn proof(position: &Position) -> WinProof {
    let report =
        prove::prove(&Claim::new(position, Color::Black), &prove::Options::default(), &mut |_| {
            ControlFlow::Continue(())
        });
    let Outcome::Proved { certificate, line, .. } = report.outcome else { panic!("won") };
    WinProof { certificate, line, order: report.order }
}

/// A session in which the engine is to move, and a thought that wins.
fn winning(folder: &Path) -> (Session, Thought) {
    let record = moves::read("9,9,5,1,1".parse().unwrap(), WON).unwrap();
    let loaded = Loaded::at(record, None).unwrap();
    let proof = proof(&loaded.position);
    let thought = Thought {
        squares: proof.line[0].to_vec(),
        score: Score::Win,
        reason: Reason::Forces,
        proof: Some(proof),
        ..Thought::default()
    };
    let file = folder.join("game.sgf").display().to_string();
    let session =
        Session::new(&options(&["--as", "white", "--sgf", &file]), loaded, no_store()).unwrap();
    (session, thought)
}

/// The files of a folder, sorted.
fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_win_is_announced_once_with_its_certificate() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("game-7.cert"), "mine").unwrap();
    let (mut session, thought) = winning(folder.path());
    let certificate = thought.proof.clone().unwrap().certificate;
    let text = session.play(thought);
    let text = anstream::adapter::strip_str(&text).to_string();
    assert!(text.contains("Black wins by force: "), "{text}");
    assert!(text.contains("certificate written to ") && text.contains("game-7-2.cert"), "{text}");
    assert_eq!(fs::read(folder.path().join("game-7-2.cert")).unwrap(), certificate);
    assert_eq!(fs::read(folder.path().join("game-7.cert")).unwrap(), b"mine");
    assert!(said(&mut session, "why").contains("wins by force with it"));
    // White cannot prevent it; Black goes on as proved, without a second announcement.
    said(&mut session, "i2");
    let proof = proof(session.played.position());
    let squares = proof.line[0].to_vec();
    let next = Thought { squares, proof: Some(proof), ..Thought::default() };
    let text = session.play(next);
    assert!(!text.contains("by force"), "{text}");
    assert_eq!(files(folder.path()), ["game-7-2.cert", "game-7.cert", "game.sgf"]);
    let kept = fs::read_to_string(folder.path().join("game.sgf")).unwrap();
    assert!(kept.contains("wins by force with it"), "{kept}");
}

#[test]
fn a_hint_tells_of_a_win_once_for_each_position() {
    let folder = tempfile::tempdir().unwrap();
    let (mut session, thought) = winning(folder.path());
    assert!(session.advise(Purpose::Hint, &thought).contains("certificate written to "));
    let again = session.advise(Purpose::Hint, &thought);
    assert!(!again.contains("certificate written to "), "{again}");
    assert!(again.contains("wins by force with it"), "{again}");
    assert_eq!(files(folder.path()), ["game-7.cert"]);
}

#[test]
fn what_the_checker_refuses_is_not_announced() {
    let folder = tempfile::tempdir().unwrap();
    let (_, good) = winning(folder.path());
    let good = good.proof.unwrap().certificate;
    for certificate in [&good[..good.len() / 2], b"nonsense"] {
        let (mut session, mut thought) = winning(folder.path());
        thought.proof.as_mut().unwrap().certificate = certificate.to_vec();
        let advice = session.advise(Purpose::Now, &thought);
        let text = session.play(thought) + &said(&mut session, "why") + &advice;
        assert!(text.contains("nothing is proved"), "{text}");
        assert!(!text.contains("wins by force"), "{text}");
        fs::remove_file(folder.path().join("game.sgf")).unwrap();
    }
    assert!(
        files(folder.path()).iter().all(|name| name.ends_with("refused.cert")),
        "{:?}",
        files(folder.path())
    );
}

#[test]
fn no_file_that_was_there_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(folder.path().join("other.sgf"), "mine").unwrap();
    let tree = "(;GM[511]SZ[19];B[jj](;W[aa];W[bb])(;W[cc];W[dd]))";
    fs::write(folder.path().join("tree.sgf"), tree).unwrap();
    fs::write(folder.path().join("line.sgf"), "(;GM[511]SZ[19];B[jj];W[aa];W[bb])").unwrap();
    let start = |words: &[&str]| {
        let options = options(words);
        let output = sixproof_solve::output::Output { json: false };
        let source = crate::input::position(&options.position, output).unwrap();
        Session::new(&options, source.loaded, no_store())
    };
    let refused = |words: &[&str]| start(words).err().unwrap().to_string();
    assert!(refused(&["--sgf", &path("other.sgf")]).contains("exists already"));
    let tree = path("tree.sgf");
    assert!(refused(&[&tree, "--sgf", &tree]).contains("has more than the line"));
    assert!(refused(&["--sgf", "-"]).contains("in a file"));
    assert!(refused(&["--sgf", &folder.path().display().to_string()]).contains("exists already"));
    let line = path("line.sgf");
    let mut session = start(&[&line, "--sgf", &line]).unwrap();
    assert!(said(&mut session, &format!("save {}", path("other.sgf"))).contains("exists already"));
    assert_eq!(said(&mut session, "k11 l10"), "");
    let kept = fs::read_to_string(folder.path().join("line.sgf")).unwrap();
    assert!(kept.contains(";B[jj];W[aa];W[bb];B[ki];B[lj]"), "{kept}");
    said(&mut session, "new");
    said(&mut session, "c3 d4");
    assert!(fs::read_to_string(folder.path().join("line.sgf")).unwrap().contains("B[ki]"));
    assert!(fs::read_to_string(folder.path().join("line-2.sgf")).unwrap().contains("B[cq];B[dp]"));
    assert_eq!(fs::read(folder.path().join("other.sgf")).unwrap(), b"mine");
}

#[test]
fn a_game_in_no_file_can_be_gone_on_with() {
    let mut fresh = session(Position::new(Game::CONNECT6), &["--as", "both"]);
    assert_eq!(fresh.closing_text(true), None);
    said(&mut fresh, "j10");
    said(&mut fresh, "k11 l10");
    let text = fresh.closing_text(true).unwrap();
    assert!(text.ends_with("sixproof play \"J10 / K11 L10\" --game connect6"), "{text}");
    said(&mut fresh, "undo");
    said(&mut fresh, "undo");
    assert_eq!(fresh.closing_text(true), None);
}

#[test]
fn clocks_of_a_game_are_the_engines_alone() {
    let start = Position::new(Game::CONNECT6);
    let mut session = session(start, &["--game-time", "5m", "--increment", "3s"]);
    let whole = session.clock().unwrap();
    assert_eq!(whole.as_secs(), 300);
    said(&mut session, "j10");
    let thinking = session.start_thinking(Purpose::Move).unwrap();
    session.conclude(Purpose::Move, thinking);
    said(&mut session, "a1 a2");
    // The engine has thought for less than 300 seconds, and got three.
    let left = session.clock().unwrap();
    assert!(left.as_secs() <= 303 && left != whole, "{left:?}");
}

#[test]
fn a_win_of_the_store_is_known_without_a_search() {
    let folder = tempfile::tempdir().unwrap();
    let record = moves::read("9,9,5,1,1".parse().unwrap(), WON).unwrap();
    let loaded = Loaded::at(record, None).unwrap();
    let open = || {
        let choice = Choice::File(folder.path().join("store.redb"));
        Memory::open(&choice, Output { json: false }).unwrap()
    };
    let claim = Claim::new(&loaded.position, Color::Black);
    let WinProof { certificate, line, order } = proof(&loaded.position);
    let certified = certify(&claim, &certificate).unwrap();
    let mut session = Session::new(&options(&[]), loaded.clone(), open()).unwrap();
    assert_eq!(said(&mut session, "now"), "Think(Now)");
    drop(session);
    open().keep(&certified, &certificate, Some(order), 1);
    let mut session = Session::new(&options(&[]), loaded, open()).unwrap();
    let value = said(&mut session, "now");
    assert!(
        value.starts_with("Black wins by force") && value.contains("from the store"),
        "{value}"
    );
    let hint = said(&mut session, "hint");
    let game = claim.position.game();
    assert!(hint.starts_with(&format!("Try {}.", game.square_names(&line[0]))), "{hint}");
}
