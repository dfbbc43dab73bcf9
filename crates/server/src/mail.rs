//! Mails: a link to recover an account, and word that it is one's turn by correspondence.

use std::{
    fmt::Debug,
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use async_trait::async_trait;
use thiserror::Error;

#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Mail {
    pub to: String,
    pub subject: String,
    pub text: String,
}

/// A mail that could not be sent. Nothing waits for one: it is logged and forgotten.
#[derive(Debug, Error)]
#[error("the mail was not sent")]
pub struct MailError(#[source] pub Box<dyn std::error::Error + Send + Sync>);

#[async_trait]
pub trait Mailer: Send + Sync + Debug {
    async fn send(&self, mail: Mail) -> Result<(), MailError>;
}

/// Writes mails into a folder, one file each, for whoever tries things out.
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
    async fn send(&self, mail: Mail) -> Result<(), MailError> {
        let failed = |error: std::io::Error| MailError(error.into());
        tokio::fs::create_dir_all(&self.folder).await.map_err(failed)?;
        // By the process too: files of an earlier one are not written over.
        let name = format!("{}-{:06}.eml", std::process::id(), self.sent.fetch_add(1, Relaxed));
        let text = format!("To: {}\r\nSubject: {}\r\n\r\n{}\r\n", mail.to, mail.subject, mail.text);
        tokio::fs::write(self.folder.join(name), text).await.map_err(failed)
    }
}

/// Sends nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMailer;

#[async_trait]
impl Mailer for NoMailer {
    async fn send(&self, _: Mail) -> Result<(), MailError> {
        Ok(())
    }
}

/// Whether a text can be the address of a mail. Only sending a mail there tells more.
pub(crate) fn is_address(text: &str) -> bool {
    let plain =
        text.len() <= 254 && text.chars().all(|c| c.is_ascii_graphic() && !"<>(),;:\\\"[]".contains(c));
    let (local, domain) = text.rsplit_once('@').unwrap_or_default();
    plain
        && !local.is_empty()
        && !local.contains('@')
        && domain.contains('.')
        && !domain.starts_with('.')
        && !domain.ends_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_cannot_smuggle_headers() {
        for good in ["anna@example.org", "a.b+c@sub.example.org"] {
            assert!(is_address(good), "{good}");
        }
        for bad in [
            "",
            "anna",
            "@example.org",
            "anna@example",
            "a@b@example.org",
            "anna@example.org\r\nBcc: x@y.z",
            "a b@example.org",
            "é@example.org",
        ] {
            assert!(!is_address(bad), "{bad:?}");
        }
    }
}
