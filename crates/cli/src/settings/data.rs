use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use adoube_store::Store;
use adoube_store_postgres::{Address, PostgresStore};
use adoube_store_sqlite::SqliteStore;
use anyhow::{bail, ensure};
use serde::{Deserialize, Serialize};

/// The location of the data.
#[derive(Clone, Deserialize, Eq, PartialEq, Serialize)]
#[serde(from = "String", into = "String")]
pub(crate) enum Data {
    /// In a SQLite file, for a single server.
    File(PathBuf),
    /// In a PostgreSQL database: its address, which may contain a password.
    Postgres(String),
}

impl Data {
    /// Parses the location of the data, and [checks](Self::check) it.
    pub(crate) fn parse_checked(text: &str) -> anyhow::Result<Self> {
        ensure!(!text.is_empty(), "data is not set");
        let data = Self::from(text.to_owned());
        data.check()?;
        Ok(data)
    }

    /// Returns an error if the name of a file looks like a URL: either that kind of database is not
    /// supported, or the address of a supported one is misspelled.
    pub(crate) fn check_scheme(&self) -> anyhow::Result<()> {
        let Self::File(path) = self else { return Ok(()) };
        let name = path.to_string_lossy();
        let Some((scheme, _)) = name.split_once("://") else { return Ok(()) };
        // Show only the scheme, because the rest may contain a password.
        bail!(
            "data cannot be stored at a {scheme}:// address: give the name of a file, or postgres://ROLE@HOST/DATABASE"
        )
    }

    /// Checks the location as far as possible without opening the data.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let data = match self {
            Self::Postgres(address) => return Ok(address.parse::<Address>().map(|_| ())?),
            Self::File(data) => data,
        };
        self.check_scheme()?;
        let why = match data.parent() {
            _ if data.is_dir() => "it is a folder",
            None => "it has no name",
            Some(folder) if !folder.as_os_str().is_empty() && is_missing(folder) => {
                "its folder does not exist"
            }
            Some(_) => return Ok(()),
        };
        bail!("the data file {} cannot be used: {why}", data.display())
    }

    /// Returns the data file, for operations that need a file.
    ///
    /// # Errors
    ///
    /// If the data is in a database. `instead` is the advice for that case.
    pub(crate) fn file(&self, instead: &str) -> anyhow::Result<&Path> {
        match self {
            Self::File(path) => Ok(path),
            Self::Postgres(_) => bail!("the data is in the database {self}, not in a file: {instead}"),
        }
    }

    /// Returns `true` if several processes can open the data at the same time.
    pub(crate) fn is_shared(&self) -> bool {
        matches!(self, Self::Postgres(_))
    }

    /// Opens the data, and creates it if it does not exist.
    pub(crate) async fn open(&self) -> anyhow::Result<Arc<dyn Store>> {
        match self {
            Self::File(path) => Ok(Arc::new(SqliteStore::open(path).await?)),
            Self::Postgres(address) => Ok(Arc::new(PostgresStore::open(address).await?)),
        }
    }
}

/// Returns `true` if there is no such folder. A folder that this process is not allowed to examine does not
/// count as missing.
fn is_missing(folder: &Path) -> bool {
    match fs::metadata(folder) {
        Ok(found) => !found.is_dir(),
        Err(error) => matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory),
    }
}

/// Writes the location without the password.
impl fmt::Display for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Postgres(address) => match address.parse::<Address>() {
                Ok(address) => address.fmt(f),
                Err(_) => f.write_str("postgres://…"),
            },
        }
    }
}

impl fmt::Debug for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Data").field(&self.to_string()).finish()
    }
}

impl From<String> for Data {
    fn from(text: String) -> Self {
        if Address::is_address(&text) { Self::Postgres(text) } else { Self::File(text.into()) }
    }
}

impl From<Data> for String {
    fn from(data: Data) -> Self {
        match data {
            Data::File(path) => path.to_string_lossy().into_owned(),
            Data::Postgres(address) => address,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_that_cannot_be_used_is_refused_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let error = |data: &Path| Data::File(data.to_owned()).check().unwrap_err().to_string();
        assert!(error(folder.path()).contains("it is a folder"));
        assert!(error(&folder.path().join("no/file")).contains("its folder does not exist"));
        assert!(error(Path::new("")).contains("it has no name"));
        Data::File(folder.path().join("data.sqlite")).check().unwrap();
        Data::from("data.sqlite".to_owned()).check().unwrap();
        Data::from("postgres://me@localhost/games".to_owned()).check().unwrap();
        let error = Data::from("postgres://me:secret@localhost:port/games".to_owned())
            .check()
            .unwrap_err()
            .to_string();
        assert!(error.contains("invalid port number") && !error.contains("secret"), "{error}");
    }

    #[test]
    fn a_password_is_not_shown() {
        let data = Data::from("postgres://me:secret@localhost/games".to_owned());
        assert_eq!(
            format!("{data} {data:?}"),
            "postgres://me@localhost:5432/games Data(\"postgres://me@localhost:5432/games\")"
        );
        let error = data.file("use pg_dump").unwrap_err().to_string();
        assert_eq!(
            error,
            "the data is in the database postgres://me@localhost:5432/games, not in a file: use pg_dump"
        );
    }
}
