//! A game is what its events make of it.

use adoube_game::{Command, DrawRules, Event, Game, NewGame, Options, Seat};
use adoube_rules::{ByColor, Color, Position as _, Variant, coordinate};
use proptest::prelude::*;

fn command(game: &Game, kind: u8, pick: usize) -> Command {
    let by = if pick.is_multiple_of(2) { Color::White } else { Color::Black };
    match kind {
        0 => Command::OfferDraw { by },
        1 => Command::DeclineDraw { by },
        2 => Command::ClaimDraw { by },
        // Endings are rare, so that games become long.
        3 if pick.is_multiple_of(7) => Command::AcceptDraw { by },
        4 if pick.is_multiple_of(31) => Command::Resign { by },
        _ => {
            let turns = game.position().legal_turns();
            let turn =
                turns.get(pick % turns.len().max(1)).map(|turn| coordinate::write(game.position(), turn));
            Command::Play { by: game.turn(), turn: turn.unwrap_or_default(), seen: game.version(), lag_ms: 0 }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn replaying_the_events_gives_the_same_state(
        variant in 0..Variant::ALL.len(),
        fide in any::<bool>(),
        steps in prop::collection::vec((0u8..12, any::<usize>()), 1..150),
    ) {
        let person = |name: &str| Seat::Person { player: name.into() };
        let seats = ByColor { white: person("anna"), black: person("bela") };
        let draw_rules = if fide { DrawRules::Fide } else { DrawRules::Club };
        let new = NewGame { variant: Variant::ALL[variant], fen: None, draw_rules, seats, options: Options::default() };
        let (mut game, mut log) = Game::create(new, 0).unwrap();
        for (now, (kind, pick)) in (0..).zip(steps) {
            let Ok(events) = game.decide(&command(&game, kind, pick), now) else { continue };
            prop_assert!(!events.is_empty());
            for event in events {
                game.apply(&event).unwrap();
                log.push(event);
            }
            prop_assert_eq!(game.version(), log.len() as u64);
        }
        let read = |event: &Event| serde_json::from_str::<Event>(&serde_json::to_string(event).unwrap()).unwrap();
        let log = log.iter().map(read).collect::<Vec<_>>();
        prop_assert_eq!(Game::replay(&log).unwrap(), game);
    }
}
