//! A small OpenID Connect provider on a loopback address, which signs in every visitor as the same person.
//!
//! It follows the specification (OpenID Connect Core 1.0, RFC 7636) and does not use the server's library, so
//! that an error in that library is not repeated here. It can be made to fail or to give false responses.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use axum::{
    Form, Json, Router,
    extract::{Query, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use data_encoding::{BASE64, BASE64URL_NOPAD};
use ring::{rand::SystemRandom, rsa::KeyPair, signature};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::net::TcpListener;

/// Keys that are used only in tests.
const KEYS: [&[u8]; 2] =
    [include_bytes!("identity-provider-key-1.der"), include_bytes!("identity-provider-key-2.der")];

/// The person who signs in at the provider.
#[derive(Clone, Debug)]
pub struct Person {
    pub subject: String,
    pub name: Option<String>,
    pub email: Option<String>,
    pub email_verified: bool,
}

/// A way in which the provider misbehaves.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Fault {
    #[default]
    None,
    /// The ID token belongs to another sign-in.
    OtherNonce,
    /// The ID token is for another client.
    OtherClient,
    /// The ID token names another issuer.
    OtherIssuer,
    /// The signature was made with a key that the provider does not publish.
    UnpublishedKey,
    /// The ID token is not signed (`alg: none`).
    Unsigned,
    /// The ID token has expired.
    Expired,
    /// Every code is refused.
    RefusesCodes,
    /// Responses are longer than any ID token.
    HugeResponses,
    /// The token endpoint redirects to another address.
    Redirects,
    /// The person refuses consent.
    Denied,
}

#[derive(Debug)]
struct Inner {
    person: Person,
    fault: Fault,
    /// The index in [`KEYS`] of the key in use.
    key: usize,
    /// The nonce and the PKCE challenge of each code.
    codes: HashMap<String, (String, String)>,
    discoveries: u32,
}

#[derive(Clone, Debug)]
struct Shared {
    address: SocketAddr,
    inner: Arc<Mutex<Inner>>,
}

/// A provider that runs until this is dropped.
#[derive(Debug)]
pub struct IdentityProvider {
    shared: Shared,
    server: tokio::task::JoinHandle<()>,
}

impl Drop for IdentityProvider {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl IdentityProvider {
    /// The id and secret of the only registered client.
    pub const CLIENT: (&'static str, &'static str) = ("adoube", "a secret & a half");

    /// Starts a provider that signs in this person.
    ///
    /// # Panics
    ///
    /// If no port is free, or outside a runtime.
    pub async fn start(person: Person) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let inner = Inner { person, fault: Fault::None, key: 0, codes: HashMap::new(), discoveries: 0 };
        let shared = Shared { address, inner: Arc::new(Mutex::new(inner)) };
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(configuration))
            .route("/keys", get(keys))
            .route("/authorize", get(authorize))
            .route("/token", post(token))
            .with_state(shared.clone());
        let server = tokio::spawn(async move {
            // The server ends with the task.
            let _ = axum::serve(listener, router).await;
        });
        Self { shared, server }
    }

    pub fn issuer(&self) -> String {
        self.shared.issuer()
    }

    pub fn set_person(&self, person: Person) {
        self.shared.inner().person = person;
    }

    pub fn set_fault(&self, fault: Fault) {
        self.shared.inner().fault = fault;
    }

    /// Switches to the other key: from now on the provider signs with that key and publishes no other.
    pub fn change_key(&self) {
        let mut inner = self.shared.inner();
        inner.key = 1 - inner.key;
    }

    /// Returns the number of times that the configuration was read.
    pub fn discoveries(&self) -> u32 {
        self.shared.inner().discoveries
    }
}

impl Shared {
    fn issuer(&self) -> String {
        format!("http://{}", self.address)
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn configuration(State(shared): State<Shared>) -> Json<Value> {
    shared.inner().discoveries += 1;
    let issuer = shared.issuer();
    Json(json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/keys"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
    }))
}

fn key_pair(number: usize) -> KeyPair {
    KeyPair::from_pkcs8(KEYS[number]).expect("a key")
}

async fn keys(State(shared): State<Shared>) -> Json<Value> {
    let number = shared.inner().key;
    let pair = key_pair(number);
    let public: ring::rsa::PublicKeyComponents<Vec<u8>> = pair.public().into();
    Json(json!({ "keys": [{
        "kty": "RSA", "use": "sig", "alg": "RS256", "kid": number.to_string(),
        "n": BASE64URL_NOPAD.encode(&public.n), "e": BASE64URL_NOPAD.encode(&public.e),
    }] }))
}

#[derive(Debug, Deserialize)]
struct Authorize {
    response_type: String,
    client_id: String,
    redirect_uri: String,
    scope: String,
    state: String,
    nonce: String,
    code_challenge: String,
    code_challenge_method: String,
}

async fn authorize(State(shared): State<Shared>, Query(request): Query<Authorize>) -> Response {
    let is_valid = request.response_type == "code"
        && request.client_id == IdentityProvider::CLIENT.0
        && request.scope.split(' ').any(|scope| scope == "openid")
        && request.code_challenge_method == "S256";
    if !is_valid {
        return (StatusCode::BAD_REQUEST, format!("{request:?}")).into_response();
    }
    let mut inner = shared.inner();
    let state = request.state;
    let parameters = if inner.fault == Fault::Denied {
        format!("error=access_denied&state={state}")
    } else {
        let code = format!("code-{}", inner.codes.len());
        inner.codes.insert(code.clone(), (request.nonce, request.code_challenge));
        format!("code={code}&state={state}")
    };
    Redirect::to(&format!("{}?{parameters}", request.redirect_uri)).into_response()
}

#[derive(Debug, Deserialize)]
struct Exchange {
    grant_type: String,
    code: String,
    code_verifier: String,
}

async fn token(State(shared): State<Shared>, headers: HeaderMap, Form(request): Form<Exchange>) -> Response {
    let mut inner = shared.inner();
    let refused = |error: &str| (StatusCode::BAD_REQUEST, Json(json!({ "error": error }))).into_response();
    // The client id and the secret are form-encoded before they are joined (RFC 6749, 2.3.1).
    let secret = "a+secret+%26+a+half";
    let basic =
        format!("Basic {}", BASE64.encode(format!("{}:{secret}", IdentityProvider::CLIENT.0).as_bytes()));
    if headers.get(header::AUTHORIZATION).is_none_or(|given| given.as_bytes() != basic.as_bytes()) {
        return refused("invalid_client");
    }
    // A code can be exchanged only once.
    let Some((nonce, challenge)) = inner.codes.remove(&request.code) else { return refused("invalid_grant") };
    let verifier = BASE64URL_NOPAD.encode(&Sha256::digest(request.code_verifier.as_bytes()));
    if request.grant_type != "authorization_code"
        || verifier != challenge
        || inner.fault == Fault::RefusesCodes
    {
        return refused("invalid_grant");
    }
    match inner.fault {
        Fault::HugeResponses => return "x".repeat(5 << 20).into_response(),
        Fault::Redirects => return Redirect::temporary("/authorize").into_response(),
        _ => {}
    }
    let id_token = id_token(&shared.issuer(), &inner, &nonce);
    Json(json!({ "access_token": "unused", "token_type": "Bearer", "id_token": id_token })).into_response()
}

fn id_token(issuer: &str, inner: &Inner, nonce: &str) -> String {
    #[expect(clippy::disallowed_methods, reason = "a provider is another machine, with a clock of its own")]
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs());
    let fault = inner.fault;
    let number = if fault == Fault::UnpublishedKey { 1 - inner.key } else { inner.key };
    let (issued, expires) = if fault == Fault::Expired { (now - 7200, now - 3600) } else { (now, now + 300) };
    let Person { subject, name, email, email_verified } = &inner.person;
    let mut claims = json!({
        "iss": if fault == Fault::OtherIssuer { "https://else.example.org" } else { issuer },
        "aud": if fault == Fault::OtherClient { "somebody" } else { IdentityProvider::CLIENT.0 },
        "nonce": if fault == Fault::OtherNonce { "another" } else { nonce },
        "sub": subject, "iat": issued, "exp": expires,
    });
    if let Some(name) = name {
        claims["preferred_username"] = json!(name);
    }
    if let Some(email) = email {
        claims["email"] = json!(email);
        claims["email_verified"] = json!(email_verified);
    }
    let alg = if fault == Fault::Unsigned { "none" } else { "RS256" };
    // The token names the published key even if it is signed with the other one.
    let head = json!({ "alg": alg, "kid": inner.key.to_string() });
    let signed = [head, claims].map(|part| BASE64URL_NOPAD.encode(part.to_string().as_bytes())).join(".");
    if fault == Fault::Unsigned {
        return format!("{signed}.");
    }
    let pair = key_pair(number);
    let mut signature_bytes = vec![0; pair.public().modulus_len()];
    pair.sign(&signature::RSA_PKCS1_SHA256, &SystemRandom::new(), signed.as_bytes(), &mut signature_bytes)
        .expect("a signature");
    format!("{signed}.{}", BASE64URL_NOPAD.encode(&signature_bytes))
}
