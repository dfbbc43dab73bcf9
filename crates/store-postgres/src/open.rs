//! Opens a database: checks whether it can be used, explains why if it cannot, and applies the missing
//! migrations.

use adoube_store::StoreError;
use sqlx::{Row as _, error::DatabaseError, postgres::PgConnection};
use thiserror::Error;
use uuid::Uuid;

use crate::{
    address::Address,
    database::Connector,
    schema::{self, MigrateError, SchemaVersion},
};

/// The oldest supported major version of the server. Earlier ones lack `gen_random_uuid`.
const OLDEST_SERVER: u32 = 13;

/// The reason why a database was not opened. Each message is one line, with the remedy if it is known, and
/// without the password.
#[derive(Debug, Error)]
pub enum OpenError {
    #[error(
        "the database address must look like postgres://USER@HOST:5432/DATABASE?sslmode=verify-full: {0}"
    )]
    Address(String),
    #[error("{place} cannot be reached: {reason}")]
    Unreachable { place: String, reason: String },
    #[error("TLS with {place} failed: {problem}")]
    Tls { place: String, problem: String },
    #[error(
        "{place} requires TLS (add sslmode=verify-full or sslmode=require to the address), \
         or its pg_hba.conf has no line for this host, role and database"
    )]
    TlsDemanded { place: String },
    #[error(
        "{place} rejects the role {role}: {reason}; the password can be in the PGPASSWORD variable or in ~/.pgpass"
    )]
    SignIn { place: String, role: String, reason: String },
    #[error(
        "{place}: database {database} does not exist; create it: createdb --encoding=UTF8 --template=template0 --owner={role} {database}"
    )]
    NoDatabase { place: String, database: String, role: String },
    #[error("{place} is PostgreSQL {found}, which is too old: version {OLDEST_SERVER} or later is needed")]
    TooOld { place: String, found: String },
    #[error(
        "{place} has the encoding {found}; create a database with UTF8: createdb --encoding=UTF8 --template=template0 {database}"
    )]
    Encoding { place: String, found: String, database: String },
    #[error("{place} is a standby, which cannot be written to; use the address of the primary server")]
    Standby { place: String },
    #[error("{place} belongs to another program: it has a table called {table}; create a separate database")]
    Foreign { place: String, table: String },
    #[error(
        "{place} was migrated by a newer adoube: it has schema {found}, which needs a program that knows schema {works_from}; \
         this one knows schema {known}; use the newer one"
    )]
    Newer { place: String, found: i64, works_from: i64, known: i64 },
    #[error(
        "{place}: migration {number} was changed after it was applied; use the program that created the database"
    )]
    Changed { place: String, number: i64 },
    #[error("{place}: the role {role} is not allowed to {what}; {remedy}")]
    Rights { place: String, role: String, what: String, remedy: String },
    #[error("{place}: {source}")]
    Database { place: String, source: sqlx::Error },
}

impl OpenError {
    pub(crate) fn into_store(self, address: &str) -> StoreError {
        StoreError::Open { location: address.to_owned(), source: self.into() }
    }
}

/// A database that passed the checks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opened {
    pub(crate) house: Uuid,
    pub(crate) found: SchemaVersion,
}

/// Connects to a database, and checks whether it can be used. Changes nothing.
pub(crate) async fn connect_and_check(
    connector: &Connector,
) -> Result<(PgConnection, SchemaVersion), OpenError> {
    let address = connector.address();
    let mut connection = connector.connect().await.map_err(|error| unreachable(address, &error))?;
    let failed = |source| OpenError::Database { place: address.to_string(), source };
    check_server(&mut connection, address).await?;
    let is_ours = schema::is_ours(&mut connection).await.map_err(failed)?;
    let found = if is_ours {
        check_rights(&mut connection, address).await?;
        schema::read_version(&mut connection).await.map_err(failed)?
    } else {
        check_empty(&mut connection, address).await?;
        check_may_create(&mut connection, address).await?;
        SchemaVersion { number: 0, works_from: 0 }
    };
    Ok((connection, found))
}

/// Checks a database and applies the missing migrations.
pub(crate) async fn open(connector: &Connector) -> Result<Opened, OpenError> {
    let address = connector.address();
    let failed = |source| OpenError::Database { place: address.to_string(), source };
    let (mut connection, before) = connect_and_check(connector).await?;
    let known = schema::newest();
    let found = if before.number >= known && before.is_compatible(known) {
        before
    } else {
        schema::migrate(&mut connection, schema::MIGRATIONS)
            .await
            .map_err(|error| migration_failed(address, error))?
    };
    if found.number > known {
        tracing::warn!(
            schema = found.number,
            known,
            "the database was migrated by a newer adoube; this one can still use it"
        );
    }
    for name in risks(&mut connection).await.map_err(failed)? {
        tracing::warn!(
            "the database runs with {name} = off: acknowledged data, or all data, may be lost in a power cut"
        );
    }
    let house = house(&mut connection).await.map_err(failed)?;
    // An error is harmless, because nothing is pending on this connection.
    let _ = sqlx::Connection::close(connection).await;
    Ok(Opened { house, found })
}

/// Returns the unique id of the database.
pub(crate) async fn house(connection: &mut PgConnection) -> sqlx::Result<Uuid> {
    sqlx::query("SELECT id FROM house").fetch_one(connection).await?.try_get("id")
}

fn unreachable(address: &Address, error: &sqlx::Error) -> OpenError {
    let place = address.to_string();
    let code = error.as_database_error().and_then(DatabaseError::code).unwrap_or_default().into_owned();
    let (role, database) = (address.role().to_owned(), address.database().to_owned());
    if let Some(problem) = tls_problem(error) {
        return OpenError::Tls { place, problem };
    }
    match &*code {
        // The rules in `pg_hba.conf` require encryption, or none applies. Version 13 says "SSL off"; later ones
        // say "no encryption".
        "28000" if ["no encryption", "SSL off"].iter().any(|words| error.to_string().contains(words)) => {
            OpenError::TlsDemanded { place }
        }
        "28000" | "28P01" => OpenError::SignIn { place, role, reason: one_line(&error.to_string()) },
        "3D000" => OpenError::NoDatabase { place, database, role },
        // The role's right to connect was revoked.
        "42501" => OpenError::Rights {
            place,
            what: "connect to it".into(),
            remedy: format!("GRANT CONNECT ON DATABASE {database} TO {role}"),
            role,
        },
        _ => {
            let reason = match error {
                sqlx::Error::PoolTimedOut => "it did not answer in time".into(),
                error => one_line(&error.to_string()),
            };
            // A server that reports an error in this protocol is PostgreSQL.
            let remedy =
                if error.as_database_error().is_none() { "; is PostgreSQL running there?" } else { "" };
            OpenError::Unreachable { place, reason: reason + remedy }
        }
    }
}

/// Returns the problem with TLS, if that is why a connection failed. The causes are distinguished by their
/// messages, because the TLS library's types are not accessible here. A bad signature means that the
/// certificate is from a different issuer with the same name.
fn tls_problem(error: &sqlx::Error) -> Option<String> {
    let text = one_line(&error.to_string());
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if says(&["does not support TLS"]) {
        return Some(
            "it does not offer TLS; set ssl = on there, or use sslmode=disable if the network in between is trusted"
                .into(),
        );
    }
    if says(&["UnknownIssuer", "unknown issuer", "BadSignature", "no native root", "CaUsedAsEndEntity"]) {
        return Some(
            "its certificate has an unknown issuer; add sslrootcert=FILE with the issuer's certificate to the address"
                .into(),
        );
    }
    if says(&["NotValidForName", "not valid for name"]) {
        return Some(
            "its certificate is for another host; use the name in the certificate, or sslmode=verify-ca if its issuer is trusted"
                .into(),
        );
    }
    let is_tls = matches!(error, sqlx::Error::Tls(_)) || says(&["peer certificate"]);
    is_tls.then_some(text)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

async fn check_server(connection: &mut PgConnection, address: &Address) -> Result<(), OpenError> {
    let place = address.to_string();
    let failed = |source| OpenError::Database { place: address.to_string(), source };
    let version = connection.server_version_num().unwrap_or_default() / 10_000;
    if version < OLDEST_SERVER {
        return Err(OpenError::TooOld { place, found: version.to_string() });
    }
    let row = sqlx::query(
        "SELECT current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS is_standby",
    )
    .fetch_one(connection)
    .await
    .map_err(failed)?;
    let encoding: String = row.try_get("encoding").map_err(failed)?;
    if encoding != "UTF8" {
        return Err(OpenError::Encoding { place, found: encoding, database: address.database().to_owned() });
    }
    if row.try_get("is_standby").map_err(failed)? {
        return Err(OpenError::Standby { place });
    }
    Ok(())
}

/// Refuses another program's database. Ignores tables that belong to extensions.
async fn check_empty(connection: &mut PgConnection, address: &Address) -> Result<(), OpenError> {
    let failed = |source| OpenError::Database { place: address.to_string(), source };
    let table = sqlx::query(
        "SELECT relname::text FROM pg_class WHERE relnamespace = to_regnamespace(quote_ident(current_schema())) \
         AND relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT EXISTS \
             (SELECT 1 FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e') \
         ORDER BY relname LIMIT 1",
    )
    .fetch_optional(connection)
    .await
    .map_err(failed)?;
    match table {
        Some(row) => {
            Err(OpenError::Foreign { place: address.to_string(), table: row.try_get(0).map_err(failed)? })
        }
        None => Ok(()),
    }
}

async fn check_may_create(connection: &mut PgConnection, address: &Address) -> Result<(), OpenError> {
    let failed = |source| OpenError::Database { place: address.to_string(), source };
    let row = sqlx::query(
        "SELECT current_schema()::text AS schema, \
         coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_create",
    )
    .fetch_one(connection)
    .await
    .map_err(failed)?;
    if row.try_get("may_create").map_err(failed)? {
        return Ok(());
    }
    let schema: Option<String> = row.try_get("schema").map_err(failed)?;
    let schema = schema.unwrap_or_else(|| "public".into());
    let (place, role) = (address.to_string(), address.role().to_owned());
    let remedy = format!("GRANT CREATE ON SCHEMA {schema} TO {role}, or make it the owner of the database");
    Err(OpenError::Rights { place, role, what: format!("create tables in the schema {schema}"), remedy })
}

/// Checks the rights on existing tables, which another role may have created.
async fn check_rights(connection: &mut PgConnection, address: &Address) -> Result<(), OpenError> {
    let failed = |source| OpenError::Database { place: address.to_string(), source };
    let row = sqlx::query(
        "SELECT relname::text, pg_get_userbyid(relowner)::text AS owner FROM pg_class \
         WHERE relnamespace = to_regnamespace(quote_ident(current_schema())) AND relkind IN ('r', 'p') AND NOT relispartition \
         AND NOT (has_table_privilege(oid, 'SELECT') AND (relname = 'adoube_schema' OR has_table_privilege(oid, 'INSERT') \
             AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))) \
         ORDER BY relname LIMIT 1",
    )
    .fetch_optional(connection)
    .await
    .map_err(failed)?;
    let Some(row) = row else { return Ok(()) };
    let table: String = row.try_get("relname").map_err(failed)?;
    let owner: String = row.try_get("owner").map_err(failed)?;
    let (place, role) = (address.to_string(), address.role().to_owned());
    let remedy = format!("use the role {owner}, which owns the tables, or GRANT {owner} TO {role}");
    Err(OpenError::Rights { place, role, what: format!("read and write the {table} table"), remedy })
}

fn migration_failed(address: &Address, error: MigrateError) -> OpenError {
    let place = address.to_string();
    match error {
        MigrateError::Newer(SchemaVersion { number, works_from }) => {
            OpenError::Newer { place, found: number, works_from, known: schema::newest() }
        }
        MigrateError::Changed(number) => OpenError::Changed { place, number },
        MigrateError::Database(source) => match source.as_database_error().and_then(DatabaseError::code) {
            Some(code) if code == "42501" => OpenError::Rights {
                place,
                role: address.role().to_owned(),
                what: "bring the tables up to date".into(),
                remedy: "use the role that owns them".into(),
            },
            _ => OpenError::Database { place, source },
        },
    }
}

/// Returns the names of durability settings that are off, which puts acknowledged data at risk.
pub(crate) async fn risks(connection: &mut PgConnection) -> sqlx::Result<Vec<String>> {
    let row =
        sqlx::query("SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages")
            .fetch_one(connection)
            .await?;
    let values = ["fsync", "pages"].into_iter().zip(["fsync", "full_page_writes"]);
    let mut risks = Vec::new();
    for (column, name) in values {
        if row.try_get::<&str, _>(column)? == "off" {
            risks.push(name.to_owned());
        }
    }
    Ok(risks)
}
