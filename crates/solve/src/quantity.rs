//! Numbers as people type them: `100k` and `5M` nodes, `30s` and `1h30m` of time.

use std::num::NonZero;
use std::time::Duration;

/// The least memory of a search, in bytes.
const BYTES_MIN: u64 = 1 << 20;
/// The longest time: a century.
const HOURS_MAX: u64 = 876_000;

/// Reads a positive number with an optional k, M or G.
pub fn count(text: &str) -> Result<u64, String> {
    const HELP: &str = "write a whole number, perhaps with k, M or G: 2500, 100k, 5M";
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &text[digits.len()..] {
        "" => 1,
        "k" | "K" => 1_000,
        "m" | "M" => 1_000_000,
        "g" | "G" => 1_000_000_000,
        _ => return Err(HELP.to_string()),
    };
    match whole(digits).ok_or(HELP)?.checked_mul(factor) {
        Some(0) => Err("0 is too few; write 1 or more".to_string()),
        Some(count) => Ok(count),
        None => Err("more than can be counted".to_string()),
    }
}

/// Reads a whole number from 1 to `MAX`.
pub fn up_to<const MAX: u32>(text: &str) -> Result<u32, String> {
    within(text, MAX)
}

/// Reads a whole number from 0 to `MAX`.
pub fn at_most<const MAX: u32>(text: &str) -> Result<u32, String> {
    let number = whole(text).and_then(|number| u32::try_from(number).ok());
    let number = number.filter(|&number| number <= MAX);
    number.ok_or_else(|| format!("write a whole number from 0 to {MAX}"))
}

/// Reads the seed of a sequence of random numbers.
pub fn seed(text: &str) -> Result<u64, String> {
    whole(text).ok_or_else(|| "write a whole number, 0 or more".to_string())
}

/// Reads a number of threads, or of other things of which there are 1 to `MAX`.
pub fn at_least_one<const MAX: u16>(text: &str) -> Result<NonZero<u16>, String> {
    let number = within(text, MAX.into())?;
    Ok(u16::try_from(number).ok().and_then(NonZero::new).expect("1 to MAX"))
}

fn within(text: &str, max: u32) -> Result<u32, String> {
    let number = whole(text).and_then(|number| u32::try_from(number).ok());
    number.filter(|number| (1..=max).contains(number)).ok_or_else(|| match max {
        u32::MAX => "write a whole number, 1 or more".to_string(),
        _ => format!("write a whole number from 1 to {max}"),
    })
}

/// Reads a number of bytes with an optional k, M or G, which here are powers of 1024.
pub fn bytes(text: &str) -> Result<u64, String> {
    const HELP: &str = "write a number with k, M or G: 500M, 4G";
    let text = text.strip_suffix(['b', 'B']).unwrap_or(text);
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match &text[digits.len()..] {
        "" => 0,
        "k" | "K" => 10,
        "m" | "M" => 20,
        "g" | "G" => 30,
        _ => return Err(HELP.to_string()),
    };
    let bytes = whole(digits).ok_or(HELP)?.checked_mul(1 << shift).ok_or("more than there is")?;
    match bytes {
        0..BYTES_MIN => Err("a search needs a megabyte at least; write 1M or more".to_string()),
        _ => Ok(bytes),
    }
}

/// Reads a positive time: numbers, each with s, m or h.
pub fn time(text: &str) -> Result<Duration, String> {
    const HELP: &str = "write a number with s, m or h: 30s, 5m, 1h30m";
    let mut seconds = 0u64;
    let mut rest = text;
    while let Some(end) = rest.find(|c: char| !c.is_ascii_digit()) {
        let unit = rest[end..].chars().next().expect("found");
        let factor = match unit {
            's' => 1,
            'm' => 60,
            'h' => 3_600,
            _ => return Err(HELP.to_string()),
        };
        let part = whole(&rest[..end]).ok_or(HELP)?;
        seconds = part
            .checked_mul(factor)
            .and_then(|part| part.checked_add(seconds))
            .filter(|&seconds| seconds <= HOURS_MAX * 3_600)
            .ok_or("that is more than a hundred years")?;
        rest = &rest[end + 1..];
    }
    match seconds {
        _ if !rest.is_empty() || text.is_empty() => Err(HELP.to_string()),
        0 => Err("nothing can be found in no time; write 1s or more".to_string()),
        _ => Ok(Duration::from_secs(seconds)),
    }
}

/// Reads a positive time that may be short: `0.3s`, `100ms`, `1.5m`, or as [`time`] does.
pub fn short_time(text: &str) -> Result<Duration, String> {
    const HELP: &str = "write a number with ms, s, m or h: 0.3s, 100ms, 30m";
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let milliseconds = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return time(text).map_err(|_| HELP.to_string()),
    };
    let (whole_part, fraction) = number.split_once('.').unwrap_or((number, "0"));
    // Nine digits of a second are nanoseconds.
    if whole_part.is_empty() || fraction.is_empty() || fraction.len() > 9 {
        return Err(HELP.to_string());
    }
    let scale = 10u64.pow(fraction.len() as u32);
    let (whole_part, fraction) = (whole(whole_part).ok_or(HELP)?, whole(fraction).ok_or(HELP)?);
    let time = Duration::from_millis(milliseconds);
    let limit = Duration::from_secs(HOURS_MAX * 3_600);
    let count = u32::try_from(whole_part).ok().and_then(|count| time.checked_mul(count));
    let rest = Duration::from_nanos(time.as_nanos() as u64 / scale * fraction);
    match count.map(|count| count + rest).filter(|&time| time <= limit) {
        Some(Duration::ZERO) => {
            Err("nothing can be done in no time; write 1ms or more".to_string())
        }
        Some(time) => Ok(time),
        None => Err("that is more than a hundred years".to_string()),
    }
}

/// A time as [`short_time`] reads it: `0.3s`, `1m30s`.
pub fn short_time_text(time: Duration) -> String {
    if time.subsec_nanos() == 0 {
        return time_text(time);
    }
    let text = format!("{:.9}", time.as_secs_f64());
    format!("{}s", text.trim_end_matches('0'))
}

/// A time as it is typed: `1h30m`.
pub fn time_text(time: Duration) -> String {
    let seconds = time.as_secs();
    let parts = [(seconds / 3_600, 'h'), (seconds / 60 % 60, 'm'), (seconds % 60, 's')];
    let parts: Vec<String> =
        parts.iter().filter(|(n, _)| *n > 0).map(|(n, unit)| format!("{n}{unit}")).collect();
    if parts.is_empty() { "0s".to_string() } else { parts.concat() }
}

/// Digits alone: no sign.
fn whole(digits: &str) -> Option<u64> {
    if digits.bytes().all(|b| b.is_ascii_digit()) { digits.parse().ok() } else { None }
}

/// `812 bytes`, `3.4 MB`.
pub fn bytes_text(bytes: u64) -> String {
    let large = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    match large.into_iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => format!("{:.1} {name}", bytes as f64 / unit as f64),
        None => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_may_have_a_factor() {
        for (text, expected) in [("1", 1), ("2500", 2500), ("100k", 100_000), ("5M", 5_000_000)] {
            assert_eq!(count(text), Ok(expected), "{text}");
        }
        for text in ["", "0", "0k", "k", "-1", "+1", "1.5M", "5MM", "1e6", "99999999999999G", "1 k"]
        {
            assert!(count(text).is_err(), "{text}");
        }
    }

    #[test]
    fn short_times_have_fractions() {
        for (text, milliseconds) in [
            ("0.3s", 300),
            ("100ms", 100),
            ("1.5m", 90_000),
            ("30m", 1_800_000),
            ("1m30s", 90_000),
            ("0.05s", 50),
            ("2h", 7_200_000),
        ] {
            let time = Duration::from_millis(milliseconds);
            assert_eq!(short_time(text), Ok(time), "{text}");
            assert_eq!(short_time(&short_time_text(time)), Ok(time), "{text}");
        }
        for text in [
            "",
            "0.3",
            "s",
            "0s",
            "0.0s",
            ".5s",
            "5.s",
            "-1s",
            "1.2.3s",
            "1e3s",
            "1d",
            "0.3ss",
            "9999999h",
            "99999999999999999999s",
            "0.0000000001s",
            "ms",
            "1ä",
        ] {
            assert!(short_time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times_need_a_unit() {
        for (text, seconds) in [("30s", 30), ("5m", 300), ("1h30m", 5_400), ("90m", 5_400)] {
            assert_eq!(time(text), Ok(Duration::from_secs(seconds)), "{text}");
            assert_eq!(time(&time_text(Duration::from_secs(seconds))), time(text));
        }
        for text in
            ["", "30", "s", "0s", "-1s", "1d", "1h30", "99999999999999999999s", "9999999h", "1ä"]
        {
            assert!(time(text).is_err(), "{text}");
        }
    }
}
