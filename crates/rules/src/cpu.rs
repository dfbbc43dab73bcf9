//! What the processor can do that not every processor of its family can.

/// Returns whether counting and finding bits are single instructions here that the compiler may not take for
/// granted: POPCNT, LZCNT and BMI, in every x86-64 processor since 2013.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn has_bit_instructions() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("popcnt") && has!("lzcnt") && has!("bmi1") && has!("bmi2")
}
