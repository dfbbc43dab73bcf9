//! Plays levels against each other and prints the results and the time per turn: `tournament [games] [variant]`.
//!
//! Every pairing plays the same seeds with either colour, so a change of the engine shows as a change of points.

use std::time::{Duration, Instant};

use adoube_engine::{AlphaBeta, Level, Opponent};
use adoube_rules::{AnyPosition, Color, DrawRules, Position, Variant};

/// Games that last longer are counted as draws.
const MOST_PLIES: u32 = 300;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let games: u64 = arguments.next().map_or(Ok(4), |text| text.parse())?;
    let only: Option<Variant> = arguments.next().map(|text| text.parse()).transpose()?;
    for variant in Variant::ALL.into_iter().filter(|&variant| only.is_none_or(|only| only == variant)) {
        for (strong, weak) in
            [(Level::Two, Level::One), (Level::Three, Level::One), (Level::Three, Level::Two)]
        {
            let (mut wins, mut draws, mut losses) = (0, 0, 0);
            let mut slowest = Duration::ZERO;
            for game in 0..games {
                let side = Color::ALL[usize::from(game % 2 == 1)];
                match play(variant, [strong, weak], side, game / 2, &mut slowest) {
                    Some(winner) if winner == side => wins += 1,
                    Some(_) => losses += 1,
                    None => draws += 1,
                }
            }
            let (strong, weak) = (strong.number(), weak.number());
            println!(
                "{variant}: level {strong} against {weak}: +{wins} ={draws} -{losses}, slowest turn {slowest:?}"
            );
        }
    }
    Ok(())
}

/// Plays a game, the first level with `side`; returns the winner.
fn play(
    variant: Variant,
    [first, second]: [Level; 2],
    side: Color,
    seed: u64,
    slowest: &mut Duration,
) -> Option<Color> {
    let mut position = AnyPosition::initial(variant);
    let mut history = Vec::new();
    for ply in 0..MOST_PLIES {
        if let Some(outcome) = position.outcome(DrawRules::Club) {
            return outcome.winner();
        }
        if history.iter().filter(|&&key| key == position.key()).count() >= 2 {
            return (variant == Variant::Interweave).then_some(position.turn());
        }
        if position.halfmove_clock() >= 100 {
            return None;
        }
        let level = if position.turn() == side { first } else { second };
        let start = Instant::now();
        let turn =
            AlphaBeta::default()
                .choose(&position, &history, level, seed << 32 | u64::from(ply), &|| false)?;
        *slowest = start.elapsed().max(*slowest);
        history.push(position.key());
        position.play_turn_unchecked(&turn);
    }
    None
}
