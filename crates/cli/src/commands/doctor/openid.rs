use std::time::Duration;

use adoube_server::Config;

use super::report::Report;

/// The timeout for a response from the identity provider.
const MAX_TIME: Duration = Duration::from_secs(20);

/// Requests the identity provider's metadata, and reports whether that succeeds.
pub(super) async fn check(config: &Config, report: &mut Report<'_>) -> anyhow::Result<()> {
    // The settings have already been validated.
    let Some(provider) = config.identity_provider()? else { return Ok(()) };
    let issuer = &config.sign_in.openid.issuer;
    let remedy = format!(
        "{}/.well-known/openid-configuration must return the metadata of this issuer: start the provider, or \
         correct `sign_in.openid.issuer`, which must end with a slash only if the issuer in the metadata does",
        issuer.trim_end_matches('/')
    );
    match tokio::time::timeout(MAX_TIME, provider.check()).await {
        Ok(Ok(())) => report.ok(
            "sign-in",
            format!(
                "the identity provider {issuer} answers; {} must be registered there as a redirect URI",
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
