//! The built-in networks.

use std::{env, fs, path::Path};

use adoube_engine::network::embedded;
use adoube_rules::Variant;

/// Networks make up most of the size of the engine, so it must not contain one twice.
#[test]
fn each_network_is_in_the_program_once() {
    let program = fs::read(env::current_exe().unwrap()).unwrap();
    for variant in Variant::ALL.into_iter().filter(|&variant| embedded(variant).is_some()) {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("networks/{variant}.network"));
        let network = fs::read(file).unwrap();
        let middle = &network[network.len() / 2..][..256];
        let copies = program.windows(middle.len()).filter(|&window| window == middle).count();
        assert_eq!(copies, 1, "{variant}");
    }
}
