use std::{fmt, str::FromStr, time::Duration};

use thiserror::Error;

use crate::config::text::as_text;

/// The error for a string that is not a rate.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{0:?} is not a count and a period, such as 60/min, 5/15s or 10M/h")]
pub struct RateError(pub String);

/// The rate of a token bucket: its capacity is `count`, and an empty bucket takes one `period` to fill up.
///
/// As text it is `COUNT/PERIOD`. The count may end in `k` or `M`; the period is `s`, `min`, `h` or `d`,
/// optionally preceded by a number, as in `15s`.
///
/// ```
/// use std::time::Duration;
/// use adoube_server::Rate;
///
/// assert_eq!("60/min".parse(), Ok(Rate::new(60, Duration::from_secs(60))));
/// assert_eq!("5/15s".parse(), Ok(Rate::new(5, Duration::from_secs(15))));
/// assert_eq!("10M/h".parse(), Ok(Rate::new(10_000_000, Duration::from_secs(3600))));
/// assert_eq!(Rate::new(20, Duration::from_secs(120)).to_string(), "20/2min");
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Rate {
    pub count: u64,
    pub period: Duration,
}

/// The longest period. Most buckets are kept in memory and reset when the process starts, so a longer period
/// would have little effect.
const MAX_PERIOD: Duration = Duration::from_hours(31 * 24);
/// The largest count. A float represents every count up to it exactly.
pub(super) const LARGEST: u64 = 1 << 50;

const UNITS: [(&str, u64); 4] = [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)];
const MULTIPLES: [(&str, u64); 2] = [("M", 1_000_000), ("k", 1_000)];

impl Rate {
    pub const fn new(count: u64, period: Duration) -> Self {
        Self { count, period }
    }

    pub(crate) const fn per_min(count: u64) -> Self {
        Self::new(count, Duration::from_mins(1))
    }

    pub(crate) const fn per_hour(count: u64) -> Self {
        Self::new(count, Duration::from_hours(1))
    }
}

as_text!(Rate);

impl FromStr for Rate {
    type Err = RateError;

    fn from_str(text: &str) -> Result<Self, RateError> {
        parse(text).ok_or_else(|| RateError(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Rate> {
    let (count, period) = text.split_once('/')?;
    let count = count.trim();
    let (digits, multiple) = MULTIPLES
        .into_iter()
        .find_map(|(suffix, multiple)| Some((count.strip_suffix(suffix)?, multiple)))
        .unwrap_or((count, 1));
    let count = number(digits)?.checked_mul(multiple).filter(|&count| count <= LARGEST)?;
    let period = period.trim();
    let (times, seconds) =
        UNITS.into_iter().find_map(|(unit, seconds)| Some((period.strip_suffix(unit)?.trim(), seconds)))?;
    let times = if times.is_empty() { 1 } else { number(times)? };
    let period = Duration::from_secs(times.checked_mul(seconds)?);
    (count > 0 && !period.is_zero() && period <= MAX_PERIOD).then_some(Rate { count, period })
}

/// Parses a number that consists only of digits, without a sign.
fn number(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let multiple = MULTIPLES
            .into_iter()
            .find(|(_, multiple)| self.count > 0 && self.count.is_multiple_of(*multiple));
        let (suffix, multiple) = multiple.unwrap_or(("", 1));
        let seconds = self.period.as_secs().max(1);
        let unit = UNITS.into_iter().find(|(_, unit)| seconds.is_multiple_of(*unit));
        let (unit, length) = unit.unwrap_or(("s", 1));
        write!(f, "{}{suffix}/", self.count / multiple)?;
        match seconds / length {
            1 => f.write_str(unit),
            times => write!(f, "{times}{unit}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_survives_a_round_trip_through_text() {
        for text in ["60/min", "5/15s", "10M/h", "20/2min", "1/d", "3/90s", "7k/31d", "1/s"] {
            assert_eq!(text.parse::<Rate>().unwrap().to_string(), text);
        }
        for (loose, exact) in
            [(" 60 / min ", "60/min"), ("60/60s", "60/min"), ("60/1min", "60/min"), ("2000/h", "2k/h")]
        {
            assert_eq!(loose.parse::<Rate>().unwrap().to_string(), exact);
        }
    }

    #[test]
    fn text_that_is_not_a_rate_is_rejected() {
        for text in [
            "",
            "60",
            "/",
            "60/",
            "/min",
            "0/min",
            "-1/min",
            "+1/min",
            "1/0s",
            "1/-1s",
            "1/week",
            "1/min/s",
            "1.5/min",
            "60/32d",
            "99999999999999999999/s",
            "1/99999999999999999999d",
            "9999999999M/s",
            "k/s",
            "é/s",
            "1/é",
        ] {
            assert_eq!(text.parse::<Rate>(), Err(RateError(text.to_owned())), "{text:?}");
        }
    }
}
