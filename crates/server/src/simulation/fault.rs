/// A fault that is injected to see whether it is noticed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Fault {
    /// The store answers before the commit.
    AnswerBeforeCommit,
    /// The store forgets which commands were carried out.
    ForgetCommands,
    /// The store appends regardless of the version.
    AppendWithoutComparing,
    /// The store forgets downtimes.
    ForgetDowntimes,
    /// The process does not notice its pauses.
    IgnoreStalls,
    /// The store forgets which games run.
    ForgetRunning,
    /// The bus loses notices without reporting it.
    LoseNotices,
}
