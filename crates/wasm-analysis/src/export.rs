//! Exports to TypeScript the types that the page shares with this crate.

use std::{fs, path::Path};

use ts_rs::{Config, TS};

use crate::{
    AnswerView, EnPassantView, GameView, InfoView, LineView, ManView, NodeView, PgnFile, PgnProblem, PgnView,
    PvView, ReserveView, SearchRequest, SetupView, TagView,
};

fn declaration<T: TS>(config: &Config) -> String {
    format!("export {}\n", T::decl(config))
}

/// Rewrites the file if it differs, and then fails, because the committed version was out of date.
#[test]
fn committed_types_are_up_to_date() {
    let config = Config::new();
    let expected = [
        "// Written by the tests of crates/wasm-analysis. Do not edit.\n".to_owned(),
        "import type { Square } from './board';\nimport type { Color } from './api';\n".to_owned(),
        "import type { Refusal } from './refusal';\nimport type { Role, Variant } from './variants';\n"
            .to_owned(),
        declaration::<SearchRequest>(&config),
        declaration::<PvView>(&config),
        declaration::<InfoView>(&config),
        declaration::<AnswerView>(&config),
        declaration::<ManView>(&config),
        declaration::<ReserveView>(&config),
        declaration::<EnPassantView>(&config),
        declaration::<SetupView>(&config),
        declaration::<TagView>(&config),
        declaration::<LineView>(&config),
        declaration::<NodeView>(&config),
        declaration::<GameView>(&config),
        declaration::<PgnProblem>(&config),
        declaration::<PgnView>(&config),
        declaration::<PgnFile>(&config),
    ]
    .concat();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/lib/analysis-types.ts");
    if fs::read_to_string(&path).ok().as_ref() != Some(&expected) {
        fs::write(&path, expected).unwrap();
        panic!("{} was out of date and has been rewritten", path.display());
    }
}
