//! What is said, drawn, drilled and asked about each game lies in one folder per game, `games/NAME`. This crate puts the files of these
//! folders into the program; a game that lacks one does not compile, and the error names the file.

#[doc(hidden)]
pub use adoube_rules;

/// Returns the text of a file of each game's folder, as a `match` on the game; for crates in `crates/`.
///
/// ```
/// use adoube_rules::Variant;
///
/// const fn drills(variant: Variant) -> &'static str {
///     adoube_content::of!(variant, "drills.toml")
/// }
/// assert!(drills(Variant::USUAL).contains("[[drill]]"));
/// ```
#[macro_export]
macro_rules! of {
    ($variant:expr, $file:literal) => {
        $crate::adoube_rules::for_each_game!([$crate::match_file] [$variant, $file])
    };
}

/// Writes the match of [`of!`].
#[doc(hidden)]
#[macro_export]
macro_rules! match_file {
    ([$of:expr, $file:literal]
     { $($(#[$doc:meta])* $variant:ident = $module:ident::$position:ident, $name:literal;)* }) => {
        match $of {
            $($crate::adoube_rules::Variant::$variant => {
                include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/", $name, "/", $file))
            })*
        }
    };
}
