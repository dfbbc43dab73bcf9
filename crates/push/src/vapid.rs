//! The signature that identifies the sender of a message to a push service: VAPID (RFC 8292).

use std::fmt;

use data_encoding::BASE64URL_NOPAD as BASE64;
use p256::{
    SecretKey,
    ecdsa::{Signature, SigningKey, signature::Signer as _},
    elliptic_curve::sec1::ToSec1Point as _,
};
use serde_json::json;

use crate::KeyError;

/// A sender's key. A subscription made with it accepts only messages signed with it.
#[derive(Clone)]
pub struct VapidKey {
    signing: SigningKey,
    /// The public key, as pages pass it to `PushManager.subscribe`.
    public: String,
}

impl VapidKey {
    /// The length of a key in bytes.
    pub const BYTES: usize = 32;

    /// Reads a private key. Almost every string of [`BYTES`](Self::BYTES) bytes is one.
    pub fn new(bytes: &[u8]) -> Result<Self, KeyError> {
        if bytes.len() != Self::BYTES {
            return Err(KeyError::Private);
        }
        let signing = SigningKey::from_slice(bytes).map_err(|_| KeyError::Private)?;
        let point = signing.verifying_key().as_affine().to_sec1_point(false);
        let public = BASE64.encode(point.as_bytes());
        Ok(Self { signing, public })
    }

    /// Returns the public key, an uncompressed point, in unpadded base64url.
    pub fn public(&self) -> &str {
        &self.public
    }

    /// Returns the `Authorization` header of a request to a push service with the origin `audience`. It is
    /// valid until `expires_s`, in seconds since 1970, at most a day ahead. `subject` is an `https:` or
    /// `mailto:` URL at which the service's operators can reach the sender's operator.
    pub fn authorization(&self, audience: &str, subject: Option<&str>, expires_s: i64) -> String {
        let mut claims = json!({ "aud": audience, "exp": expires_s });
        if let Some(subject) = subject {
            claims["sub"] = subject.into();
        }
        let header = BASE64.encode(br#"{"typ":"JWT","alg":"ES256"}"#);
        let signed = format!("{header}.{}", BASE64.encode(claims.to_string().as_bytes()));
        let signature: Signature = self.signing.sign(signed.as_bytes());
        format!("vapid t={signed}.{}, k={}", BASE64.encode(&signature.to_bytes()), self.public)
    }
}

/// Returns `true` if the bytes are a valid private key. Almost every string of the right length is one.
pub fn is_private_key(bytes: &[u8]) -> bool {
    bytes.len() == VapidKey::BYTES && SecretKey::from_slice(bytes).is_ok()
}

impl fmt::Debug for VapidKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VapidKey").field("public", &self.public).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};

    use super::*;

    /// The signature is verified by another implementation.
    #[test]
    fn requests_are_signed_for_one_service() {
        let key = VapidKey::new(&[7; 32]).unwrap();
        let header = key.authorization("https://push.example.org", Some("https://chess.example.org"), 1_000);
        let (token, public) =
            header.strip_prefix("vapid t=").and_then(|rest| rest.split_once(", k=")).unwrap();
        assert_eq!(public, key.public());
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let point = BASE64.decode(public.as_bytes()).unwrap();
        let signature = BASE64.decode(signature.as_bytes()).unwrap();
        let verify = |text: &str| {
            UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, &point).verify(text.as_bytes(), &signature)
        };
        assert!(verify(signed).is_ok());
        assert!(verify(&signed.replace('.', ".a")).is_err());
        let (head, claims) = signed.split_once('.').unwrap();
        let read = |part: &str| -> serde_json::Value {
            serde_json::from_slice(&BASE64.decode(part.as_bytes()).unwrap()).unwrap()
        };
        assert_eq!(read(head), json!({ "typ": "JWT", "alg": "ES256" }));
        let expected = json!({
            "aud": "https://push.example.org", "exp": 1_000, "sub": "https://chess.example.org",
        });
        assert_eq!(read(claims), expected);
    }

    #[test]
    fn keys_are_checked_and_not_printed() {
        for wrong in [&[][..], &[7; 31], &[7; 33], &[0; 32], &[255; 32]] {
            assert_eq!(VapidKey::new(wrong).unwrap_err(), KeyError::Private);
            assert!(!is_private_key(wrong));
        }
        assert!(is_private_key(&[7; 32]));
        assert!(!format!("{:?}", VapidKey::new(&[7; 32]).unwrap()).contains("07"));
    }
}
