use adoube_vocabulary::Millis;

/// The state of a database, for the operator. It is read without changing anything, whether or not servers
/// use the database.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Inspection {
    /// The database program and its version.
    pub version: String,
    /// The number of the last migration that was applied; `None` if there is no data yet.
    pub schema: Option<i64>,
    /// The number of the newest migration of this program.
    pub newest_schema: i64,
    /// The newest time in the data, unless the data is new or from an older version.
    pub latest_write: Option<Millis>,
    /// The id of the house, once a server has given it one.
    pub house: Option<Vec<u8>>,
    /// The process that has locked the data, if there is one. Only for a file.
    pub holder: Option<String>,
    /// The size of the data, in bytes.
    pub bytes: u64,
    /// The free space on the disk of the data, in bytes, if the system reports it.
    pub free_bytes: Option<u64>,
    /// How far the database's clock is ahead of that of this machine, in milliseconds. Only for a database
    /// server.
    pub clock_ahead_ms: Option<i64>,
    /// Settings of a database server with which acknowledged data can be lost.
    pub risks: Vec<String>,
}
