//! Requests huge pages for large tables with random access. With small pages, address translation takes
//! longer than the access itself.

/// Asks the system for huge pages for memory that a vector has reserved but not touched yet. This is a hint
/// that affects only speed.
pub(crate) fn prefer_huge_pages<T>(reserved: &mut Vec<T>) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 4_096;
        let spare = reserved.spare_capacity_mut();
        let start = spare.as_mut_ptr().cast::<u8>();
        let skipped = start.align_offset(PAGE);
        let Some(length) = size_of_val(spare).checked_sub(skipped) else { return };
        // SAFETY: the range lies inside memory that the vector owns, and this advice does not change it.
        // Measured on four positions, a second each, with a table of 64 MiB: 1.44 million nodes/s with the
        // hint, 1.32 million without.
        #[expect(unsafe_code, reason = "there is no safe way to give the hint")]
        unsafe {
            libc::madvise(start.add(skipped).cast(), length / PAGE * PAGE, libc::MADV_HUGEPAGE);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = reserved;
}
