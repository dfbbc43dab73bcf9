use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    path::PathBuf,
    str::FromStr,
};

use thiserror::Error;

/// The address on which a server listens.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Listen {
    Tcp(SocketAddr),
    /// A Unix domain socket, for a proxy on the same machine.
    Unix(PathBuf),
}

/// The error for a string that is not a listen address.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error(
    "address {0:?} is not an IP address and a port, such as 127.0.0.1:8787, or unix: and a path, such as unix:/run/adoube/socket"
)]
pub struct ListenError(pub String);

const UNIX: &str = "unix:";

impl FromStr for Listen {
    type Err = ListenError;

    fn from_str(text: &str) -> Result<Self, ListenError> {
        let wrong = || ListenError(text.to_owned());
        match text.strip_prefix(UNIX) {
            Some(path) if path.starts_with('/') && !path.ends_with('/') => Ok(Self::Unix(path.into())),
            Some(_) => Err(wrong()),
            None => text.parse().map(Self::Tcp).map_err(|_| wrong()),
        }
    }
}

impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => address.fmt(f),
            Self::Unix(path) => write!(f, "{UNIX}{}", path.display()),
        }
    }
}

impl From<SocketAddr> for Listen {
    fn from(address: SocketAddr) -> Self {
        Self::Tcp(address)
    }
}

impl<I: Into<IpAddr>> From<(I, u16)> for Listen {
    fn from(address: (I, u16)) -> Self {
        Self::Tcp(address.into())
    }
}

impl Listen {
    /// Returns the part of this address that distinguishes it from others on the same machine: its port or
    /// path.
    pub(crate) fn port_or_path(&self) -> String {
        match self {
            Self::Tcp(address) => address.port().to_string(),
            Self::Unix(path) => path.display().to_string(),
        }
    }

    /// Returns an address at which a program on this machine reaches the server, or `None` for a Unix domain
    /// socket.
    pub fn local_address(&self) -> Option<SocketAddr> {
        match *self {
            Self::Tcp(SocketAddr::V4(address)) if address.ip().is_unspecified() => {
                Some((Ipv4Addr::LOCALHOST, address.port()).into())
            }
            Self::Tcp(SocketAddr::V6(address)) if address.ip().is_unspecified() => {
                Some((Ipv6Addr::LOCALHOST, address.port()).into())
            }
            Self::Tcp(address) => Some(address),
            Self::Unix(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_paths_are_read_and_written() {
        for text in ["127.0.0.1:8787", "[::1]:80", "unix:/run/adoube/socket"] {
            assert_eq!(text.parse::<Listen>().unwrap().to_string(), text);
        }
        for text in ["", "8787", "localhost:8787", "unix:", "unix:socket", "unix:/run/", "/run/adoube/socket"]
        {
            assert_eq!(text.parse::<Listen>(), Err(ListenError(text.to_owned())));
        }
        let local_ip =
            |text: &str| text.parse::<Listen>().unwrap().local_address().map(|address| address.to_string());
        assert_eq!(local_ip("0.0.0.0:80").as_deref(), Some("127.0.0.1:80"));
        assert_eq!(local_ip("[::]:80").as_deref(), Some("[::1]:80"));
        assert_eq!(local_ip("192.0.2.7:80").as_deref(), Some("192.0.2.7:80"));
        assert_eq!(local_ip("unix:/run/adoube/socket"), None);
    }
}
