//! The audience of a notice about a game, as a bit set.

use adoube_protocol::ChatRoom;
use adoube_rules::Color;

const WHITE: u8 = 1;
const BLACK: u8 = 2;
const SPECTATORS: u8 = 4;
pub(crate) const ALL: u8 = WHITE | BLACK | SPECTATORS;

/// Returns a player's bit or, for `None`, the bit of all spectators.
pub(crate) fn of(viewer: Option<Color>) -> u8 {
    match viewer {
        Some(Color::White) => WHITE,
        Some(Color::Black) => BLACK,
        None => SPECTATORS,
    }
}

pub(crate) fn of_room(room: ChatRoom) -> u8 {
    match room {
        ChatRoom::Players => WHITE | BLACK,
        ChatRoom::Watchers => SPECTATORS,
    }
}

/// Returns the set of the viewers for whom the predicate holds.
pub(crate) fn viewers(may_know: impl Fn(Option<Color>) -> bool) -> u8 {
    let viewers = [Some(Color::White), Some(Color::Black), None];
    viewers.into_iter().filter(|&viewer| may_know(viewer)).map(of).sum()
}
