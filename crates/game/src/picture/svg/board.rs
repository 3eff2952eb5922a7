//! The things under the stones: zone, grid, star points, coordinates.

use std::collections::BTreeSet;

use crate::Square;
use crate::picture::text::{clean, width_hundredths};
use crate::picture::{LABEL_MAX, ZoneLayers};

use super::{CELL, COORDINATE_GAP, COORDINATE_SIZE, Drawing, Tenths, put};

/// Half of the gap in the grid around a label, and of that in its row when the label is long.
const LABEL_GAP: i32 = 11;
const LONG_LABEL_GAP: i32 = 14;
/// The greatest length of a piece that is not drawn as a line.
const SPECK: i32 = 4;
/// Lines that go on beyond the frame fade out in steps: from, to, opacity.
const FADE: [(i32, i32, &str); 3] = [(0, 6, ".7"), (6, 12, ".4"), (12, 17, ".15")];

impl Drawing<'_> {
    /// The two layers of the zone. The hatched one begins where the solid one ends: a square where
    /// one stone matters need not show that two do.
    pub(super) fn zone(&mut self) {
        let Some(ZoneLayers { solid, hatched }) = &self.picture.zone else { return };
        let game = self.picture.position.game();
        let shown = |s: &Square| self.frame.contains(*s) && game.contains(*s);
        let solid: BTreeSet<Square> = solid.iter().copied().filter(shown).collect();
        let hatched: BTreeSet<Square> = hatched.difference(&solid).copied().filter(shown).collect();
        let palette = self.palette;
        if !hatched.is_empty() {
            let area = self.area_path(&hatched);
            put!(self, r#"<path d="{area}" fill="url(#hatch-{})"/>"#, palette.name);
        }
        if !solid.is_empty() {
            let area = self.area_path(&solid);
            let (fill, opacity) = (palette.zone, palette.zone_opacity);
            put!(self, r#"<path d="{area}" fill="{fill}" fill-opacity="{opacity}"/>"#);
            let edge = self.outline_path(&solid);
            put!(
                self,
                r#"<path d="{edge}" fill="none" stroke="{}" stroke-width="1.5" stroke-linecap="square"/>"#,
                palette.hatch
            );
        }
        if !hatched.is_empty() {
            let all = hatched.union(&solid).copied().collect();
            let edge = self.outline_path(&all);
            put!(
                self,
                r#"<path d="{edge}" fill="none" stroke="{}" stroke-dasharray="3 3"/>"#,
                palette.hatch
            );
        }
    }

    /// The squares as one path: a rectangle for every run in a row.
    fn area_path(&self, squares: &BTreeSet<Square>) -> String {
        let mut path = String::new();
        let mut rest = squares.iter().copied().peekable();
        while let Some(start) = rest.next() {
            let mut end = start;
            while let Some(next) = rest.next_if(|s| s.y == end.y && s.x == end.x + 1) {
                end = next;
            }
            let ((x, y), width) = (self.place(start), (end.x - start.x + 1) * CELL);
            let (x, y) = (x - CELL / 2, y - CELL / 2);
            path += &format!("M{x} {y}h{width}v{CELL}h-{width}z");
        }
        path
    }

    /// The border between the squares and the others.
    fn outline_path(&self, squares: &BTreeSet<Square>) -> String {
        // Edges by the line they lie on, so that neighbours become one stroke.
        let (mut across, mut along) = (BTreeSet::new(), BTreeSet::new());
        for &square in squares {
            let (x, y) = self.place(square);
            let (x, y) = (x - CELL / 2, y - CELL / 2);
            let outside = |dx, dy| !squares.contains(&square.step((dx, dy), 1));
            let edges = [(outside(0, 1), y), (outside(0, -1), y + CELL)];
            across.extend(edges.into_iter().filter(|e| e.0).map(|e| (e.1, x)));
            let edges = [(outside(-1, 0), x), (outside(1, 0), x + CELL)];
            along.extend(edges.into_iter().filter(|e| e.0).map(|e| (e.1, y)));
        }
        let mut path = String::new();
        for (edges, vertical) in [(across, false), (along, true)] {
            let mut rest = edges.into_iter().peekable();
            while let Some((line, start)) = rest.next() {
                let mut end = start + CELL;
                while rest.next_if_eq(&(line, end)).is_some() {
                    end += CELL;
                }
                let length = end - start;
                let stroke = if vertical {
                    format!("M{line} {start}v{length}")
                } else {
                    format!("M{start} {line}h{length}")
                };
                path += &stroke;
            }
        }
        path
    }

    /// The grid, with gaps behind labels; lines fade out where the board goes on.
    pub(super) fn grid(&mut self) {
        let gaps = self.labelled_squares();
        let grid = self.palette.grid;
        let columns = self.frame.xs().map(|x| self.column_line(x, &gaps));
        let rows = self.frame.ys().map(|y| self.row_line(y, &gaps));
        let lines: String = columns.chain(rows).collect();
        put!(self, r#"<g fill="none" stroke="{grid}">"#);
        if !lines.is_empty() {
            put!(self, r#"<path d="{lines}"/>"#);
        }
        self.fading_lines(&gaps);
        self.frame_lines(&gaps);
        self.out.push_str("</g>");
        self.star_points(&gaps);
    }

    /// The line of a column, without the gaps.
    fn column_line(&self, x: i32, gaps: &BTreeSet<Square>) -> String {
        let squares = self.frame.ys().map(|y| Square::new(x, y));
        let places: Vec<i32> =
            squares.filter(|s| gaps.contains(s)).map(|s| self.place(s).1).collect();
        let at = (x - self.frame.low.x) * CELL;
        let spans = spans(self.board_size().1, &places, LABEL_GAP).into_iter();
        spans.map(|(from, to)| format!("M{at} {from}v{}", to - from)).collect()
    }

    /// The line of a row, without the gaps.
    fn row_line(&self, y: i32, gaps: &BTreeSet<Square>) -> String {
        let squares = self.frame.xs().map(|x| Square::new(x, y));
        let places: Vec<i32> =
            squares.filter(|s| gaps.contains(s)).map(|s| self.place(s).0).collect();
        let at = (self.frame.high.y - y) * CELL;
        let spans = spans(self.board_size().0, &places, self.row_gap(y)).into_iter();
        spans.map(|(from, to)| format!("M{from} {at}h{}", to - from)).collect()
    }

    /// Half the gap around labels in a row.
    fn row_gap(&self, y: i32) -> i32 {
        let long = |(s, text): (&Square, &String)| s.y == y && text.chars().count() > 2;
        if self.picture.labels.iter().any(long) { LONG_LABEL_GAP } else { LABEL_GAP }
    }

    /// The grid beyond the open sides of the frame.
    fn fading_lines(&mut self, gaps: &BTreeSet<Square>) {
        let [left, right, bottom, top] = self.frame.open_sides();
        let (width, height) = self.board_size();
        let (low, high) = (self.frame.low, self.frame.high);
        for (from, to, opacity) in FADE {
            let mut path = String::new();
            for y in self.frame.ys() {
                let at = self.place(Square::new(low.x, y)).1;
                if left && !gaps.contains(&Square::new(low.x, y)) {
                    path += &format!("M{} {at}h{}", -to, to - from);
                }
                if right && !gaps.contains(&Square::new(high.x, y)) {
                    path += &format!("M{} {at}h{}", width + from, to - from);
                }
            }
            for x in self.frame.xs() {
                let at = self.place(Square::new(x, low.y)).0;
                if top && !gaps.contains(&Square::new(x, high.y)) {
                    path += &format!("M{at} {}v{}", -to, to - from);
                }
                if bottom && !gaps.contains(&Square::new(x, low.y)) {
                    path += &format!("M{at} {}v{}", height + from, to - from);
                }
            }
            if !path.is_empty() {
                put!(self, r#"<path d="{path}" opacity="{opacity}"/>"#);
            }
        }
    }

    /// A heavier line where the board ends.
    fn frame_lines(&mut self, gaps: &BTreeSet<Square>) {
        let [left, right, bottom, top] = self.frame.open_sides();
        let (low, high) = (self.frame.low, self.frame.high);
        let rows = [(top, high.y), (bottom, low.y)].into_iter().filter(|(open, _)| !open);
        let columns = [(left, low.x), (right, high.x)].into_iter().filter(|(open, _)| !open);
        let path: String = (rows.map(|(_, y)| self.row_line(y, gaps)))
            .chain(columns.map(|(_, x)| self.column_line(x, gaps)))
            .collect();
        if !path.is_empty() {
            put!(self, r#"<path d="{path}" stroke-width="2" stroke-linecap="square"/>"#);
        } else if self.board_size() == (0, 0) && gaps.is_empty() {
            // A board of one square has no lines at all: give it a cross to stand on.
            self.out.push_str(r#"<path d="M-8 0h16M0-8v16"/>"#);
        }
    }

    fn star_points(&mut self, gaps: &BTreeSet<Square>) {
        let game = self.picture.position.game();
        let squares = self.frame.ys().flat_map(|y| self.frame.xs().map(move |x| Square::new(x, y)));
        let stars: Vec<(i32, i32)> = squares
            .filter(|&s| game.contains(s) && self.frame.is_star(s) && !gaps.contains(&s))
            .map(|s| self.place(s))
            .collect();
        if stars.is_empty() {
            return;
        }
        let path: String =
            stars.into_iter().map(|(x, y)| format!("M{x} {y}h0")).collect::<Vec<_>>().concat();
        // A stroke of no length with round ends is a disc.
        put!(
            self,
            r#"<path d="{path}" stroke="{}" stroke-width="7" stroke-linecap="round"/>"#,
            self.palette.grid
        );
    }

    /// The empty squares with a label: the grid has gaps there.
    fn labelled_squares(&self) -> BTreeSet<Square> {
        let picture = self.picture;
        let squares = picture.labels.iter().filter(|(_, text)| !clean(text, LABEL_MAX).is_empty());
        squares
            .map(|(&s, _)| s)
            .chain(picture.numbers.keys().copied())
            .filter(|&s| self.frame.contains(s) && picture.position.at(s).is_none())
            .filter(|s| !picture.ghosts.contains_key(s))
            .collect()
    }

    /// Names of columns below and of rows on the left. Where they are long, only every n-th.
    pub(super) fn coordinates(&mut self) {
        if !self.picture.coordinates {
            return;
        }
        let (_, height) = self.board_size();
        let frame = self.frame;
        let widest = frame.xs().map(|x| width_hundredths(&frame.column(x))).max().unwrap_or(0);
        // Two names need half a letter of space between them.
        let step = ((widest + 60) * COORDINATE_SIZE + CELL * 100 - 1) / (CELL * 100);
        // Capital letters are about 0.72 of their size high.
        let (drop, bottom) =
            (COORDINATE_SIZE * 36 / 10, COORDINATE_GAP + COORDINATE_SIZE * 72 / 100);
        let ink = self.palette.muted;
        put!(self, r#"<g font-size="{COORDINATE_SIZE}" fill="{ink}"><g text-anchor="middle">"#);
        for x in frame.xs().filter(|x| step == 1 || x.rem_euclid(step) == 0) {
            let (at, y, name) = ((x - frame.low.x) * CELL, height + bottom, frame.column(x));
            put!(self, r#"<text x="{at}" y="{y}">{name}</text>"#);
        }
        self.out.push_str(r#"</g><g text-anchor="end">"#);
        for y in frame.ys() {
            let (at, name) = ((frame.high.y - y) * CELL * 10 + drop, frame.row(y));
            put!(self, r#"<text x="-{COORDINATE_GAP}" y="{}">{name}</text>"#, Tenths(at));
        }
        self.out.push_str("</g></g>");
    }
}

/// The rest of a line from 0 to `length` with gaps of half width `half` around some places, in
/// order.
fn spans(length: i32, gaps: &[i32], half: i32) -> Vec<(i32, i32)> {
    let mut spans = Vec::new();
    let mut from = 0;
    for &gap in gaps {
        spans.push((from, gap - half));
        from = gap + half;
    }
    spans.push((from, length));
    spans.retain(|(from, to)| from + SPECK < *to);
    spans
}
