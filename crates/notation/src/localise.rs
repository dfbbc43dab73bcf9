//! Piece letters of a language, for display (N4). Files always contain the letters that [`san`](crate::san)
//! writes.
//!
//! | English | French | Spanish | chess | Baroque, Ultima | Interweave |
//! |-|-|-|-|-|-|
//! | K | R | R | king | king | king |
//! | Q | D | D | queen | withdrawer | |
//! | R | T | T | rook | coordinator | smasher |
//! | B | F | A | bishop | chameleon | remover |
//! | N | C | C | knight | long leaper | leaper |
//! | P | P | P | pawn | pincer pawn | pawn |
//! | M | I | I | | immobilizer | |
//!
//! The men of Baroque, Ultima and Interweave have the letters of the chess pieces that depict them on the
//! board, as in English. The initials of their own names would clash (*coordinateur* and *caméléon*, *roi*
//! and *retireur*, *sauteur* and *supprimeur*). The immobilizer, for which there is no separate chess piece,
//! has its initial in French and Spanish. Within a game no two roles share a letter.

use std::{fmt, str::FromStr};

use adoube_rules::{Role, Variant};

/// A language with known piece letters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Language {
    /// French.
    #[default]
    French,
    /// Spanish.
    Spanish,
    /// English, as in files.
    English,
}

impl Language {
    /// All languages, French first.
    pub const ALL: [Self; 3] = [Self::French, Self::Spanish, Self::English];

    /// Returns the two-letter code: `fr`, `es`, `en`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::French => "fr",
            Self::Spanish => "es",
            Self::English => "en",
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// The error for a string that is not the code of a supported language.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there are no piece letters for {0:?}; the languages are fr, es and en")]
pub struct ParseLanguageError(pub String);

impl FromStr for Language {
    type Err = ParseLanguageError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|language| language.code() == text)
            .ok_or_else(|| ParseLanguageError(text.to_owned()))
    }
}

/// Returns the letter of a role in a language.
pub fn letter(variant: Variant, language: Language, role: Role) -> char {
    let canonical = variant.letter(role);
    match (language, canonical) {
        (Language::English, _) => canonical,
        (_, 'K') => 'R',
        (_, 'Q') => 'D',
        (_, 'R') => 'T',
        (Language::French, 'B') => 'F',
        (Language::Spanish, 'B') => 'A',
        (_, 'N') => 'C',
        (_, 'M') => 'I',
        _ => canonical,
    }
}

/// Returns the text of a turn, as written by [`san::write`](crate::san::write), with the letters of a
/// language.
pub fn localise(variant: Variant, language: Language, san: &str) -> String {
    san.chars()
        .map(|c| {
            // Canonical text has no capitals other than role letters and the O of castling.
            let role = if c.is_ascii_uppercase() { variant.role_of_letter(c) } else { None };
            role.map_or(c, |role| letter(variant, language, role))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn n4_no_two_roles_of_a_game_share_a_letter() {
        for variant in Variant::ALL {
            for language in Language::ALL {
                let mut letters: Vec<char> =
                    variant.roles().iter().map(|info| letter(variant, language, info.role)).collect();
                letters.sort_unstable();
                letters.dedup();
                assert_eq!(letters.len(), variant.roles().len(), "{variant} {language}");
            }
        }
    }

    #[test]
    fn n4_turns_are_shown_with_the_letters_of_the_language() {
        use Language::{English, French, Spanish};
        for (variant, language, san, shown) in [
            (Variant::Chess, French, "Nbxd2+", "Cbxd2+"),
            (Variant::Chess, French, "exd8=B#", "exd8=F#"),
            (Variant::Chess, Spanish, "exd8=B", "exd8=A"),
            (Variant::Chess, Spanish, "Kxe5", "Rxe5"),
            (Variant::Chess, French, "O-O-O", "O-O-O"),
            (Variant::Chess, English, "Nbd2", "Nbd2"),
            (Variant::Baroque, French, "Bxd5(c4,a5)", "Fxd5(c4,a5)"),
            (Variant::Baroque, French, "Q-e4", "D-e4"),
            (Variant::Baroque, Spanish, "M-e4", "I-e4"),
            (Variant::Interweave, French, "Bxe4(e5,f4)", "Fxe4(e5,f4)"),
            (Variant::Interweave, Spanish, "Pxc8=R(c7);Rxe8(f8)", "Pxc8=T(c7);Txe8(f8)"),
        ] {
            assert_eq!(localise(variant, language, san), shown);
        }
        assert_eq!("es".parse(), Ok(Spanish));
        assert!("de".parse::<Language>().is_err());
    }
}
