//! Encrypts messages for one browser: `aes128gcm` (RFC 8188) with the keys of its subscription (RFC 8291).

use p256::{PublicKey, SecretKey, ecdh::diffie_hellman, elliptic_curve::sec1::ToSec1Point as _};
use ring::{
    aead::{AES_128_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    hkdf::{HKDF_SHA256, KeyType, Salt},
};
use thiserror::Error;

use crate::KeyError;

/// The record size in the header. A message is a single record.
const RECORD_BYTES: u32 = 4096;
/// The number of bytes that a record adds to the message: a delimiter and a tag.
const OVERHEAD: usize = 1 + 16;
/// The length of an uncompressed point in bytes.
const POINT_BYTES: u8 = 65;
/// The maximum length of a message in bytes. Push services accept bodies of up to 4096 bytes, header
/// included.
pub const MAX_BYTES: usize = RECORD_BYTES as usize - OVERHEAD - (16 + 4 + 1 + POINT_BYTES as usize);

/// The reason why a message cannot be encrypted.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum EncryptionError {
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error("a message can be at most {MAX_BYTES} bytes long, not {0}")]
    TooLong(usize),
    #[error("the message could not be encrypted")]
    Cipher,
}

/// The keys of a subscription, which identify the browser that can read a message.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Receiver {
    key: PublicKey,
    secret: [u8; 16],
}

impl Receiver {
    /// Reads the keys that browsers call `p256dh` and `auth`.
    pub fn new(p256dh: &[u8], auth: &[u8]) -> Result<Self, KeyError> {
        // Browsers send an uncompressed point, and the key derivation uses the same form.
        if p256dh.len() != usize::from(POINT_BYTES) {
            return Err(KeyError::Public);
        }
        let key = PublicKey::from_sec1_bytes(p256dh).map_err(|_| KeyError::Public)?;
        let secret = auth.try_into().map_err(|_| KeyError::Secret(auth.len()))?;
        Ok(Self { key, secret })
    }

    /// Encrypts a message, and returns the body of the request. `private` and `salt` must be random, and must
    /// not be used for another message.
    pub fn encrypt(
        &self,
        message: &[u8],
        private: &[u8; 32],
        salt: &[u8; 16],
    ) -> Result<Vec<u8>, EncryptionError> {
        if message.len() > MAX_BYTES {
            return Err(EncryptionError::TooLong(message.len()));
        }
        let private = SecretKey::from_slice(private).map_err(|_| KeyError::Private)?;
        let sender = private.public_key().to_sec1_point(false);
        let shared = diffie_hellman(private.to_nonzero_scalar(), self.key.as_affine());
        let keys = keys(
            shared.raw_secret_bytes(),
            &self.secret,
            (self.key.to_sec1_point(false).as_bytes(), sender.as_bytes()),
            salt,
        )?;
        let mut record = message.to_vec();
        // The delimiter of the last record.
        record.push(2);
        keys.0
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(keys.1), Aad::empty(), &mut record)
            .map_err(|_| EncryptionError::Cipher)?;
        let mut body = Vec::with_capacity(16 + 4 + 1 + usize::from(POINT_BYTES) + record.len());
        body.extend(salt);
        body.extend(RECORD_BYTES.to_be_bytes());
        body.push(POINT_BYTES);
        body.extend(sender.as_bytes());
        body.extend(record);
        Ok(body)
    }
}

struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

/// Derives the key and the nonce of a message.
fn keys(
    shared: &[u8],
    secret: &[u8; 16],
    (receiver, sender): (&[u8], &[u8]),
    salt: &[u8; 16],
) -> Result<(LessSafeKey, [u8; NONCE_LEN]), EncryptionError> {
    let derive = |salt: &[u8], input: &[u8], info: &[&[u8]], output: &mut [u8]| {
        Salt::new(HKDF_SHA256, salt)
            .extract(input)
            .expand(info, Length(output.len()))
            .and_then(|key| key.fill(output))
            .map_err(|_| EncryptionError::Cipher)
    };
    let (mut input, mut key, mut nonce) = ([0; 32], [0; 16], [0; NONCE_LEN]);
    derive(secret, shared, &[b"WebPush: info\0", receiver, sender], &mut input)?;
    derive(salt, &input, &[b"Content-Encoding: aes128gcm\0"], &mut key)?;
    derive(salt, &input, &[b"Content-Encoding: nonce\0"], &mut nonce)?;
    let key = UnboundKey::new(&AES_128_GCM, &key).map_err(|_| EncryptionError::Cipher)?;
    Ok((LessSafeKey::new(key), nonce))
}

/// Decrypts the body of a request as the browser with this private key would. Used to test senders.
pub fn decrypt(body: &[u8], private: &[u8; 32], auth: &[u8; 16]) -> Option<Vec<u8>> {
    let (salt, rest) = body.split_first_chunk::<16>()?;
    let (_, rest) = rest.split_first_chunk::<4>()?;
    let (length, rest) = rest.split_first()?;
    let (sender, record) = rest.split_at_checked(usize::from(*length))?;
    let private = SecretKey::from_slice(private).ok()?;
    let receiver = private.public_key().to_sec1_point(false);
    let key = PublicKey::from_sec1_bytes(sender).ok()?;
    let shared = diffie_hellman(private.to_nonzero_scalar(), key.as_affine());
    let (key, nonce) = keys(shared.raw_secret_bytes(), auth, (receiver.as_bytes(), sender), salt).ok()?;
    let mut record = record.to_vec();
    let plain = key.open_in_place(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut record).ok()?;
    let end = plain.iter().rposition(|byte| *byte != 0)?;
    (plain[end] == 2).then(|| plain[..end].to_vec())
}

/// Returns the public key that belongs to a private one, in the form that browsers send.
pub fn public_key(private: &[u8; 32]) -> Result<Vec<u8>, KeyError> {
    let private = SecretKey::from_slice(private).map_err(|_| KeyError::Private)?;
    Ok(private.public_key().to_sec1_point(false).as_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use data_encoding::BASE64URL_NOPAD as BASE64;

    use super::*;

    fn bytes<const N: usize>(text: &str) -> [u8; N] {
        BASE64.decode(text.as_bytes()).unwrap().try_into().unwrap()
    }

    const SENDER: &str = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw";
    const BROWSER: &str = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94";
    const BROWSER_PUBLIC: &str =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    const SALT: &str = "DGv6ra1nlYgDCS1FRnbzlw";
    const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";

    /// The example in RFC 8291, section 5 and appendix A.
    #[test]
    fn the_example_in_rfc_8291_is_encrypted_identically() {
        let message = b"When I grow up, I want to be a watermelon";
        let public = BASE64.decode(BROWSER_PUBLIC.as_bytes()).unwrap();
        assert_eq!(public_key(&bytes(BROWSER)).unwrap(), public);
        let receiver = Receiver::new(&public, &bytes::<16>(AUTH)).unwrap();
        let body = receiver.encrypt(message, &bytes(SENDER), &bytes(SALT)).unwrap();
        assert_eq!(
            BASE64.encode(&body),
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml\
             mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT\
             pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        );
        assert_eq!(decrypt(&body, &bytes(BROWSER), &bytes(AUTH)).unwrap(), message);
    }

    #[test]
    fn only_the_subscribed_browser_can_read_a_message() {
        let receiver = Receiver::new(&public_key(&[1; 32]).unwrap(), &[2; 16]).unwrap();
        for length in [0, 1, 100, MAX_BYTES] {
            let message = vec![7; length];
            let body = receiver.encrypt(&message, &[3; 32], &[4; 16]).unwrap();
            assert!(body.len() <= 4096);
            assert_eq!(decrypt(&body, &[1; 32], &[2; 16]).unwrap(), message);
            assert_eq!(decrypt(&body, &[5; 32], &[2; 16]), None);
            assert_eq!(decrypt(&body, &[1; 32], &[5; 16]), None);
            assert_eq!(decrypt(&body[..body.len() - 1], &[1; 32], &[2; 16]), None);
        }
        let long = receiver.encrypt(&vec![7; MAX_BYTES + 1], &[3; 32], &[4; 16]);
        assert_eq!(long, Err(EncryptionError::TooLong(MAX_BYTES + 1)));
        assert_eq!(receiver.encrypt(b"", &[0; 32], &[4; 16]), Err(KeyError::Private.into()));
    }

    #[test]
    fn keys_from_browsers_are_checked() {
        let public = public_key(&[1; 32]).unwrap();
        let mut off_the_curve = public.clone();
        off_the_curve[64] ^= 1;
        let mut compressed = public[..33].to_vec();
        compressed[0] = 2 + (public[64] & 1);
        for wrong in [&[][..], &[0], &public[..64], &off_the_curve, &compressed, &[4; 65]] {
            assert_eq!(Receiver::new(wrong, &[2; 16]), Err(KeyError::Public), "{wrong:?}");
        }
        assert_eq!(Receiver::new(&public, &[2; 15]), Err(KeyError::Secret(15)));
    }
}
