//! E-mails: links to confirm an address and to recover an account, reminders, warnings before a deadline, and
//! notices of changes to an account and of sign-ins from an unknown browser.
//!
//! Until its owner has opened a confirmation link, an address receives only such links. An address stored by
//! an earlier version, which did not confirm addresses, also receives recovery links. No address receives
//! more than a few e-mails a day, regardless of their cause (see [`EmailSender`]).

mod address;
mod counted;
mod sender;

use std::{
    fmt::Debug,
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use async_trait::async_trait;
use thiserror::Error;
use tokio::io::AsyncWriteExt as _;

pub(crate) use address::{Address, keyed_hash};
pub(crate) use counted::CountedMailer;
#[cfg(test)]
pub(crate) use sender::tests::account;
pub(crate) use sender::{
    EmailContent, EmailSender, HOUR_MS, SendOutcome, WaitingGame, address_of, confirmed_address,
    opponent_name, recovery_address, time_left,
};

/// A plain-text e-mail to be sent.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Email {
    pub to: String,
    pub subject: String,
    pub text: String,
    /// The URL to which a mail program can send a POST without a cookie to unsubscribe (RFC 8058).
    pub unsubscribe: Option<String>,
}

impl Email {
    /// Returns the headers that tell a mail program how to unsubscribe.
    pub fn unsubscribe_headers(&self) -> Vec<(&'static str, String)> {
        let Some(link) = &self.unsubscribe else { return Vec::new() };
        vec![
            ("List-Unsubscribe", format!("<{}>", one_line(link))),
            ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned()),
        ]
    }
}

/// Removes control characters to keep a header on one line.
fn one_line(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

/// The error for an e-mail that could not be sent. The e-mail is dropped, and the error is logged.
#[derive(Debug, Error)]
#[error("the e-mail was not sent")]
pub struct MailError(#[source] pub Box<dyn std::error::Error + Send + Sync>);

/// Sends e-mails.
#[async_trait]
pub trait Mailer: Send + Sync + Debug {
    async fn send(&self, mail: Email) -> Result<(), MailError>;

    /// Returns `true` unless e-mails are silently dropped.
    fn is_connected(&self) -> bool {
        true
    }
}

/// A mailer for development that writes each e-mail to a separate file in a folder.
#[derive(Debug)]
pub struct FolderMailer {
    folder: PathBuf,
    sent: AtomicU64,
}

impl FolderMailer {
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, sent: AtomicU64::new(0) }
    }
}

#[async_trait]
impl Mailer for FolderMailer {
    async fn send(&self, mail: Email) -> Result<(), MailError> {
        let failed = |error: std::io::Error| MailError(error.into());
        tokio::fs::create_dir_all(&self.folder).await.map_err(failed)?;
        let mut text = format!("To: {}\r\nSubject: {}\r\n", one_line(&mail.to), one_line(&mail.subject));
        for (name, value) in mail.unsubscribe_headers() {
            text.extend([name, ": ", &value, "\r\n"]);
        }
        text += "Content-Type: text/plain; charset=utf-8\r\n\r\n";
        text += &mail.text;
        text += "\r\n";
        let mut options = tokio::fs::OpenOptions::new();
        options.write(true).create_new(true);
        // An e-mail may contain a link that gives access to an account, so only the owner may read the file.
        #[cfg(unix)]
        options.mode(0o600);
        loop {
            let path = self.folder.join(format!("{:06}.eml", self.sent.fetch_add(1, Relaxed)));
            let mut file = match options.open(path).await {
                Ok(file) => file,
                // The file was written by an earlier process.
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(failed(error)),
            };
            file.write_all(text.as_bytes()).await.map_err(failed)?;
            return file.flush().await.map_err(failed);
        }
    }
}

/// A mailer that sends nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMailer;

#[async_trait]
impl Mailer for NoMailer {
    async fn send(&self, _: Email) -> Result<(), MailError> {
        Ok(())
    }

    fn is_connected(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_header_cannot_be_smuggled_into_an_email() {
        let folder = tempfile::tempdir().unwrap();
        let mail = Email {
            to: "anna@example.org\r\nBcc: bela@example.org".into(),
            subject: "a\r\n\r\nb\u{85}c".into(),
            text: "text".into(),
            unsubscribe: Some("https://example.org/\r\nX: y".into()),
        };
        FolderMailer::new(folder.path().to_owned()).send(mail).await.unwrap();
        let file = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        let written = std::fs::read_to_string(file).unwrap();
        let (head, body) = written.split_once("\r\n\r\n").unwrap();
        let names = head.lines().map(|line| line.split(':').next().unwrap()).collect::<Vec<_>>();
        assert_eq!(names, ["To", "Subject", "List-Unsubscribe", "List-Unsubscribe-Post", "Content-Type"]);
        assert_eq!(body, "text\r\n");
    }
}
