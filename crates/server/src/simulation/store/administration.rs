//! Administration, which is not simulated. The house has its default settings.

use adoube_protocol::{Millis, PlayerId, Role};
use adoube_store::{
    AdminChange, AdminStore, Administered, AuditEntry, ClassSummary, HandledReport, HouseInvitation, Member,
    MemberFilter, NameSkeleton, NewAuditEntry, NewHouseInvitation, Registered, Result, Statistics, TokenHash,
};
use async_trait::async_trait;

use super::{SimStore, absent};

#[async_trait]
impl AdminStore for SimStore {
    async fn administer(&self, _: AdminChange, _: NewAuditEntry) -> Result<Administered> {
        absent()
    }

    async fn has_administrator(&self) -> Result<bool> {
        absent()
    }

    async fn add_first_invitation(&self, _: NewHouseInvitation) -> Result<()> {
        absent()
    }

    async fn lookup_house_invitation(&self, _: &TokenHash, _: Millis) -> Result<Option<HouseInvitation>> {
        absent()
    }

    async fn claim_role(
        &self,
        _: &PlayerId,
        _: &TokenHash,
        _: NewAuditEntry,
    ) -> Result<Option<(Role, AuditEntry)>> {
        absent()
    }

    async fn list_members(&self, _: &MemberFilter, _: Millis) -> Result<Vec<Member>> {
        absent()
    }

    async fn lookup_member(&self, _: &str, _: Millis) -> Result<Option<Member>> {
        absent()
    }

    async fn list_classes(&self) -> Result<Vec<ClassSummary>> {
        absent()
    }

    async fn check_name(&self, _: &str, _: &NameSkeleton, _: Millis) -> Result<Option<Registered>> {
        absent()
    }

    async fn list_reports_with_outcomes(&self, _: bool, _: u32, _: u32) -> Result<Vec<HandledReport>> {
        absent()
    }

    async fn list_audit(&self, _: Option<i64>, _: u32) -> Result<Vec<AuditEntry>> {
        absent()
    }

    async fn lookup_document(&self, _: &str) -> Result<Option<String>> {
        Ok(None)
    }

    async fn statistics(&self, _: Millis, _: Millis) -> Result<Statistics> {
        absent()
    }
}
