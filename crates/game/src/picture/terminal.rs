//! Pictures for a terminal.
//!
//! Every square is a cell of the same width with a gap of one column between cells, so that columns
//! line up. A cell shows the stone, and after it the text on the stone: `●12`, or `X12` in ASCII.
//! The gaps beside the last move and the winning line are brackets, and those beside the cursor are
//! square ones.
//!
//! Discs swap their meaning on a dark terminal. With colour, therefore, the board has a colour of
//! its own, stones are drawn black and white on it, and written stones are black and white blocks.
//! Without colour the line below the board names the meaning of `●` and `○`.

use std::collections::BTreeSet;

use crate::{Color, Square};

use super::layout::Frame;
use super::text::{cells, cut_to_cells, terminal_text};
use super::{CAPTION_MAX, LABEL_MAX, Mark, Picture, WINDOW_MAX};

/// The most columns of a terminal that a label takes.
const LABEL_CELLS_MAX: usize = 3;
/// The least width of a terminal that is believed.
const WIDTH_MIN: usize = 20;

// Colours of the palette of 256, which terminals have had for longer than true colour.
const BOARD: u8 = 180;
const ZONE_SOLID: u8 = 110;
const ZONE_HATCHED: u8 = 152;
const GRID: u8 = 94;
const INK_BLACK: u8 = 16;
const INK_WHITE: u8 = 231;
const GHOST_BLACK: u8 = 240;
const GHOST_WHITE: u8 = 255;
const SIGNAL: u8 = 160;
const CURSOR: u8 = 222;

/// The abilities of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerminalStyle {
    /// Whether to use escape sequences; without there are none at all.
    pub color: bool,
    /// Whether to use characters beyond ASCII.
    pub unicode: bool,
    /// Columns of the terminal; a wider board is cut around the last move.
    pub width: Option<usize>,
}

/// No colour, Unicode, any width.
impl Default for TerminalStyle {
    fn default() -> TerminalStyle {
        TerminalStyle { color: false, unicode: true, width: None }
    }
}

impl Picture {
    /// The picture as lines of text, the last one ended, too. Columns line up.
    ///
    /// Without colour, and without labels, marks and ghosts, it is a diagram that
    /// [`diagram::read`](crate::diagram::read) reads as the same position.
    pub fn terminal(&self, style: TerminalStyle) -> String {
        let board = Board::new(self, style);
        let mut lines = Vec::new();
        if let Some(title) = &self.title {
            lines.extend(board.wrapped(title));
        }
        lines.extend(board.frame.ys().map(|y| board.row(y)));
        if self.coordinates {
            lines.push(board.column_names());
        }
        lines.extend(board.footer());
        // Without colour, blanks at the end of a line show nothing.
        let shown = |line: &String| match style.color {
            true => line.len(),
            false => line.trim_end().len(),
        };
        lines.into_iter().map(|line| line[..shown(&line)].to_string() + "\n").collect()
    }
}

/// The content of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cell {
    text: String,
    ink: u8,
    paper: u8,
    /// Whether the paper fills the cell rather than the square.
    block: bool,
}

/// A picture on its way to the terminal.
struct Board<'a> {
    picture: &'a Picture,
    style: TerminalStyle,
    frame: Frame,
    /// Columns of a cell, without the gap.
    cell_width: usize,
    /// Columns of the names of rows; 0 without coordinates.
    margin: usize,
    /// Whether stones are blocks of colour because something is written on some.
    blocks: bool,
    /// Stones with brackets around them.
    bracketed: BTreeSet<Square>,
    threats: BTreeSet<Square>,
}

impl<'a> Board<'a> {
    fn new(picture: &'a Picture, style: TerminalStyle) -> Board<'a> {
        let stones = |s: &&Square| picture.position.at(**s).is_some();
        let mut bracketed: BTreeSet<Square> =
            picture.last_move.iter().filter(stones).copied().collect();
        bracketed.extend(picture.winning_squares());
        let mut board = Board {
            picture,
            style,
            frame: Frame::of(picture, WINDOW_MAX),
            cell_width: 1,
            margin: 0,
            blocks: false,
            bracketed,
            threats: picture.threat_squares(),
        };
        let whole = board.frame;
        board.blocks =
            style.color && picture.position.stones().any(|(s, _)| board.note(s).is_some());
        let squares = whole.ys().flat_map(|y| whole.xs().map(move |x| Square::new(x, y)));
        let widest_cell = squares.map(|s| cells(&board.cell(s).text)).max().unwrap_or(1);
        let widest_name = whole.xs().map(|x| whole.column(x).len()).max().unwrap_or(1);
        // Names of two letters widen the cells; long numbers are left out instead.
        let names = if picture.coordinates && widest_name <= 2 { widest_name } else { 1 };
        board.cell_width = widest_cell.max(names);
        if picture.coordinates {
            let widths = whole.ys().map(|y| whole.row(y).len());
            board.margin = widths.max().unwrap_or(0) + 1;
        }
        if let Some(width) = style.width {
            let room = width.max(WIDTH_MIN).saturating_sub(board.margin + 1);
            board.frame = Frame::of(picture, (room / (board.cell_width + 1)).max(1) as u32);
        }
        board
    }

    /// The text on a square: label, number or mark.
    fn note(&self, square: Square) -> Option<String> {
        let (picture, unicode) = (self.picture, self.style.unicode);
        let label = picture
            .labels
            .get(&square)
            .map(|text| cut_to_cells(&terminal_text(text, LABEL_MAX, unicode), LABEL_CELLS_MAX));
        let ghost = picture.ghosts.get(&square).and_then(|ghost| ghost.number);
        let number = picture.numbers.get(&square).copied().or(ghost).map(|n| n.to_string());
        let mark = picture.marks.get(&square).map(|mark| mark_sign(*mark, unicode).to_string());
        label.filter(|text| !text.is_empty()).or(number).or(mark)
    }

    fn cell(&self, square: Square) -> Cell {
        let (picture, unicode) = (self.picture, self.style.unicode);
        let note = self.note(square);
        let paper = self.paper(square);
        if let Some(color) = picture.position.at(square) {
            let [own, other] = match color {
                Color::Black => [INK_BLACK, INK_WHITE],
                Color::White => [INK_WHITE, INK_BLACK],
            };
            if self.blocks {
                return Cell {
                    text: note.unwrap_or_default(),
                    ink: other,
                    paper: own,
                    block: true,
                };
            }
            let text = stone_sign(color, self.style).to_string() + &note.unwrap_or_default();
            return Cell { text, ink: own, paper, block: false };
        }
        if let Some(ghost) = picture.ghosts.get(&square) {
            let (sign, ink) = match (ghost.color, unicode) {
                (Color::Black, true) => ("•", GHOST_BLACK),
                (Color::Black, false) => ("x", GHOST_BLACK),
                (Color::White, true) if self.style.color => ("•", GHOST_WHITE),
                (Color::White, true) => ("◦", GHOST_WHITE),
                (Color::White, false) => ("o", GHOST_WHITE),
            };
            let text = sign.to_string() + &note.unwrap_or_default();
            return Cell { text, ink, paper, block: false };
        }
        if let Some(mut text) = note {
            let signs = [Color::Black, Color::White].map(|color| stone_sign(color, self.style));
            if signs.iter().any(|sign| text.starts_with(sign)) {
                // A label must not be taken for a stone.
                text.insert_str(0, self.ground_sign(square));
            }
            return Cell { text, ink: INK_BLACK, paper, block: false };
        }
        let (sign, ink) = if self.threats.contains(&square) {
            ("!", SIGNAL)
        } else {
            (self.ground_sign(square), GRID)
        };
        Cell { text: sign.to_string(), ink, paper, block: false }
    }

    /// Whether the square is in the solid, or else in the hatched, layer of the zone.
    fn layers(&self, square: Square) -> (bool, bool) {
        let zone = self.picture.zone.as_ref();
        let solid = zone.is_some_and(|zone| zone.solid.contains(&square));
        (solid, !solid && zone.is_some_and(|zone| zone.hatched.contains(&square)))
    }

    fn paper(&self, square: Square) -> u8 {
        match self.layers(square) {
            _ if self.picture.cursor == Some(square) => CURSOR,
            (true, _) => ZONE_SOLID,
            (_, true) => ZONE_HATCHED,
            _ => BOARD,
        }
    }

    /// An empty square: its zone, else a grid point.
    fn ground_sign(&self, square: Square) -> &'static str {
        let TerminalStyle { color, unicode, .. } = self.style;
        match (self.layers(square), color, unicode) {
            ((true, _), false, true) => "▒",
            ((true, _), false, false) => ":",
            ((_, true), false, true) => "░",
            ((_, true), true, true) => "╱",
            ((_, true), _, false) => "'",
            _ if self.frame.is_star(square) => "+",
            (_, _, true) => "·",
            (_, _, false) => ".",
        }
    }

    /// The gap on the left of column `x`: a bracket where a bracketed stone begins or ends.
    fn gap(&self, x: i32, y: i32) -> Cell {
        let at = |x: i32| {
            let square = Square::new(x, y);
            self.frame.contains(square) && self.bracketed.contains(&square)
        };
        let cursor = |x: i32| {
            let square = Square::new(x, y);
            self.frame.contains(square) && self.picture.cursor == Some(square)
        };
        let left = x.checked_sub(1);
        let text = match (left.is_some_and(at), at(x)) {
            _ if cursor(x) => "[",
            _ if left.is_some_and(cursor) => "]",
            (false, true) => "(",
            (true, false) => ")",
            (true, true) => "|",
            (false, false) => " ",
        };
        // A zone is tinted without holes.
        let left = self.paper(Square::new(x.saturating_sub(1), y));
        let inside = self.frame.low.x < x && x <= self.frame.high.x;
        let paper = if inside && left == self.paper(Square::new(x, y)) { left } else { BOARD };
        Cell { text: text.to_string(), ink: SIGNAL, paper, block: false }
    }

    fn row(&self, y: i32) -> String {
        let mut row = String::new();
        if self.picture.coordinates {
            row += &format!("{:>width$} ", self.frame.row(y), width = self.margin - 1);
        }
        let mut painter = Painter { color: self.style.color, now: None, out: row };
        for x in self.frame.xs() {
            painter.paint(&self.gap(x, y), 1);
            painter.paint(&self.cell(Square::new(x, y)), self.cell_width);
        }
        painter.paint(&self.gap(self.frame.high.x.saturating_add(1), y), 1);
        painter.finish()
    }

    /// The names of the columns; of long ones every n-th.
    fn column_names(&self) -> String {
        let (frame, pitch) = (self.frame, self.cell_width + 1);
        let widest = frame.xs().map(|x| frame.column(x).len()).max().unwrap_or(1);
        let step = (widest + 1).div_ceil(pitch) as i32;
        let mut line = " ".repeat(self.margin);
        for x in frame.xs().filter(|x| step == 1 || x.rem_euclid(step) == 0) {
            let at = self.margin + (x - frame.low.x) as usize * pitch + 1;
            // A minus sign hangs out to the left, so that digits stand below their column.
            let hang = usize::from(x < 0 && at > self.margin);
            line += &" ".repeat((at - hang).saturating_sub(line.len()));
            line += &frame.column(x);
        }
        line
    }

    /// The caption, and one line with the side to move.
    fn footer(&self) -> Vec<String> {
        let (picture, frame) = (self.picture, self.frame);
        let game = picture.position.game();
        let mut lines = Vec::new();
        if let Some(caption) = &picture.caption {
            lines.extend(self.wrapped(caption));
        }
        let dash = if self.style.unicode { "—" } else { "-" };
        let mut status = format!("{} {dash} {}", game.title(), picture.status());
        if !self.style.color {
            let plain = |color| stone_sign(color, self.style);
            status += &format!(" ({} Black, {} White)", plain(Color::Black), plain(Color::White));
        }
        lines.push(status);
        if let Some(zone) = &picture.zone {
            let (solid, hatched) = match (self.style.color, self.style.unicode) {
                (true, true) => ("blue:", "with strokes:"),
                (true, false) => ("blue:", "with `'`:"),
                (false, true) => ("▒", "░"),
                (false, false) => ("`:`", "`'`"),
            };
            let mut legend = format!("Zone: {solid} one stone may matter");
            if !zone.hatched.is_empty() {
                let several = if game.p() == 2 { "two together" } else { "several together" };
                legend += &format!(", {hatched} {several}");
            }
            lines.push(legend);
        }
        if !frame.is_whole() {
            lines.push(format!("Origin {} (bottom left)", game.square_name(frame.low)));
        }
        let hidden = picture.position.stones().filter(|(s, _)| !frame.contains(*s)).count();
        if hidden > 0 {
            let stones = if hidden == 1 { "stone is" } else { "stones are" };
            lines.push(format!("{hidden} {stones} outside of this picture"));
        }
        lines
    }

    /// A text in lines that fit the terminal.
    fn wrapped(&self, text: &str) -> Vec<String> {
        let width = self.style.width.unwrap_or(80).max(WIDTH_MIN);
        let mut lines: Vec<String> = Vec::new();
        for word in terminal_text(text, CAPTION_MAX, self.style.unicode).split(' ') {
            match lines.last_mut() {
                Some(line) if cells(line) + 1 + cells(word) <= width => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_string()),
            }
        }
        lines
    }
}

fn stone_sign(color: Color, style: TerminalStyle) -> &'static str {
    match (color, style.unicode) {
        (Color::Black, true) => "●",
        (Color::White, true) if style.color => "●",
        (Color::White, true) => "○",
        (Color::Black, false) => "X",
        (Color::White, false) => "O",
    }
}

fn mark_sign(mark: Mark, unicode: bool) -> &'static str {
    match (mark, unicode) {
        (Mark::Triangle, true) => "△",
        (Mark::Square, true) => "□",
        (Mark::Circle, true) => "◌",
        (Mark::Cross, true) => "×",
        (Mark::Triangle, false) => "^",
        (Mark::Square, false) => "#",
        (Mark::Circle, false) => "@",
        (Mark::Cross, false) => "*",
    }
}

/// Writes cells, with as few escape sequences as needed.
struct Painter {
    color: bool,
    now: Option<(u8, u8)>,
    out: String,
}

impl Painter {
    fn paint(&mut self, cell: &Cell, width: usize) {
        if self.color && self.now != Some((cell.ink, cell.paper)) {
            self.out += &format!("\x1b[38;5;{};48;5;{}m", cell.ink, cell.paper);
            self.now = Some((cell.ink, cell.paper));
        }
        let rest = width - cells(&cell.text).min(width);
        let before = if cell.block { rest.div_ceil(2) } else { 0 };
        self.out += &" ".repeat(before);
        self.out += &cell.text;
        self.out += &" ".repeat(rest - before);
    }

    fn finish(mut self) -> String {
        if self.color {
            self.out += "\x1b[0m";
        }
        self.out
    }
}

/// The rows of the board and nothing else.
#[cfg(test)]
pub(super) fn board_rows(picture: &Picture, style: TerminalStyle) -> Vec<String> {
    let board = Board::new(picture, style);
    board.frame.ys().map(|y| board.row(y)).collect()
}
