//! CPU features that not every x86-64 processor has.

/// Returns `true` if the processor has the instructions POPCNT and LZCNT and the extensions BMI1 and BMI2,
/// which count, find and extract bits. Most x86-64 processors since 2013 have them, but the compiler cannot
/// rely on that.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn has_bit_instructions() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("popcnt") && has!("lzcnt") && has!("bmi1") && has!("bmi2")
}
