//! Embeds the content of each game: rule pages, diagrams, drills and problems, from the `games/NAME` folder.
//! A missing file is a compile error that names it.

#[doc(hidden)]
pub use adoube_rules;

/// Returns the text of a file in a game's folder. Only for crates in `crates/`.
///
/// ```
/// use adoube_rules::Variant;
///
/// const fn drills(variant: Variant) -> &'static str {
///     adoube_content::of!(variant, "drills.toml")
/// }
/// assert!(drills(Variant::DEFAULT).contains("[[drill]]"));
/// ```
#[macro_export]
macro_rules! of {
    ($variant:expr, $file:literal) => {
        $crate::adoube_rules::for_each_game!([$crate::match_file] [$variant, $file])
    };
}

/// Generates the `match` expression of [`of!`].
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
