//! The pages for games and invitations. Search engines must not index them, because a game is only for people
//! who have its link.

use adoube_diagram::{Brush, Mark, Marks, Picture};
use adoube_notation::{Language, localise, san};
use adoube_rules::{AnyPosition, Position as _, Turn, Variant};
use adoube_texts::{Args, message, name, text};
use maud::html;

use crate::{
    localized,
    position::numbered,
    shell::{Preview, board, image},
    site::{Document, Index, games, home_link},
};

/// The facts about a game that are shown to anyone with its link.
#[derive(Clone, Debug)]
pub struct GameFacts<'a> {
    /// The id of the game.
    pub id: &'a str,
    /// The position before the first turn.
    pub initial: AnyPosition,
    /// The turns played.
    pub turns: Vec<Turn>,
    /// White's seat.
    pub white: SeatFacts,
    /// Black's seat.
    pub black: SeatFacts,
    /// If the game is over, the names of the result and its reason, such as `white` and `checkmate`.
    pub ending: Option<(&'a str, &'a str)>,
}

/// A player as shown to others.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum SeatFacts {
    /// The seat is not taken yet.
    Open,
    /// A person, with the name of the account if there is one.
    Person(Option<String>),
    /// The machine at a level.
    Machine(u8),
}

fn seat_text(language: Language, seat: &SeatFacts) -> String {
    match seat {
        SeatFacts::Open => text(language, "player-open"),
        SeatFacts::Person(Some(name)) => name.clone(),
        SeatFacts::Person(None) => text(language, "hall-without-name"),
        SeatFacts::Machine(level) => {
            let mut args = Args::new();
            args.set("level", text(language, &format!("level-{level}")));
            message(language, "player-machine", &args)
        }
    }
}

/// Returns a game's page: its last position, its turns and its result.
pub fn game(language: Language, facts: &GameFacts<'_>) -> Document {
    let variant = facts.initial.variant();
    let (mut at, mut turns, mut last) = (facts.initial.clone(), Vec::new(), Vec::new());
    for turn in &facts.turns {
        turns.push(localise(variant, language, &san::write(&at, turn)));
        last = marks_of(&at, turn);
        at.play_turn_unchecked(turn);
    }
    let (white, black) = (seat_text(language, &facts.white), seat_text(language, &facts.black));
    let mut args = Args::new();
    args.set("variant", name(language, variant));
    args.set("white", white.as_str());
    args.set("black", black.as_str());
    let state = state_text(language, facts);
    let title = message(language, "document-game", &args);
    args.set("state", state.as_str());
    let picture = Picture { marks: Marks(last), ..Picture::of(at) };
    Document {
        path: format!("/game/{}", facts.id),
        description: message(language, "document-about-game", &args),
        preview: Some(Preview::of(&picture, &title)),
        main: html! {
            p.lead { (state) }
            (board(&picture, language, &title))
            h2 { (text(language, "moves-title")) }
            @if turns.is_empty() {
                p { (text(language, "moves-none")) }
            } @else {
                p.moves { (numbered(&facts.initial, &turns)) }
            }
            p.links {
                a href={ "/api/games/" (facts.id) "/pgn" } { (text(language, "document-game-pgn")) } " · "
                a href=(localized(language, &format!("/rules/{variant}"))) {
                    (crate::site::with_variant(language, "rules-of", variant))
                }
            }
        },
        title,
        index: Index::Never,
        is_text: false,
        ..Document::new(language)
    }
}

/// Returns arrows along the steps of a turn.
fn marks_of(position: &AnyPosition, turn: &Turn) -> Vec<Mark> {
    let mut current = position.clone();
    let mut marks = Vec::new();
    for &step in turn.steps() {
        marks.push(Mark { brush: Brush::Green, from: step.from(), to: current.destination(step) });
        current.play_unchecked(step);
    }
    marks
}

fn state_text(language: Language, facts: &GameFacts<'_>) -> String {
    if let Some((result, reason)) = facts.ending {
        let mut args = Args::new();
        args.set("result", text(language, &format!("result-{result}")));
        args.set("reason", text(language, &format!("reason-{reason}")));
        return message(language, "announce-result", &args);
    }
    if [&facts.white, &facts.black].contains(&&SeatFacts::Open) {
        return text(language, "document-game-waits");
    }
    let mut args = Args::new();
    args.set("moves", facts.turns.len().div_ceil(2));
    message(language, "document-game-plays", &args)
}

/// Returns the page for the address of a game that does not exist.
pub fn game_missing(language: Language) -> Document {
    unavailable_page(language, ["document-game-missing-title", "document-game-missing"], None)
}

/// The state of an invitation.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum InvitationState<'a> {
    /// The seat is free.
    Open(Variant),
    /// The seat is taken, or the game was aborted. Contains the game's id.
    Over(&'a str),
}

/// Returns the page of an invitation. It may name the variant, but never shows the position of the game.
pub fn invitation(language: Language, state: InvitationState<'_>) -> Document {
    let variant = match state {
        InvitationState::Over(id) => {
            return unavailable_page(
                language,
                ["document-invitation-over-title", "document-invitation-over"],
                Some(id),
            );
        }
        InvitationState::Open(variant) => variant,
    };
    let mut args = Args::new();
    args.set("variant", name(language, variant));
    let title = message(language, "document-invitation", &args);
    let picture = Picture::of(AnyPosition::initial(variant));
    Document {
        description: message(language, "document-about-invitation", &args),
        preview: Some(Preview::of(&picture, &text(language, &format!("diagram-{variant}")))),
        main: html! {
            p.lead { (text(language, &format!("about-{variant}"))) }
            figure.position { (image(&picture, &text(language, &format!("diagram-{variant}")))) }
            p { a href=(localized(language, &format!("/rules/{variant}"))) {
                (crate::site::with_variant(language, "rules-of", variant))
            } }
        },
        title,
        index: Index::Never,
        is_text: false,
        ..Document::new(language)
    }
}

/// Returns the page for the address of an invitation that does not exist.
pub fn invitation_missing(language: Language) -> Document {
    unavailable_page(language, ["document-invitation-missing-title", "document-invitation-missing"], None)
}

/// Returns a page that says that something is not available, and links to other pages.
fn unavailable_page(language: Language, [title, message]: [&str; 2], game: Option<&str>) -> Document {
    let message = text(language, message);
    Document {
        title: text(language, title),
        main: html! {
            p.lead { (message) }
            p.links {
                @if let Some(id) = game {
                    a href=(localized(language, &format!("/game/{id}"))) { (text(language, "invitation-watch")) }
                    " · "
                }
                (home_link(language))
            }
            (games(language))
        },
        description: message,
        index: Index::Never,
        is_text: false,
        ..Document::new(language)
    }
}
