//! The actors who administer the house, and the acts that each role allows.

use adoube_protocol::{AdminAct, AdminQuery, PlayerId, Role};
use adoube_store::{Member, Store};

use crate::{auth::Visitor, error::Error};

/// The operator, or an account with a role.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Actor {
    /// The operator of the server. Every act is allowed, because the operator could change the data directly
    /// anyway.
    Operator,
    Account {
        player: PlayerId,
        role: Role,
    },
}

impl Actor {
    /// Returns the visitor as an actor. The role is read from the store for each request, so a change takes
    /// effect immediately.
    pub(crate) async fn of(store: &dyn Store, visitor: &Visitor) -> Result<Self, Error> {
        if visitor.session.is_none() {
            return Err(Error::NotSignedIn);
        }
        let account = store.lookup_account(&visitor.player).await?.ok_or(Error::NotSignedIn)?;
        let role = account.membership.role.ok_or(Error::NotAllowed)?;
        Ok(Self::Account { player: visitor.player.clone(), role })
    }

    /// Returns the actor's player id, or `None` for the operator.
    pub(crate) fn player(&self) -> Option<&PlayerId> {
        match self {
            Self::Operator => None,
            Self::Account { player, .. } => Some(player),
        }
    }

    /// Returns the actor's role. The operator may do everything that an administrator may.
    pub(crate) fn role(&self) -> Role {
        match self {
            Self::Operator => Role::Administrator,
            Self::Account { role, .. } => *role,
        }
    }

    /// Fails unless the actor's role allows acts of this kind.
    pub(super) fn may(&self, act: &AdminAct) -> Result<(), Error> {
        allowed(roles_for(act).contains(&self.role()))
    }

    /// Fails unless the actor's role allows the query.
    pub(super) fn may_query(&self, query: &AdminQuery) -> Result<(), Error> {
        let role = self.role();
        allowed(match query {
            AdminQuery::Overview => true,
            AdminQuery::Members(wanted) => match role {
                Role::Administrator | Role::Moderator => true,
                Role::Teacher => wanted.pupils && wanted.class_of.is_none(),
                Role::Arbiter => false,
            },
            AdminQuery::Reports(_) => matches!(role, Role::Administrator | Role::Moderator),
            AdminQuery::Classes | AdminQuery::Audit(_) | AdminQuery::CheckAudit => {
                role == Role::Administrator
            }
        })
    }

    /// Fails unless the actor may act on this account. Moderators may not act on staff, teachers may act only
    /// on their own pupils, and arbiters may not act on any account.
    pub(super) fn may_act_on(&self, member: &Member) -> Result<(), Error> {
        let membership = &member.membership;
        allowed(match (self.role(), self.player()) {
            (Role::Administrator, _) => true,
            (Role::Moderator, _) => membership.role.is_none(),
            (Role::Teacher, Some(player)) => {
                membership.role.is_none() && membership.teacher.as_ref() == Some(player)
            }
            (Role::Teacher | Role::Arbiter, _) => false,
        })
    }
}

fn allowed(is_allowed: bool) -> Result<(), Error> {
    if is_allowed { Ok(()) } else { Err(Error::NotAllowed) }
}

/// Returns the roles that allow an act. For moderators and teachers, [`Actor::may_act_on`] further restricts
/// the accounts.
fn roles_for(act: &AdminAct) -> &'static [Role] {
    use Role::{Administrator, Arbiter, Moderator, Teacher};
    match act {
        AdminAct::Invite { role: None, .. } | AdminAct::Approve { .. } | AdminAct::HandleReport { .. } => {
            &[Administrator, Moderator]
        }
        AdminAct::Rename { .. }
        | AdminAct::Silence { .. }
        | AdminAct::Unsilence { .. }
        | AdminAct::Close { .. }
        | AdminAct::Reopen { .. }
        | AdminAct::EndSessions { .. } => &[Administrator, Moderator, Teacher],
        AdminAct::Delete { .. }
        | AdminAct::AddPupils { .. }
        | AdminAct::ResetPupil { .. }
        | AdminAct::ResetPupils { .. } => &[Administrator, Teacher],
        AdminAct::HideGame { .. } => &[Administrator, Moderator, Arbiter],
        AdminAct::Adjudicate { .. } => &[Administrator, Arbiter],
        AdminAct::Invite { role: Some(_), .. }
        | AdminAct::ResetPassword { .. }
        | AdminAct::SecondFactorOff { .. }
        | AdminAct::SetRole { .. }
        | AdminAct::GiveClass { .. }
        | AdminAct::SetHouse { .. }
        | AdminAct::SetPage { .. } => &[Administrator],
    }
}

#[cfg(test)]
mod tests {
    use adoube_protocol::{AccountState, GameResult, Millis};
    use adoube_store::Membership;

    use super::*;

    fn player(number: u128) -> PlayerId {
        PlayerId::from_random(number)
    }

    fn actor(role: Role) -> Actor {
        Actor::Account { player: player(1), role }
    }

    fn member(role: Option<Role>, teacher: Option<PlayerId>) -> Member {
        Member {
            player: player(2),
            name: "Anna".into(),
            membership: Membership { role, teacher, state: AccountState::Open, ..Membership::default() },
            email: None,
            second_factor: false,
            created_at: Millis(0),
            used_at: None,
            sessions: 0,
        }
    }

    #[test]
    fn each_act_is_allowed_only_for_certain_roles() {
        let account = || "Anna".to_owned();
        let game = adoube_protocol::GameId::from_random(1);
        for (act, roles) in [
            (AdminAct::SetRole { account: account(), role: None }, &[Role::Administrator][..]),
            (AdminAct::ResetPassword { account: account() }, &[Role::Administrator]),
            (
                AdminAct::GiveClass { pupil: account(), class: "CM2".into(), to: account(), name: None },
                &[Role::Administrator],
            ),
            (AdminAct::Close { account: account() }, &[Role::Administrator, Role::Moderator, Role::Teacher]),
            (AdminAct::ResetPupil { account: account() }, &[Role::Administrator, Role::Teacher]),
            (AdminAct::ResetPupils { accounts: vec![account()] }, &[Role::Administrator, Role::Teacher]),
            (AdminAct::Adjudicate { game, result: GameResult::Draw }, &[Role::Administrator, Role::Arbiter]),
        ] {
            for role in Role::ALL {
                assert_eq!(actor(role).may(&act).is_ok(), roles.contains(&role), "{role:?} {act:?}");
            }
            assert!(Actor::Operator.may(&act).is_ok());
        }
    }

    #[test]
    fn moderators_and_teachers_cannot_act_on_staff() {
        for role in Role::ALL {
            assert!(actor(Role::Moderator).may_act_on(&member(Some(role), None)).is_err());
            assert!(actor(Role::Administrator).may_act_on(&member(Some(role), None)).is_ok());
            assert!(actor(Role::Teacher).may_act_on(&member(Some(role), Some(player(1)))).is_err());
        }
        assert!(actor(Role::Moderator).may_act_on(&member(None, None)).is_ok());
        assert!(actor(Role::Teacher).may_act_on(&member(None, Some(player(1)))).is_ok());
        assert!(actor(Role::Teacher).may_act_on(&member(None, Some(player(3)))).is_err());
        assert!(actor(Role::Teacher).may_act_on(&member(None, None)).is_err());
        assert!(actor(Role::Arbiter).may_act_on(&member(None, None)).is_err());
    }
}
