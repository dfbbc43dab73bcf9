use std::time::Duration;

use adoube_server::{Email, Mailer as _};

use super::report::Report;
use crate::{describe, settings::MailSettings, smtp::SmtpMailer};

/// The timeout for an exchange with the mail server.
const MAX_TIME: Duration = Duration::from_secs(20);

/// Connects and signs in to the mail server, and sends an e-mail if requested.
pub(super) async fn check(
    mail: &MailSettings,
    to: Option<&str>,
    report: &mut Report<'_>,
) -> anyhow::Result<()> {
    if mail.smtp.is_empty() {
        let finding = if mail.folder.is_empty() {
            "not set up: users cannot reset a forgotten password, and no reminders are sent by e-mail"
                .to_owned()
        } else {
            format!("e-mails are written to {} and not sent", mail.folder)
        };
        return report.warning("mail", finding, "set `mail.smtp` and `mail.from`");
    }
    // The settings have already been validated.
    let mailer = SmtpMailer::new(&mail.smtp, &mail.from)?;
    let remedy = "check the host, the port, the name and the password in `mail.smtp`: smtps://… is for port 465, smtp://…?tls=required for port 587";
    match tokio::time::timeout(MAX_TIME, mailer.connect()).await {
        Ok(Ok(())) => report.ok("mail", "the mail server is reachable and accepts these settings")?,
        Ok(Err(error)) => {
            return report.error(
                "mail",
                format!("the mail server cannot be used: {}", describe(&error)),
                remedy,
            );
        }
        Err(_) => {
            return report.error(
                "mail",
                format!("the mail server did not answer within {} s", MAX_TIME.as_secs()),
                remedy,
            );
        }
    }
    let Some(to) = to else { return Ok(()) };
    let email = Email {
        to: to.to_owned(),
        subject: "adoube".into(),
        text:
            "Ce courriel a été demandé par `adoube doctor`.\nThis e-mail was requested by `adoube doctor`.\n"
                .into(),
        unsubscribe: None,
    };
    match tokio::time::timeout(MAX_TIME, mailer.send(email)).await {
        Ok(Ok(())) => report.ok(
            "mail",
            format!("an e-mail to {to} was sent; check that it arrives and is not marked as spam"),
        ),
        Ok(Err(error)) => report.error(
            "mail",
            format!("the e-mail to {to} was refused: {}", describe(&error.into())),
            "check the address, and that `mail.from` is an address that this account may send from",
        ),
        Err(_) => report.error("mail", "the mail server did not accept the e-mail in time", remedy),
    }
}
