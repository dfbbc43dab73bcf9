use adoube_store::Result;
use adoube_vocabulary::{PlayerId, Version};
use sqlx::sqlite::SqliteConnection;

use crate::{error::translate, text::version, writer::Change};

pub(crate) struct SetPreferences {
    pub(crate) player: PlayerId,
    pub(crate) based_on: Version,
    pub(crate) document: String,
}

impl Change for SetPreferences {
    type Output = Option<Version>;

    async fn apply(&self, connection: &mut SqliteConnection) -> Result<Option<Version>> {
        let first = "INSERT INTO preferences (player, version, document) \
                     SELECT player, 1, ?2 FROM accounts WHERE player = ?1 AND name IS NOT NULL AND ?3 = 0 \
                     ON CONFLICT DO NOTHING RETURNING version";
        let next = "UPDATE preferences SET version = version + 1, document = ?2 \
                    WHERE player = ?1 AND version = ?3 RETURNING version";
        let based_on = i64::try_from(self.based_on.0).unwrap_or(i64::MAX);
        let row = sqlx::query(if based_on == 0 { first } else { next })
            .bind(self.player.as_str())
            .bind(&self.document)
            .bind(based_on)
            .fetch_optional(connection)
            .await
            .map_err(translate)?;
        row.map(|row| version(&row, "preferences")).transpose()
    }
}
