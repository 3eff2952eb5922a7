//! The things on the board: bands, stones, signs, writing, arrows.

use std::collections::{BTreeMap, BTreeSet};

use crate::picture::text::{clean, escape, width_hundredths};
use crate::picture::{LABEL_MAX, Mark, Theme};
use crate::{Color, DIRECTIONS, Square};

use super::{CELL, Drawing, Tenths, put};

/// The radius of a stone, edge included.
const STONE: i32 = 14;
/// Sizes of the letters on stones by the number of digits, in tenths; longer texts are fitted.
const NUMBER_SIZES: [i32; 3] = [160, 145, 115];
/// The size of a label of one letter, and the width that labels must fit in.
const LABEL_SIZE: i32 = 170;
const LABEL_WIDTH: i32 = 26;
/// Half the size of a mark, and of one beside a text with the place of its middle.
const SIGN: i32 = 6;
const BADGE: i32 = 3;
const BADGE_OFFSET: i32 = 11;
/// Half the height of digits and capital letters, in percent of their size.
const HALF_HEIGHT_PERCENT: i32 = 36;

impl Drawing<'_> {
    /// Bands under the stones: threats, and the winning line.
    pub(super) fn bands(&mut self) {
        for color in [Color::Black, Color::White] {
            let threats = self.picture.threats.iter().filter(|(_, c)| *c == color);
            let lines: Vec<(Square, Square)> = threats
                .filter_map(|&(segment, _)| {
                    let squares = self.picture.segment_squares(segment);
                    self.shown_ends(&squares)
                })
                .collect();
            let (core, casing) = self.palette.band(color);
            let path = self.lines_path(&lines);
            if path.is_empty() {
                continue;
            }
            put!(
                self,
                r#"<g fill="none" stroke-linecap="round"><path d="{path}" stroke="{casing}" stroke-width="7"/>"#
            );
            put!(self, r#"<path d="{path}" stroke="{core}" stroke-width="4"/></g>"#);
        }
        self.winning_band();
    }

    /// The line that won: a line under the stones, and a halo around each of them.
    fn winning_band(&mut self) {
        let runs = self.winning_runs();
        let lines: Vec<(Square, Square)> =
            runs.iter().filter_map(|run| self.shown_ends(run)).collect();
        let line = self.lines_path(&lines);
        if line.is_empty() {
            return;
        }
        let stones: BTreeSet<Square> =
            runs.into_iter().flatten().filter(|&s| self.frame.contains(s)).collect();
        let halos: String =
            stones.into_iter().map(|s| self.place(s)).map(|(x, y)| format!("M{x} {y}h0")).collect();
        let (color, halo) = (self.palette.win, 2 * STONE + 6);
        put!(self, r#"<g fill="none" stroke="{color}" stroke-linecap="round">"#);
        put!(self, r#"<path d="{line}" stroke-width="8"/>"#);
        put!(self, r#"<path d="{halos}" stroke-width="{halo}"/></g>"#);
    }

    /// The lines that won, each from end to end.
    fn winning_runs(&self) -> Vec<Vec<Square>> {
        let squares = self.picture.winning_squares();
        let k = self.picture.position.game().k() as usize;
        let mut runs = Vec::new();
        for direction in DIRECTIONS {
            for &start in &squares {
                if squares.contains(&start.step(direction, -1)) {
                    continue;
                }
                let run: Vec<Square> = (0..)
                    .map(|i| start.step(direction, i))
                    .take_while(|s| squares.contains(s))
                    .collect();
                if run.len() >= k {
                    runs.push(run);
                }
            }
        }
        runs
    }

    /// The first and last of the squares that are shown.
    fn shown_ends(&self, squares: &[Square]) -> Option<(Square, Square)> {
        let mut shown = squares.iter().copied().filter(|&s| self.frame.contains(s));
        let first = shown.next()?;
        Some((first, shown.next_back().unwrap_or(first)))
    }

    fn lines_path(&self, lines: &[(Square, Square)]) -> String {
        let mut path = String::new();
        for &(from, to) in lines {
            let ((x0, y0), (x1, y1)) = (self.place(from), self.place(to));
            path += &format!("M{x0} {y0}L{x1} {y1}");
        }
        path
    }

    /// The stones that are shown, with their places.
    fn shown_stones(&self, color: Color) -> Vec<(i32, i32)> {
        let squares = self.picture.position.squares_of(color);
        squares.filter(|&s| self.frame.contains(s)).map(|s| self.place(s)).collect()
    }

    pub(super) fn stones(&mut self) {
        let sides = [Color::Black, Color::White].map(|c| (c, self.shown_stones(c)));
        if self.picture.theme == Theme::Wood && sides.iter().any(|(_, stones)| !stones.is_empty()) {
            self.out.push_str(r##"<g fill="#3b2504" fill-opacity=".32">"##);
            for &(x, y) in sides.iter().flat_map(|(_, stones)| stones) {
                put!(self, r#"<circle cx="{}" cy="{}" r="{STONE}"/>"#, x + 1, y + 2);
            }
            self.out.push_str("</g>");
        }
        for (color, stones) in sides {
            if stones.is_empty() {
                continue;
            }
            let colors = self.palette.stone(color);
            put!(self, r#"<g fill="{}" stroke="{}">"#, colors.fill, colors.edge);
            for (x, y) in stones {
                put!(self, r#"<circle cx="{x}" cy="{y}" r="{}"/>"#, Tenths(STONE * 10 - 5));
            }
            self.out.push_str("</g>");
        }
    }

    /// Stones of a shown continuation, on empty squares only: smaller, paler, with a broken edge.
    pub(super) fn ghosts(&mut self) {
        let picture = self.picture;
        for color in [Color::Black, Color::White] {
            let ghosts: Vec<(i32, i32)> = (picture.ghosts.iter())
                .filter(|(s, ghost)| ghost.color == color && self.is_shown_and_empty(**s))
                .map(|(&s, _)| self.place(s))
                .collect();
            if ghosts.is_empty() {
                continue;
            }
            let colors = self.palette.ghost(color);
            put!(
                self,
                r#"<g fill="{}" stroke="{}" stroke-width="1.2" stroke-dasharray="3.2 2.4">"#,
                colors.fill,
                colors.edge
            );
            for (x, y) in ghosts {
                put!(self, r#"<circle cx="{x}" cy="{y}" r="{}"/>"#, STONE - 1);
            }
            self.out.push_str("</g>");
        }
    }

    fn is_shown_and_empty(&self, square: Square) -> bool {
        self.frame.contains(square) && self.picture.position.at(square).is_none()
    }

    /// Rings: on the empty squares of threats, and on stones of the last move that are written on.
    /// A plain stone of the last move gets a dot instead.
    pub(super) fn rings(&mut self) {
        let picture = self.picture;
        let threats: Vec<Square> =
            picture.threat_squares().into_iter().filter(|&s| self.is_shown_and_empty(s)).collect();
        if !threats.is_empty() {
            put!(self, r#"<g fill="none" stroke="{}" stroke-width="2">"#, self.palette.signal);
            for square in threats {
                let ((x, y), radius) = (self.place(square), Tenths(STONE * 10 - 25));
                put!(self, r#"<circle cx="{x}" cy="{y}" r="{radius}""#);
                // Letters must not stand on the band.
                if self.text_on(square).is_some() && !picture.ghosts.contains_key(&square) {
                    put!(self, r#" fill="{}""#, self.palette.background);
                }
                self.out.push_str("/>");
            }
            self.out.push_str("</g>");
        }
        for &square in picture.last_move.iter().filter(|&&s| self.frame.contains(s)) {
            let (Some(color), (x, y)) = (picture.position.at(square), self.place(square)) else {
                continue;
            };
            let written = picture.marks.contains_key(&square) || self.text_on(square).is_some();
            if written {
                put!(
                    self,
                    r#"<circle cx="{x}" cy="{y}" r="{STONE}" fill="none" stroke="{}" stroke-width="2.4"/>"#,
                    self.palette.last
                );
            } else {
                let ink = self.palette.stone(color).ink;
                put!(self, r#"<circle cx="{x}" cy="{y}" r="4" fill="{ink}"/>"#);
            }
        }
    }

    /// The ink of a sign or text: that of the stone or ghost, or of the board.
    fn ink(&self, square: Square) -> &'static str {
        let picture = self.picture;
        match (picture.position.at(square), picture.ghosts.get(&square)) {
            (Some(color), _) => self.palette.stone(color).ink,
            (None, Some(ghost)) => self.palette.ghost(ghost.color).ink,
            (None, None) => self.palette.text,
        }
    }

    /// Marks, in the middle of the square; beside a text they are small badges at its upper right.
    pub(super) fn marks(&mut self) {
        let (badges, signs): (Vec<_>, Vec<_>) = (self.picture.marks.iter())
            .filter(|(s, _)| self.frame.contains(**s))
            .map(|(&s, &m)| (s, m))
            .partition(|&(s, _)| self.text_on(s).is_some());
        if !signs.is_empty() {
            self.out.push_str(r#"<g fill="none" stroke-width="2" stroke-linejoin="round">"#);
            for (square, mark) in signs {
                let ink = self.ink(square);
                self.mark(mark, self.place(square), SIGN, &format!(r#" stroke="{ink}""#));
            }
            self.out.push_str("</g>");
        }
        if !badges.is_empty() {
            let (ground, ink) = (self.palette.background, self.palette.signal);
            put!(
                self,
                r#"<g fill="none" stroke="{ink}" stroke-width="2" stroke-linejoin="round">"#
            );
            for (square, mark) in badges {
                let (x, y) = self.place(square);
                let (x, y) = (x + BADGE_OFFSET, y - BADGE_OFFSET);
                put!(self, r#"<circle cx="{x}" cy="{y}" r="6" fill="{ground}" stroke="none"/>"#);
                self.mark(mark, (x, y), BADGE, "");
            }
            self.out.push_str("</g>");
        }
    }

    /// One mark, about as high and wide as twice `size`.
    fn mark(&mut self, mark: Mark, (x, y): (i32, i32), size: i32, attributes: &str) {
        let (left, top, side) = (x - size, y - size, 2 * size);
        match mark {
            Mark::Circle => {
                let radius = size + 1;
                put!(self, r#"<circle cx="{x}" cy="{y}" r="{radius}"{attributes}/>"#);
            }
            Mark::Triangle => {
                let (top, half) = (y - size * 3 / 2, size * 4 / 3);
                let (height, base) = (size * 7 / 3, 2 * half);
                put!(self, r#"<path d="M{x} {top}l{half} {height}h-{base}z"{attributes}/>"#);
            }
            Mark::Square => {
                put!(self, r#"<path d="M{left} {top}h{side}v{side}h-{side}z"{attributes}/>"#);
            }
            Mark::Cross => {
                let cross = format!("M{left} {top}l{side} {side}m0-{side}-{side} {side}");
                put!(self, r#"<path d="{cross}"{attributes}/>"#);
            }
        }
    }

    /// The text on a square: its label, else its number.
    fn text_on(&self, square: Square) -> Option<String> {
        let picture = self.picture;
        let label = picture.labels.get(&square).map(|text| clean(text, LABEL_MAX));
        let number = picture.numbers.get(&square).copied();
        let ghost = picture.ghosts.get(&square).and_then(|ghost| ghost.number);
        label
            .filter(|text| !text.is_empty())
            .or_else(|| number.or(ghost).map(|number| number.to_string()))
    }

    /// Labels and numbers, grouped by ink and size.
    pub(super) fn writing(&mut self) {
        let picture = self.picture;
        let squares: BTreeSet<Square> = (picture.labels.keys())
            .chain(picture.numbers.keys())
            .chain(picture.ghosts.keys())
            .copied()
            .filter(|&s| self.frame.contains(s))
            .collect();
        let mut groups: BTreeMap<(&str, i32), Vec<(Square, String)>> = BTreeMap::new();
        for square in squares {
            let Some(text) = self.text_on(square) else { continue };
            let free =
                picture.position.at(square).is_none() && !picture.ghosts.contains_key(&square);
            let size = if free { label_size(&text, LABEL_SIZE) } else { stone_size(&text) };
            groups.entry((self.ink(square), size)).or_default().push((square, text));
        }
        for ((ink, size), texts) in groups {
            put!(self, r#"<g fill="{ink}" font-size="{}" text-anchor="middle">"#, Tenths(size));
            for (square, text) in texts {
                let (x, y) = self.place(square);
                let y = y * 10 + size * HALF_HEIGHT_PERCENT / 100;
                put!(self, r#"<text x="{x}" y="{}">{}</text>"#, Tenths(y), escape(&text));
            }
            self.out.push_str("</g>");
        }
    }

    /// Arrows from square to square, from stone to stone just between their edges.
    pub(super) fn arrows(&mut self) {
        let shown = |s: &Square| self.frame.contains(*s);
        let arrows: Vec<(Square, Square)> = (self.picture.arrows.iter().copied())
            .filter(|(from, to)| from != to && shown(from) && shown(to))
            .collect();
        if arrows.is_empty() {
            return;
        }
        let color = self.palette.signal;
        put!(self, r#"<g fill="{color}" stroke="{color}" stroke-linejoin="round">"#);
        for (from, to) in arrows {
            let ((x0, y0), (x1, y1)) = (self.place(from), self.place(to));
            // Square roots, unlike sines, are the same on every machine.
            let (dx, dy) = (f64::from(x1 - x0), f64::from(y1 - y0));
            let length = (dx * dx + dy * dy).sqrt();
            let (ux, uy) = (dx / length, dy / length);
            let at = |along: f64, aside: f64| {
                let tenths = |v: f64| Tenths((v * 10.0).round() as i32);
                let x = f64::from(x1) - ux * along - uy * aside;
                let y = f64::from(y1) - uy * along + ux * aside;
                format!("{} {}", tenths(x), tenths(y))
            };
            let gap_at = |square: Square| {
                let empty = self.is_shown_and_empty(square);
                if empty && self.text_on(square).is_none() { 4.0 } else { f64::from(STONE) + 1.5 }
            };
            // Between neighbouring stones there is no room: then the arrow goes onto them.
            let fits = length >= f64::from(2 * CELL);
            let gap = if fits { gap_at(to) } else { 4.0 };
            let start = at(length - if fits { gap_at(from) } else { 4.0 }, 0.0);
            let neck = at(gap + 10.0, 0.0);
            put!(self, r#"<path d="M{start}L{neck}" stroke-width="3.5" stroke-linecap="round"/>"#);
            let (tip, one, other) = (at(gap, 0.0), at(gap + 11.0, 5.5), at(gap + 11.0, -5.5));
            put!(self, r#"<path d="M{tip}L{one}L{other}z"/>"#);
        }
        self.out.push_str("</g>");
    }
}

/// The size, in tenths, of a text on a stone.
fn stone_size(text: &str) -> i32 {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    match NUMBER_SIZES.get(text.len().saturating_sub(1)) {
        Some(&size) if digits => size,
        _ => {
            label_size(text, NUMBER_SIZES[0]).min(LABEL_WIDTH * 900 / width_hundredths(text).max(1))
        }
    }
}

/// The size, in tenths, of a label: as large as fits.
fn label_size(text: &str, max: i32) -> i32 {
    max.min(LABEL_WIDTH * 1000 / width_hundredths(text).max(1))
}
