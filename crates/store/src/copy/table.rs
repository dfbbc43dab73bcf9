//! The tables of a house, which both kinds of database have.

/// The way a column stores its values. Both databases convert to and from [`Value`](super::Value).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ColumnType {
    Integer,
    /// A boolean if the database has that type, otherwise 0 or 1. As a value, it is an integer.
    Boolean,
    Text,
    Bytes,
    /// A UUID if the database has that type, otherwise its 16 bytes. As a value, it is bytes.
    Uuid,
    /// The messages of a report, as JSON. Databases store JSON in different ways, so a value has one normal
    /// form: [`messages`](super::messages).
    Messages,
}

#[derive(Clone, Copy, Debug)]
pub struct Column {
    pub name: &'static str,
    pub kind: ColumnType,
}

/// How a database numbers the rows of a table, if it does.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Numbers {
    None,
    /// The number of a deleted row may be reused.
    Reused,
    /// No number is used twice.
    Unique,
}

#[derive(Clone, Copy, Debug)]
pub struct Table {
    pub name: &'static str,
    /// The columns, starting with the primary key.
    pub columns: &'static [Column],
    /// The number of columns in the primary key.
    pub key: usize,
    /// How the database numbers the rows, if it does. The number is then the only column of the key.
    pub numbers: Numbers,
    /// Whether rows of other tables refer to rows of this one. If so, rows of this one are changed in place.
    /// (Not set for `second_factors`: a row's recovery codes are deleted with it and then written again.)
    pub is_parent: bool,
    /// A unique column that may be null. It is cleared first, because rows that are changed in place may
    /// exchange its values.
    pub unique: Option<&'static str>,
    /// The number of rows to read at a time. It is small for tables with long rows.
    pub page: u32,
}

impl Table {
    pub fn key_columns(&self) -> &'static [Column] {
        &self.columns[..self.key]
    }

    pub fn other_columns(&self) -> &'static [Column] {
        &self.columns[self.key..]
    }
}

const fn table(name: &'static str, key: usize, columns: &'static [Column]) -> Table {
    Table { name, columns, key, numbers: Numbers::None, is_parent: false, unique: None, page: 1_000 }
}

macro_rules! columns {
    ($($name:ident: $kind:ident),* $(,)?) => {
        &[$(Column { name: stringify!($name), kind: ColumnType::$kind }),*]
    };
}

/// The logs of games. The rows of a log are copied with the row of its game, in one transaction.
pub const EVENTS: Table = table("events", 2, columns![game: Text, version: Integer, at: Integer, body: Text]);

pub const GAMES: Table = Table {
    is_parent: true,
    page: 200,
    ..table(
        "games",
        1,
        columns![
            id: Text, version: Integer, created_at: Integer, updated_at: Integer, deadline: Integer,
            match_number: Integer, awaits_machine: Integer, public: Boolean, phase: Text, turn: Text, result: Text,
            variant: Text, match_id: Text, chain: Bytes, summary: Text,
        ],
    )
};

/// The tables that are copied, except the events. Each table comes after those that its rows refer to.
pub const TABLES: &[Table] = &[
    table("secrets", 1, columns![name: Text, value: Bytes]),
    table("heartbeat", 1, columns![only_row: Boolean, at: Integer]),
    table("downtimes", 1, columns![from_at: Integer, until_at: Integer]),
    table("boot", 1, columns![only_row: Boolean, id: Text, at: Integer]),
    table("retired_names", 1, columns![mark: Bytes, until: Integer]),
    Table {
        numbers: Numbers::Reused,
        ..table("mails", 1, columns![id: Integer, at: Integer, recipient: Bytes, pool: Text, kind: Text])
    },
    table("matches", 1, columns![id: Text, body: Text]),
    Table {
        is_parent: true,
        unique: Some("name_key"),
        ..table(
            "accounts",
            1,
            columns![
                player: Text, created_at: Integer, email_confirmed: Boolean, email_from_before: Boolean,
                reminders: Boolean, language: Text, name: Text, name_key: Text, unaccented_key: Text, skeleton: Text,
                password: Text, email: Text, role: Text, state: Text, shown_to: Text, silenced_until: Integer,
                teacher: Text, class: Text,
            ],
        )
    },
    GAMES,
    table("seats", 2, columns![player: Text, game: Text, color: Text]),
    table("invitations", 1, columns![token: Text, game: Text]),
    table("commands", 2, columns![player: Text, id: Uuid, game: Text, answer: Text]),
    Table {
        is_parent: true,
        ..table(
            "sessions",
            1,
            columns![
                token: Bytes, id: Text, player: Text, created_at: Integer, used_at: Integer,
                expires_at: Integer, agent: Text,
            ],
        )
    },
    table(
        "push_subscriptions",
        1,
        columns![
            session: Text, player: Text, endpoint: Text, p256dh: Bytes, auth: Bytes, created_at: Integer,
        ],
    ),
    table("recoveries", 1, columns![token: Bytes, player: Text, expires_at: Integer, was_mailed: Boolean]),
    table("confirmations", 1, columns![token: Bytes, player: Text, expires_at: Integer]),
    table(
        "house_invitations",
        1,
        columns![
            token: Bytes, created_at: Integer, expires_at: Integer, uses: Integer, is_first: Boolean,
            role: Text,
        ],
    ),
    table("documents", 1, columns![name: Text, body: Text]),
    table("audit", 1, columns![number: Integer, happened: Integer, body: Text, head: Bytes]),
    table("identities", 2, columns![issuer: Text, subject: Text, player: Text]),
    table("blocks", 2, columns![player: Text, blocked: Text, blocked_at: Integer]),
    table("preferences", 1, columns![player: Text, version: Integer, document: Text]),
    table("second_factors", 1, columns![player: Text, secret: Bytes, spent_at: Integer]),
    table("recovery_codes", 2, columns![player: Text, code: Bytes]),
    table("reminders", 2, columns![player: Text, game: Text]),
    table("warnings", 1, columns![game: Text, turn: Integer]),
    table(
        "proposals",
        1,
        columns![
            id: Text, player: Text, recipient: Text, created_at: Integer, expires_at: Integer, body: Text,
            command: Uuid, origin: Bytes, signed_in: Boolean, needs_maker: Boolean,
        ],
    ),
    Table {
        numbers: Numbers::Unique,
        ..table(
            "chat",
            1,
            columns![
                id: Integer, at: Integer, command: Uuid, game: Text, room: Text, player: Text, color: Text,
                text: Text,
            ],
        )
    },
    Table {
        page: 100,
        ..table(
            "reports",
            2,
            columns![
                line: Integer, player: Text, at: Integer, game: Text, room: Text, author: Text, name: Text,
                reason: Text, said: Messages, handled_at: Integer, handled_by: Text, outcome: Text,
                note: Text,
            ],
        )
    },
    Table {
        page: 50,
        ..table(
            "problems",
            1,
            columns![
                id: Text, created_at: Integer, command: Uuid, owner: Text, variant: Text, position: Text,
                title: Text, document: Text,
            ],
        )
    },
    table(
        "tries",
        3,
        columns![
            player: Text, variant: Text, problem: Text, at: Integer, command: Uuid, number: Integer,
            before: Integer, after: Integer, streak: Integer, solved: Boolean,
        ],
    ),
    Table {
        page: 20,
        ..table(
            "analyses",
            1,
            columns![
                id: Text, version: Integer, created_at: Integer, changed_at: Integer, command: Uuid,
                player: Text, variant: Text, name: Text, body: Text,
            ],
        )
    },
];

/// The tables and columns that are not copied, as `TABLE` or `TABLE.COLUMN`. They belong to one database, or
/// to the processes that serve it.
pub const NOT_COPIED: &[&str] = &[
    // Leases and the connections of players, visitors and spectators end with the processes. The change
    // counters matter only to running processes.
    "nodes",
    "presence",
    "visitors",
    "watchers",
    "versions",
    // Computations in progress are requested again.
    "workers",
    "jobs",
    // Only reminders that were sent are copied.
    "reminders.sender",
    // All token buckets are full after a copy.
    "limits",
    // The machine starts its search again.
    "games.thinking_node",
    "games.thinking_version",
    // The identity and the schema of one database, and whether it is itself a copy.
    "house",
    "adoube_schema",
    "_sqlx_migrations",
    "sqlite_sequence",
    "copied_from",
];

/// Checks that the columns of a database, given as `TABLE.COLUMN`, are those in [`TABLES`], [`EVENTS`] and
/// [`NOT_COPIED`].
///
/// # Errors
///
/// If the database has a column that these lists do not have, or the reverse; the message names all such
/// columns. The cause is a migration that has changed a table: these lists must then say whether and how to
/// copy the changed columns.
pub fn check_tables(found: &[String]) -> Result<(), String> {
    let is_known = |found: &str| {
        let table = found.split('.').next().unwrap_or_default();
        NOT_COPIED.contains(&table) || NOT_COPIED.contains(&found)
    };
    let copied = TABLES
        .iter()
        .chain([&EVENTS])
        .flat_map(|table| table.columns.iter().map(|column| format!("{}.{}", table.name, column.name)));
    let copied = copied.collect::<Vec<_>>();
    let unknown = found.iter().filter(|found| !copied.contains(found) && !is_known(found));
    let missing = copied.iter().filter(|copied| !found.contains(copied));
    let wrong = unknown.map(|name| format!("{name} is not copied"));
    let wrong = wrong.chain(missing.map(|name| format!("{name} does not exist"))).collect::<Vec<_>>();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join(", ")) }
}
