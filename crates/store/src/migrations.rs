//! What the migrations of all databases have in common.

/// Returns the SQL statements of a migration without comments, indentation or blank lines. Checksums of
/// migrations are computed from this text, so that comments can be corrected after a release. Comments must
/// begin with `--`.
pub fn without_comments(migration: &str) -> String {
    let mut text = String::with_capacity(migration.len());
    let mut is_quoted = false;
    for line in migration.lines() {
        let mut end = line.len();
        for (index, byte) in line.bytes().enumerate() {
            if byte == b'\'' {
                is_quoted = !is_quoted;
            } else if !is_quoted && line.as_bytes()[index..].starts_with(b"--") {
                end = index;
                break;
            }
        }
        let statement = line[..end].trim();
        if !statement.is_empty() {
            text.push_str(statement);
            text.push('\n');
        }
    }
    text
}

/// Returns the bytes of a checksum in hexadecimal digits, or `None` if it contains anything else.
pub fn checksum_bytes(hexadecimal: &str) -> Option<Vec<u8>> {
    let digits = hexadecimal.as_bytes().chunks(2);
    digits.map(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::without_comments;

    #[test]
    fn only_comments_and_blanks_are_removed() {
        let migration = "-- The players.\nCREATE TABLE players (\n    id TEXT, -- unique\n\n    note TEXT DEFAULT '--é'\n);\n";
        let expected = "CREATE TABLE players (\nid TEXT,\nnote TEXT DEFAULT '--é'\n);\n";
        assert_eq!(without_comments(migration), expected);
        assert_eq!(without_comments(expected), expected);
        assert_ne!(without_comments("SELECT '1'"), without_comments("SELECT '2'"));
    }
}
