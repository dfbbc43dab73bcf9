//! The networks built into the program.

use std::sync::{Arc, OnceLock};

use adoube_rules::Variant;

use super::Network;
use crate::game::Profile;

/// Returns the built-in network of a variant, if there is one. Every built-in network plays better than the
/// hand-crafted evaluation. The engine for browsers has none: the page fetches the one for its variant.
pub fn embedded(variant: Variant) -> Option<Arc<Network>> {
    static NETWORKS: [OnceLock<Option<Arc<Network>>>; Variant::COUNT] =
        [const { OnceLock::new() }; Variant::COUNT];
    // A test checks that all built-in networks can be read.
    NETWORKS[variant.index()]
        .get_or_init(|| Network::from_bytes(variant, Profile::of(variant).network?).ok().map(Arc::new))
        .clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_network_can_be_read() {
        for variant in Variant::ALL {
            let Some(bytes) = Profile::of(variant).network else {
                assert_eq!(embedded(variant), None, "{variant} uses the hand-crafted evaluation");
                continue;
            };
            assert!(bytes.len() < 1_500_000, "{variant}: {} bytes", bytes.len());
            let network = embedded(variant).unwrap_or_else(|| panic!("the network of {variant}"));
            assert_eq!(network.variant(), variant);
        }
        assert!(Profile::of(Variant::DEFAULT).network.is_some());
    }
}
