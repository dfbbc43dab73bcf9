//! Migrations, and the versions of the program that can use the database at the same time.
//!
//! Each migration has a number. Nodes share the database, and during a rolling upgrade some nodes are still
//! running the previous release. A change therefore takes two releases. The first one *expands* the schema
//! with tables, indexes and columns that have defaults, which the older program does not notice. A later one
//! *contracts* it by removing what no running program uses.
//!
//! A migration also has a number `works_from`: to use the database afterwards, a program must know the
//! migration with that number. The `adoube_schema` table stores both numbers of each applied migration. A
//! program that finds unknown migrations opens the database if it knows the highest `works_from`, and refuses
//! it otherwise.
//!
//! | effect of a migration | `works_from` |
//! |---|---|
//! | adds a table, an index, or a column that has a default or may be null | unchanged |
//! | drops or renames something, tightens a constraint, or changes the meaning of a column | the newest migration of the first release that no longer needs the old state |

use adoube_store::migrations::{checksum_bytes, without_comments};
use sha2::{Digest as _, Sha256};
use sqlx::{Connection as _, Row as _, postgres::PgConnection};

/// A change to the tables.
#[derive(Debug)]
pub(crate) struct Migration {
    pub(crate) number: i64,
    /// The number of the migration that a program must know to work with the schema that this one produces.
    pub(crate) works_from: i64,
    /// The SHA-256 digest of the file at the time of its release, in hexadecimal, if comments in the file may
    /// have been corrected since then. Without it, the digest of the statements is stored.
    pub(crate) released_digest: Option<&'static str>,
    pub(crate) statements: &'static str,
}

/// All migrations, in order. The statements of a released migration are never edited: the database stores the
/// digest of each migration that was applied to it. Comments can be corrected.
pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration {
        number: 1,
        works_from: 1,
        released_digest: Some("dff3ab467b49b0fe09ab58e515dd46a7576e61e6a353415f9c437978f3f61851"),
        statements: include_str!("../migrations/0001_house.sql"),
    },
    Migration {
        number: 2,
        works_from: 1,
        released_digest: Some("d91d46bbd93c51cb9597306b964fe29692a442aa5fa46a3e61efbff2e43601b4"),
        statements: include_str!("../migrations/0002_presence.sql"),
    },
    Migration {
        number: 3,
        works_from: 1,
        released_digest: Some("ad7917a7d403b788232ea1f899c193d4e4f022b9f08e37ddb3a57054c1176d5e"),
        statements: include_str!("../migrations/0003_hall.sql"),
    },
    Migration {
        number: 4,
        works_from: 1,
        released_digest: Some("10e5941dcd8df9c54872aae31d244e3640ad1c295d052a4c12fa8680ef11b068"),
        statements: include_str!("../migrations/0004_name_folds.sql"),
    },
    Migration {
        number: 5,
        works_from: 1,
        released_digest: Some("534944709bf820c39a3fd2680cf2696937f5b8827082afee82d15cb5bd78f34c"),
        statements: include_str!("../migrations/0005_work.sql"),
    },
    Migration {
        number: 6,
        works_from: 1,
        released_digest: Some("a7aabcf627dc56053a6dece40e1ff39ad8a8d143ff36078a95fb055abfe24e22"),
        statements: include_str!("../migrations/0006_preferences.sql"),
    },
    Migration {
        number: 7,
        works_from: 1,
        released_digest: Some("41a3aa272520c5285097f12b2d551b673c3324d6b82e48b34152919ca952bb5d"),
        statements: include_str!("../migrations/0007_copy_and_limits.sql"),
    },
    Migration {
        number: 8,
        works_from: 1,
        released_digest: Some("b68e3292b9bbec3a8bf3d3a04615ea895f8ae6ef07a4c4106ff26eaf3596f9c7"),
        statements: include_str!("../migrations/0008_administration.sql"),
    },
    Migration {
        number: 9,
        works_from: 1,
        released_digest: Some("ee79f3de22b48f4617f2978a6e90785f6ee2d68fed4f0fddf8df7102f71efe24"),
        statements: include_str!("../migrations/0009_identities.sql"),
    },
    Migration {
        number: 10,
        works_from: 1,
        released_digest: Some("f7a226f969d26259dc8004367910f107a7d6969d8008113e626cb85338afe4da"),
        statements: include_str!("../migrations/0010_blocks.sql"),
    },
    Migration {
        number: 11,
        works_from: 1,
        released_digest: Some("752a6a48b9259951552321106154282366136220eb9e1b067719e22ab0fae334"),
        statements: include_str!("../migrations/0011_push.sql"),
    },
    Migration {
        number: 12,
        works_from: 1,
        released_digest: Some("b58f8ee721da235b7e5edc30940c981c876372bd582730a96e86cc529f565efb"),
        statements: include_str!("../migrations/0012_unaccented_names.sql"),
    },
];

/// The key of the migration lock, an advisory lock. `GlobalLock` and `copy` use other keys.
const LOCK: i64 = 0x6164_6f75_6265;

/// The schema of a database.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct SchemaVersion {
    /// The highest number of an applied migration; 0 if there are no tables yet.
    pub(crate) number: i64,
    /// The highest `works_from` of the applied migrations.
    pub(crate) works_from: i64,
}

impl SchemaVersion {
    /// Returns `true` if a program whose newest migration is `known` can use the database.
    pub(crate) fn is_compatible(self, known: i64) -> bool {
        self.works_from <= known
    }
}

/// Returns the number of the newest migration of this program.
pub(crate) fn newest() -> i64 {
    MIGRATIONS.last().map_or(0, |migration| migration.number)
}

/// Returns `true` if the tables were created by this program.
pub(crate) async fn is_ours(connection: &mut PgConnection) -> sqlx::Result<bool> {
    let row = sqlx::query("SELECT to_regclass('adoube_schema') IS NOT NULL").fetch_one(connection).await?;
    row.try_get(0)
}

/// Reads the schema of a database that was created by this program.
pub(crate) async fn read_version(connection: &mut PgConnection) -> sqlx::Result<SchemaVersion> {
    let row = sqlx::query("SELECT coalesce(max(number), 0) AS number, coalesce(max(works_from), 0) AS works_from FROM adoube_schema")
        .fetch_one(connection)
        .await?;
    Ok(SchemaVersion { number: row.try_get("number")?, works_from: row.try_get("works_from")? })
}

/// The reason why a migration failed.
#[derive(Debug)]
pub(crate) enum MigrateError {
    /// A newer program has migrated the database to a schema that this one cannot use.
    Newer(SchemaVersion),
    /// An applied migration differs from the one in this program.
    Changed(i64),
    Database(sqlx::Error),
}

impl From<sqlx::Error> for MigrateError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}

/// Returns the digest that the database stores for a migration.
fn digest(migration: &Migration) -> Vec<u8> {
    let released = migration.released_digest.and_then(checksum_bytes);
    released.unwrap_or_else(|| Sha256::digest(without_comments(migration.statements)).to_vec())
}

/// Applies the missing migrations in one transaction. If several nodes start at the same time, one of them
/// applies the migrations and the others wait.
pub(crate) async fn migrate(
    connection: &mut PgConnection,
    migrations: &[Migration],
) -> Result<SchemaVersion, MigrateError> {
    let mut all = connection.begin().await?;
    // A migration, and the wait for another node's migration, may take longer than other statements.
    sqlx::raw_sql("SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0").execute(&mut *all).await?;
    sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(LOCK).execute(&mut *all).await?;
    sqlx::raw_sql(
        "CREATE TABLE IF NOT EXISTS adoube_schema (\
             number bigint NOT NULL PRIMARY KEY, \
             works_from bigint NOT NULL, \
             digest bytea NOT NULL, \
             applied_at timestamptz NOT NULL DEFAULT now())",
    )
    .execute(&mut *all)
    .await?;
    let known = migrations.last().map_or(0, |migration| migration.number);
    let before = read_version(&mut all).await?;
    if !before.is_compatible(known) {
        return Err(MigrateError::Newer(before));
    }
    for migration in migrations {
        let digest = digest(migration);
        let applied = sqlx::query("SELECT digest FROM adoube_schema WHERE number = $1")
            .bind(migration.number)
            .fetch_optional(&mut *all)
            .await?;
        if let Some(row) = applied {
            if row.try_get::<&[u8], _>("digest")? != digest {
                return Err(MigrateError::Changed(migration.number));
            }
            continue;
        }
        sqlx::raw_sql(migration.statements).execute(&mut *all).await?;
        sqlx::query("INSERT INTO adoube_schema (number, works_from, digest) VALUES ($1, $2, $3)")
            .bind(migration.number)
            .bind(migration.works_from)
            .bind(digest)
            .execute(&mut *all)
            .await?;
    }
    let after = read_version(&mut all).await?;
    all.commit().await?;
    Ok(after)
}

#[cfg(test)]
mod tests {
    use adoube_test_services::{Durability, Postgres, or_skip};

    use super::*;

    /// The migrations of three releases: the second adds a column, the third drops what the first used.
    const RELEASES: [&[Migration]; 3] = {
        const ALL: &[Migration] = &[
            Migration {
                number: 1,
                works_from: 1,
                released_digest: None,
                statements: "CREATE TABLE kept (old integer)",
            },
            Migration {
                number: 2,
                works_from: 1,
                released_digest: None,
                statements: "ALTER TABLE kept ADD COLUMN new integer",
            },
            Migration {
                number: 3,
                works_from: 2,
                released_digest: None,
                statements: "ALTER TABLE kept DROP COLUMN old",
            },
        ];
        [ALL.split_at(1).0, ALL.split_at(2).0, ALL]
    };

    #[test]
    fn migration_numbers_increase_and_are_documented() {
        let text = include_str!("../../../docs/postgresql.md");
        for pair in MIGRATIONS.windows(2) {
            assert!(pair[0].number < pair[1].number && pair[0].works_from <= pair[1].works_from);
        }
        let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations")).unwrap().count();
        assert_eq!(MIGRATIONS.len(), files, "a migration file is not in the list");
        for Migration { number, works_from, .. } in MIGRATIONS {
            assert!(works_from <= number);
            assert!(
                text.contains(&format!("\n| {number} | {works_from} | ")),
                "migration {number} is missing from the table in docs/postgresql.md"
            );
        }
    }

    #[test]
    fn the_statements_of_released_migrations_are_unchanged() {
        let mut released = Sha256::new();
        for migration in MIGRATIONS {
            if let Some(digest) = migration.released_digest {
                assert_eq!(checksum_bytes(digest).map(|bytes| bytes.len()), Some(32), "{}", migration.number);
                released.update(without_comments(migration.statements));
            }
        }
        // The digest of the statements of migrations 1 to 12.
        let expected = "029efcd0b5a672b58b0728668c91c3ee54b9a0dbb9e270973f0de9b253f2f363";
        assert_eq!(released.finalize().as_slice(), checksum_bytes(expected).unwrap());
        // A later migration has a digest that does not depend on its comments.
        let later =
            |statements| digest(&Migration { number: 99, works_from: 1, released_digest: None, statements });
        assert_eq!(later("SELECT 1; -- one"), later("-- One.\nSELECT 1;"));
        assert_ne!(later("SELECT 1;"), later("SELECT 2;"));
    }

    #[tokio::test]
    async fn an_older_program_works_until_a_migration_removes_something() {
        let Some(server) = or_skip(Postgres::start(Durability::Off)) else { return };
        let mut connection = PgConnection::connect(&server.create_database().unwrap()).await.unwrap();
        let found = |number, works_from| SchemaVersion { number, works_from };
        assert_eq!(migrate(&mut connection, RELEASES[0]).await.unwrap(), found(1, 1));
        assert_eq!(migrate(&mut connection, RELEASES[1]).await.unwrap(), found(2, 1));
        // The first release starts again alongside the second.
        assert_eq!(migrate(&mut connection, RELEASES[0]).await.unwrap(), found(2, 1));
        assert!(found(2, 1).is_compatible(1));
        assert_eq!(migrate(&mut connection, RELEASES[2]).await.unwrap(), found(3, 2));
        assert!(matches!(
            migrate(&mut connection, RELEASES[0]).await,
            Err(MigrateError::Newer(SchemaVersion { number: 3, .. }))
        ));
        assert_eq!(migrate(&mut connection, RELEASES[1]).await.unwrap(), found(3, 2));
        let other = [Migration { number: 3, works_from: 2, released_digest: None, statements: "SELECT 1" }];
        assert!(matches!(migrate(&mut connection, &other).await, Err(MigrateError::Changed(3))));
        // A failed migration leaves nothing behind.
        let failing = [
            Migration {
                number: 4,
                works_from: 2,
                released_digest: None,
                statements: "CREATE TABLE half (number integer)",
            },
            Migration {
                number: 5,
                works_from: 2,
                released_digest: None,
                statements: "SELECT * FROM nowhere",
            },
        ];
        assert!(matches!(migrate(&mut connection, &failing).await, Err(MigrateError::Database(_))));
        let half =
            sqlx::query("SELECT to_regclass('half') IS NULL").fetch_one(&mut connection).await.unwrap();
        assert!(half.try_get::<bool, _>(0).unwrap());
        assert_eq!(self::read_version(&mut connection).await.unwrap(), found(3, 2));
    }
}
