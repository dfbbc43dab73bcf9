use adoube_vocabulary::Millis;

/// The state of a database, for the operator. Reading it changes nothing and is possible while servers use
/// the database.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Inspection {
    /// The database program and its version.
    pub version: String,
    /// The number of the last migration that was applied; `None` if there is no data yet.
    pub schema: Option<i64>,
    /// The number of the newest migration of this program.
    pub newest_schema: i64,
    /// The newest time recorded for the heartbeat, for a node or for a game with a deadline; `None` if the
    /// data is new or from an older version.
    pub latest_write: Option<Millis>,
    /// The id of the house, if a server has already assigned one.
    pub house: Option<Vec<u8>>,
    /// The process that has locked the data, if any. Set only if the data is a file.
    pub holder: Option<String>,
    /// The size of the data, in bytes.
    pub bytes: u64,
    /// The free space on the disk that holds the data, in bytes, if the system reports it.
    pub free_bytes: Option<u64>,
    /// The difference between the database's clock and the local one, in milliseconds; positive if the
    /// database is ahead. Set only for a database server.
    pub clock_ahead_ms: Option<i64>,
    /// Settings of a database server that put acknowledged data at risk.
    pub risks: Vec<String>,
}
