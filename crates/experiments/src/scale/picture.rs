//! Speed-up and idle share over workers, as a picture.

use sixproof_picture::svg::{Anchor, Svg, tenths};
use sixproof_prover::driver::Policy;

use super::{ScalePoint, name};

const WIDTH: i32 = 760;
const HEIGHT: i32 = 640;
const LEFT: f64 = 72.0;
const RIGHT: f64 = 736.0;
/// The field of the speed-up, and that of the idle share below it.
const TOP: f64 = 76.0;
const MIDDLE: f64 = 396.0;
const LOWER: f64 = 430.0;
const BOTTOM: f64 = 586.0;

/// Published figures: workers, speed-up, and the source.
const REPORTED: [(f64, f64, &str); 2] =
    [(16.0, 8.58, "8.58 on 16 (Lin)"), (1024.0, 332.9, "332.9 on 1,024 (another game)")];

/// The picture.
pub fn svg(points: &[ScalePoint], latency_ms: u32, games: usize) -> String {
    let heading = "Speed-up of the search over jobs, simulated";
    let plural = if games == 1 { "game" } else { "games" };
    let verdict = format!("{games} made-up {plural}, latency {latency_ms} ms");
    let mut svg = Svg::new(WIDTH, HEIGHT, heading, &verdict);
    svg.text("ink", 16, (LEFT, 28.0), Anchor::Start, heading);
    svg.text("soft", 12, (LEFT, 48.0), Anchor::Start, &verdict);
    let most = points.iter().map(|point| point.workers).max().unwrap_or(1).max(16);
    let doublings = (most as f64).log2().ceil();
    let x = |workers: f64| LEFT + (RIGHT - LEFT) * workers.log2() / doublings;
    let y = |speedup: f64| {
        MIDDLE - (MIDDLE - TOP) * (speedup.max(0.5).log2() / doublings).clamp(-0.05, 1.0)
    };
    let idle_y = |share: f64| BOTTOM - (BOTTOM - LOWER) * share.clamp(0.0, 1.0);
    for power in 0..=doublings as u32 {
        let workers = f64::from(power).exp2();
        let (across, up) = (tenths(x(workers)), tenths(y(workers)));
        svg.put(format_args!(
            r#"<path class="grid" d="M{across} {TOP}V{MIDDLE}M{across} {LOWER}V{BOTTOM}M{LEFT} {up}H{RIGHT}"/>"#
        ));
        let label = format!("{workers}");
        svg.text("soft", 11, (x(workers), BOTTOM + 18.0), Anchor::Middle, &label);
        svg.text("soft", 11, (LEFT - 8.0, y(workers) + 4.0), Anchor::End, &label);
    }
    for quarter in 0..=2 {
        let share = f64::from(quarter) / 2.0;
        let at = tenths(idle_y(share));
        svg.put(format_args!(r#"<path class="grid" d="M{LEFT} {at}H{RIGHT}"/>"#));
        let label = format!("{} %", 50 * quarter);
        svg.text("soft", 11, (LEFT - 8.0, idle_y(share) + 4.0), Anchor::End, &label);
    }
    svg.text("soft", 12, ((LEFT + RIGHT) / 2.0, BOTTOM + 40.0), Anchor::Middle, "workers");
    svg.text("soft", 12, (LEFT + 8.0, TOP + 16.0), Anchor::Start, "speed-up (log scale)");
    svg.text("soft", 12, (LEFT + 8.0, LOWER + 16.0), Anchor::Start, "idle share");
    let (low, high) = (tenths(y(1.0)), tenths(y(doublings.exp2())));
    svg.put(format_args!(
        r#"<path class="axis" stroke-dasharray="1 4" d="M{LEFT} {low}L{RIGHT} {high}"/>"#
    ));
    for (index, policy) in Policy::ALL.into_iter().enumerate() {
        let own: Vec<&ScalePoint> = points.iter().filter(|point| point.policy == policy).collect();
        let line = |height: &dyn Fn(&ScalePoint) -> f64| {
            let corners = own.iter().map(|point| {
                format!("{} {}", tenths(x(point.workers as f64)), tenths(height(point)))
            });
            corners.collect::<Vec<_>>().join("L")
        };
        if own.is_empty() {
            continue;
        }
        let (class, dashes) = style(policy);
        for path in [line(&|point| y(point.speedup)), line(&|point| idle_y(point.idle))] {
            svg.put(format_args!(
                r#"<path class="{class}" stroke-width="1.8" stroke-linejoin="round" stroke-dasharray="{dashes}" d="M{path}"/>"#
            ));
        }
        let (left, high) = (RIGHT - 130.0, MIDDLE - 70.0 + 16.0 * index as f64);
        let (end, at) = (left + 28.0, high - 4.0);
        svg.put(format_args!(
            r#"<path class="{class}" stroke-width="2" stroke-dasharray="{dashes}" d="M{left} {at}H{end}"/>"#
        ));
        svg.text("ink", 12, (end + 6.0, high), Anchor::Start, name(policy));
    }
    for (workers, speedup, who) in REPORTED.into_iter().filter(|&(w, ..)| w <= most as f64) {
        let (across, up) = (tenths(x(workers)), tenths(y(speedup)));
        svg.put(format_args!(r#"<circle class="black" cx="{across}" cy="{up}" r="3.5"/>"#));
        svg.text("over", 11, (x(workers), y(speedup) + 18.0), Anchor::Middle, who);
    }
    svg.finish()
}

/// Colour and dashes of a policy's lines.
fn style(policy: Policy) -> (&'static str, &'static str) {
    match policy {
        Policy::Doubled => ("one", "none"),
        Policy::Win => ("other", "none"),
        Policy::Loss => ("other", "6 3"),
        Policy::Equivalence => ("one", "2 3"),
    }
}
