//! The text form of settings. Files, environment variables and flags all provide text.
//!
//! Each module serves one kind of field in `#[serde(with = "…")]`. Its errors say what the text must be, and
//! the code that reads the settings adds the setting's name in front, as in
//! `limits.hashes must be a whole number, not "many"`.

use std::{fmt::Display, net::SocketAddr, str::FromStr, time::Duration};

use serde::{Deserialize, Deserializer, Serializer};

/// Implements serde by way of `Display` and `FromStr`.
macro_rules! as_text {
    ($($name:ty),*) => {$(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

/// Implements `FromStr` and `Display` for an enum, given the text of each variant. An empty string yields the
/// default, as if the setting were not set.
macro_rules! choices {
    ($name:ident: $($value:ident = $text:literal),*) => {
        impl std::str::FromStr for $name {
            type Err = $crate::config::ChoiceError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    "" => Ok(Self::default()),
                    $($text => Ok(Self::$value),)*
                    _ => Err($crate::config::ChoiceError { names: &[$($text),*], text: text.to_owned() }),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $(Self::$value => $text),* })
            }
        }
    };
}

pub(crate) use {as_text, choices};

/// The error for a string that is not one of a setting's possible values.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("must be one of {}, not {text:?}", names.join(", "))]
pub struct ChoiceError {
    pub names: &'static [&'static str],
    pub text: String,
}

/// A whole number.
pub(crate) mod number {
    use super::{Deserialize, Deserializer, Display, FromStr, Serializer, custom};

    pub(crate) fn serialize<S: Serializer>(number: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(number)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, N: FromStr>(deserializer: D) -> Result<N, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|_| custom(format_args!("must be a whole number, not {text:?}")))
    }
}

/// A duration in seconds, at least one.
pub(crate) mod seconds {
    use super::{Deserializer, Duration, Serializer, custom, number};

    pub(crate) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        number::serialize(&time.as_secs(), serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        match number::deserialize(deserializer)? {
            0 => Err(custom("must be a number of seconds, at least 1")),
            seconds => Ok(Duration::from_secs(seconds)),
        }
    }
}

/// The maximum duration: a hundred years, which in milliseconds still fits into an `i64`.
const MAX_HOURS: u64 = 100 * 366 * 24;

/// Reads a duration in units of `each` hours.
fn deserialize_hours<'de, D: Deserializer<'de>>(deserializer: D, each: u64) -> Result<Duration, D::Error> {
    match number::deserialize::<D, u64>(deserializer)?.checked_mul(each) {
        Some(hours @ 1..=MAX_HOURS) => Ok(Duration::from_hours(hours)),
        _ => Err(custom(format_args!("must be a number from 1 to {}", MAX_HOURS / each))),
    }
}

/// A duration in hours, from one hour to a hundred years.
pub(crate) mod hours {
    use super::{Deserializer, Duration, Serializer, deserialize_hours, number};

    pub(crate) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        number::serialize(&(time.as_secs() / 3_600), serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        deserialize_hours(deserializer, 1)
    }
}

/// A duration in days, from one day to a hundred years.
pub(crate) mod days {
    use super::{Deserializer, Duration, Serializer, deserialize_hours, number};

    pub(crate) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        number::serialize(&(time.as_secs() / 86_400), serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        deserialize_hours(deserializer, 24)
    }
}

/// A value that may be absent, in which case its text is empty.
pub(crate) mod optional {
    use super::{Deserialize, Deserializer, Display, FromStr, Serializer, custom};

    #[expect(clippy::ref_option, reason = "serde passes the field by reference")]
    pub(crate) fn serialize<S: Serializer, T: Display>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => serializer.collect_str(value),
            None => serializer.serialize_str(""),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        match &*String::deserialize(deserializer)? {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(custom),
        }
    }
}

/// A whole number, or an empty string.
pub(crate) mod optional_number {
    use super::{Deserialize, Deserializer, FromStr, custom};

    pub(crate) use super::optional::serialize;

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, N: FromStr>(
        deserializer: D,
    ) -> Result<Option<N>, D::Error> {
        match &*String::deserialize(deserializer)? {
            "" => Ok(None),
            text => text
                .parse()
                .map(Some)
                .map_err(|_| custom(format_args!("must be a whole number, not {text:?}"))),
        }
    }
}

/// An IP address and a port, or an empty string.
pub(crate) mod optional_address {
    use super::{Deserialize, Deserializer, SocketAddr, custom};

    pub(crate) use super::optional::serialize;

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<SocketAddr>, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.is_empty() {
            return Ok(None);
        }
        text.parse().map(Some).map_err(|_| {
            custom(format_args!("must be an IP address and a port, such as 127.0.0.1:9187, not {text:?}"))
        })
    }
}

/// Values separated by commas.
pub(crate) mod list {
    use super::{Deserialize, Deserializer, Display, FromStr, Serializer, custom};

    pub(crate) fn serialize<S: Serializer, T: Display>(
        values: &[T],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let texts = values.iter().map(T::to_string).collect::<Vec<_>>();
        serializer.serialize_str(&texts.join(","))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(
        deserializer: D,
    ) -> Result<Vec<T>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let texts = text.split(',').map(str::trim).filter(|text| !text.is_empty());
        texts.map(|text| text.parse().map_err(custom)).collect()
    }
}

/// IP addresses, separated by commas.
pub(crate) mod addresses {
    use std::net::IpAddr;

    use super::{Deserialize, Deserializer, Serializer, custom};

    pub(crate) fn serialize<S: Serializer>(addresses: &[IpAddr], serializer: S) -> Result<S::Ok, S::Error> {
        let texts = addresses.iter().map(IpAddr::to_string).collect::<Vec<_>>();
        serializer.serialize_str(&texts.join(","))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<IpAddr>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let texts = text.split(',').map(str::trim).filter(|text| !text.is_empty());
        let addresses = texts.map(|text| {
            text.parse().map_err(|_| {
                custom(format_args!("must be IP addresses separated by commas; {text:?} is not one"))
            })
        });
        addresses.collect()
    }
}

fn custom<E: serde::de::Error>(message: impl Display) -> E {
    E::custom(message)
}
