//! Signing in through a correct provider, and through one that fails or lies.

use adoube_openid::{Identity, OpenIdError, Pending, Provider, Registration};
use adoube_test_services::{Fault, IdentityProvider, Person};
use http_body_util::Empty;
use hyper::body::Bytes;
use hyper_util::{client::legacy::Client, rt::TokioExecutor};
use url::Url;

const REDIRECT: &str = "https://chess.example.org/openid/callback";

fn anna() -> Person {
    Person {
        subject: "4711".into(),
        name: Some("Anna".into()),
        email: Some("anna@example.org".into()),
        email_verified: true,
    }
}

fn client_of(issuer: String) -> Provider {
    let (id, secret) = IdentityProvider::CLIENT;
    let redirect = REDIRECT.into();
    Provider::new(Registration { issuer, client_id: id.into(), client_secret: Some(secret.into()), redirect })
        .unwrap()
}

/// Visits an address like a browser, and returns the parameters of the redirect back to the client.
async fn visit(address: &str) -> Vec<(String, String)> {
    let client: Client<_, Empty<Bytes>> = Client::builder(TokioExecutor::new()).build_http();
    let response = client.get(address.parse().unwrap()).await.unwrap();
    let back = response.headers().get("location").expect("the provider sends the browser back");
    let back = Url::parse(back.to_str().unwrap()).unwrap();
    assert!(back.as_str().starts_with(REDIRECT), "{back}");
    back.query_pairs().into_owned().collect()
}

fn value(parameters: &[(String, String)], name: &str) -> String {
    parameters.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone()).unwrap_or_default()
}

/// Begins a sign-in, and returns the code with which the provider sends the browser back.
async fn begin(client: &Provider) -> (Pending, String) {
    let (address, pending) = client.begin(false).await.unwrap();
    let back = visit(&address).await;
    assert_eq!(value(&back, "state"), pending.state);
    (pending, value(&back, "code"))
}

async fn sign_in(client: &Provider) -> Result<Identity, OpenIdError> {
    let (pending, code) = begin(client).await;
    client.finish(pending, code).await
}

#[tokio::test]
async fn the_identity_is_that_of_the_person_at_the_provider() {
    let provider = IdentityProvider::start(anna()).await;
    let client = client_of(provider.issuer());
    let identity = sign_in(&client).await.unwrap();
    assert_eq!(identity.subject, "4711");
    assert_eq!(identity.name.as_deref(), Some("Anna"));
    assert_eq!(identity.email.as_deref(), Some("anna@example.org"));
    // An unverified address may belong to another person.
    provider.set_person(Person { email_verified: false, name: None, ..anna() });
    let identity = sign_in(&client).await.unwrap();
    assert_eq!((identity.name, identity.email), (None, None));
    assert_eq!(provider.discoveries(), 1, "the provider's metadata is cached");
}

#[tokio::test]
async fn invalid_responses_from_a_provider_are_refused() {
    let provider = IdentityProvider::start(anna()).await;
    let client = client_of(provider.issuer());
    for fault in [
        Fault::OtherNonce,
        Fault::OtherClient,
        Fault::OtherIssuer,
        Fault::UnpublishedKey,
        Fault::Unsigned,
        Fault::Expired,
    ] {
        provider.set_fault(fault);
        let error = sign_in(&client).await.unwrap_err();
        assert!(matches!(error, OpenIdError::Invalid(_)), "{fault:?}: {error}");
    }
    provider.set_fault(Fault::RefusesCodes);
    assert!(matches!(sign_in(&client).await.unwrap_err(), OpenIdError::Refused(_)));
    for fault in [Fault::HugeResponses, Fault::Redirects] {
        provider.set_fault(fault);
        let error = sign_in(&client).await.unwrap_err();
        assert!(matches!(error, OpenIdError::Unavailable { .. }), "{fault:?}: {error}");
    }
    provider.set_fault(Fault::None);
    assert!(sign_in(&client).await.is_ok());
}

#[tokio::test]
async fn a_code_is_valid_for_one_sign_in_by_one_browser() {
    let provider = IdentityProvider::start(anna()).await;
    let client = client_of(provider.issuer());
    let (pending, code) = begin(&client).await;
    let (other, _) = begin(&client).await;
    // A stolen code is useless without the verifier of the browser that requested it.
    assert!(matches!(client.finish(other, code.clone()).await.unwrap_err(), OpenIdError::Refused(_)));
    assert!(matches!(client.finish(pending, code).await.unwrap_err(), OpenIdError::Refused(_)));
}

#[tokio::test]
async fn a_provider_may_change_its_key() {
    let provider = IdentityProvider::start(anna()).await;
    let client = client_of(provider.issuer());
    sign_in(&client).await.unwrap();
    provider.change_key();
    sign_in(&client).await.unwrap();
    assert_eq!(provider.discoveries(), 2);
}

#[tokio::test]
async fn errors_name_an_unreachable_or_invalid_provider() {
    let issuer = format!("http://127.0.0.1:{}", adoube_test_services::free_port().unwrap());
    let error = client_of(issuer.clone()).begin(false).await.unwrap_err();
    assert!(matches!(error, OpenIdError::Unavailable { .. }));
    assert!(error.to_string().contains(&issuer), "{error}");
    let registration = |issuer: &str| Registration {
        issuer: issuer.into(),
        client_id: "adoube".into(),
        client_secret: None,
        redirect: REDIRECT.into(),
    };
    let error = Provider::new(registration("login.example.org")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the issuer \"login.example.org\" is not an address: relative URL without a base"
    );
}
