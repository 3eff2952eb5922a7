//! The map of an atlas: a small board for each square of White's nearer stone, whose marks say what
//! is known if the other stone is there.
//!
//! A second move is a pair of squares, so a map of it has four dimensions. By symmetry the nearer
//! stone needs only an eighth of the box; the boards stand in rows by its distance. A mark differs
//! by size and shape as well as by colour.

use sixproof_game::Square;
use sixproof_picture::svg::{Anchor, Svg, tenths};

use super::openings::{self, CENTRE, GAME, Offset, Opening, distance};
use super::{Atlas, OpeningStatus};

/// The side of a square of a small board; less for large boxes.
const CELL: f64 = 19.0;
const CELL_SMALL: f64 = 13.0;
/// Boxes with a larger radius have small squares.
const RADIUS_LARGE: i32 = 4;
/// Around the picture, and between two boards.
const MARGIN: f64 = 24.0;
const GAP: f64 = 22.0;
/// For the writing above a board, the row numbers on its left and the letters below it.
const HEAD: f64 = 20.0;
const NUMBERS: f64 = 20.0;
const LETTERS: f64 = 16.0;
/// The least width of the picture: its heading has to fit.
const WIDTH_MIN: f64 = 720.0;
/// Where the boards begin.
const TOP: f64 = 148.0;

/// A mark: proved, open, or not tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Proved,
    Open,
    Untried,
}

/// The map as an SVG document.
pub fn svg(atlas: &Atlas) -> String {
    let mut rows: Vec<(i32, Vec<Offset>)> = Vec::new();
    for distance in atlas.distances() {
        let mut nears: Vec<Offset> =
            openings::squares(atlas.radius).filter(|&near| shows(atlas, near, distance)).collect();
        nears.sort_unstable_by_key(|&(_, y)| y);
        rows.push((distance, nears));
    }
    let cell = if atlas.radius > RADIUS_LARGE { CELL_SMALL } else { CELL };
    let board = f64::from(2 * atlas.radius + 1) * cell;
    let (step_x, step_y) = (NUMBERS + board + GAP, HEAD + board + LETTERS + GAP);
    let columns = rows.iter().map(|(_, nears)| nears.len()).max().unwrap_or(1) as f64;
    let width = (2.0 * MARGIN + columns * step_x - GAP).max(WIDTH_MIN);
    let height = TOP + rows.len() as f64 * (step_y + HEAD) - GAP + MARGIN;
    let [proved, open, untried] = atlas.counts(|_| true);
    let of = atlas.openings.len();
    let title = "Connect6: which second moves of White lose?";
    let sums = format!("{proved} of {of} proved to lose, {open} open, {untried} not tried");
    let mut map = Map { atlas, cell, svg: Svg::new(width as i32, height as i32, title, &sums) };
    map.heading(title, &sums);
    for (row, (distance, nears)) in rows.iter().enumerate() {
        let y = TOP + row as f64 * (step_y + HEAD);
        let [proved, open, untried] = atlas.counts(|opening| opening.distance() == *distance);
        let text = format!(
            "Nearer stone at distance {distance}: {proved} of {} lose",
            proved + open + untried
        );
        map.svg.text("ink", 13, (MARGIN, y), Anchor::Start, &text);
        for (column, &near) in nears.iter().enumerate() {
            map.board(near, (MARGIN + NUMBERS + column as f64 * step_x, y + 2.0 * HEAD));
        }
    }
    map.svg.finish()
}

/// Whether there is a board for this square of the nearer stone.
fn shows(atlas: &Atlas, near: Offset, at: i32) -> bool {
    let is_normal = near.0 < 0 && (0..=-near.0).contains(&near.1);
    is_normal && distance(near) == at && marks(atlas, near).next().is_some()
}

/// The squares of the other stone, and what is known of the two: those that were asked for.
fn marks(atlas: &Atlas, near: Offset) -> impl Iterator<Item = (Offset, Mark)> {
    let others = openings::squares(atlas.radius)
        .filter(move |&other| other != near && distance(other) >= distance(near));
    others.filter_map(move |other| {
        let mark = match atlas.known.get(&Opening::new(near, other))? {
            OpeningStatus::Proved { .. } => Mark::Proved,
            OpeningStatus::Open(_) => Mark::Open,
            OpeningStatus::Untried => Mark::Untried,
        };
        Some((other, mark))
    })
}

/// A map that is being drawn.
struct Map<'a> {
    atlas: &'a Atlas,
    cell: f64,
    svg: Svg,
}

impl Map<'_> {
    fn heading(&mut self, title: &str, sums: &str) {
        self.svg.text("ink", 18, (MARGIN, 34.0), Anchor::Start, title);
        self.svg.text("ink", 13, (MARGIN, 56.0), Anchor::Start, sums);
        let how = "Each small board has Black's J10 and White's nearer stone; a mark says what is \
                   known if White's other stone is there.";
        self.svg.text("soft", 12, (MARGIN, 78.0), Anchor::Start, how);
        let mut x = MARGIN + 8.0;
        for (mark, text) in [
            (Mark::Proved, "White loses: proved"),
            (Mark::Open, "open"),
            (Mark::Untried, "not tried"),
        ] {
            self.mark(mark, (x, 102.0));
            self.svg.text("ink", 12, (x + 16.0, 106.0), Anchor::Start, text);
            x += 44.0 + 6.2 * text.len() as f64;
        }
        let text = "no mark: nearer than the white stone, or not asked for";
        self.svg.text("soft", 12, (x, 106.0), Anchor::Start, text);
    }

    /// The board of a square of the nearer stone, with its lower left corner in a picture's order:
    /// `(x, y)` is the upper left one.
    fn board(&mut self, near: Offset, (x, y): (f64, f64)) {
        let (radius, cell) = (self.atlas.radius, self.cell);
        let side = f64::from(2 * radius + 1) * cell;
        let at = |(column, row): Offset| {
            let middle = |steps: i32| (f64::from(steps + radius) + 0.5) * cell;
            (x + middle(column), y + middle(-row))
        };
        let name = |(column, row): Offset| {
            GAME.square_name(Square::new(CENTRE.x + column, CENTRE.y + row))
        };
        let all: Vec<(Offset, Mark)> = marks(self.atlas, near).collect();
        let proved = all.iter().filter(|(_, mark)| *mark == Mark::Proved).count();
        let text = format!("{}: {proved} of {} squares", name(near), all.len());
        self.svg.text("soft", 11, (x, y - 5.0), Anchor::Start, &text);
        self.svg.put(format_args!(
            r#"<rect class="grid" x="{}" y="{}" width="{side}" height="{side}"/>"#,
            tenths(x),
            tenths(y),
        ));
        for step in -radius..=radius {
            let (column, _) = at((step, 0));
            let (_, row) = at((0, step));
            let letter = name((step, 0)).trim_end_matches(|c: char| c.is_ascii_digit()).to_string();
            let number = (CENTRE.y + step + 1).to_string();
            self.svg.text("soft", 9, (column, y + side + 11.0), Anchor::Middle, &letter);
            self.svg.text("soft", 9, (x - 4.0, row + 3.0), Anchor::End, &number);
        }
        for (other, mark) in all {
            self.mark(mark, at(other));
        }
        self.stone("black", at((0, 0)));
        self.stone("white", at(near));
        self.svg.put(format_args!("\n"));
    }

    /// A large square, a small one with an edge, or a dot.
    fn mark(&mut self, mark: Mark, (x, y): (f64, f64)) {
        let (class, side, corner) = match mark {
            Mark::Proved => ("yes", self.cell - 2.0, 2.0),
            Mark::Open => ("maybe", self.cell * 0.5, 0.0),
            Mark::Untried => ("none", self.cell * 0.3, self.cell * 0.15),
        };
        self.svg.put(format_args!(
            r#"<rect class="{class}" x="{}" y="{}" width="{2}" height="{2}" rx="{3}"/>"#,
            tenths(x - side / 2.0),
            tenths(y - side / 2.0),
            tenths(side),
            tenths(corner),
        ));
    }

    fn stone(&mut self, class: &str, (x, y): (f64, f64)) {
        let (x, y, radius) = (tenths(x), tenths(y), tenths(self.cell * 0.4));
        self.svg.put(format_args!(
            r#"<circle class="{class}" stroke-width="1.2" cx="{x}" cy="{y}" r="{radius}"/>"#
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SearchRecord, Selection};
    use super::*;
    use sixproof_picture::raster::{self, RasterSize};
    use sixproof_solve::limits::Limits;

    fn entry() -> SearchRecord {
        let limits = Limits { order: 3, nodes: 10, time: None };
        SearchRecord { proof: None, order: 3, nodes: 10, seconds: 0.0, limits }
    }

    /// One proved, one open, the others not tried.
    fn atlas(radius: i32) -> Atlas {
        let side = 2 * radius + 1;
        let mut atlas = Atlas::new(Selection { side, only: None, sample: None, seed: 1 }).unwrap();
        let squares = "K11 L10".to_string();
        let proved = OpeningStatus::Proved { entry: entry(), squares, nodes: 7, bytes: 99 };
        atlas.set(Opening::new((-1, 0), (1, 0)), proved);
        atlas.set(Opening::new((-1, 0), (2, 1)), OpeningStatus::Open(entry()));
        atlas
    }

    #[test]
    fn every_nearer_square_has_a_board_with_all_its_marks() {
        for radius in [2, 3, 5] {
            let svg = svg(&atlas(radius));
            raster::png(&svg, RasterSize::Scale(1.0)).expect("well-formed");
            let boards = (1..=radius).map(|distance| distance + 1).sum::<i32>() as usize;
            assert_eq!(svg.matches(r#"<circle class="white""#).count(), boards);
            assert_eq!(svg.matches(r#"<circle class="black""#).count(), boards);
            let marks: usize = openings::squares(radius)
                .filter(|&(x, y)| x < 0 && (0..=-x).contains(&y))
                .map(|near| {
                    let far = openings::squares(radius).filter(|&s| distance(s) >= distance(near));
                    far.count() - 1
                })
                .sum();
            let count = |class: &str| svg.matches(&format!(r#"<rect class="{class}""#)).count();
            // Each mark is in the legend once.
            assert_eq!(count("yes") + count("maybe") + count("none"), marks + 3);
            // I10 with K10 is on the board of I10 alone; the image of I10 with L11 is there twice.
            assert_eq!((count("yes"), count("maybe")), (1 + 1, 2 + 1));
            assert!(svg.contains(">I10: 1 of "), "{svg}");
        }
    }
}
