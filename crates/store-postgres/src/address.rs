//! The address of a database.

use std::{fmt, fs::File, str::FromStr, time::Duration};

use sqlx::{ConnectOptions as _, postgres::PgConnectOptions};
use tracing::log::LevelFilter;

use crate::OpenError;

/// The parameters that may follow a `?`, besides `options[NAME]`. Others are refused: a misspelled `sslmode`
/// must not go unnoticed.
const PARAMETERS: [&str; 14] = [
    "application_name",
    "dbname",
    "host",
    "hostaddr",
    "options",
    "password",
    "port",
    "ssl-mode",
    "sslcert",
    "sslkey",
    "sslmode",
    "sslrootcert",
    "user",
    "statement-cache-capacity",
];

/// The address of a database, such as `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full`.
/// Missing parts are taken from libpq's environment variables, such as `PGPASSWORD`, and its password file.
/// `Display` omits the password.
#[derive(Clone)]
pub struct Address {
    options: PgConnectOptions,
}

impl Address {
    /// Returns `true` if a string is meant to be such an address rather than a file name.
    pub fn is_address(text: &str) -> bool {
        ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme))
    }

    /// Returns `true` if a string that is meant to be such an address contains a password, even if the password
    /// contains characters that should have been escaped.
    pub fn has_password(text: &str) -> bool {
        let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
        let role = rest.rsplit_once('@').map_or("", |(role, _)| role);
        role.contains(':') || rest.split(['?', '&']).skip(1).any(|one| one.starts_with("password="))
    }

    pub(crate) fn options(&self) -> &PgConnectOptions {
        &self.options
    }

    /// Returns the name of the database, which defaults to the name of the role.
    pub(crate) fn database(&self) -> &str {
        self.options.get_database().unwrap_or(self.options.get_username())
    }

    pub(crate) fn role(&self) -> &str {
        self.options.get_username()
    }
}

impl FromStr for Address {
    type Err = OpenError;

    fn from_str(text: &str) -> Result<Self, OpenError> {
        // Errors never show the whole text: it may contain a password.
        if !Self::is_address(text) {
            return Err(OpenError::Address("it does not begin with postgres://".into()));
        }
        let parameters = text.split_once('?').map_or("", |(_, parameters)| parameters);
        let names = parameters.split('&').map(|one| one.split('=').next().unwrap_or_default());
        for name in names.filter(|name| !name.is_empty()) {
            if !PARAMETERS.contains(&name) && !name.starts_with("options[") {
                // After an unescaped `?` or `&` in a password, the name would be part of the password.
                let may_be_secret = parameters.contains('@') || parameters.contains("password=");
                return Err(OpenError::Address(if may_be_secret {
                    "unknown parameter; in a password, write `?` as %3F, `&` as %26 and `@` as %40".into()
                } else {
                    format!("unknown parameter {name:?}")
                }));
            }
        }
        for one in parameters.split('&') {
            let Some((name @ ("sslrootcert" | "sslcert" | "sslkey"), file)) = one.split_once('=') else {
                continue;
            };
            // A file name with escapes is left to the client library, which decodes it.
            if !file.contains('%')
                && let Err(error) = File::open(file)
            {
                return Err(OpenError::Address(format!("the {name} file {file} cannot be read: {error}")));
            }
        }
        let options: PgConnectOptions =
            text.parse().map_err(|error: sqlx::Error| OpenError::Address(error.to_string()))?;
        let name = options.get_application_name().unwrap_or("adoube").to_owned();
        let options = options
            .application_name(&name)
            .log_statements(LevelFilter::Trace)
            .log_slow_statements(LevelFilter::Warn, Duration::from_secs(1));
        Ok(Self { options })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { options } = self;
        match options.get_socket() {
            Some(socket) => write!(f, "postgres://{}@{}", self.role(), socket.display())?,
            None => write!(f, "postgres://{}@{}", self.role(), options.get_host())?,
        }
        write!(f, ":{}/{}", options.get_port(), self.database())
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Address").field(&self.to_string()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn passwords_are_found_even_if_they_are_not_escaped() {
        for (text, has_password) in [
            ("postgres://me@host/db", false),
            ("postgres://host:5432/db?sslmode=require", false),
            ("postgres://me:secret@host/db", true),
            ("postgres://me:se?cret@host/db", true),
            ("postgres://me:se/cr@et@host/db", true),
            ("postgres://me@host/db?password=secret", true),
            ("postgres://me@host/db?sslmode=require&password=secret", true),
        ] {
            assert_eq!(Address::has_password(text), has_password, "{text}");
        }
    }
}
