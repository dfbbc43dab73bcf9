//! Answers to administrative queries.

use std::collections::HashMap;

use adoube_documents::AuditDocument;
use adoube_protocol::{
    AdminOverview, AdminQuery, AuditCheck, AuditLine, AuditList, AuditQuery, ChatReport, HandledReport,
    HouseStatistics, Member, MemberList, MemberQuery, Millis, PlayerId, ReportList, ReportQuery,
    ReportedLine, Role,
};
use adoube_store::{self as store, MemberFilter, Report, check_audit};
use serde_json::Value;

use super::{Actor, Administration, DAY_MS, audit, classes::house_class};
use crate::error::{Error, LogError};

/// The number of entries per page.
const PAGE: u32 = 50;
/// The period that counts as recent in the statistics, in days.
const RECENT_DAYS: i64 = 30;

impl Administration {
    /// Answers a query if the actor's role allows it.
    pub(crate) async fn answer(&self, actor: &Actor, query: &AdminQuery) -> Result<Value, Error> {
        actor.may_query(query)?;
        let value = match query {
            AdminQuery::Overview => serde_json::to_value(self.overview(actor).await?),
            AdminQuery::Members(query) => serde_json::to_value(self.members(actor, query).await?),
            AdminQuery::Classes => serde_json::to_value(self.classes().await?),
            AdminQuery::Reports(query) => serde_json::to_value(self.reports(query).await?),
            AdminQuery::Audit(query) => serde_json::to_value(self.audit(query).await?),
            AdminQuery::CheckAudit => {
                let found = check_audit(&*self.parts.store).await?;
                serde_json::to_value(AuditCheck { entries: found.ok(), broken_at: found.err() })
            }
        };
        Ok(value.map_err(LogError::Write)?)
    }

    async fn overview(&self, actor: &Actor) -> Result<AdminOverview, Error> {
        let now = self.parts.clock.now();
        let since = Millis(now.0 - RECENT_DAYS * DAY_MS);
        let found = self.parts.store.statistics(since, now).await?;
        let statistics = HouseStatistics {
            members: found.members,
            pending: found.pending,
            closed: found.closed,
            pupils: found.pupils,
            recent: found.recent,
            games: found.games,
            playing: found.playing,
            new_games: found.new_games,
            open_reports: found.open_reports,
        };
        let settings = (*self.parts.house.settings()).clone();
        Ok(AdminOverview { role: actor.role(), statistics, settings })
    }

    async fn members(&self, actor: &Actor, query: &MemberQuery) -> Result<MemberList, Error> {
        let now = self.parts.clock.now();
        let class = match &query.class_of {
            Some(pupil) => Some(self.class_of(pupil).await?),
            None => None,
        };
        let own = actor.player().filter(|_| query.pupils);
        let filter = MemberFilter {
            find: query.find.clone().filter(|find| !find.trim().is_empty()),
            state: query.state,
            with_role: query.with_role,
            teacher: class.as_ref().map(|class| &class.teacher).or(own).cloned(),
            class: class.as_ref().map(|class| class.name.clone()),
            after: query.after.clone(),
            limit: PAGE,
        };
        let found = self.parts.store.list_members(&filter, now).await?;
        let next = found.last().filter(|_| found.len() == PAGE as usize).map(|last| last.name.clone());
        let classes = match actor.role() {
            Role::Administrator => self.parts.store.list_classes().await?,
            _ => Vec::new(),
        };
        let mut members = Vec::with_capacity(found.len());
        for member in found {
            let membership = member.membership;
            let classes = classes.iter().filter(|class| class.class.teacher == member.player).cloned();
            let mut classes =
                classes.map(|class| house_class(class, Some(member.name.clone()))).collect::<Vec<_>>();
            classes.sort_by(|one, other| one.name.cmp(&other.name));
            members.push(Member {
                name: member.name,
                role: membership.role,
                state: membership.state,
                silenced_until: membership.silenced_until.filter(|until| *until > now),
                teacher: self.name_of(membership.teacher.as_ref()).await?,
                class: membership.class,
                classes,
                has_email: member.email.is_some(),
                second_factor: member.second_factor,
                created_at: member.created_at,
                used_at: member.used_at,
                sessions: member.sessions,
            });
        }
        Ok(MemberList { members, next })
    }

    pub(super) async fn name_of(&self, player: Option<&PlayerId>) -> Result<Option<String>, Error> {
        match player {
            Some(player) => self.parts.names.of(player).await,
            None => Ok(None),
        }
    }

    async fn reports(&self, query: &ReportQuery) -> Result<ReportList, Error> {
        let found = self.parts.store.list_reports_with_outcomes(!query.all, query.skip, PAGE).await?;
        let next = (found.len() == PAGE as usize).then(|| query.skip.saturating_add(PAGE));
        let mut reports = Vec::with_capacity(found.len());
        for found in found {
            let Report { report, author, name, messages } = found.report;
            let mut unnamed = HashMap::new();
            let mut lines = Vec::with_capacity(messages.len());
            for message in messages {
                let known = self.name_of(Some(&message.player)).await?;
                let known = known.or_else(|| name.clone().filter(|_| message.player == author));
                let author = known.unwrap_or_else(|| {
                    let next = unnamed.len() + 1;
                    format!("#{}", unnamed.entry(message.player).or_insert(next))
                });
                lines.push(ReportedLine { id: message.id, author, text: message.text, at: message.at });
            }
            let handled = match found.handled {
                Some(store::Handled { at, by, outcome, note }) => {
                    Some(HandledReport { at, by: self.name_of(by.as_ref()).await?, outcome, note })
                }
                None => None,
            };
            reports.push(ChatReport {
                game: report.game,
                room: report.room,
                line: report.message,
                reporter: self.name_of(Some(&report.player)).await?,
                reason: report.reason,
                at: report.at,
                author: name,
                lines,
                handled,
            });
        }
        Ok(ReportList { reports, next })
    }

    async fn audit(&self, query: &AuditQuery) -> Result<AuditList, Error> {
        let found = self.parts.store.list_audit(query.before, PAGE).await?;
        let next = found.last().filter(|_| found.len() == PAGE as usize).map(|last| last.number);
        let mut entries = Vec::with_capacity(found.len());
        for entry in found {
            let document: AuditDocument = serde_json::from_str(&entry.body).map_err(LogError::Audit)?;
            let mut subjects = Vec::new();
            for account in &document.accounts {
                subjects.push(self.name_of(Some(account)).await?);
            }
            subjects.extend(document.on.map(Some));
            entries.push(AuditLine {
                number: entry.number,
                at: entry.at,
                by: self.name_of(document.by.as_ref()).await?,
                operator: document.by.is_none(),
                act: document.act,
                subjects,
                details: document.details,
                head: audit::hexadecimal(&entry.head),
            });
        }
        Ok(AuditList { entries, next })
    }
}
