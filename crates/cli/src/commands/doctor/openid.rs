use std::time::Duration;

use adoube_server::Config;

use super::report::Report;

/// The timeout for an answer of the identity provider.
const MAX_TIME: Duration = Duration::from_secs(20);

/// Requests the identity provider's metadata, and reports whether that succeeds.
pub(super) async fn check(config: &Config, report: &mut Report<'_>) -> anyhow::Result<()> {
    // The settings have already been validated.
    let Some(provider) = config.identity_provider()? else { return Ok(()) };
    let issuer = &config.sign_in.openid.issuer;
    let remedy = format!(
        "{}/.well-known/openid-configuration must answer with a document of this issuer; correct `sign_in.openid.issuer`, \
         which has no slash at its end unless the document has one, or start the provider",
        issuer.trim_end_matches('/')
    );
    match tokio::time::timeout(MAX_TIME, provider.check()).await {
        Ok(Ok(())) => report.ok(
            "sign-in",
            format!(
                "the identity provider {issuer} answers; {} must be registered there",
                provider.redirect()
            ),
        ),
        Ok(Err(error)) => report.error("sign-in", error.to_string(), remedy),
        Err(_) => report.error(
            "sign-in",
            format!("the identity provider {issuer} did not answer within {} s", MAX_TIME.as_secs()),
            remedy,
        ),
    }
}
