//! Second factor: time-based one-time passwords (TOTP, RFC 6238) and recovery codes for a lost authenticator
//! app.
//!
//! A TOTP code has six digits and a time step of 30 seconds. The codes of the previous and next steps are
//! accepted too, because clocks differ. Each code is accepted once. An attacker who knows the password can
//! try about 250 codes a day from unknown browsers. The limit for all sources together is about 1,000 a day
//! per account. With three valid codes out of a million, 1,000 guesses a day succeed about once a year.
//! Recovery codes have 120 random bits, so a fast hash is enough, and attempts need no limit of their own.

use adoube_protocol::{
    ChangeSecondFactor, ConfirmSecondFactor, Millis, NewSecondFactor, Password, PlayerId, RecoveryCodes,
};
use adoube_store::{self as store, TokenHash};
use totp_rs::{Builder, Secret};

use super::{
    accounts::Accounts,
    cookie_key::random_bytes,
    identity::{Visitor, hash_of},
    sign_in_limits::CodeGuesser,
};
use crate::{config::Origin, entropy::EntropyError, error::Error, mail::EmailContent, qr};

/// The length of a TOTP secret in bytes, as recommended in section 4 of RFC 4226.
const SECRET_BYTES: usize = 20;
/// The number of digits in a TOTP code.
const DIGITS: u8 = 6;
/// The time step of TOTP, in seconds.
const STEP: u64 = 30;
/// The number of recovery codes issued at a time.
const CODE_COUNT: usize = 10;
/// The length of a recovery code in bytes. It exceeds 112 bits, the minimum for which ASVS 5.0 accepts a fast
/// hash (V6.5.2), and corresponds to a whole number of base32 characters.
const CODE_BYTES: usize = 15;
/// The number of characters in a recovery code, and in each displayed group.
const CODE_CHARS: usize = 24;
const GROUP_CHARS: usize = 4;
/// The size of one module of the QR code, in pixels.
const MODULE_PIXELS: u32 = 5;

impl Accounts {
    /// Creates the secret of a second factor, which takes effect when it is confirmed. Fails if the account
    /// already has a second factor.
    pub(crate) async fn begin_second_factor(
        &self,
        visitor: &Visitor,
        password: &Password,
    ) -> Result<NewSecondFactor, Error> {
        let account = self.confirm(visitor, password).await?;
        let secret = Secret::from(self.random::<SECRET_BYTES>()?.to_vec());
        if !self.store.add_second_factor(&account.player, secret.as_bytes()).await? {
            return Err(Error::SecondFactorOn);
        }
        let house = self.origin.as_ref().map_or("adoube", Origin::host);
        let totp = builder(secret)
            .with_account_name(account.name)
            .with_issuer(Some(house.replace(':', "-")))
            .build()
            .map_err(|_| Error::Internal("could not build a TOTP generator from a new secret"))?;
        let url =
            totp.to_url().map_err(|_| Error::Internal("could not build the otpauth URL of a TOTP secret"))?;
        let qr = qr::svg(&url, MODULE_PIXELS)?;
        Ok(NewSecondFactor { secret: totp.secret().to_base32(), url, qr })
    }

    /// Turns the second factor on if the code proves that the authenticator app has the secret. Returns the
    /// recovery codes.
    pub(crate) async fn confirm_second_factor(
        &self,
        visitor: &Visitor,
        request: &ConfirmSecondFactor,
    ) -> Result<RecoveryCodes, Error> {
        let session = visitor.session.as_ref().ok_or(Error::NotSignedIn)?;
        let account = self.store.lookup_account(&visitor.player).await?.ok_or(Error::NotSignedIn)?;
        let factor = self.store.lookup_second_factor(&visitor.player).await?;
        let factor = factor.ok_or(Error::SecondFactorOff)?;
        if factor.confirmed {
            return Err(Error::SecondFactorOn);
        }
        let attempt = self.limits.second_factor(&account, CodeGuesser::Session(session)).await?;
        let at =
            self.time_of(factor.secret.clone(), request.code.expose()).ok_or(Error::SecondFactorWrong)?;
        attempt.refund().await;
        let (codes, hashes) = self.new_codes()?;
        let confirmed =
            self.store.confirm_second_factor(&visitor.player, &factor.secret, at, &hashes, session).await;
        let confirmed = self.mark_in_doubt_on_error(&visitor.player, confirmed).await?;
        // The store returns `None` if the secret was replaced or the session has ended in the meantime.
        let ended = confirmed.ok_or(Error::SecondFactorWrong)?;
        self.publish_ended(ended).await;
        tracing::info!(name = account.name, "second factor turned on");
        self.emails.notice(account, EmailContent::SecondFactorOn);
        Ok(codes)
    }

    pub(crate) async fn end_second_factor(
        &self,
        visitor: &Visitor,
        request: &ChangeSecondFactor,
    ) -> Result<(), Error> {
        let account = self.confirm_twice(visitor, request).await?;
        self.store.delete_second_factor(&account.player).await?;
        tracing::info!(name = account.name, "second factor turned off");
        self.emails.notice(account, EmailContent::SecondFactorOff);
        Ok(())
    }

    /// Replaces the recovery codes.
    pub(crate) async fn renew_recovery_codes(
        &self,
        visitor: &Visitor,
        request: &ChangeSecondFactor,
    ) -> Result<RecoveryCodes, Error> {
        let account = self.confirm_twice(visitor, request).await?;
        let (codes, hashes) = self.new_codes()?;
        if !self.store.set_recovery_codes(&account.player, &hashes).await? {
            return Err(Error::SecondFactorOff);
        }
        Ok(codes)
    }

    async fn confirm_twice(
        &self,
        visitor: &Visitor,
        request: &ChangeSecondFactor,
    ) -> Result<store::Account, Error> {
        let account = self.confirm(visitor, &request.password).await?;
        if account.recovery_codes.is_none() {
            return Err(Error::SecondFactorOff);
        }
        let session = visitor.session.as_ref().ok_or(Error::NotSignedIn)?;
        self.check_second_factor(&account, Some(&request.code), CodeGuesser::Session(session)).await?;
        Ok(account)
    }

    /// Checks a TOTP or recovery code and spends it. Succeeds without a code if the account has no second
    /// factor.
    pub(super) async fn check_second_factor(
        &self,
        account: &store::Account,
        code: Option<&Password>,
        guesser: CodeGuesser<'_>,
    ) -> Result<(), Error> {
        if account.recovery_codes.is_none() {
            return Ok(());
        }
        let code = code.map(Password::expose).ok_or(Error::SecondFactorNeeded)?;
        let player = &account.player;
        if let Some(code) = recovery_code(code) {
            let is_right = self.store.spend_recovery_code(player, &code).await?;
            return if is_right { Ok(()) } else { Err(Error::SecondFactorWrong) };
        }
        let attempt = self.limits.second_factor(account, guesser).await?;
        match self.spend_totp(player, code).await {
            Ok(false) => Err(Error::SecondFactorWrong),
            // The attempt is refunded if the code was right or could not be verified.
            verified => {
                attempt.refund().await;
                verified.map(|_| ())
            }
        }
    }

    async fn spend_totp(&self, player: &PlayerId, code: &str) -> Result<bool, Error> {
        let Some(factor) = self.store.lookup_second_factor(player).await? else { return Ok(false) };
        let Some(at) = self.time_of(factor.secret, code) else { return Ok(false) };
        Ok(self.store.spend_time_step(player, at).await?)
    }

    /// Returns the start of the time step to which a TOTP code belongs, if it is valid now.
    fn time_of(&self, secret: Vec<u8>, code: &str) -> Option<Millis> {
        let now = u64::try_from(self.clock.now().0 / 1000).ok()?;
        // Apps display the digits in two groups.
        let code =
            code.chars().filter(|c| !c.is_whitespace()).take(usize::from(DIGITS) + 1).collect::<String>();
        let step = builder(secret.into()).build().ok()?.check(&code, now)?;
        i64::try_from(step * STEP * 1000).ok().map(Millis)
    }

    fn new_codes(&self) -> Result<(RecoveryCodes, Vec<TokenHash>), Error> {
        let mut codes = Vec::with_capacity(CODE_COUNT);
        for _ in 0..CODE_COUNT {
            codes.push(Secret::from(self.random::<CODE_BYTES>()?.to_vec()).to_base32());
        }
        let hashes = codes.iter().map(|code| hash_of(code)).collect();
        Ok((RecoveryCodes { codes: codes.iter().map(|code| in_groups(code)).collect() }, hashes))
    }

    fn random<const N: usize>(&self) -> Result<[u8; N], EntropyError> {
        let mut bytes = [0; N];
        let random = random_bytes(&*self.entropy, N.div_ceil(16))?;
        bytes.iter_mut().zip(random).for_each(|(byte, random)| *byte = random);
        Ok(bytes)
    }
}

fn builder(secret: Secret) -> Builder {
    Builder::new().with_secret(secret).with_digits(DIGITS).with_skew(1).with_step_duration(STEP)
}

/// Returns the hash of a recovery code, ignoring case, spaces and hyphens, or `None` if the string does not
/// have the form of a recovery code.
fn recovery_code(text: &str) -> Option<TokenHash> {
    let is_separator = |c: char| c.is_whitespace() || c == '-';
    let code = text.chars().filter(|c| !is_separator(*c)).take(CODE_CHARS + 1).collect::<String>();
    let is_code = code.len() == CODE_CHARS && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_code.then(|| hash_of(&code.to_ascii_uppercase()))
}

fn in_groups(code: &str) -> String {
    let letters = code.chars().collect::<Vec<_>>();
    letters.chunks(GROUP_CHARS).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vectors are those for SHA-1 in RFC 6238, appendix B, shortened to their last six digits.
    #[test]
    fn totp_codes_match_the_test_vectors_of_rfc_6238() {
        let totp = builder(b"12345678901234567890".to_vec().into()).build().unwrap();
        for (time, code) in [
            (59_i64, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            for (late, is_accepted) in [(0, true), (30, true), (60, false), (-30, true), (-60, false)] {
                let Ok(now) = u64::try_from(time + late) else { continue };
                let step = is_accepted.then_some(u64::try_from(time).unwrap() / STEP);
                assert_eq!(totp.check(code, now), step, "{code} {late} s late");
            }
        }
    }

    #[test]
    fn a_recovery_code_is_accepted_whatever_its_case_spaces_and_hyphens() {
        let code = Secret::from(vec![0xa5; CODE_BYTES]).to_base32();
        let hash = hash_of(&code);
        assert_eq!(code.len(), CODE_CHARS);
        for text in [
            code.clone(),
            in_groups(&code),
            code.to_lowercase(),
            format!(" {} ", in_groups(&code).replace('-', " ")),
        ] {
            assert_eq!(recovery_code(&text), Some(hash), "{text}");
        }
        for text in
            ["", "123456", &code[1..], &format!("{code}A"), &"é".repeat(CODE_CHARS), &"a".repeat(100_000)]
        {
            assert_eq!(recovery_code(text), None, "{text}");
        }
    }
}
