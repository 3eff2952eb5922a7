//! Logistic regression: the weights under which the results of the games are most likely.

use sixproof_player::eval::{Pattern, Turn, Weights};

use super::games::Quiet;

/// Weights are thousandths of the logarithm of the odds.
const UNIT: f64 = 1000.0;
/// The number of positions of which one is kept for the test.
const TEST_EVERY: usize = 10;
/// The first step of a weight, in thousandths; later ones shrink.
const STEP: f64 = 2.0;

/// The worth of a pattern when the other side moves next, as a share of its worth to the side to
/// move. Fitted freely, the patterns of the other side come to count several times as much as one's
/// own, and the engine only blocks.
const OTHER: f64 = 0.67;

/// A position as a list of features and how often it has them, those of the other side negative.
struct Row {
    features: Vec<(u32, f64)>,
    result: f64,
}

/// Fits weights; `pull` draws them to their former values.
pub(crate) fn fit(weights: &mut Weights, quiet: &[Quiet], epochs: u32, pull: f64) {
    let patterns: Vec<Pattern> = Weights::patterns().collect();
    let start: Vec<f64> =
        patterns.iter().map(|&pattern| f64::from(weights.worth(Turn::Own, pattern))).collect();
    let rows: Vec<Row> = quiet.iter().map(|position| row(&patterns, position)).collect();
    let (test, train): (Vec<_>, Vec<_>) =
        rows.iter().enumerate().partition(|(number, _)| number % TEST_EVERY == 0);
    let mut values = start.clone();
    // Adam: steps of like size for patterns that are common and for rare ones.
    let (mut mean, mut square) = (vec![0.0; values.len()], vec![0.0; values.len()]);
    for epoch in 0..epochs {
        let mut gradient: Vec<f64> =
            values.iter().zip(&start).map(|(value, start)| pull * (value - start) / UNIT).collect();
        for (_, row) in &train {
            let error = expected(row, &values) - row.result;
            for &(feature, count) in &row.features {
                gradient[feature as usize] += error * count;
            }
        }
        let rate = STEP * (1.0 - f64::from(epoch) / f64::from(epochs));
        for index in 0..values.len() {
            mean[index] = 0.9 * mean[index] + 0.1 * gradient[index];
            square[index] = 0.99 * square[index] + 0.01 * gradient[index].powi(2);
            values[index] -= rate * mean[index] / (square[index].sqrt() + 1e-9);
        }
        if epoch % 20 == 0 || epoch + 1 == epochs {
            println!(
                "epoch {epoch}: loss {:.4}, of positions kept apart {:.4}",
                loss(&train, &values),
                loss(&test, &values)
            );
        }
    }
    for (&pattern, value) in patterns.iter().zip(values) {
        weights.set(Turn::Own, pattern, value.round() as i32);
        weights.set(Turn::Other, pattern, (value * OTHER).round() as i32);
    }
}

fn row(patterns: &[Pattern], quiet: &Quiet) -> Row {
    let mut features: Vec<(u32, f64)> = Vec::new();
    for sample in &quiet.samples {
        let Some(index) = patterns.iter().position(|&known| known == sample.pattern) else {
            continue;
        };
        let count = if sample.own { 1.0 } else { -OTHER };
        match features.iter_mut().find(|(known, _)| *known == index as u32) {
            Some((_, sum)) => *sum += count,
            None => features.push((index as u32, count)),
        }
    }
    Row { features, result: quiet.result }
}

/// The result that the weights expect.
fn expected(row: &Row, values: &[f64]) -> f64 {
    let sum: f64 =
        row.features.iter().map(|&(feature, count)| values[feature as usize] * count).sum();
    1.0 / (1.0 + (-sum / UNIT).exp())
}

fn loss(rows: &[(usize, &Row)], values: &[f64]) -> f64 {
    let sum: f64 = rows
        .iter()
        .map(|(_, row)| {
            let expected = expected(row, values).clamp(1e-9, 1.0 - 1e-9);
            -(row.result * expected.ln() + (1.0 - row.result) * (1.0 - expected).ln())
        })
        .sum();
    sum / rows.len().max(1) as f64
}
