//! Exports to TypeScript the types and constants that the page shares with this crate.

use std::{fs, path::Path};

use adoube_game::{GIFT_MS, LEFT_AFTER_MS, MAX_CONDITIONS};
use ts_rs::{Config, TS as _};

use crate::PossibleActView;

#[test]
fn committed_types_are_up_to_date() {
    let possible_act = PossibleActView::decl(&Config::new());
    let expected = format!(
        "// Written by the tests of crates/wasm-game. Do not edit.\n\
         import type {{ Act, GameResult }} from './api';\n\
         /** The time for which a player must have been away before the opponent may claim the win, in milliseconds. */\n\
         export const leftAfterMs = {LEFT_AFTER_MS};\n\
         /** The time added to a clock when a player gives time to the opponent, in milliseconds. */\n\
         export const giftMs = {GIFT_MS};\n\
         /** The maximum number of replies in a tree of conditional turns. */\n\
         export const maxConditions = {MAX_CONDITIONS};\n\
         export {possible_act}\n"
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/lib/game-types.ts");
    if fs::read_to_string(&path).is_ok_and(|found| found == expected) {
        return;
    }
    fs::write(&path, expected).unwrap();
    panic!("{} was out of date and has been rewritten", path.display());
}
