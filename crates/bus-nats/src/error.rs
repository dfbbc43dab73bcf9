use std::{error::Error, io, path::PathBuf};

use async_nats::{ConnectError, ConnectErrorKind, rustls};
use thiserror::Error;

/// An error while opening a bus. Its message is one line without passwords, and names the setting or the
/// server at fault, if there is one.
#[derive(Debug, Error)]
pub enum OpenError {
    #[error("bus address `{address}` is not nats://HOST:PORT or tls://HOST:PORT: {problem}")]
    Address { address: String, problem: &'static str },
    #[error(
        "bus prefix `{prefix}` is not one or more words of letters, digits, - and _, separated by dots, of at most 100 bytes in all"
    )]
    Prefix { prefix: String },
    #[error("bus credentials {} cannot be read: {problem}", path.display())]
    Credentials { path: PathBuf, problem: io::Error },
    #[error("bus certificates {} cannot be read: {problem}", path.display())]
    Certificates { path: PathBuf, problem: io::Error },
    #[error("the bus at {address} cannot be reached: {problem}; is nats-server running there?")]
    Unreachable { address: String, problem: String },
    #[error("the bus at {address} refuses the given user, password, token or credentials")]
    Refused { address: String },
    #[error(
        "the bus at {address} requires a user: put one into the address, nats://USER:PASSWORD@HOST, or set a credentials file"
    )]
    Anonymous { address: String },
    #[error("TLS with the bus at {address} failed: {problem}")]
    Tls { address: String, problem: String },
    #[error("the nats-server at {address} has version {version}, which is too old: 2.2 or later is needed")]
    TooOld { address: String, version: String },
    #[error("the bus at {address} does not allow publishing and subscribing to `{prefix}.>`: {problem}")]
    Denied { address: String, prefix: String, problem: String },
    #[error(
        "another house is using the bus at {address} with the prefix `{prefix}`: servers of one house must share their data, and a second house needs a different bus.prefix"
    )]
    OtherHouse { address: String, prefix: String },
    #[error("the system cannot provide random numbers: {problem}")]
    Random { problem: getrandom::Error },
}

impl OpenError {
    /// Converts the error from a failed connection. `is_anonymous` is `true` if there was no user, token or
    /// credentials file.
    pub(crate) fn from_connect_error(address: &str, is_anonymous: bool, error: &ConnectError) -> Self {
        let address = address.to_owned();
        if let Some(tls) = cause::<rustls::Error>(error) {
            return Self::Tls { address, problem: tls_problem(tls) };
        }
        let problem = match error.kind() {
            ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
                return if is_anonymous { Self::Anonymous { address } } else { Self::Refused { address } };
            }
            ConnectErrorKind::Tls => return Self::Tls { address, problem: innermost(error) },
            ConnectErrorKind::TimedOut => "the connection timed out".to_owned(),
            _ => innermost(error),
        };
        Self::Unreachable { address, problem }
    }
}

fn tls_problem(error: &rustls::Error) -> String {
    use rustls::{CertificateError, Error};
    match error {
        Error::InvalidCertificate(CertificateError::UnknownIssuer) => {
            "its certificate has an unknown issuer; set a file with the issuer's certificate".to_owned()
        }
        Error::InvalidMessage(_) => {
            "it does not offer TLS; use nats:// if the network in between is trusted".to_owned()
        }
        error => error.to_string(),
    }
}

/// Returns the first error of type `T` among an error and its causes.
fn cause<'a, T: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a T> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        // `source` of an I/O error skips the error that it wraps.
        let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        next = match inner {
            Some(inner) => Some(inner),
            None => error.source(),
        };
    }
    None
}

/// Returns the message of the innermost cause, on one line.
fn innermost(error: &(dyn Error + 'static)) -> String {
    let mut last = error;
    while let Some(source) = last.source() {
        last = source;
    }
    last.to_string().replace(['\r', '\n'], " ").trim().to_owned()
}
