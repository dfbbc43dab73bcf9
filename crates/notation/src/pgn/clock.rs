//! Clocks in comments, such as `[%clk 1:02:03]`.
//!
//! ```
//! use std::time::Duration;
//!
//! use adoube_notation::pgn::clock;
//!
//! let left = Duration::from_millis(62_500);
//! assert_eq!(clock::write(left), "[%clk 0:01:02.5]");
//! assert_eq!(clock::read("hurried [%clk 0:01:02.5]"), Some(left));
//! ```

use std::time::Duration;

const START: &str = "[%clk";

/// Returns the byte offsets at which the command begins and ends in a comment, and the text of its time.
fn find(comment: &str) -> Option<(usize, usize, &str)> {
    let start = comment.find(START)?;
    let after = comment.get(start + START.len()..)?;
    let length = after.find(']')?;
    Some((start, start + START.len() + length + 1, after.get(..length)?.trim()))
}

/// Returns the time in a comment, written as hours, minutes and seconds (`1:02:03`, `0:00:09.5`) or with
/// fewer parts. Returns `None` if there is no time or if it exceeds 1000 hours.
pub fn read(comment: &str) -> Option<Duration> {
    const MAX_MS: u64 = 1_000 * 3_600_000;
    let (.., time) = find(comment)?;
    let (whole, fraction) = time.split_once('.').unwrap_or((time, ""));
    let mut seconds = 0_u64;
    for part in whole.split(':') {
        // Parsing alone would accept a sign.
        let part = Some(part).filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()))?;
        seconds = seconds.checked_mul(60)?.checked_add(part.parse().ok()?)?;
    }
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut ms = seconds.checked_mul(1_000).filter(|ms| *ms <= MAX_MS)?;
    for (place, digit) in [100, 10, 1].into_iter().zip(fraction.chars()) {
        ms += place * u64::from(digit.to_digit(10)?);
    }
    (ms <= MAX_MS).then(|| Duration::from_millis(ms))
}

/// Returns the comment for a time, with a fraction if it is not a whole number of seconds.
pub fn write(left: Duration) -> String {
    let (seconds, ms) = (left.as_secs(), left.subsec_millis());
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
    let fraction = match ms {
        0 => String::new(),
        ms if ms % 100 == 0 => format!(".{}", ms / 100),
        ms => format!(".{ms:03}"),
    };
    format!("{START} {hours}:{minutes:02}:{:02}{fraction}]", seconds % 60)
}

/// Returns a comment without its time.
pub(super) fn without_clock(comment: &str) -> String {
    let Some((start, end, _)) = find(comment) else { return comment.to_owned() };
    let (before, after) = (comment.get(..start).unwrap_or_default(), comment.get(end..).unwrap_or_default());
    super::tree::one_line(&format!("{before} {after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_written() {
        for (text, ms) in [
            ("[%clk 1:02:03]", 3_723_000),
            ("so [%clk 0:00:09.5] quick", 9_500),
            ("[%clk 0:00:00.025]", 25),
            ("[%clk 12:00]", 720_000),
        ] {
            assert_eq!(read(text), Some(Duration::from_millis(ms)), "{text}");
        }
        for text in [
            "",
            "[%clk",
            "[%clk ]",
            "[%clk x]",
            "[%clk 1:-2:3]",
            "[%clk 1:+2:3]",
            "[%clk 0:00:09.123x]",
            "[%clk 99999999999999999999]",
            "[%clk 18446744073709551.9]",
            "[%emt 1:2:3]",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        for ms in [0, 25, 9_500, 59_999, 3_723_000] {
            let time = Duration::from_millis(ms);
            assert_eq!(read(&write(time)), Some(time));
        }
        assert_eq!(write(Duration::from_millis(3_723_500)), "[%clk 1:02:03.5]");
        assert_eq!(without_clock("so [%clk 0:00:09.5] quick"), "so quick");
    }
}
