//! The migrations, compiled into the program.
//!
//! They are listed here rather than by `sqlx::migrate!`, because compiling that macro means compiling both
//! database drivers, and SQLite itself, a second time.

mod released;

use std::{borrow::Cow, sync::LazyLock};

use adoube_store::migrations::{checksum_bytes, without_comments};
use sha2::{Digest as _, Sha384};
use sqlx::{
    SqlSafeStr as _,
    migrate::{Migration, MigrationType, Migrator},
};

/// Includes a migration as a pair: its file name without the suffix, and its statements.
macro_rules! source {
    ($name:literal) => {
        ($name, include_str!(concat!("../migrations/", $name, ".sql")))
    };
}

/// All migrations, in order. The statements of a released migration are never edited: a data file stores the
/// checksum of each migration that was applied to it. Comments can be corrected.
const SOURCES: &[(&str, &str)] = &[
    source!("0001_games"),
    source!("0002_house"),
    source!("0003_problems"),
    source!("0004_study"),
    source!("0010_boot"),
    source!("0011_chain"),
    source!("0020_tidy"),
    source!("0021_mail"),
    source!("0023_reports"),
    source!("0024_names"),
    source!("0025_second_factors"),
    source!("0026_results"),
    source!("0027_nodes"),
    source!("0028_presence"),
    source!("0029_hall"),
    source!("0030_name_folds"),
    source!("0031_preferences"),
    source!("0032_copy"),
    source!("0033_administration"),
    source!("0034_receipts"),
    source!("0035_identities"),
    source!("0036_blocks"),
    source!("0037_push"),
    source!("0038_unaccented_names"),
];

/// Statements that are replaced when a migration is applied: each entry names a migration, a statement in it,
/// and its replacement. They concern an index that migration 20 builds and migration 34 drops. For millions
/// of receipts, building it takes as long as the rest of an update, so a data file that lacks both migrations
/// never gets it.
const SUPERSEDED: [(&str, &str, &str); 2] = [
    ("0020_tidy", "CREATE INDEX commands_game ON commands (game);", ""),
    ("0034_receipts", "DROP INDEX commands_game;", "DROP INDEX IF EXISTS commands_game;"),
];

/// Applies the migrations that a data file lacks.
pub(crate) static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    Migrator::with_migrations(SOURCES.iter().map(|&(name, statements)| migration(name, statements)).collect())
});

fn migration(name: &str, statements: &'static str) -> Migration {
    let (number, words) = name.split_once('_').unwrap_or((name, ""));
    let mut migration = Migration::new(
        number.parse().unwrap_or_default(),
        words.replace('_', " ").into(),
        MigrationType::Simple,
        statements.into_sql_str(),
        false,
    );
    migration.checksum = Cow::Owned(checksum(migration.version, statements));
    // The checksum is still that of the released statements.
    if let Some((_, superseded, applied)) = SUPERSEDED.into_iter().find(|&(changed, ..)| changed == name) {
        migration.sql = sqlx::AssertSqlSafe(statements.replace(superseded, applied)).into_sql_str();
    }
    migration
}

fn checksum(number: i64, statements: &str) -> Vec<u8> {
    let released = released::CHECKSUMS.iter().find(|(released, _)| *released == number);
    released.and_then(|(_, checksum)| checksum_bytes(checksum)).unwrap_or_else(|| digest(statements))
}

/// Returns the checksum of a migration that was added after those in [`released::CHECKSUMS`].
fn digest(statements: &str) -> Vec<u8> {
    Sha384::digest(without_comments(statements)).to_vec()
}

#[cfg(test)]
mod tests {
    use sha2::Sha256;

    use super::*;

    #[test]
    fn the_list_names_every_file_in_order() {
        let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations")).unwrap();
        let mut files: Vec<_> =
            folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        files.sort();
        let listed: Vec<_> = SOURCES.iter().map(|(name, _)| format!("{name}.sql")).collect();
        assert_eq!(listed, files);
        let numbers: Vec<_> = MIGRATIONS.iter().map(|migration| migration.version).collect();
        assert!(numbers[0] > 0 && numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    }

    #[test]
    fn superseded_statements_are_in_the_released_migrations() {
        for (name, superseded, applied) in SUPERSEDED {
            let (_, statements) = SOURCES.iter().find(|(source, _)| *source == name).unwrap();
            assert_eq!(statements.matches(superseded).count(), 1, "{name}");
            let number = name[..4].parse::<i64>().unwrap();
            let migration = MIGRATIONS.iter().find(|migration| migration.version == number).unwrap();
            assert!(!migration.sql.as_str().contains(superseded), "{name}");
            assert!(migration.sql.as_str().contains(applied), "{name}");
            assert_eq!(*migration.checksum, checksum(number, statements), "{name}");
        }
    }

    #[test]
    fn the_statements_of_released_migrations_are_unchanged() {
        let mut released = Sha256::new();
        for (number, hexadecimal) in released::CHECKSUMS {
            let (name, statements) =
                SOURCES.iter().find(|(name, _)| name.starts_with(&format!("{number:04}_"))).unwrap();
            released.update(without_comments(statements));
            let migration = MIGRATIONS.iter().find(|migration| migration.version == number).unwrap();
            assert_eq!(*migration.checksum, checksum_bytes(hexadecimal).unwrap(), "{name}");
        }
        assert_eq!(released.finalize().as_slice(), checksum_bytes(released::STATEMENTS).unwrap());
        // A later migration has a checksum that does not depend on its comments.
        assert_eq!(checksum(9_999, "SELECT 1; -- one"), checksum(9_999, "-- One.\nSELECT 1;"));
        assert_ne!(checksum(9_999, "SELECT 1;"), checksum(9_999, "SELECT 2;"));
    }
}
