//! The part of the board that a picture shows, and the look of the board itself there.

use crate::square::column_name;
use crate::{Game, Square};

use super::{Picture, WINDOW_MAX};

/// The number of empty squares around the contents of an unbounded board.
const MARGIN: i64 = 2;
/// The fewest columns and rows that are shown of an unbounded board.
const UNBOUNDED_MIN: i64 = 11;
/// The farthest coordinate of a picture.
const FAR_AWAY: i32 = 1 << 30;
/// The smallest axis with star points; smaller boards need no help to count.
const STARS_MIN: i32 = 9;

/// The part of the board that is shown, corners included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    game: Game,
    pub(super) low: Square,
    pub(super) high: Square,
}

impl Frame {
    /// The part that a picture shows, at most `cols_max` columns of it.
    pub(super) fn of(picture: &Picture, cols_max: u32) -> Frame {
        let game = picture.position.game();
        let whole =
            (Square::new(0, 0), Square::new(game.cols() as i32 - 1, game.rows() as i32 - 1));
        let (a, b) = match picture.window {
            Some(window) => window,
            None if game.is_unbounded() => surroundings(picture),
            None => whole,
        };
        // Farther out than any game goes, but not so far that steps from there overflow.
        let near =
            |s: Square| Square::new(s.x.clamp(-FAR_AWAY, FAR_AWAY), s.y.clamp(-FAR_AWAY, FAR_AWAY));
        let (a, b) = (near(a), near(b));
        let (mut low, mut high) =
            (Square::new(a.x.min(b.x), a.y.min(b.y)), Square::new(a.x.max(b.x), a.y.max(b.y)));
        if !game.is_unbounded() {
            low = Square::new(low.x.max(whole.0.x), low.y.max(whole.0.y));
            high = Square::new(high.x.min(whole.1.x), high.y.min(whole.1.y));
            if low.x > high.x || low.y > high.y {
                (low, high) = whole;
            }
        }
        let anchor = anchor(picture);
        (low.x, high.x) = narrowed(low.x, high.x, cols_max.clamp(1, WINDOW_MAX), anchor.x);
        (low.y, high.y) = narrowed(low.y, high.y, WINDOW_MAX, anchor.y);
        Frame { game, low, high }
    }

    /// The number of columns shown.
    pub(super) fn cols(self) -> i32 {
        self.high.x - self.low.x + 1
    }

    /// The number of rows shown.
    pub(super) fn rows(self) -> i32 {
        self.high.y - self.low.y + 1
    }

    /// Whether the square is shown.
    pub(super) fn contains(self, square: Square) -> bool {
        (self.low.x..=self.high.x).contains(&square.x)
            && (self.low.y..=self.high.y).contains(&square.y)
    }

    /// Whether the board goes on beyond the left, right, bottom and top of the frame.
    pub(super) fn open_sides(self) -> [bool; 4] {
        let bounded = !self.game.is_unbounded();
        [
            !(bounded && self.low.x == 0),
            !(bounded && self.high.x == self.game.cols() as i32 - 1),
            !(bounded && self.low.y == 0),
            !(bounded && self.high.y == self.game.rows() as i32 - 1),
        ]
    }

    /// Whether the whole board is shown.
    pub(super) fn is_whole(self) -> bool {
        self.open_sides() == [false; 4]
    }

    /// The columns from left to right.
    pub(super) fn xs(self) -> impl Iterator<Item = i32> {
        self.low.x..=self.high.x
    }

    /// The rows from top to bottom.
    pub(super) fn ys(self) -> impl Iterator<Item = i32> {
        (self.low.y..=self.high.y).rev()
    }

    /// The name of a column: letters, or a number on an unbounded board.
    pub(super) fn column(self, x: i32) -> String {
        if self.game.is_unbounded() { x.to_string() } else { column_name(x as u32) }
    }

    /// The name of a row: row 1 is the bottom row; a coordinate on an unbounded board.
    pub(super) fn row(self, y: i32) -> String {
        if self.game.is_unbounded() { y.to_string() } else { (y + 1).to_string() }
    }

    /// Whether the square has a star point: where Go and Go-Moku boards have them, evenly spread on
    /// larger boards, and the origin of an unbounded one.
    pub(super) fn is_star(self, square: Square) -> bool {
        let game = self.game;
        if game.is_unbounded() {
            return square == Square::new(0, 0);
        }
        let (cols, rows) = (game.cols() as i32, game.rows() as i32);
        if cols < STARS_MIN || rows < STARS_MIN {
            return false;
        }
        let centre = cols % 2 == 1 && rows % 2 == 1 && square == Square::new(cols / 2, rows / 2);
        centre || is_star_of_axis(square.x, cols) && is_star_of_axis(square.y, rows)
    }
}

/// Whether the line `i` of `n` has star points. 19: 3, 9, 15 from 0; 15: 3 and 11; 9: 2 and 6.
fn is_star_of_axis(i: i32, n: i32) -> bool {
    let edge = if n < 12 { 2 } else { 3 };
    let inner = n - 1 - 2 * edge;
    let even_step = if n < 17 {
        None
    } else {
        [6, 5, 7, 8, 9, 10, 11, 12, 13].into_iter().find(|s| inner % s == 0)
    };
    let step = even_step.unwrap_or(inner);
    (edge..n - edge).contains(&i) && (i - edge) % step == 0
}

/// The contents of an unbounded board, and a margin.
fn surroundings(picture: &Picture) -> (Square, Square) {
    let zone = picture.zone.iter().flat_map(|z| z.solid.iter().chain(&z.hatched)).copied();
    let threats = picture.threats.iter().flat_map(|&(s, _)| picture.segment_squares(s));
    let squares: Vec<Square> = (picture.position.stones().map(|(s, _)| s))
        .chain(picture.ghosts.keys().copied())
        .chain(picture.labels.keys().copied())
        .chain(picture.marks.keys().copied())
        .chain(picture.arrows.iter().flat_map(|&(from, to)| [from, to]))
        .chain(zone)
        .chain(threats)
        .collect();
    let axis = |coordinate: fn(&Square) -> i32| {
        let values = || squares.iter().map(coordinate).map(i64::from);
        let (low, high) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
        let missing = (UNBOUNDED_MIN - 2 * MARGIN - (high - low + 1)).max(0);
        let clamp = |v: i64| v.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        (clamp(low - MARGIN - missing / 2), clamp(high + MARGIN + (missing + 1) / 2))
    };
    let ((x0, x1), (y0, y1)) = (axis(|s| s.x), axis(|s| s.y));
    (Square::new(x0, y0), Square::new(x1, y1))
}

/// The centre of a picture that cannot show everything: the last move, else the middle of the
/// stones.
fn anchor(picture: &Picture) -> Square {
    if let Some(&square) = picture.last_move.first() {
        return square;
    }
    let (mut xs, mut ys): (Vec<i32>, Vec<i32>) =
        picture.position.stones().map(|(s, _)| (s.x, s.y)).unzip();
    xs.sort_unstable();
    ys.sort_unstable();
    let middle = |values: &[i32]| values.get(values.len() / 2).copied().unwrap_or(0);
    Square::new(middle(&xs), middle(&ys))
}

/// The part of `low..=high` around `anchor` that has at most `max` elements.
fn narrowed(low: i32, high: i32, max: u32, anchor: i32) -> (i32, i32) {
    let (low, high, max) = (i64::from(low), i64::from(high), i64::from(max));
    if high - low < max {
        return (low as i32, high as i32);
    }
    let start = (i64::from(anchor) - max / 2).clamp(low, high - max + 1);
    (start as i32, (start + max - 1) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    fn stars(cols: u32, rows: u32) -> String {
        let game = Game::new(cols, rows, 3, 1, 1, false).unwrap();
        let frame = Frame::of(&Picture::new(&Position::new(game)), WINDOW_MAX);
        let squares: Vec<Square> = game.squares().filter(|&s| frame.is_star(s)).collect();
        game.square_names(&squares)
    }

    #[test]
    fn star_points_are_where_players_expect_them() {
        assert_eq!(stars(19, 19), "D4 J4 P4 D10 J10 P10 D16 J16 P16");
        assert_eq!(stars(15, 15), "D4 L4 H8 D12 L12");
        assert_eq!(stars(13, 13), "D4 J4 G7 D10 J10");
        assert_eq!(stars(9, 9), "C3 G3 E5 C7 G7");
        assert_eq!(stars(59, 3), "");
        assert_eq!(stars(3, 3), "");
    }

    #[test]
    fn windows_stay_on_the_board_and_within_the_limit() {
        let position = Position::new(Game::CONNECT6);
        let picture = Picture::new(&position);
        let window = |ax, ay, bx, by| {
            let picture = picture.clone().window(Square::new(ax, ay), Square::new(bx, by));
            let frame = Frame::of(&picture, WINDOW_MAX);
            (frame.low.x, frame.low.y, frame.high.x, frame.high.y)
        };
        assert_eq!(window(5, 9, 3, 2), (3, 2, 5, 9));
        assert_eq!(window(-5, -5, 3, 99), (0, 0, 3, 18));
        assert_eq!(window(30, 30, 40, 40), (0, 0, 18, 18));

        let unbounded = Game::new(0, 0, 6, 2, 1, false).unwrap();
        let mut position = Position::new(unbounded);
        for (x, y) in [(0, 0), (1_000_000, 3), (999_990, -4)] {
            position.place(Square::new(x, y)).unwrap();
        }
        let picture = Picture::new(&position).last_move([Square::new(999_990, -4)]);
        let frame = Frame::of(&picture, WINDOW_MAX);
        assert_eq!((frame.cols(), frame.rows()), (59, 12));
        assert!(frame.contains(Square::new(999_990, -4)));
        assert_eq!(frame.open_sides(), [true; 4]);
    }

    #[test]
    fn an_empty_unbounded_board_is_shown_around_the_origin() {
        let game = Game::new(0, 0, 6, 2, 1, false).unwrap();
        let frame = Frame::of(&Picture::new(&Position::new(game)), WINDOW_MAX);
        assert_eq!((frame.low, frame.high), (Square::new(-5, -5), Square::new(5, 5)));
    }
}
