//! Accounts, from what a visitor asks to what is kept.

use std::sync::Arc;

use adoube_protocol::{ChangeAccount, Me, Millis, Password, PlayerId, Register, SessionId, SignIn};
use adoube_store::{self as store, NewAccount, NewSession, Registered, Store, TokenHash};
use tokio::sync::broadcast;

use super::{
    identity::{SESSION_MS, Visitor, hash_of, new_token},
    password::Hasher,
};
use crate::{
    ambient::{Clock, Entropy},
    config::Origin,
    error::Error,
    limits::Buckets,
    mail::{Mail, Mailer, is_address},
    names::Names,
};

/// A link to recover an account is good for so long.
const RECOVERY_MS: i64 = 60 * 60 * 1000;
/// Letters that are kept of what a browser calls itself.
const AGENT: usize = 200;
/// Sockets that may lag behind the end of sessions before they look again for themselves.
const ENDED_KEPT: usize = 64;

/// What a browser calls itself.
#[derive(Clone, Debug)]
pub(crate) struct Agent(pub(crate) String);

/// A session that has begun: the secret is for the cookie, and for nothing else.
pub(crate) struct SignedIn {
    pub(crate) me: Me,
    pub(crate) secret: String,
}

#[derive(Debug)]
pub(crate) struct Accounts {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) mailer: Arc<dyn Mailer>,
    pub(crate) names: Arc<Names>,
    pub(crate) hasher: Hasher,
    /// By lower-case name, whether anybody has it or not.
    pub(crate) tries: Buckets<String>,
    pub(crate) ended: broadcast::Sender<SessionId>,
    pub(crate) origin: Option<Origin>,
}

impl Accounts {
    /// Those who want to know when sessions end.
    pub(crate) fn endings() -> broadcast::Sender<SessionId> {
        broadcast::channel(ENDED_KEPT).0
    }

    pub(crate) async fn me(&self, visitor: &Visitor) -> Result<Me, Error> {
        let account = match visitor.session {
            Some(_) => self.store.lookup_account(&visitor.player).await?,
            None => None,
        };
        Ok(Me { account: account.map(shown) })
    }

    pub(crate) async fn register(
        &self,
        visitor: &Visitor,
        request: Register,
        agent: Agent,
    ) -> Result<SignedIn, Error> {
        if visitor.session.is_some() {
            return Err(Error::SignedInAlready);
        }
        let name = checked_name(&request.name)?;
        checked_password(&request.password)?;
        let email = checked_email(request.email.as_deref())?;
        if self.store.lookup_account_by_name(&name).await?.is_some() {
            return Err(Error::NameTaken);
        }
        let new = NewAccount {
            player: visitor.player.clone(),
            name: name.clone(),
            password: self.hasher.hash(request.password.expose()).await?,
            email,
            created_at: self.clock.now(),
        };
        match self.store.add_account(new).await? {
            Registered::Done => {}
            Registered::NameTaken => return Err(Error::NameTaken),
            Registered::PlayerTaken => return Err(Error::SignedInAlready),
        }
        tracing::info!(name, "account registered");
        self.names.set(&visitor.player, Some(name));
        self.begin(&visitor.player, agent).await
    }

    /// Says the same, and takes as long, whether there is such a name or not.
    pub(crate) async fn sign_in(&self, request: &SignIn, agent: Agent) -> Result<SignedIn, Error> {
        self.tries.spend(request.name.chars().take(64).collect::<String>().to_lowercase())?;
        let account = self.store.lookup_account_by_name(&request.name).await?;
        let kept = account.as_ref().map(|account| account.password.as_str());
        let right = self.hasher.verify(request.password.expose(), kept).await?;
        match account {
            Some(account) if right => self.begin(&account.player, agent).await,
            _ => Err(Error::SignInFailed),
        }
    }

    async fn begin(&self, player: &PlayerId, agent: Agent) -> Result<SignedIn, Error> {
        let (secret, token) = new_token(&*self.entropy)?;
        let now = self.clock.now();
        let session = NewSession {
            id: SessionId::from_random(self.entropy.random()?),
            player: player.clone(),
            token,
            agent: agent.0.chars().filter(|c| !c.is_control()).take(AGENT).collect(),
            created_at: now,
            expires_at: Millis(now.0 + SESSION_MS),
        };
        self.store.add_session(session).await?;
        let account = self.store.lookup_account(player).await?;
        Ok(SignedIn { me: Me { account: account.map(shown) }, secret })
    }

    /// Ends a session of the visitor; returns whether there was one.
    pub(crate) async fn end(&self, visitor: &Visitor, id: &SessionId) -> Result<bool, Error> {
        let ended = self.store.delete_session(&visitor.player, id).await?;
        if ended {
            self.tell_ended([id.clone()]);
        }
        Ok(ended)
    }

    pub(crate) async fn change(&self, visitor: &Visitor, request: ChangeAccount) -> Result<Me, Error> {
        self.confirm(visitor, &request.password).await?;
        if let Some(password) = &request.new_password {
            checked_password(password)?;
        }
        if let Some(email) = &request.email {
            let email = checked_email(Some(email.as_str()).filter(|email| !email.is_empty()))?;
            self.store.set_email(&visitor.player, email.as_deref()).await?;
        }
        if let Some(password) = &request.new_password {
            let hash = self.hasher.hash(password.expose()).await?;
            let ended = self.store.set_password(&visitor.player, &hash, visitor.session.as_ref()).await?;
            self.tell_ended(ended);
        }
        self.me(visitor).await
    }

    pub(crate) async fn delete(&self, visitor: &Visitor, password: &Password) -> Result<(), Error> {
        self.confirm(visitor, password).await?;
        let ended = self.store.delete_account(&visitor.player).await?;
        self.names.set(&visitor.player, None);
        self.tell_ended(ended);
        tracing::info!("account deleted");
        Ok(())
    }

    /// Sends a link by mail, if there is an account with an address. Nobody waits for it, so nobody learns from it.
    pub(crate) fn ask_recovery(self: &Arc<Self>, name: String) -> Result<(), Error> {
        self.tries.spend(name.chars().take(64).collect::<String>().to_lowercase())?;
        let accounts = Arc::clone(self);
        tokio::spawn(async move {
            if let Err(error) = accounts.send_recovery(&name).await {
                error.log();
            }
        });
        Ok(())
    }

    async fn send_recovery(&self, name: &str) -> Result<(), Error> {
        let Some(account) = self.store.lookup_account_by_name(name).await? else { return Ok(()) };
        let Some(to) = account.email else { return Ok(()) };
        let (secret, token) = new_token(&*self.entropy)?;
        let until = Millis(self.clock.now().0 + RECOVERY_MS);
        self.store.add_recovery(&account.player, &token, until).await?;
        let origin = self.origin.as_ref().map_or("", Origin::as_str);
        let text = format!(
            "Somebody has asked to choose a new password for the account {} on adoube.\n\n\
             To do so, open {origin}/recover/{secret} within an hour.\n\
             If it was not you, there is nothing to do.\n",
            account.name
        );
        self.mailer.send(Mail { to, subject: "adoube: a new password".into(), text }).await?;
        Ok(())
    }

    pub(crate) async fn recover(
        &self,
        secret: &str,
        password: &Password,
        agent: Agent,
    ) -> Result<SignedIn, Error> {
        checked_password(password)?;
        let token: TokenHash = hash_of(secret);
        let now = self.clock.now();
        let player = self.store.take_recovery(&token, now).await?.ok_or(Error::RecoveryNotFound)?;
        let hash = self.hasher.hash(password.expose()).await?;
        let ended = self.store.set_password(&player, &hash, None).await?;
        self.tell_ended(ended);
        self.begin(&player, agent).await
    }

    /// Whether it is really the owner who asks.
    async fn confirm(&self, visitor: &Visitor, password: &Password) -> Result<(), Error> {
        if visitor.session.is_none() {
            return Err(Error::NotSignedIn);
        }
        let account = self.store.lookup_account(&visitor.player).await?.ok_or(Error::NotSignedIn)?;
        self.tries.spend(account.name.to_lowercase())?;
        let right = self.hasher.verify(password.expose(), Some(&account.password)).await?;
        if right { Ok(()) } else { Err(Error::WrongPassword) }
    }

    fn tell_ended(&self, sessions: impl IntoIterator<Item = SessionId>) {
        for session in sessions {
            // Without a socket there is nobody to tell.
            let _ = self.ended.send(session);
        }
    }
}

fn shown(account: store::Account) -> adoube_protocol::Account {
    adoube_protocol::Account { name: account.name, email: account.email, created_at: account.created_at }
}

fn checked_name(name: &str) -> Result<String, Error> {
    let fits = (3..=20).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    if fits { Ok(name.to_owned()) } else { Err(Error::Name) }
}

fn checked_password(password: &Password) -> Result<(), Error> {
    let length = password.expose().chars().count();
    if (8..=128).contains(&length) { Ok(()) } else { Err(Error::Password) }
}

fn checked_email(email: Option<&str>) -> Result<Option<String>, Error> {
    match email {
        Some(email) if !is_address(email) => Err(Error::Email),
        email => Ok(email.map(Into::into)),
    }
}
