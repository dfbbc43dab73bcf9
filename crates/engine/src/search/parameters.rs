//! The numbers of the search, in one place.

/// Room for killers and for the plies of a line.
pub(crate) const MOST_PLIES: usize = 128;

/// How often the caller is asked whether to stop, in nodes; a power of two.
pub(crate) const NODES_BETWEEN_QUESTIONS: u64 = 256;

/// Forced replies (out of check, or the only taking there is) are searched deeper up to so many times the
/// nominal depth.
pub(crate) const MOST_EXTENSION: usize = 2;

/// Turns of takings after which quiescence believes the evaluation, come what may.
pub(crate) const MOST_QUIET_PLIES: usize = 12;
/// Turns of takings in which quiescence looks at all ways out of check, so that it sees mates.
pub(crate) const CHECK_PLIES: usize = 2;
/// A taking that leaves the side this far below alpha is not tried in quiescence.
pub(crate) const DELTA_MARGIN: i32 = 180;

/// Largest depth at which a position far above beta is believed without a search, and how far per turn of depth.
pub(crate) const FUTILITY_DEPTH: i32 = 4;
pub(crate) const FUTILITY_MARGIN: i32 = 110;

/// Least depth at which passing the turn is tried, and by how much less deep that is searched.
pub(crate) const PASS_DEPTH: i32 = 3;
pub(crate) const PASS_REDUCTION: i32 = 2;

/// Least depth at which late quiet steps are searched less deep.
pub(crate) const REDUCTION_DEPTH: i32 = 3;

/// Returns by how much less deep the step tried as number `index` is searched.
#[inline]
pub(crate) fn reduction(depth: i32, index: usize) -> i32 {
    // A rounded logarithm is enough: of depth and of the index in powers of two.
    let depth = depth.ilog2() as i32;
    let index = (index as u32).max(1).ilog2() as i32;
    (2 + 2 * depth * index) / 5
}
