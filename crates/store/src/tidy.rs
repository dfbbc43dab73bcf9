use adoube_vocabulary::Millis;

/// Age limits, as times: older data is deleted. `None` keeps the data forever.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Ages {
    /// Games waiting for a second player.
    pub unjoined_games: Option<Millis>,
    /// Games that ended without a result, before both sides had played a turn or by adjudication, and that do
    /// not belong to a match.
    pub called_off_games: Option<Millis>,
    /// Finished games in which no player ever had an account, including games against the machine.
    pub anonymous_games: Option<Millis>,
    /// Reports of chat messages.
    pub reports: Option<Millis>,
    /// Sessions, recovery links and proposals that expired before this time.
    pub expired: Option<Millis>,
}

/// The number of items deleted, or to be deleted, by kind.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Tidied {
    pub unjoined_games: u64,
    pub called_off_games: u64,
    pub anonymous_games: u64,
    pub reports: u64,
    pub sessions: u64,
    pub recoveries: u64,
    pub proposals: u64,
}

impl Tidied {
    /// Returns the counts, each with the name of its kind.
    pub fn counts(&self) -> [(&'static str, u64); 7] {
        [
            ("unjoined games", self.unjoined_games),
            ("called-off games", self.called_off_games),
            ("anonymous games", self.anonymous_games),
            ("reports", self.reports),
            ("sessions", self.sessions),
            ("recovery links", self.recoveries),
            ("proposals", self.proposals),
        ]
    }

    /// Returns the number of games of all kinds.
    pub fn games(&self) -> u64 {
        self.unjoined_games + self.called_off_games + self.anonymous_games
    }

    /// Returns the largest count. If it equals the limit, there may be more to delete.
    pub fn largest_count(&self) -> u64 {
        self.counts().into_iter().map(|(_, count)| count).max().unwrap_or_default()
    }
}

impl std::ops::AddAssign for Tidied {
    fn add_assign(&mut self, more: Self) {
        self.unjoined_games += more.unjoined_games;
        self.called_off_games += more.called_off_games;
        self.anonymous_games += more.anonymous_games;
        self.reports += more.reports;
        self.sessions += more.sessions;
        self.recoveries += more.recoveries;
        self.proposals += more.proposals;
    }
}
