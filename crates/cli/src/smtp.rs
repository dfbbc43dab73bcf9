//! E-mails over SMTP.

use std::{fmt, sync::OnceLock};

use adoube_server::{Email, MailError, Mailer};
use anyhow::{Context as _, ensure};
use async_trait::async_trait;
use lettre::{
    AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor,
    message::{
        Mailbox,
        header::{ContentType, HeaderName, HeaderValue},
    },
    transport::smtp::AsyncSmtpTransportBuilder,
};

pub(crate) struct SmtpMailer {
    builder: AsyncSmtpTransportBuilder,
    /// The connections. They are created on first use, because they need a runtime, and the settings are also
    /// checked without one.
    transport: OnceLock<AsyncSmtpTransport<Tokio1Executor>>,
    from: Mailbox,
}

impl SmtpMailer {
    /// Prepares to send e-mails from `from` through the mail server at a URL such as
    /// `smtps://name:password@mail.example.org`. Needs no runtime, and does not connect yet.
    pub(crate) fn new(url: &str, from: &str) -> anyhow::Result<Self> {
        // The URL contains a password, so an error must not repeat it.
        let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url).ok().context(
            "mail.smtp is not the URL of a mail server, such as smtps://name:password@mail.example.org",
        )?;
        let from = parse_sender(from)?;
        Ok(Self { builder, transport: OnceLock::new(), from })
    }

    fn transport(&self) -> &AsyncSmtpTransport<Tokio1Executor> {
        self.transport.get_or_init(|| self.builder.clone().build())
    }

    /// Connects to the mail server and signs in, as a test of the settings.
    pub(crate) async fn connect(&self) -> anyhow::Result<()> {
        ensure!(self.transport().test_connection().await?, "it does not accept commands");
        Ok(())
    }
}

/// Parses the address of the sender.
pub(crate) fn parse_sender(from: &str) -> anyhow::Result<Mailbox> {
    // The cause only says that the input is not valid.
    from.parse::<Mailbox>().ok().with_context(|| {
        format!(
            "mail.from must be the address of the sender, such as \"Club <club@example.org>\", not {from:?}"
        )
    })
}

impl fmt::Debug for SmtpMailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SmtpMailer").field("from", &self.from).finish_non_exhaustive()
    }
}

/// Returns a header whose name is one of our own constants.
fn raw(name: &'static str, value: String) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value)
}

#[async_trait]
impl Mailer for SmtpMailer {
    async fn send(&self, mail: Email) -> Result<(), MailError> {
        let message = message(&self.from, mail)?;
        self.transport().send(message).await.map(|_| ()).map_err(|error| MailError(error.into()))
    }
}

fn message(from: &Mailbox, mail: Email) -> Result<Message, MailError> {
    let unsubscribe = mail.unsubscribe_headers();
    let to = mail.to.parse().map_err(|error: lettre::address::AddressError| MailError(error.into()))?;
    let mut message = Message::builder().from(from.clone()).to(to).subject(mail.subject);
    // This header prevents mail loops with automatic replies.
    message = message.raw_header(raw("Auto-Submitted", "auto-generated".into()));
    for (name, value) in unsubscribe {
        message = message.raw_header(raw(name, value));
    }
    message.header(ContentType::TEXT_PLAIN).body(mail.text).map_err(|error| MailError(error.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_do_not_contain_the_password() {
        let error = |url, from| format!("{:#}", SmtpMailer::new(url, from).unwrap_err());
        assert!(error("http://me:horse@example.org", "a@example.org").contains("mail.smtp"));
        assert!(!error("http://me:horse@example.org", "a@example.org").contains("horse"));
        assert!(error("smtps://me:horse@example.org", "nobody").contains("mail.from"));
    }

    #[test]
    fn emails_have_unsubscribe_headers_and_a_subject_cannot_add_headers() {
        let from: Mailbox = "adoube <a@example.org>".parse().unwrap();
        let mail = Email {
            to: "anna@xn--bcher-kva.example".into(),
            subject: "À vous de jouer\r\nBcc: x@example.org".into(),
            text: "Un lien\u{a0}:\n\nhttps://chess.example.org/game/x\n".into(),
            unsubscribe: Some("https://chess.example.org/mail/stop/x".into()),
        };
        let text = String::from_utf8(message(&from, mail).unwrap().formatted()).unwrap();
        let (head, _) = text.split_once("\r\n\r\n").unwrap();
        for line in [
            "To: anna@xn--bcher-kva.example",
            "List-Unsubscribe: <https://chess.example.org/mail/stop/x>",
            "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
            "Auto-Submitted: auto-generated",
        ] {
            assert!(head.lines().any(|found| found == line), "{line} is not in\n{head}");
        }
        assert!(!head.lines().any(|line| line.starts_with("Bcc")), "{head}");
    }

    #[test]
    fn debug_output_hides_the_password() {
        let mailer = SmtpMailer::new("smtps://me:horse@example.org", "adoube <a@example.org>").unwrap();
        assert!(!format!("{mailer:?}").contains("horse"));
    }
}
