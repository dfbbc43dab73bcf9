use std::sync::Arc;

use async_trait::async_trait;

use super::{Email, MailError, Mailer};
use crate::metrics::Metrics;

/// A mailer that sends through another one, and counts the e-mails that were sent and those that failed.
#[derive(Debug)]
pub(crate) struct CountedMailer {
    pub(crate) mailer: Arc<dyn Mailer>,
    pub(crate) metrics: Arc<Metrics>,
}

#[async_trait]
impl Mailer for CountedMailer {
    async fn send(&self, mail: Email) -> Result<(), MailError> {
        let sent = self.mailer.send(mail).await;
        self.metrics.email(sent.is_ok());
        sent
    }

    fn is_connected(&self) -> bool {
        self.mailer.is_connected()
    }
}
