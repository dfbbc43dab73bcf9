use std::collections::HashSet;

use adoube_rules::SearchPosition;

use super::*;

#[test]
fn c10_bundles_contain_exactly_the_reachable_positions() {
    for fen in ["k7/8/8/8/8/8/8/4K2R w K - 0 1", "2kr4/8/8/8/8/8/8/K7 b d - 0 1"] {
        let mut root: Chess = Chess::from_fen(fen).expect("a valid position");
        root.reset_history();
        let mut searches = Color::ALL.map(|free| {
            let mut bundles = Bundles::default();
            bundles.begin_with_free_king(&root, ByColor { white: true, black: true }, free);
            while bundles.resume(u64::MAX) != Pause::Exhausted {
                bundles.event();
            }
            bundles
        });
        // All reachable positions, except those in which neither side has enough to mate.
        let mut reached = HashSet::from([root.key()]);
        let mut left = vec![root];
        while let Some(position) = left.pop() {
            for bundles in &mut searches {
                let packed = Scene::of(&position, bundles.free).packed();
                let index = bundles.index(packed, packed.hash());
                let kings = bundles.scenes[index].kings;
                assert!(kings.contains(position.king(bundles.free)), "{fen}: {}", position.fen());
            }
            position.for_each_successor(&mut |next| {
                let enough = (next.men_of_role(role::ROOK)).any();
                if enough && reached.insert(next.key()) {
                    let mut next = next.clone();
                    next.reset_history();
                    left.push(next);
                }
            });
        }
        for bundles in &searches {
            let squares: usize = bundles.scenes.iter().map(|seen| seen.kings.len()).sum();
            assert_eq!(squares, reached.len(), "{fen}");
        }
    }
}
