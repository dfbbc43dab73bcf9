/// A defect that is injected to show that the checks notice it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Fault {
    /// The store acknowledges before the commit.
    AnswerBeforeCommit,
    /// The store forgets which commands were carried out.
    ForgetCommands,
    /// The store appends regardless of the version.
    AppendWithoutComparing,
    /// The store forgets downtimes.
    ForgetDowntimes,
    /// The process does not notice its pauses.
    IgnoreStalls,
    /// The store forgets which games have a deadline.
    ForgetDeadlines,
    /// The bus loses notices without reporting the loss.
    LoseNotices,
    /// A process knows only its own connected players.
    IgnorePresence,
    /// The players connected to a process are not stored.
    ForgetPresence,
    /// The players of a dead process never count as disconnected.
    KeepDeadPresence,
    /// Notices about games, rooms and the hall do not reach other processes.
    KeepEventsLocal,
    /// Notices about sessions, accounts and other changes that affect all processes do not reach other
    /// processes.
    KeepChangesLocal,
    /// A process that starts adds the time since the last stored heartbeat as a downtime, even if another one
    /// was serving.
    DowntimeAtEachStart,
    /// Games whose time is up are not looked up; each process knows only those that it has loaded.
    ForgetDueGames,
    /// Names that were looked up are remembered forever.
    RememberNames,
    /// Any number of processes may think about the same turn of the machine.
    GrantEveryClaim,
    /// A claim on one of the machine's turns outlives the process that made it.
    ClaimForever,
    /// No process looks for machine turns that another one has abandoned.
    ForgetMachineTurns,
    /// A lease never expires.
    LeaseForever,
    /// A lease expires before its next renewal.
    LeaseTooShort,
    /// The players of a dead process are not refunded.
    ForgetRefunds,
    /// Players who reconnect before a process's death has been noticed are not refunded.
    ForgetReturns,
    /// When a process dies, all players are refunded, even those who were not connected to it.
    RefundAllPlayers,
}
