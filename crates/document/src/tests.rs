//! Properties of documents, against slow and obvious models.

mod editing;
mod importing;
mod seeing;

use arbtest::arbitrary::{Result as Drawn, Unstructured};
use sixproof_game::picture::Mark;
use sixproof_game::{Color, Game, Node, Record, Square};

use crate::{Document, Edit, NodeId, Promotion};

const GAMES: [&str; 8] = [
    "5,5,4,2,1",
    "4,6,3,2,1",
    "inf,4,2,1",
    "tic-tac-toe",
    "6,6,4,3,2,exact",
    "7,1,3,2,3",
    "inf,3,1,1",
    "connect6",
];

fn draw_game(u: &mut Unstructured<'_>) -> Drawn<Game> {
    Ok(u.choose(&GAMES)?.parse().unwrap())
}

/// A square near the corner, so that stones meet.
fn draw_square(u: &mut Unstructured<'_>, game: Game) -> Drawn<Square> {
    let most = |size: u32| if size == 0 { 5 } else { size.min(6) as i32 - 1 };
    let least = if game.is_unbounded() { -2 } else { 0 };
    let x = u.int_in_range(least..=most(game.cols()))?;
    Ok(Square::new(x, u.int_in_range(least..=most(game.rows()))?))
}

fn draw_squares(u: &mut Unstructured<'_>, game: Game, most: usize) -> Drawn<Vec<Square>> {
    (0..u.int_in_range(0..=most)?).map(|_| draw_square(u, game)).collect()
}

fn draw_color(u: &mut Unstructured<'_>) -> Drawn<Color> {
    Ok(if u.arbitrary()? { Color::Black } else { Color::White })
}

fn draw_text(u: &mut Unstructured<'_>) -> Drawn<String> {
    let pieces = ["", "a", "Ä", "two\nlines", "\r\n", "]", "\\", ":", " ", "黑", "[x]", "\n\r"];
    (0..u.int_in_range(0..=3)?).map(|_| Ok(*u.choose(&pieces)?)).collect()
}

const KINDS: [Mark; 4] = [Mark::Triangle, Mark::Square, Mark::Circle, Mark::Cross];

/// A record as hand-made files have it: legal or not.
fn draw_record(u: &mut Unstructured<'_>, game: Game) -> Drawn<Record> {
    let mut record = Record::new(game);
    for id in 0..u.int_in_range(1..=24)? {
        let mut node = Node::default();
        let mut color = draw_color(u)?;
        for _ in 0..*u.choose(&[0, 1, 1, 1, 1, 2, 2, 3])? {
            node.stones.push((color, draw_square(u, game)?));
            if u.ratio(1, 6)? {
                color = !color;
            }
        }
        if u.ratio(1, 8)? {
            for square in draw_squares(u, game, 4)? {
                let content = *u.choose(&[Some(Color::Black), Some(Color::White), None])?;
                node.setup.push((square, content));
            }
        }
        if u.ratio(1, 10)? {
            node.player = Some(draw_color(u)?);
        }
        if u.ratio(1, 14)? {
            node.left = Some(u.int_in_range(1..=game.p().max(game.q()))?);
        }
        if u.ratio(1, 5)? {
            node.comment = draw_text(u)?;
            node.name = draw_text(u)?;
            node.results.push(draw_text(u)?);
            node.labels.push((draw_square(u, game)?, draw_text(u)?));
            node.marks.push((draw_square(u, game)?, *u.choose(&KINDS)?));
            node.marks.push((draw_square(u, game)?, *u.choose(&KINDS)?));
            node.arrows.push((draw_square(u, game)?, draw_square(u, game)?));
            node.dimmed.push(draw_square(u, game)?);
        }
        if id == 0 {
            record.set(0, node);
        } else {
            // Chains are likely, and so are branches.
            let recent = id - 1 - u.int_in_range(0..=2)?.min(id - 1);
            record.add(recent, node);
        }
    }
    if u.arbitrary()? {
        record.info.push(("PB".to_string(), "x".to_string()));
    }
    Ok(record)
}

/// Any edit; most can be made.
fn draw_edit(u: &mut Unstructured<'_>, document: &Document) -> Drawn<Edit> {
    let game = document.game();
    let node = NodeId(u.int_in_range(0..=document.tree.numbers() as u32)?);
    let square = draw_square(u, game)?;
    Ok(match u.int_in_range(0..=20)? {
        0 => Edit::Pass { node },
        1 => Edit::Delete { node },
        2 => {
            let all = [Promotion::Up, Promotion::Down, Promotion::First, Promotion::Main];
            Edit::Promote { node, how: *u.choose(&all)? }
        }
        3 => Edit::Name { node, text: draw_text(u)? },
        4 => Edit::Comment { node, text: draw_text(u)? },
        5 => Edit::Label { node, square, text: draw_text(u)? },
        6 => {
            let kind = if u.ratio(1, 4)? { None } else { Some(*u.choose(&KINDS)?) };
            Edit::Mark { node, square, kind }
        }
        7 => Edit::Arrow { node, from: square, to: draw_square(u, game)? },
        8 => Edit::Dim { node, squares: draw_squares(u, game, 3)? },
        9 => Edit::Setup {
            node,
            black: draw_squares(u, game, 3)?,
            white: draw_squares(u, game, 3)?,
            to_move: draw_color(u)?,
            left: u.int_in_range(0..=3)?,
        },
        10 => {
            let key = u.choose(&["PB", "GC", "GN", "no"])?.to_string();
            Edit::Info { key, value: draw_text(u)? }
        }
        11 => Edit::Title { text: draw_text(u)? },
        12 => Edit::Paste { node, record: Box::new(draw_record(u, game)?) },
        _ => Edit::Move { node, squares: draw_squares(u, game, 3)? },
    })
}

/// A document with edits of all kinds.
fn draw_document(u: &mut Unstructured<'_>) -> Drawn<Document> {
    let game = draw_game(u)?;
    let mut document = Document::from_record(&draw_record(u, game)?).document;
    for _ in 0..u.int_in_range(0..=12)? {
        let edit = draw_edit(u, &document)?;
        let _refused = document.apply(edit);
        if u.ratio(1, 6)? {
            document.undo();
        }
    }
    Ok(document)
}

fn all_nodes(document: &Document) -> Vec<NodeId> {
    document.below(NodeId::ROOT).collect()
}

fn squares(document: &Document, names: &str) -> Vec<Square> {
    names.split_whitespace().map(|name| document.game().parse_square(name).unwrap()).collect()
}

/// Plays a move given by names.
fn play(document: &mut Document, node: NodeId, names: &str) -> NodeId {
    let squares = squares(document, names);
    document.apply(Edit::Move { node, squares }).unwrap().node
}
