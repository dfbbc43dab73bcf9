//! Mails by SMTP.

use std::fmt;

use adoube_server::{Mail, MailError, Mailer};
use anyhow::Context as _;
use async_trait::async_trait;
use lettre::{
    AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor,
    message::{Mailbox, header::ContentType},
};

pub(crate) struct SmtpMailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl SmtpMailer {
    /// By a URL such as `smtps://name:password@mail.example.org`; `from` is the sender.
    pub(crate) fn new(url: &str, from: &str) -> anyhow::Result<Self> {
        // The URL holds a password: an error must not repeat it.
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(url).ok().context(
            "mail.smtp is no URL of a mail server, such as smtps://name:password@mail.example.org",
        )?;
        let from = from.parse().context("mail.from must be the address that mails come from")?;
        Ok(Self { transport: transport.build(), from })
    }
}

impl fmt::Debug for SmtpMailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SmtpMailer").field("from", &self.from).finish_non_exhaustive()
    }
}

#[async_trait]
impl Mailer for SmtpMailer {
    async fn send(&self, mail: Mail) -> Result<(), MailError> {
        let message = Message::builder()
            .from(self.from.clone())
            .to(mail.to.parse().map_err(|error: lettre::address::AddressError| MailError(error.into()))?)
            .subject(mail.subject)
            .header(ContentType::TEXT_PLAIN)
            .body(mail.text)
            .map_err(|error| MailError(error.into()))?;
        self.transport.send(message).await.map(|_| ()).map_err(|error| MailError(error.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_named_without_the_password() {
        let error = |url, from| format!("{:#}", SmtpMailer::new(url, from).unwrap_err());
        assert!(error("http://me:horse@example.org", "a@example.org").contains("mail.smtp"));
        assert!(!error("http://me:horse@example.org", "a@example.org").contains("horse"));
        assert!(error("smtps://me:horse@example.org", "nobody").contains("mail.from"));
    }

    #[tokio::test]
    async fn a_mailer_does_not_show_its_password() {
        let mailer = SmtpMailer::new("smtps://me:horse@example.org", "adoube <a@example.org>").unwrap();
        assert!(!format!("{mailer:?}").contains("horse"));
    }
}
