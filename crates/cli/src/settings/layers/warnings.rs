//! Warnings about settings that a server accepts.

#[cfg(unix)]
use std::fs;
use std::net::IpAddr;

use anyhow::anyhow;
use url::Url;

#[cfg(unix)]
use super::{LayeredValue, Source};
use super::{Layers, Warning, is_secret};
use crate::settings::log_filter;

impl Layers {
    /// Returns a warning for each unknown environment variable, each unknown target in the log filter, each
    /// setting without an effect, a password that may be sent unencrypted, and each secret in a file that
    /// every user can read.
    pub(crate) fn warnings(&self) -> Vec<Warning> {
        let mut warnings = self.unknown_variables.clone();
        for target in log_filter::unknown_targets(self.text("log")) {
            let log = anyhow!("log contains {target:?}, which is not a part of this program");
            warnings.push(Warning {
                problem: self.at("log", &log).to_string(),
                remedy: "correct it, or remove it".into(),
            });
        }
        warnings.extend(self.settings_without_effect());
        warnings.extend(self.unencrypted_password());
        warnings.extend(self.exposed_secrets());
        warnings
    }

    /// Returns a warning if the password for the mail server may be sent without encryption over a network.
    fn unencrypted_password(&self) -> Option<Warning> {
        let url = Url::parse(self.text("mail.smtp")).ok()?;
        let host = url.host_str()?.trim_matches(['[', ']']);
        let is_local =
            host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        let requires_tls = url.query_pairs().any(|(name, value)| name == "tls" && value == "required");
        if url.scheme() != "smtp" || url.password().is_none() || is_local || requires_tls {
            return None;
        }
        let problem = anyhow!("mail.smtp sends the password to the mail server without requiring encryption");
        Some(Warning {
            problem: self.at("mail.smtp", &problem).to_string(),
            remedy: "add ?tls=required to the URL, or begin it with smtps:// if the mail server expects that"
                .into(),
        })
    }

    /// Returns a warning for each setting that is set but needs another one, which is not set.
    fn settings_without_effect(&self) -> impl Iterator<Item = Warning> {
        const NEEDS: [(&str, &str); 5] = [
            ("mail.from", "mail.smtp"),
            ("bus.credentials", "bus.url"),
            ("bus.certificates", "bus.url"),
            ("bus.prefix", "bus.url"),
            ("metrics_token", "metrics"),
        ];
        let has_no_effect =
            move |&(name, needed): &(&str, &str)| !self.text(name).is_empty() && self.text(needed).is_empty();
        NEEDS.into_iter().filter(has_no_effect).map(move |(name, needed)| {
            let problem = anyhow!("{name} has no effect, because {needed} is missing");
            Warning {
                problem: self.at(name, &problem).to_string(),
                remedy: format!("set {needed}, or remove {name}"),
            }
        })
    }

    #[cfg(unix)]
    fn exposed_secrets(&self) -> Vec<Warning> {
        use std::os::unix::fs::PermissionsExt as _;
        let mut warnings = Vec::new();
        for (name, layered) in &self.values {
            if let LayeredValue { text, source: Source::File { path, .. } } = layered
                && is_secret(name, text)
                && fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o004 != 0)
            {
                warnings.push(Warning {
                    problem: format!("every user of this machine can read {path}, which holds {name}"),
                    // The group keeps its access, because the package lets the server's group read the file.
                    remedy: format!("chmod o= {path}"),
                });
            }
        }
        warnings
    }

    #[cfg(not(unix))]
    fn exposed_secrets(&self) -> Vec<Warning> {
        Vec::new()
    }
}
