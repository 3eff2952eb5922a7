//! The course of a search as a picture: proof and disproof number of the root over nodes.
//!
//! The numbers stand on a logarithmic scale, with 0 and infinity on lines of their own below and
//! above it; nodes run along the bottom, and the time at which they were reached along the top. A
//! long search has more steps than a picture has points: a [`Series`] keeps every second of its
//! points whenever it is full, so that it never grows, and keeps the last one in any case.

use sixproof_picture::svg::{Anchor, Svg, tenths};
use sixproof_prover::prove::NUMBER_MAX;
use sixproof_solve::quantity;

/// Points kept at most.
const POINTS_MAX: usize = 1024;

/// Size of the picture, and of the field of the curves in it.
const WIDTH: i32 = 760;
const HEIGHT: i32 = 420;
const LEFT: f64 = 72.0;
const RIGHT: f64 = 736.0;
const TOP: f64 = 92.0;
const BOTTOM: f64 = 366.0;
/// From the scale to the lines of 0 and infinity.
const GAP: f64 = 22.0;
/// An order whose part of the field is narrower has no name on it.
const NAMED_WIDTH: f64 = 52.0;
/// Labels along an axis, at most.
const LABELS_MAX: u64 = 8;

/// The state of a search at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoursePoint {
    /// Nodes searched so far.
    pub nodes: u64,
    /// The time spent.
    pub seconds: f64,
    /// The order that is tried.
    pub order: u32,
    /// Proof and disproof number of the root.
    pub numbers: [u32; 2],
}

/// The course of a search.
#[derive(Clone, Debug)]
pub struct Series {
    points: Vec<CoursePoint>,
    /// One point of this many is kept.
    stride: u64,
    seen: u64,
    last: Option<CoursePoint>,
}

impl Default for Series {
    fn default() -> Series {
        Series { points: Vec::new(), stride: 1, seen: 0, last: None }
    }
}

impl Series {
    /// Adds a point.
    pub fn add(&mut self, point: CoursePoint) {
        self.last = Some(point);
        if self.seen.is_multiple_of(self.stride) {
            if self.points.len() == POINTS_MAX {
                let mut index = 0;
                self.points.retain(|_| {
                    index += 1;
                    index % 2 == 1
                });
                self.stride *= 2;
            }
            // After a thinning this point may be one of those that are left out.
            if self.seen.is_multiple_of(self.stride) {
                self.points.push(point);
            }
        }
        self.seen += 1;
    }

    /// The points that are kept, the last one in any case.
    fn points(&self) -> Vec<CoursePoint> {
        let mut points = self.points.clone();
        if let Some(last) = self.last
            && points.last() != Some(&last)
        {
            points.push(last);
        }
        points
    }

    /// The picture; `title` says what was searched, `verdict` how it ended.
    pub fn svg(&self, title: &str, verdict: &str) -> String {
        Drawing::new(self.points(), title, verdict).document()
    }
}

/// The scales of a picture.
struct Drawing {
    points: Vec<CoursePoint>,
    nodes_max: u64,
    /// Powers of ten that the scale of the numbers spans.
    decades: u32,
    /// Whether 0 and infinity have lines of their own.
    has_zero: bool,
    has_infinity: bool,
    verdict: String,
    svg: Svg,
}

impl Drawing {
    fn new(points: Vec<CoursePoint>, title: &str, verdict: &str) -> Drawing {
        let numbers = || points.iter().flat_map(|point| point.numbers);
        let largest = numbers().filter(|&n| n < NUMBER_MAX).max().unwrap_or(1).max(2);
        let nodes_max = points.last().map_or(0, |point| point.nodes).max(1);
        let heading = format!("Proof and disproof number: {title}");
        let svg = Svg::new(WIDTH, HEIGHT, &heading, verdict);
        let mut drawing = Drawing {
            nodes_max,
            decades: (f64::from(largest).log10().ceil() as u32).max(1),
            has_zero: numbers().any(|n| n == 0),
            has_infinity: numbers().any(|n| n >= NUMBER_MAX),
            verdict: verdict.to_string(),
            points,
            svg,
        };
        drawing.svg.text("ink", 16, (LEFT, 28.0), Anchor::Start, &heading);
        drawing
    }

    fn document(mut self) -> String {
        let verdict = std::mem::take(&mut self.verdict);
        self.svg.text("soft", 12, (LEFT, 48.0), Anchor::Start, &verdict);
        if self.points.len() < 2 {
            let middle = ((LEFT + RIGHT) / 2.0, (TOP + BOTTOM) / 2.0);
            let text = "No more than one step was needed: there is no course to draw.";
            self.svg.text("soft", 13, middle, Anchor::Middle, text);
            return self.svg.finish();
        }
        self.number_axis();
        self.node_axis();
        self.time_axis();
        self.curve(1, "other", "6 3");
        self.curve(0, "one", "none");
        self.orders();
        self.legend();
        self.svg.finish()
    }

    fn x(&self, nodes: u64) -> f64 {
        LEFT + (RIGHT - LEFT) * nodes as f64 / self.nodes_max as f64
    }

    fn y(&self, number: u32) -> f64 {
        let low = BOTTOM - if self.has_zero { GAP } else { 0.0 };
        let high = TOP + if self.has_infinity { GAP } else { 0.0 };
        match number {
            0 => BOTTOM,
            NUMBER_MAX.. => TOP,
            _ => low - (low - high) * f64::from(number).log10() / f64::from(self.decades),
        }
    }

    fn number_axis(&mut self) {
        let zero = self.has_zero.then(|| (self.y(0), "0".to_string()));
        let infinity = self.has_infinity.then(|| (self.y(NUMBER_MAX), "inf".to_string()));
        let step = self.decades.div_ceil(LABELS_MAX as u32).max(1);
        let powers = (0..=self.decades).step_by(step as usize);
        let mut labels: Vec<(f64, String)> =
            powers.map(|power| (self.y(10u32.pow(power)), short(10u64.pow(power)))).collect();
        labels.extend(zero);
        labels.extend(infinity);
        for (y, label) in labels {
            let at = tenths(y);
            self.svg.put(format_args!(r#"<path class="grid" d="M{LEFT} {at}H{RIGHT}"/>"#));
            self.svg.text("soft", 11, (LEFT - 8.0, y + 4.0), Anchor::End, &label);
        }
        let middle = tenths((TOP + BOTTOM) / 2.0);
        self.svg.put(format_args!(
            r#"<text class="soft" font-size="12" text-anchor="middle" transform="translate(20 {middle}) rotate(-90)">proof numbers (log scale)</text>"#
        ));
    }

    fn node_axis(&mut self) {
        let step = whole_step(self.nodes_max);
        for nodes in (0..=self.nodes_max).step_by(step as usize) {
            let x = self.x(nodes);
            let (at, low) = (tenths(x), BOTTOM + 5.0);
            self.svg.put(format_args!(r#"<path class="axis" d="M{at} {BOTTOM}V{low}"/>"#));
            self.svg.text("soft", 11, (x, BOTTOM + 19.0), Anchor::Middle, &short(nodes));
        }
        self.svg
            .put(format_args!(r#"<path class="axis" d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}V{TOP}Z"/>"#));
        let middle = ((LEFT + RIGHT) / 2.0, BOTTOM + 40.0);
        self.svg.text("soft", 12, middle, Anchor::Middle, "nodes");
    }

    /// The time at which the nodes were reached, along the top.
    fn time_axis(&mut self) {
        let seconds = self.points.last().map_or(0.0, |point| point.seconds);
        let Some(step) = time_step(seconds) else { return };
        let mut right_of = LEFT;
        for number in 1..=(seconds / step) as u32 {
            let time = step * f64::from(number);
            let x = self.x(self.nodes_at(time));
            // A search that slows down has many seconds in few nodes.
            if x < right_of + 30.0 || x > RIGHT {
                continue;
            }
            right_of = x;
            let (at, high) = (tenths(x), TOP - 5.0);
            self.svg.put(format_args!(r#"<path class="axis" d="M{at} {TOP}V{high}"/>"#));
            self.svg.text("soft", 11, (x, TOP - 9.0), Anchor::Middle, &time_text(time));
        }
        let middle = ((LEFT + RIGHT) / 2.0, TOP - 26.0);
        self.svg.text("soft", 12, middle, Anchor::Middle, "time");
    }

    /// How many nodes had been searched at a time.
    fn nodes_at(&self, seconds: f64) -> u64 {
        let after = self.points.partition_point(|point| point.seconds < seconds);
        let Some(b) = self.points.get(after) else { return self.nodes_max };
        let a = match after.checked_sub(1) {
            Some(before) => self.points[before],
            None => CoursePoint { nodes: 0, seconds: 0.0, ..*b },
        };
        let share = (seconds - a.seconds) / (b.seconds - a.seconds).max(f64::EPSILON);
        a.nodes + ((b.nodes - a.nodes) as f64 * share.clamp(0.0, 1.0)) as u64
    }

    /// The orders that were searched for, one after the other.
    fn orders(&mut self) {
        let mut start = 0;
        while start < self.points.len() {
            let order = self.points[start].order;
            let same = self.points[start..].iter().take_while(|point| point.order == order);
            let end = start + same.count();
            let from = if start == 0 { LEFT } else { self.x(self.points[start].nodes) };
            let to = self.points.get(end).map_or(RIGHT, |point| self.x(point.nodes));
            if start > 0 {
                let at = tenths(from);
                self.svg.put(format_args!(
                    r#"<path class="axis" stroke-dasharray="1 3" d="M{at} {TOP}V{BOTTOM}"/>"#
                ));
            }
            if to - from >= NAMED_WIDTH {
                let place = (from + 6.0, BOTTOM - 7.0);
                self.svg.text("over", 11, place, Anchor::Start, &format!("order {order}"));
            }
            start = end;
        }
    }

    /// The curve of one of the numbers, in steps: it holds until it changes.
    fn curve(&mut self, which: usize, class: &str, dashes: &str) {
        let mut path = String::new();
        for (index, point) in self.points.iter().enumerate() {
            let (x, y) = (tenths(self.x(point.nodes)), tenths(self.y(point.numbers[which])));
            path += &if index == 0 { format!("M{x} {y}") } else { format!("H{x}V{y}") };
        }
        self.svg.put(format_args!(
            r#"<path class="{class}" stroke-width="1.6" stroke-linejoin="round" stroke-dasharray="{dashes}" d="{path}"/>"#
        ));
        self.svg.put(format_args!("\n"));
    }

    fn legend(&mut self) {
        let samples =
            [("one", "none", "proof number", 470.0), ("other", "6 3", "disproof number", 600.0)];
        for (class, dashes, text, x) in samples {
            let end = x + 24.0;
            self.svg.put(format_args!(
                r#"<path class="{class}" stroke-width="2" stroke-dasharray="{dashes}" d="M{x} 44H{end}"/>"#
            ));
            self.svg.text("ink", 12, (end + 6.0, 48.0), Anchor::Start, text);
        }
    }
}

/// A round number for the distance of labels from 0 to `max`.
fn whole_step(max: u64) -> u64 {
    let mut power = 1u64;
    loop {
        for factor in [1, 2, 5] {
            let step = power.saturating_mul(factor);
            if max / step < LABELS_MAX {
                return step;
            }
        }
        power = power.saturating_mul(10);
    }
}

/// Seconds between the labels of a time axis; `None` if nothing is long enough to be labelled.
fn time_step(seconds: f64) -> Option<f64> {
    const MINUTE: f64 = 60.0;
    const HOUR: f64 = 3600.0;
    if seconds < 0.01 {
        return None;
    }
    let decimal = [0.001, 0.01, 0.1, 1.0].iter().flat_map(|unit| [1.0, 2.0, 5.0].map(|f| f * unit));
    let minutes =
        [10.0, 20.0, 30.0, MINUTE, 2.0 * MINUTE, 5.0 * MINUTE, 10.0 * MINUTE, 20.0 * MINUTE];
    let hours = (0..20).map(|power| HOUR * f64::from(1u32 << power));
    let fits = |step: &f64| seconds / step < LABELS_MAX as f64;
    decimal.chain(minutes).chain(hours).find(fits)
}

/// A time on an axis.
fn time_text(seconds: f64) -> String {
    if seconds < 10.0 {
        let text = format!("{seconds:.3}");
        return format!("{}s", text.trim_end_matches('0').trim_end_matches('.'));
    }
    quantity::time_text(std::time::Duration::from_secs(seconds.round() as u64))
}

/// A number on an axis: `200`, `50k`, `1.5M`.
fn short(number: u64) -> String {
    for (unit, letter) in [(1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")] {
        if number >= unit {
            let text = format!("{:.2}", number as f64 / unit as f64);
            return format!("{}{letter}", text.trim_end_matches('0').trim_end_matches('.'));
        }
    }
    number.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sixproof_picture::raster::{self, RasterSize};

    fn point(nodes: u64, numbers: [u32; 2]) -> CoursePoint {
        let order = if nodes < 40 { 1 } else { 2 };
        CoursePoint { nodes, seconds: nodes as f64 / 7.0, order, numbers }
    }

    fn series(points: impl IntoIterator<Item = CoursePoint>) -> Series {
        let mut series = Series::default();
        points.into_iter().for_each(|point| series.add(point));
        series
    }

    #[test]
    fn a_long_series_keeps_its_shape_its_last_point_and_its_size() {
        let long = series((0..1_000_000).map(|n| point(n, [n as u32 + 1, 5])));
        let points = long.points();
        assert!((POINTS_MAX / 2..=POINTS_MAX + 1).contains(&points.len()), "{}", points.len());
        assert_eq!(points.first(), Some(&point(0, [1, 5])));
        assert_eq!(points.last(), Some(&point(999_999, [1_000_000, 5])));
        let gaps: Vec<u64> = points.windows(2).map(|two| two[1].nodes - two[0].nodes).collect();
        assert!(gaps[..gaps.len() - 1].iter().all(|gap| *gap == gaps[0]), "{gaps:?}");
    }

    #[test]
    fn the_curves_and_the_axes_are_in_the_picture() {
        let numbers = [[1, 1], [20, 1], [300, 4], [7, 900], [0, u32::MAX]];
        let all = series((0..5).map(|n| point(20 * n, numbers[n as usize])));
        let svg = all.svg("Black <to> win", "proved, 80 nodes");
        raster::png(&svg, RasterSize::Scale(1.0)).expect("well-formed");
        for curve in [r#"class="one""#, r#"class="other""#] {
            let (_, path) = svg.split_once(curve).expect(curve);
            let (_, path) = path.split_once(" d=\"M").expect("a path");
            let path = path.split('"').next().unwrap();
            assert_eq!(path.matches('V').count(), 4, "{path}");
        }
        // The proof number ends on the line of 0, the disproof number on that of infinity.
        assert!(svg.contains(&format!("H{RIGHT}V{BOTTOM}\"")), "{svg}");
        assert!(svg.contains(&format!("H{RIGHT}V{TOP}\"")), "{svg}");
        for label in ["nodes", "time", "proof numbers (log scale)", "order 1", "order 2", "inf"] {
            assert!(svg.contains(&format!(">{label}</text>")), "{label}");
        }
        assert!(svg.contains("Black &lt;to&gt; win"), "{svg}");
    }

    #[test]
    fn a_search_without_a_course_has_a_picture_too() {
        for series in [Series::default(), series([point(1, [0, u32::MAX])])] {
            let svg = series.svg("White", "proved");
            raster::png(&svg, RasterSize::Scale(1.0)).expect("well-formed");
            assert!(svg.contains("no course to draw"));
        }
    }

    #[test]
    fn axes_have_round_labels() {
        assert_eq!([1, 7, 8, 90, 1_234_567].map(whole_step), [1, 1, 2, 20, 200_000]);
        assert_eq!([0, 950, 50_000, 1_500_000].map(short), ["0", "950", "50k", "1.5M"]);
        assert_eq!(time_step(0.001), None);
        assert_eq!(time_step(0.9), Some(0.2));
        assert_eq!(time_step(50.0), Some(10.0));
        assert_eq!(time_step(4_000.0), Some(600.0));
        assert_eq!(time_text(0.2), "0.2s");
        assert_eq!(time_text(5_400.0), "1h30m");
    }
}
