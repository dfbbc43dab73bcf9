//! Administration: members, classes, invitations, reports, documents, statistics and the audit log.

use adoube_store::{
    AccountChange, AdminChange, AdminStore, Administered, AuditEntry, ClassSummary, HandledReport,
    HouseInvitation, Member, MemberFilter, NameSkeleton, NewAuditEntry, NewHouseInvitation, Registered,
    Result, Statistics, TokenHash,
};
use adoube_vocabulary::{Millis, PlayerId, Role};
use async_trait::async_trait;

use crate::{SqliteStore, read, write::administration};

#[async_trait]
impl AdminStore for SqliteStore {
    async fn administer(&self, change: AdminChange, entry: NewAuditEntry) -> Result<Administered> {
        let deletes = matches!(&change, AdminChange::Account { change: AccountChange::Delete(_), .. });
        let administered = self.writer.apply(administration::Administer { change, entry }).await?;
        if deletes {
            self.writer.truncate_wal();
        }
        Ok(administered)
    }

    async fn has_administrator(&self) -> Result<bool> {
        read::administration::has_administrator(&self.readers).await
    }

    async fn add_first_invitation(&self, new: NewHouseInvitation) -> Result<()> {
        self.writer.apply(administration::AddFirstInvitation(new)).await
    }

    async fn lookup_house_invitation(
        &self,
        token: &TokenHash,
        now: Millis,
    ) -> Result<Option<HouseInvitation>> {
        read::administration::invitation(&self.readers, token, now).await
    }

    async fn claim_role(
        &self,
        player: &PlayerId,
        token: &TokenHash,
        entry: NewAuditEntry,
    ) -> Result<Option<(Role, AuditEntry)>> {
        self.writer.apply(administration::ClaimRole { player: player.clone(), token: *token, entry }).await
    }

    async fn list_members(&self, filter: &MemberFilter, now: Millis) -> Result<Vec<Member>> {
        read::administration::members(&self.readers, filter, now).await
    }

    async fn lookup_member(&self, name: &str, now: Millis) -> Result<Option<Member>> {
        read::administration::member(&self.readers, name, now).await
    }

    async fn list_classes(&self) -> Result<Vec<ClassSummary>> {
        read::administration::classes(&self.readers).await
    }

    async fn check_name(
        &self,
        name: &str,
        skeleton: &NameSkeleton,
        now: Millis,
    ) -> Result<Option<Registered>> {
        read::names::check(&self.readers, name, skeleton, now).await
    }

    async fn list_reports_with_outcomes(
        &self,
        only_open: bool,
        skip: u32,
        limit: u32,
    ) -> Result<Vec<HandledReport>> {
        read::administration::reports(&self.readers, only_open, skip, limit).await
    }

    async fn list_audit(&self, before: Option<i64>, limit: u32) -> Result<Vec<AuditEntry>> {
        read::administration::audit(&self.readers, before, limit).await
    }

    async fn lookup_document(&self, name: &str) -> Result<Option<String>> {
        read::administration::document(&self.readers, name).await
    }

    async fn statistics(&self, since: Millis, now: Millis) -> Result<Statistics> {
        read::administration::statistics(&self.readers, since, now).await
    }
}
