//! Input: a message, a request or a game event, as JSON. It is parsed or refused, and whatever is parsed
//! round-trips.
#![no_main]

use adoube_protocol::{
    ChangeAccount, ClientMessage, CreateChallenge, CreateGame, CreateSeek, HallClientMessage, Recover,
    Register, SignIn,
};
use libfuzzer_sys::fuzz_target;
use serde::{Serialize, de::DeserializeOwned};

fn read<T: DeserializeOwned + Serialize + PartialEq + std::fmt::Debug>(text: &str) {
    if let Ok(message) = serde_json::from_str::<T>(text) {
        let written = serde_json::to_string(&message).unwrap();
        assert_eq!(serde_json::from_str::<T>(&written).unwrap(), message, "{written}");
    }
}

fuzz_target!(|text: &str| {
    read::<ClientMessage>(text);
    read::<HallClientMessage>(text);
    read::<CreateGame>(text);
    read::<CreateSeek>(text);
    read::<CreateChallenge>(text);
    read::<Register>(text);
    read::<SignIn>(text);
    read::<ChangeAccount>(text);
    read::<Recover>(text);
    read::<adoube_game::Event>(text);
});
