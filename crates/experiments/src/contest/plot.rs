//! The course of a match as a picture: A's score over the games, in its 95 % band.

use sixproof_player::rating::Pairs;

use sixproof_picture::svg::{Anchor, Svg, tenths};

const WIDTH: i32 = 760;
const HEIGHT: i32 = 420;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 736.0;
const TOP: f64 = 72.0;
const BOTTOM: f64 = 366.0;
/// Points drawn at most: a long match has more pairs than a picture has columns.
const POINTS_MAX: usize = 600;
/// Labels along the bottom, at most.
const LABELS_MAX: u64 = 8;

/// The picture; `course` has the numbers of games, and the pairs after them.
pub(super) fn svg(course: &[(u64, Pairs)], title: &str, verdict: &str) -> String {
    let heading = format!("Score: {title}");
    let mut svg = Svg::new(WIDTH, HEIGHT, &heading, verdict);
    svg.text("ink", 16, (LEFT, 28.0), Anchor::Start, &heading);
    svg.text("soft", 12, (LEFT, 48.0), Anchor::Start, verdict);
    let Some(&(games, _)) = course.last() else {
        let middle = ((LEFT + RIGHT) / 2.0, (TOP + BOTTOM) / 2.0);
        svg.text("soft", 13, middle, Anchor::Middle, "No pair of games was completed.");
        return svg.finish();
    };
    let x = |number: u64| LEFT + (RIGHT - LEFT) * number as f64 / games as f64;
    let y = |score: f64| BOTTOM - (BOTTOM - TOP) * score;
    for quarter in 0..=4 {
        let score = f64::from(quarter) / 4.0;
        let (class, at) = (if quarter == 2 { "axis" } else { "grid" }, tenths(y(score)));
        svg.put(format_args!(r#"<path class="{class}" d="M{LEFT} {at}H{RIGHT}"/>"#));
        let place = (LEFT - 8.0, y(score) + 4.0);
        svg.text("soft", 11, place, Anchor::End, &format!("{} %", 25 * quarter));
    }
    let step = label_step(games);
    for number in (0..=games).step_by(step as usize) {
        let (at, low) = (tenths(x(number)), BOTTOM + 5.0);
        svg.put(format_args!(r#"<path class="axis" d="M{at} {BOTTOM}V{low}"/>"#));
        let place = (x(number), BOTTOM + 19.0);
        svg.text("soft", 11, place, Anchor::Middle, &number.to_string());
    }
    svg.text("soft", 12, ((LEFT + RIGHT) / 2.0, BOTTOM + 40.0), Anchor::Middle, "games");
    let stride = course.len().div_ceil(POINTS_MAX);
    let last = course.len() - 1;
    let kept = course.iter().enumerate().filter(|(i, _)| i % stride == 0 || *i == last);
    let points: Vec<(f64, [f64; 3])> = kept
        .map(|(_, (number, pairs))| {
            let score = pairs.score();
            (x(*number), [score.low, score.value, score.high].map(y))
        })
        .collect();
    let place = |x: f64, y: f64| format!("{} {}", tenths(x), tenths(y));
    let low = points.iter().map(|(x, [low, ..])| place(*x, *low));
    let high = points.iter().rev().map(|(x, [.., high])| place(*x, *high));
    let band: Vec<String> = low.chain(high).collect();
    let line: Vec<String> = points.iter().map(|(x, [_, value, _])| place(*x, *value)).collect();
    let (band, line) = (band.join("L"), line.join("L"));
    svg.put(format_args!(r#"<path class="yes" fill-opacity="0.2" d="M{band}Z"/>"#));
    svg.put(format_args!(
        r#"<path class="one" stroke-width="1.8" stroke-linejoin="round" d="M{line}"/>"#
    ));
    let (x, [_, y, _]) = points[points.len() - 1];
    let (x, y) = (tenths(x), tenths(y));
    svg.put(format_args!(r#"<circle class="yes" cx="{x}" cy="{y}" r="3"/>"#));
    svg.finish()
}

/// A round number for the distance of labels from 0 to `max`.
fn label_step(max: u64) -> u64 {
    let powers = (0..19).map(|power| 10u64.pow(power));
    let mut steps = powers.flat_map(|power| [1, 2, 5].map(|factor| power.saturating_mul(factor)));
    steps.find(|step| max / step < LABELS_MAX).unwrap_or(max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sixproof_picture::raster::{self, RasterSize};

    #[test]
    fn every_course_makes_a_picture() {
        let mut pairs = Pairs::default();
        let mut course = Vec::new();
        for count in [0, 1, 2, 5_000] {
            while course.len() < count {
                pairs.add(course.len() * 7 % 5);
                course.push((2 * (course.len() as u64 + 1), pairs));
            }
            let svg = svg(&course, "a <vs> b", "even");
            raster::png(&svg, RasterSize::Scale(1.0)).expect("well-formed");
            assert!(svg.len() < 40_000, "{}", svg.len());
            assert_eq!(svg.contains("No pair"), count == 0);
        }
    }

    #[test]
    fn the_curve_ends_at_the_score() {
        let course = [(2, Pairs([0, 0, 0, 0, 1])), (4, Pairs([1, 0, 0, 0, 1]))];
        let svg = svg(&course, "a vs b", "even");
        let middle = tenths((TOP + BOTTOM) / 2.0);
        assert!(svg.contains(&format!(r#"cx="{RIGHT}" cy="{middle}""#)), "{svg}");
    }
}
