//! Accounts without an e-mail address, which a teacher creates for a class.

use std::fmt;

use adoube_protocol::{Password, PlayerId, PupilPassword, Role};
use adoube_store::{AccountChange, AdminChange, Admission, Member, NewAccount};

use super::{Administration, Parts, Plan, actor::Actor, classes::checked_class_name, pupil_names::shortened};
use crate::{error::Error, limits::Tenant};

/// The maximum number of pupils added, or given new passwords, in one request.
const MAX_PUPILS: usize = 60;

/// The letters that form the syllables of a password. They are easy to read aloud and to type, and no two of
/// them look alike.
const CONSONANTS: [char; 12] = ['b', 'd', 'f', 'g', 'k', 'm', 'n', 'p', 'r', 't', 'v', 'z'];
const VOWELS: [char; 5] = ['a', 'e', 'i', 'o', 'u'];
/// Three words of two syllables give almost 60⁶ passwords, or 35 bits, which is enough because only a few
/// sign-in attempts are allowed.
const WORDS: usize = 3;

/// Words that could be generated but are rude when read aloud in French, English or Spanish. Words that
/// repeat a syllable, such as `zizi`, are avoided as well.
const UNSUITABLE: [&str; 44] = [
    "bite", "biti", "bito", "bitu", "dike", "fuka", "fuke", "fuki", "gode", "kaga", "kago", "kike", "kona",
    "kono", "kuni", "mata", "mato", "meko", "naze", "nazi", "niga", "nige", "nigo", "nike", "nude", "peda",
    "pede", "pedi", "pedo", "pene", "peni", "pine", "pito", "pube", "puke", "puta", "pute", "puti", "puto",
    "rape", "teta", "teti", "zoba", "zobi",
];

/// Returns a word of two syllables, each given by the indices of its consonant and vowel. If the word is
/// unsuitable, its first consonant is replaced by the next one that makes a suitable word.
fn word(first: (usize, usize), second: (usize, usize)) -> String {
    let letters = |consonant: usize, vowel: usize| {
        let consonant = CONSONANTS.get(consonant % CONSONANTS.len()).copied();
        consonant.into_iter().chain(VOWELS.get(vowel).copied())
    };
    let with_shift =
        |shift| -> String { letters(first.0 + shift, first.1).chain(letters(second.0, second.1)).collect() };
    let is_suitable = |word: &String| word.get(..2) != word.get(2..) && !UNSUITABLE.contains(&word.as_str());
    let mut words = (0..CONSONANTS.len()).map(with_shift);
    words.find(is_suitable).unwrap_or_default()
}

/// Derives a password such as `bado-kemu-tiva` from a random number.
fn password(mut random: u128) -> String {
    let mut draw = |count: usize| {
        let drawn = random % count as u128;
        random /= count as u128;
        usize::try_from(drawn).unwrap_or_default()
    };
    let mut syllable = || (draw(CONSONANTS.len()), draw(VOWELS.len()));
    let words: [String; WORDS] = std::array::from_fn(|_| word(syllable(), syllable()));
    words.join("-")
}

/// The names in an act on pupils that are not the names of pupils, grouped by reason.
#[derive(Debug, Default, Eq, PartialEq)]
pub(crate) struct RefusedPupils {
    /// Names that no account has.
    pub(crate) unknown: Vec<String>,
    /// Names of accounts that do not belong to pupils.
    pub(crate) others: Vec<String>,
}

impl fmt::Display for RefusedPupils {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { unknown, others } = self;
        let reasons = [("no player has this name", unknown), ("not created by a teacher", others)];
        let reasons = reasons.iter().filter(|(_, names)| !names.is_empty());
        let reasons = reasons.map(|(reason, names)| format!("{reason}: {}", names.join(", ")));
        out.write_str(&reasons.collect::<Vec<_>>().join("; "))
    }
}

impl Administration {
    /// Creates a pupil's password and returns it with its hash.
    async fn new_password(&self, name: &str, teacher: &PlayerId) -> Result<(PupilPassword, String), Error> {
        let Parts { hasher, entropy, .. } = &self.parts;
        let password = password(entropy.random()?);
        let hash = hasher.hash(&password, Tenant::Account(teacher.clone())).await?;
        Ok((PupilPassword { name: name.to_owned(), password: Password::new(password) }, hash))
    }

    pub(super) async fn plan_pupils(
        &self,
        actor: &Actor,
        class: &str,
        names: &[String],
        teacher: Option<&str>,
    ) -> Result<Plan, Error> {
        let Parts { clock, entropy, .. } = &self.parts;
        let now = clock.now();
        let class = checked_class_name(class)?;
        if names.is_empty() || names.len() > MAX_PUPILS {
            return Err(Error::PupilCount(MAX_PUPILS));
        }
        let teacher = match (teacher, actor) {
            (None, Actor::Account { player, .. }) => player.clone(),
            (Some(name), actor) if actor.role() == Role::Administrator => self.teacher(name).await?,
            (Some(_), _) => return Err(Error::NotAllowed),
            (None, Actor::Operator) => return Err(Error::NotATeacher),
        };
        // All names refused here are reported together, before any of the expensive hashes is computed.
        let checked = self.checked_names(names, now).await?;
        let (mut accounts, mut pupils) = (Vec::new(), Vec::new());
        for (name, skeleton) in checked {
            let (pupil, hash) = self.new_password(&name, &teacher).await?;
            pupils.push(pupil);
            accounts.push(NewAccount {
                player: PlayerId::from_random(entropy.random()?),
                name,
                skeleton,
                password: hash,
                identity: None,
                email: None,
                language: String::new(),
                created_at: now,
                admission: Admission::Pupil { teacher: teacher.clone(), class: class.clone() },
            });
        }
        let players = accounts.iter().map(|account| account.player.clone()).collect();
        let mut plan = Plan::new(AdminChange::Accounts(accounts))
            .with_target(&class)
            .with_detail("count", &pupils.len());
        plan.accounts = players;
        plan.done.pupils = pupils;
        Ok(plan)
    }

    /// Plans new passwords for several pupils, such as a whole class.
    pub(super) async fn plan_pupil_passwords(&self, actor: &Actor, names: &[String]) -> Result<Plan, Error> {
        let now = self.parts.clock.now();
        if names.is_empty() || names.len() > MAX_PUPILS {
            return Err(Error::PupilCount(MAX_PUPILS));
        }
        // All accounts are checked before any of the expensive hashes is computed.
        let mut pupils: Vec<(Member, PlayerId)> = Vec::with_capacity(names.len());
        let mut refused = RefusedPupils::default();
        for name in names {
            let Some(member) = self.parts.store.lookup_member(name, now).await? else {
                refused.unknown.push(shortened(name));
                continue;
            };
            actor.may_act_on(&member)?;
            let Some(teacher) = member.membership.teacher.clone() else {
                refused.others.push(member.name);
                continue;
            };
            if pupils.iter().all(|(other, _)| other.player != member.player) {
                pupils.push((member, teacher));
            }
        }
        if refused != RefusedPupils::default() {
            return Err(Error::Pupils(refused));
        }
        let (mut hashes, mut passwords) = (Vec::new(), Vec::new());
        for (member, teacher) in &pupils {
            let (password, hash) = self.new_password(&member.name, teacher).await?;
            passwords.push(password);
            hashes.push((member.player.clone(), hash));
        }
        let mut plan = Plan::new(AdminChange::Passwords(hashes)).with_detail("count", &pupils.len());
        plan.accounts = pupils.into_iter().map(|(member, _)| member.player).collect();
        plan.done.pupils = passwords;
        Ok(plan)
    }

    pub(super) async fn plan_pupil_password(&self, member: &Member) -> Result<Plan, Error> {
        let refused = || RefusedPupils { others: vec![member.name.clone()], ..RefusedPupils::default() };
        let teacher = member.membership.teacher.as_ref().ok_or_else(|| Error::Pupils(refused()))?;
        let (pupil, hash) = self.new_password(&member.name, teacher).await?;
        let mut plan = Plan::of(member, AccountChange::Password(hash));
        plan.done.pupils = vec![pupil];
        Ok(plan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_consist_of_three_words_and_differ() {
        let passwords = (0..1000u128).map(|number| password(number.wrapping_mul(u128::MAX / 977)));
        let passwords = passwords.collect::<std::collections::HashSet<_>>();
        assert!(passwords.len() > 990, "{}", passwords.len());
        for password in &passwords {
            assert_eq!(password.len(), 14, "{password}");
            assert_eq!(password.chars().filter(|&c| c == '-').count(), 2, "{password}");
        }
        assert_eq!(password(0), "daba-daba-daba");
    }

    #[test]
    fn no_word_is_rude() {
        let syllables = || {
            (0..CONSONANTS.len()).flat_map(|consonant| (0..VOWELS.len()).map(move |vowel| (consonant, vowel)))
        };
        let words = syllables().flat_map(|first| syllables().map(move |second| word(first, second)));
        let words = words.collect::<std::collections::HashSet<_>>();
        assert!(words.iter().all(|word| word.len() == 4 && word.get(..2) != word.get(2..)));
        assert!(UNSUITABLE.iter().all(|word| !words.contains(*word)));
        assert_eq!(words.len(), 60 * 59 - UNSUITABLE.len());
    }
}
