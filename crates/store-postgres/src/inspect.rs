//! Inspects a database for the operator.

use adoube_store::{HOUSE_ID, Inspection};
use adoube_vocabulary::Millis;
use sqlx::{Row as _, postgres::PgConnection};

use crate::{
    Limits,
    address::Address,
    database::Connector,
    open::{self, OpenError},
    read::house::LATEST_WRITE,
    schema,
};

/// Inspects a database. Changes nothing; servers may be running. `now` reads the local clock.
///
/// # Errors
///
/// If the database cannot be reached or used, or its schema is too new for this version. An unfinished copy,
/// which a server would refuse, is not an error.
pub async fn inspect(address: &str, now: impl Fn() -> Millis) -> Result<Inspection, OpenError> {
    let connector = Connector::new(address.parse::<Address>()?, Limits::default());
    let (mut connection, found) = open::connect_and_check(&connector).await?;
    let known = schema::newest();
    if !found.is_compatible(known) {
        return Err(OpenError::Newer {
            place: connector.address().to_string(),
            found: found.number,
            works_from: found.works_from,
            known,
        });
    }
    let inspected =
        inspect_connection(&mut connection, now, (found.number > 0).then_some(found.number)).await;
    // An error is harmless, because nothing is pending on this connection.
    let _ = sqlx::Connection::close(connection).await;
    inspected.map_err(|source| OpenError::Database { place: connector.address().to_string(), source })
}

async fn inspect_connection(
    connection: &mut PgConnection,
    now: impl Fn() -> Millis,
    schema: Option<i64>,
) -> sqlx::Result<Inspection> {
    let before = now();
    let row = sqlx::query(
        "SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes, \
         (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now",
    )
    .fetch_one(&mut *connection)
    .await?;
    let (version, bytes, database_time): (String, i64, i64) =
        (row.try_get("version")?, row.try_get("bytes")?, row.try_get("now")?);
    // The database read its clock between these two readings of the local one.
    let local_time = i64::midpoint(before.0, now().0);
    let newest_schema = schema::newest();
    let mut found = Inspection {
        version: format!("PostgreSQL {version}"),
        schema,
        newest_schema,
        bytes: u64::try_from(bytes).unwrap_or_default(),
        clock_ahead_ms: Some(database_time - local_time),
        risks: open::risks(connection).await?,
        ..Inspection::default()
    };
    if schema.is_some_and(|number| number >= newest_schema) {
        let row = sqlx::query(LATEST_WRITE).fetch_one(&mut *connection).await?;
        found.latest_write = row.try_get::<Option<i64>, _>("newest")?.map(Millis);
        let row = sqlx::query("SELECT value FROM secrets WHERE name = $1").bind(HOUSE_ID);
        found.house = row.fetch_optional(connection).await?.map(|row| row.try_get(0)).transpose()?;
    }
    Ok(found)
}
