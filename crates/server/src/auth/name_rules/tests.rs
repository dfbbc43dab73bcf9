use super::*;

fn refusal(name: &str) -> Option<&'static str> {
    checked_name(name, Some("chess.example.org")).err().map(|error| error.code())
}

#[test]
fn names_are_letters_of_one_script_digits_and_a_few_separators() {
    for name in [
        "Anna",
        "Bela_7",
        "x-y",
        "007",
        "Ánna",
        "François",
        "Zoë",
        "Jean-Luc",
        "O'Brien",
        "J.R.Tolkien",
        "Ñandú",
        "Жанна",
        "Ελένη",
        "佐藤さくら",
        "משה123",
        "अनिता",
        "Łukasz",
        "Søren",
        "İbrahim",
        "Élodie",
        "ÉLODIE",
        "Großmann",
        "Ægir",
        "Nguyễn",
        "Кириллица",
        "Ёлка-Палка",
        "Κώστας",
        "سارة",
        "12345678901234567890",
        // Twenty letters; the vowel signs do not count.
        "कीकीकीकीकीकीकीकीकीकीकीकीकीकीकीकीकीकीकीकी",
    ] {
        assert_eq!(refusal(name), None, "{name}");
    }
    // Names are stored in NFC.
    assert_eq!(checked_name("Zoe\u{308}", None).unwrap(), "Zoë");
    assert_eq!(checked_name("O’Brien", None).unwrap(), "O'Brien");
    for name in [
        "",
        "ab",
        "a b c",
        "<script>",
        "anna!",
        "___",
        ".hidden",
        "anna.",
        "'anna",
        "an..na",
        "an'.na",
        "x1234567890123456789y",
        "Аnna",
        "Annа",
        "Ann\u{200b}a",
        "Ann\u{202e}a",
        "Ann\u{200d}a",
        "Ann\u{ad}a",
        "A\u{300}\u{301}\u{302}nna",
        "ann\u{335}a",
        "Ａnna",
        "ⓐnna",
        "𝐀nna",
        "anna™",
        "anna²",
        "♔♕♖",
        "🙂🙂🙂",
        "\u{3164}\u{3164}\u{3164}",
        "anna\u{0}",
        "anna\n",
        "Ann٣a",
        "ﬁnn",
        "Ｚｏｅ",
        "Zoë🙂",
        "👩‍👩‍👧‍👧👩‍👩‍👧‍👧👩‍👩‍👧‍👧",
        "🇫🇷🇫🇷🇫🇷",
        "\u{301}Elodie",
        "Eva\u{20e3}",
        "Élodie\u{fe0f}",
        "\u{feff}Elodie",
        "Elodie\u{2066}",
        "Иvan",
        "Evа",
        "Zoëσ",
        "アΑnna",
        "ab\u{301}",
        "कीकी",
    ] {
        assert_eq!(refusal(name), Some("bad-name"), "{name:?}");
    }
}

#[test]
fn everything_that_is_wrong_with_a_name_is_reported() {
    use NameFault::{Character, Form, Length, Reserved, Space};
    for (name, faults) in [
        ("Zoé!", &[Character('!')][..]),
        ("L !", &[Space, Character('!')]),
        ("!!", &[Length, Character('!')]),
        ("Jean Luc", &[Space]),
        ("Li", &[Length]),
        ("", &[Length]),
        ("anna.", &[Form]),
        ("Аnna", &[Form]),
        ("Arbitre1", &[Reserved]),
    ] {
        assert_eq!(valid_name(name, None).unwrap_err(), faults, "{name}");
    }
}

#[test]
fn reserved_names_are_refused_in_every_spelling() {
    for name in [
        "admin",
        "Admin",
        "ADMIN",
        "adm1n",
        "Adm1n_",
        "admln",
        "ádmin",
        "admin1",
        "the-admin",
        "admin.anna",
        "a-d-m-i-n",
        "administrateur",
        "Administrador",
        "arbitre",
        "l'Arbitre",
        "árbitro",
        "moderator",
        "Modérateur",
        "mod",
        "MODERAT0R",
        "rnoderator",
        "system",
        "système",
        "root",
        "adoube",
        "Adoube",
        "ad0ube",
        "adoube-team",
        "J'adoube",
        "machine",
        "Máquina",
        "ordinateur",
        "bot",
        "robot7",
        "anonymous",
        "Anonyme",
        "anónimo",
        "guest",
        "null",
        "аdmin",
        "chess.example",
        "example",
        "chessexample",
    ] {
        let refused = refusal(name);
        // A name with the Cyrillic а is refused earlier, because it mixes scripts.
        assert!(
            refused == Some("name-reserved") || (!name.is_ascii() && refused == Some("bad-name")),
            "{name}: {refused:?}"
        );
    }
    for name in [
        "Modesto",
        "Roberta",
        "Botanist",
        "Systematic",
        "Rooted",
        "Administer",
        "machines",
        "Whitehead",
        "Blackburne",
    ] {
        assert_eq!(refusal(name), None, "{name}");
    }
}

#[test]
fn names_that_look_alike_collide() {
    for (one, other) in [
        ("Anna", "aNNa"),
        ("Marion", "Mari0n"),
        ("Lisa", "1isa"),
        ("Lisa", "Iisa"),
        ("corner", "comer"),
        ("Willi", "vvilli"),
        ("Anna-B", "Anna_B"),
        ("Anna.B", "Anna'B"),
        ("coco", "сосо"),
        ("HEAT", "НЕАТ"),
        ("Zoë", "Zoe\u{308}"),
        ("Élodie", "ÉLODIE"),
        ("Großmann", "GROSSMANN"),
        ("Großmann", "Grossmann"),
        ("İbrahim", "İBRAHIM"),
        ("ıbrahim", "ibrahim"),
    ] {
        let (one, other) = (name_skeleton(one, b"salt"), name_skeleton(other, b"salt"));
        let looks = |skeleton: &NameSkeleton| {
            [vec![skeleton.skeleton.clone()], skeleton.alternatives.clone()].concat()
        };
        assert!(
            looks(&other).contains(&one.skeleton) || looks(&one).contains(&other.skeleton),
            "{one:?} {other:?}"
        );
    }
    for (one, other) in
        [("Anna", "Hanna"), ("Jose", "José"), ("Anna", "Anna-B"), ("Carl", "Karl"), ("Eva", "Ева")]
    {
        assert_ne!(skeleton_of(one), skeleton_of(other), "{one} {other}");
    }
}

#[test]
fn names_that_differ_only_in_case_or_apostrophes_have_the_same_key() {
    use adoube_store::columns::name_key;
    for (one, other) in [
        ("Élodie", "ÉLODIE"),
        ("КИРИЛЛИЦА", "кириллица"),
        ("ΚΏΣΤΑΣ", "Κώστας"),
        ("İbrahim", "i\u{307}brahim"),
        ("O'Brien", "o’brien"),
    ] {
        assert_eq!(name_key(one), name_key(other));
    }
    for (one, other) in [("Élodie", "Elodie"), ("İbrahim", "ibrahim"), ("Großmann", "Grossmann")] {
        assert_ne!(name_key(one), name_key(other));
    }
}

#[test]
fn the_hash_of_a_retired_name_depends_on_the_salt() {
    assert_eq!(skeleton_hash("anna", b"one"), skeleton_hash("anna", b"one"));
    assert_ne!(skeleton_hash("anna", b"one").0, skeleton_hash("anna", b"two").0);
}
