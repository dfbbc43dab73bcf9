//! Administration: members, classes, invitations, reports, documents, statistics and the audit log.

use adoube_store::{
    AdminChange, AdminStore, Administered, AuditEntry, ClassSummary, HandledReport, HouseInvitation, Member,
    MemberFilter, NameSkeleton, NewAuditEntry, NewHouseInvitation, Registered, Result, Statistics, TokenHash,
};
use adoube_vocabulary::{Millis, PlayerId, Role};
use async_trait::async_trait;

use crate::{PostgresStore, read, write::administration};

#[async_trait]
impl AdminStore for PostgresStore {
    async fn administer(&self, change: AdminChange, entry: NewAuditEntry) -> Result<Administered> {
        self.database.apply(administration::Administer { change, entry }).await
    }

    async fn has_administrator(&self) -> Result<bool> {
        read::administration::has_administrator(&self.database).await
    }

    async fn add_first_invitation(&self, new: NewHouseInvitation) -> Result<()> {
        self.database.apply(administration::AddFirstInvitation(new)).await
    }

    async fn lookup_house_invitation(
        &self,
        token: &TokenHash,
        now: Millis,
    ) -> Result<Option<HouseInvitation>> {
        read::administration::invitation(&self.database, token, now).await
    }

    async fn claim_role(
        &self,
        player: &PlayerId,
        token: &TokenHash,
        entry: NewAuditEntry,
    ) -> Result<Option<(Role, AuditEntry)>> {
        self.database.apply(administration::ClaimRole { player: player.clone(), token: *token, entry }).await
    }

    async fn list_members(&self, filter: &MemberFilter, now: Millis) -> Result<Vec<Member>> {
        read::administration::members(&self.database, filter, now).await
    }

    async fn lookup_member(&self, name: &str, now: Millis) -> Result<Option<Member>> {
        read::administration::member(&self.database, name, now).await
    }

    async fn list_classes(&self) -> Result<Vec<ClassSummary>> {
        read::administration::classes(&self.database).await
    }

    async fn check_name(
        &self,
        name: &str,
        skeleton: &NameSkeleton,
        now: Millis,
    ) -> Result<Option<Registered>> {
        let (name, skeletons) = (name.to_owned(), skeleton.clone());
        self.database.apply(read::names::CheckName { name, skeletons, now }).await
    }

    async fn list_reports_with_outcomes(
        &self,
        only_open: bool,
        skip: u32,
        limit: u32,
    ) -> Result<Vec<HandledReport>> {
        read::administration::reports(&self.database, only_open, skip, limit).await
    }

    async fn list_audit(&self, before: Option<i64>, limit: u32) -> Result<Vec<AuditEntry>> {
        read::administration::audit(&self.database, before, limit).await
    }

    async fn lookup_document(&self, name: &str) -> Result<Option<String>> {
        read::administration::document(&self.database, name).await
    }

    async fn statistics(&self, since: Millis, now: Millis) -> Result<Statistics> {
        read::administration::statistics(&self.database, since, now).await
    }
}
