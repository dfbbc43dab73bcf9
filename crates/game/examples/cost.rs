//! Measures the cost of a turn and the size of a [`Game`], not counting its heap data.
//!
//! `cargo run --release -p adoube-game --example cost` prints the size in bytes, then plays random games of
//! each variant with clocks. For each variant it prints one line of JSON with the mean times to decide a turn
//! and to apply it, in nanoseconds.

use std::time::{Duration, Instant};

use adoube_game::{Act, DrawRules, Game, NewGame, Options, Seat, TimeControl};
use adoube_rules::{ByColor, Position as _, Variant, coordinate};
use adoube_vocabulary::PlayerId;

const TURNS: u32 = 20_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{{\"bytes\":{}}}", size_of::<Game>());
    for variant in Variant::ALL {
        let (mut turns, mut deciding, mut applying) = (0, Duration::ZERO, Duration::ZERO);
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        while turns < TURNS {
            let mut game = new_game(variant)?;
            while game.ending().is_none() && turns < TURNS {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                let legal = game.position().legal_turns();
                let turn = &legal[(random >> 11) as usize % legal.len()];
                let turn = coordinate::write(game.position(), turn);
                let command = Act::Play { version: game.version(), turn }.by(game.side_to_move());
                let start = Instant::now();
                let events = game.decide(&command, i64::from(turns))?;
                let decided = Instant::now();
                for event in &events {
                    game.apply(event)?;
                }
                applying += decided.elapsed();
                deciding += decided - start;
                turns += 1;
            }
        }
        let each = |time: Duration| time.as_nanos() / u128::from(turns);
        println!(
            "{{\"variant\":\"{variant}\",\"decide_ns\":{},\"apply_ns\":{}}}",
            each(deciding),
            each(applying)
        );
    }
    Ok(())
}

fn new_game(variant: Variant) -> Result<Game, Box<dyn std::error::Error>> {
    let person = |random| Seat::Person { player: PlayerId::from_random(random) };
    let options = Options {
        clock: TimeControl::Fischer { initial_ms: 300_000, increment_ms: 3_000 },
        ..Options::default()
    };
    let seats = ByColor { white: person(1), black: person(2) };
    let new = NewGame { variant, fen: None, draw_rules: DrawRules::Club, seats, options };
    Ok(Game::create(new, 0)?.0)
}
