//! An operator with an account and a user, as the NATS tools create them.

use data_encoding::BASE64URL_NOPAD;
use nkeys::KeyPair;

pub(crate) struct Issuer {
    operator: KeyPair,
    account: KeyPair,
}

impl Issuer {
    pub(crate) fn new() -> Self {
        Self { operator: KeyPair::new_operator(), account: KeyPair::new_account() }
    }

    /// Returns the settings of a server that accepts the users of the account.
    pub(crate) fn settings(&self) -> String {
        let operator = token(&self.operator, &self.operator, r#""type":"operator""#);
        let unlimited = r#""subs":-1,"data":-1,"payload":-1,"imports":-1,"exports":-1,"conn":-1,"leaf":-1"#;
        let limits = format!(r#""type":"account","limits":{{{unlimited},"wildcards":true}}"#);
        let account = token(&self.operator, &self.account, &limits);
        let id = self.account.public_key();
        format!("operator: {operator}\nresolver: MEMORY\nresolver_preload: {{ {id}: {account} }}")
    }

    /// Returns the content of a credentials file for a new user.
    pub(crate) fn credentials(&self) -> String {
        let user = KeyPair::new_user();
        let token = token(&self.account, &user, r#""type":"user","subs":-1,"data":-1,"payload":-1"#);
        format!(
            "-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n\
             -----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
            user.seed().unwrap()
        )
    }
}

/// Returns claims about one key, signed by another.
fn token(issuer: &KeyPair, subject: &KeyPair, claims: &str) -> String {
    let (issuer_id, id) = (issuer.public_key(), subject.public_key());
    let body = format!(
        r#"{{"jti":"{id}","iat":1700000000,"iss":"{issuer_id}","name":"test","sub":"{id}","nats":{{{claims},"version":2}}}}"#
    );
    let head = BASE64URL_NOPAD.encode(br#"{"typ":"JWT","alg":"ed25519-nkey"}"#);
    let signed = format!("{head}.{}", BASE64URL_NOPAD.encode(body.as_bytes()));
    let signature = issuer.sign(signed.as_bytes()).unwrap();
    format!("{signed}.{}", BASE64URL_NOPAD.encode(&signature))
}
