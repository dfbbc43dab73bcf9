//! Roles, the state of accounts, invitations, members, classes, reports, documents and the audit log.

use adoube_vocabulary::{AccountState, GameId, Millis, PlayerId, ReportOutcome, Role, SessionId, Version};

use super::{accounts::account, games::new_game, player};
use crate::{
    AccountChange, AdminChange, Administered, Admission, Append, Appended, Class, Credentials, Deleted,
    MemberFilter, NameRetirement, NameSkeleton, NewAccount, NewAuditEntry, NewEvent, NewHouseInvitation,
    NewSession, Phase, ReadModel, Registered, Store, TokenHash, check_audit,
};

pub(super) async fn check(store: &dyn Store) {
    the_first_administrator_registers_with_an_invitation(store).await;
    the_last_administrator_cannot_be_removed(store).await;
    a_closed_account_has_no_sessions(store).await;
    a_change_without_effect_adds_no_entry(store).await;
    all_accounts_are_added_or_none(store).await;
    passwords_are_set_for_all_or_none(store).await;
    members_are_found(store).await;
    a_class_is_given_to_another_teacher(store).await;
    a_link_from_an_administrator_does_not_confirm_the_address(store).await;
    reports_are_handled(store).await;
    an_append_adds_an_entry_only_if_it_succeeds(store).await;
    documents_are_stored(store).await;
    the_audit_log_is_a_chain(store).await;
}

fn entry(at: i64) -> NewAuditEntry {
    NewAuditEntry { at: Millis(at), body: format!("{{\"at\":{at}}}") }
}

fn invitation(token: u8, role: Option<Role>, uses: u32, is_first: bool) -> NewHouseInvitation {
    NewHouseInvitation {
        token: TokenHash([token; 32]),
        role,
        uses,
        is_first,
        created_at: Millis(10),
        expires_at: Millis(1_000),
    }
}

fn invited(number: u128, name: &str, token: u8, created_at: i64) -> NewAccount {
    let admission = Admission::Invited { token: TokenHash([token; 32]), entry: Some(entry(created_at)) };
    NewAccount { admission, created_at: Millis(created_at), ..account(number, name) }
}

async fn change(store: &dyn Store, player: &PlayerId, change: AccountChange) -> Administered {
    let change = AdminChange::Account { player: player.clone(), change };
    store.administer(change, entry(20)).await.unwrap()
}

async fn apply_change(store: &dyn Store, player: &PlayerId, new: AccountChange) -> Vec<SessionId> {
    match change(store, player, new).await {
        Administered::Done { ended, .. } => ended,
        refused => panic!("{refused:?}"),
    }
}

async fn the_first_administrator_registers_with_an_invitation(store: &dyn Store) {
    assert!(!store.has_administrator().await.unwrap());
    let role = Some(Role::Administrator);
    // Two nodes each create a link.
    for token in [1, 2] {
        store.add_first_invitation(invitation(token, role, 1, true)).await.unwrap();
    }
    let find = async |token: u8, now| {
        store.lookup_house_invitation(&TokenHash([token; 32]), Millis(now)).await.unwrap()
    };
    let found = find(1, 20).await.unwrap();
    assert_eq!((found.role, found.uses, found.is_first), (role, 1, true));
    assert_eq!(find(1, 1_000).await, None);
    assert_eq!(find(9, 20).await, None);
    let expired = store.add_account(invited(3900, "Sofia", 1, 1_000)).await.unwrap();
    assert_eq!(expired, Registered::NotInvited);
    let registered = store.add_account(invited(3900, "Sofia", 1, 20)).await.unwrap();
    let last = store.list_audit(None, 1).await.unwrap().remove(0);
    assert_eq!(registered, Registered::DoneWithEntry(last));
    assert!(store.has_administrator().await.unwrap());
    let sofia = store.lookup_account(&player(3900)).await.unwrap().unwrap();
    assert_eq!((sofia.membership.role, sofia.membership.state), (role, AccountState::Open));
    // Both links are now invalid, the used one and the unused one.
    for token in [1, 2] {
        assert_eq!(find(token, 20).await, None);
        let again = store.add_account(invited(3901, "Someone", token, 20)).await.unwrap();
        assert_eq!(again, Registered::NotInvited);
    }
    assert!(!store.is_account(&player(3901)).await.unwrap());

    // An existing account can take the role of an invitation. An invitation without a role gives it none.
    assert_eq!(store.add_account(account(3902, "Yann")).await.unwrap(), Registered::Done);
    for (token, role) in [(3, Some(Role::Teacher)), (4, None)] {
        let new = AdminChange::Invitation(invitation(token, role, 1, false));
        assert!(matches!(store.administer(new, entry(20)).await.unwrap(), Administered::Done { .. }));
        let token = TokenHash([token; 32]);
        // The only administrator does not become a teacher.
        assert_eq!(store.claim_role(&player(3900), &token, entry(21)).await.unwrap(), None);
        let claimed = store.claim_role(&player(3902), &token, entry(21)).await.unwrap();
        assert_eq!(claimed.as_ref().map(|(role, _)| *role), role);
        if let Some((_, claim)) = claimed {
            assert_eq!(store.list_audit(None, 1).await.unwrap(), [claim]);
        }
        assert_eq!(store.claim_role(&player(3902), &token, entry(21)).await.unwrap(), None);
    }
    let yann = store.lookup_account(&player(3902)).await.unwrap().unwrap();
    assert_eq!(yann.membership.role, Some(Role::Teacher));
}

async fn the_last_administrator_cannot_be_removed(store: &dyn Store) {
    let (sofia, yann) = (player(3900), player(3902));
    let before = store.list_audit(None, 1).await.unwrap();
    let skeleton_hash = TokenHash([88; 32]);
    let name = NameRetirement { skeleton_hashes: vec![skeleton_hash], until: Millis(1_000_000) };
    for new in [
        AccountChange::Role(None),
        AccountChange::Role(Some(Role::Moderator)),
        AccountChange::State(AccountState::Closed),
        AccountChange::Delete(name.clone()),
    ] {
        assert_eq!(change(store, &sofia, new).await, Administered::LastAdministrator);
    }
    assert_eq!(store.delete_account(&sofia, &name).await.unwrap(), Deleted::LastAdministrator);
    assert!(store.lookup_account(&sofia).await.unwrap().is_some());
    assert_eq!(change(store, &player(3999), AccountChange::EndSessions).await, Administered::Missing);
    // Refused changes are not in the log, and a refused deletion does not retire the name.
    assert_eq!(store.list_audit(None, 1).await.unwrap(), before);
    let skeleton = NameSkeleton { retired: vec![skeleton_hash], ..account(3903, "Zelda").skeleton };
    let same_name = |number| NewAccount { skeleton: skeleton.clone(), ..account(number, "Zelda") };
    assert_eq!(store.add_account(same_name(3903)).await.unwrap(), Registered::Done);
    // A deletion by an administrator retires the name, like a deletion by the owner.
    apply_change(store, &player(3903), AccountChange::Delete(name)).await;
    let refused = store.add_account(same_name(3904)).await.unwrap();
    assert_eq!(refused, Registered::NameRetired(Millis(1_000_000)));
    let add = store.administer(AdminChange::Accounts(vec![same_name(3904)]), entry(20)).await.unwrap();
    assert_eq!(add, Administered::NameRetired("Zelda".into(), Millis(1_000_000)));
    apply_change(store, &yann, AccountChange::Role(Some(Role::Administrator))).await;
    apply_change(store, &sofia, AccountChange::State(AccountState::Closed)).await;
    // A closed account does not count as an administrator.
    assert_eq!(change(store, &yann, AccountChange::Role(None)).await, Administered::LastAdministrator);
    let deleted = store.delete_account(&yann, &NameRetirement::default()).await.unwrap();
    assert_eq!(deleted, Deleted::LastAdministrator);
    apply_change(store, &sofia, AccountChange::State(AccountState::Open)).await;
    apply_change(store, &yann, AccountChange::Role(Some(Role::Teacher))).await;
}

async fn an_append_adds_an_entry_only_if_it_succeeds(store: &dyn Store) {
    let game = new_game(3950, 3950, 3950);
    let (id, read_model) = (game.id.clone(), game.read_model.clone());
    store.add_game(game).await.unwrap();
    let version = store.lookup_game(&id).await.unwrap().unwrap().version;
    let append = |game: &GameId| {
        AdminChange::Append(Box::new(Append {
            game: game.clone(),
            based_on: version,
            events: vec![NewEvent { at: Millis(3_000), body: "ended".into() }],
            seats: Vec::new(),
            read_model: ReadModel { phase: Phase::Over, ..read_model.clone() },
            command: None,
        }))
    };
    let before = store.list_audit(None, 1).await.unwrap()[0].number;
    let done = store.administer(append(&id), entry(60)).await.unwrap();
    let Administered::Done { entry: added, ended } = done else { panic!("{done:?}") };
    assert_eq!((added.number, ended), (before + 1, Vec::new()));
    let next = Version(version.0 + 1);
    let events = store.list_events(&id, version).await.unwrap();
    assert_eq!((events.len(), events[0].version, events[0].body.as_str()), (1, next, "ended"));
    let after = store.lookup_game(&id).await.unwrap().unwrap();
    assert_eq!((after.version, after.phase), (next, Phase::Over));
    // A refused append leaves no entry.
    let refused = store.administer(append(&id), entry(61)).await.unwrap();
    assert_eq!(refused, Administered::NotAppended(Appended::Conflict(next)));
    let refused = store.administer(append(&GameId::from_random(3951)), entry(61)).await.unwrap();
    assert_eq!(refused, Administered::NotAppended(Appended::Missing));
    assert_eq!(store.list_audit(None, 1).await.unwrap(), [added]);
}

async fn a_closed_account_has_no_sessions(store: &dyn Store) {
    let yann = player(3902);
    let session = |number: u128| NewSession {
        id: SessionId::from_random(number),
        player: player(3902),
        credentials: Credentials { password: "hash".into(), second_factor: false },
        token: TokenHash([number as u8; 32]),
        agent: "a browser".into(),
        created_at: Millis(30),
        expires_at: Millis(1_000),
    };
    assert_eq!(store.add_session(session(190)).await.unwrap(), Some(Vec::new()));
    assert_eq!(apply_change(store, &yann, AccountChange::SilencedUntil(Some(Millis(50)))).await, []);
    let ended = apply_change(store, &yann, AccountChange::State(AccountState::Closed)).await;
    assert_eq!(ended, [SessionId::from_random(190)]);
    assert_eq!(store.add_session(session(191)).await.unwrap(), None);
    apply_change(store, &yann, AccountChange::State(AccountState::Open)).await;
    assert_eq!(store.add_session(session(191)).await.unwrap(), Some(Vec::new()));
    let membership = store.lookup_account(&yann).await.unwrap().unwrap().membership;
    assert_eq!(membership.silenced_until, Some(Millis(50)));
    assert_eq!(change(store, &yann, AccountChange::SecondFactorOff).await, Administered::NoSecondFactor);
    assert_eq!(apply_change(store, &yann, AccountChange::EndSessions).await, [SessionId::from_random(191)]);
}

async fn a_change_without_effect_adds_no_entry(store: &dyn Store) {
    let yann = player(3902);
    let before = store.list_audit(None, 1).await.unwrap();
    let unchanged = async |new: AccountChange| {
        assert_eq!(change(store, &yann, new).await, Administered::Unchanged);
    };
    let name = |name: &str| AccountChange::Name { name: name.into(), skeleton: account(0, name).skeleton };
    unchanged(AccountChange::State(AccountState::Open)).await;
    unchanged(AccountChange::Role(Some(Role::Teacher))).await;
    unchanged(name("Yann")).await;
    unchanged(AccountChange::EndSessions).await;
    unchanged(AccountChange::SilencedUntil(Some(Millis(50)))).await;
    assert_eq!(store.list_audit(None, 1).await.unwrap(), before);
    let far = 10 * 24 * 60 * 60 * 1000;
    apply_change(store, &yann, AccountChange::SilencedUntil(Some(Millis(far)))).await;
    unchanged(AccountChange::SilencedUntil(Some(Millis(far + 60_000)))).await;
    apply_change(store, &yann, AccountChange::SilencedUntil(Some(Millis(2 * far)))).await;
    apply_change(store, &yann, AccountChange::SilencedUntil(Some(Millis(i64::MAX)))).await;
    unchanged(AccountChange::SilencedUntil(Some(Millis(i64::MAX)))).await;
    apply_change(store, &yann, AccountChange::SilencedUntil(None)).await;
    unchanged(AccountChange::SilencedUntil(None)).await;
    apply_change(store, &yann, AccountChange::State(AccountState::Closed)).await;
    unchanged(AccountChange::State(AccountState::Closed)).await;
    apply_change(store, &yann, AccountChange::State(AccountState::Open)).await;
    apply_change(store, &yann, name("YANN")).await;
    apply_change(store, &yann, name("Yann")).await;

    let game = new_game(3960, 3960, 3960);
    let id = game.id.clone();
    store.add_game(game).await.unwrap();
    let show = async |id: &GameId, public| {
        store.administer(AdminChange::Game { id: id.clone(), public }, entry(20)).await.unwrap()
    };
    show(&id, true).await;
    assert_eq!(show(&id, true).await, Administered::Unchanged);
    assert!(matches!(show(&id, false).await, Administered::Done { .. }));
    assert_eq!(show(&id, false).await, Administered::Unchanged);
    assert_eq!(show(&GameId::from_random(3961), false).await, Administered::Missing);
}

async fn passwords_are_set_for_all_or_none(store: &dyn Store) {
    let (zoelie, oscar) = (player(3910), player(3911));
    let set = async |all: &[&PlayerId], password: &str| {
        let all = all.iter().map(|&player| (player.clone(), format!("{password} of {}", player.as_str())));
        store.administer(AdminChange::Passwords(all.collect()), entry(41)).await.unwrap()
    };
    let password = async |player: &PlayerId| store.lookup_account(player).await.unwrap().unwrap().password;
    let session = NewSession {
        id: SessionId::from_random(195),
        player: oscar.clone(),
        credentials: Credentials { password: password(&oscar).await, second_factor: false },
        token: TokenHash([195; 32]),
        agent: "a browser".into(),
        created_at: Millis(30),
        expires_at: Millis(1_000),
    };
    assert_eq!(store.add_session(session).await.unwrap(), Some(Vec::new()));
    let before = store.list_audit(None, 1).await.unwrap()[0].number;
    assert_eq!(set(&[&zoelie, &player(3999)], "lost").await, Administered::Missing);
    assert!(!password(&zoelie).await.starts_with("lost"));
    let Administered::Done { entry, ended } = set(&[&zoelie, &oscar], "new").await else { panic!() };
    assert_eq!((entry.number, ended), (before + 1, vec![SessionId::from_random(195)]));
    for player in [&zoelie, &oscar] {
        assert_eq!(password(player).await, format!("new of {}", player.as_str()));
    }
}

async fn all_accounts_are_added_or_none(store: &dyn Store) {
    let pupil = |number: u128, name: &str| {
        let admission = Admission::Pupil { teacher: player(3902), class: "CM2".into() };
        NewAccount { admission, ..account(number, name) }
    };
    let add =
        async |all: Vec<NewAccount>| store.administer(AdminChange::Accounts(all), entry(40)).await.unwrap();
    let duplicate = add(vec![pupil(3910, "Zelie"), pupil(3911, "ZELIE")]).await;
    assert_eq!(duplicate, Administered::NameAlike("ZELIE".into()));
    let taken = add(vec![pupil(3910, "Zelie"), pupil(3911, "yann")]).await;
    assert_eq!(taken, Administered::NameTaken("yann".into()));
    let mut alike = pupil(3911, "Zeiie");
    alike.skeleton.alternatives.push(pupil(3910, "Zelie").skeleton.skeleton);
    assert_eq!(add(vec![pupil(3910, "Zelie"), alike]).await, Administered::NameAlike("Zeiie".into()));
    assert!(!store.is_account(&player(3910)).await.unwrap());
    assert!(matches!(add(vec![pupil(3910, "Zelie"), pupil(3911, "Oscar")]).await, Administered::Done { .. }));
    let zelie = store.lookup_account(&player(3910)).await.unwrap().unwrap();
    assert_eq!(zelie.membership.teacher, Some(player(3902)));
    assert_eq!(zelie.membership.class.as_deref(), Some("CM2"));

    let rename = |name: &str| AccountChange::Name {
        name: name.into(),
        skeleton: NameSkeleton {
            skeleton: name.to_lowercase(),
            alternatives: Vec::new(),
            retired: Vec::new(),
        },
    };
    assert_eq!(change(store, &player(3910), rename("OSCAR")).await, Administered::NameTaken("OSCAR".into()));
    // An account's own name does not count as taken.
    apply_change(store, &player(3910), rename("zelie")).await;
    apply_change(store, &player(3910), rename("Zoelie")).await;
    let found = store.lookup_account_by_name("zoelie").await.unwrap().unwrap();
    assert_eq!(found.player, player(3910));
    apply_change(store, &player(3910), AccountChange::Password("other".into())).await;
    assert_eq!(store.lookup_account(&player(3910)).await.unwrap().unwrap().password, "other");
}

async fn members_are_found(store: &dyn Store) {
    let names = async |filter: MemberFilter| {
        let filter = MemberFilter { limit: 10, ..filter };
        let members = store.list_members(&filter, Millis(50)).await.unwrap();
        members.into_iter().map(|member| member.name).collect::<Vec<_>>()
    };
    let all = MemberFilter::default;
    assert_eq!(names(MemberFilter { find: Some("OELI".into()), ..all() }).await, ["Zoelie"]);
    assert_eq!(names(MemberFilter { find: Some("oëli".into()), ..all() }).await, ["Zoelie"]);
    let found = MemberFilter { find: Some("a".into()), limit: 1, ..all() };
    let found = store.list_members(&found, Millis(50)).await.unwrap();
    assert!(found.len() == 1 && found[0].name.to_lowercase().contains('a'), "{found:?}");
    // The pattern for a sigma matches any letter. Names that match the pattern but do not contain a sigma are
    // left out of every page.
    let sigma = MemberFilter { find: Some("σ".into()), limit: 1, ..all() };
    assert_eq!(store.list_members(&sigma, Millis(50)).await.unwrap(), []);
    assert_eq!(names(MemberFilter { find: Some("%".into()), ..all() }).await, [""; 0]);
    assert_eq!(names(MemberFilter { with_role: true, ..all() }).await, ["Sofia", "Yann"]);
    let pupils = || MemberFilter { teacher: Some(player(3902)), ..all() };
    assert_eq!(names(pupils()).await, ["Oscar", "Zoelie"]);
    assert_eq!(names(MemberFilter { after: Some("oscar".into()), ..pupils() }).await, ["Zoelie"]);
    // Members are sorted, and divided into pages, as if their names had no accents.
    let rename = async |name: &str, skeleton: &str| {
        let skeleton =
            NameSkeleton { skeleton: skeleton.into(), alternatives: Vec::new(), retired: Vec::new() };
        apply_change(store, &player(3911), AccountChange::Name { name: name.into(), skeleton }).await;
    };
    rename("Élise", "elise").await;
    assert_eq!(names(pupils()).await, ["Élise", "Zoelie"]);
    assert_eq!(names(MemberFilter { after: Some("Élise".into()), ..pupils() }).await, ["Zoelie"]);
    assert_eq!(names(MemberFilter { after: Some("elan".into()), ..pupils() }).await, ["Élise", "Zoelie"]);
    assert_eq!(names(MemberFilter { after: Some("emma".into()), ..pupils() }).await, ["Zoelie"]);
    rename("Oscar", "oscar").await;
    let pending = NewAccount { admission: Admission::Pending, ..account(3912, "Paulette") };
    assert_eq!(store.add_account(pending).await.unwrap(), Registered::Done);
    let waiting = || MemberFilter { state: Some(AccountState::Pending), ..all() };
    assert_eq!(names(waiting()).await, ["Paulette"]);
    apply_change(store, &player(3912), AccountChange::State(AccountState::Open)).await;
    assert_eq!(names(waiting()).await, [""; 0]);
    let paulette = store.lookup_member("PAULETTE", Millis(50)).await.unwrap().unwrap();
    assert_eq!((paulette.sessions, paulette.used_at, paulette.second_factor), (0, None, false));
    assert_eq!(store.lookup_member("nobody", Millis(50)).await.unwrap(), None);
    let counted = store.statistics(Millis(0), Millis(50)).await.unwrap();
    assert_eq!((counted.pupils, counted.pending), (2, 0));
    assert!(counted.members >= 5, "{counted:?}");
}

async fn a_class_is_given_to_another_teacher(store: &dyn Store) {
    let (sofia, yann, thea, paulette) = (player(3900), player(3902), player(3913), player(3912));
    let class = |name: &str, teacher: &PlayerId| Class { name: name.into(), teacher: teacher.clone() };
    let give = async |from: Class, to: &PlayerId, name: &str| {
        let change = AdminChange::GiveClass { class: from, to: to.clone(), name: name.into() };
        store.administer(change, entry(42)).await.unwrap()
    };
    let pupils = async |teacher: &PlayerId, class: &str| {
        let (teacher, class) = (Some(teacher.clone()), Some(class.to_owned()));
        let filter = MemberFilter { teacher, class, limit: 10, ..MemberFilter::default() };
        let members = store.list_members(&filter, Millis(50)).await.unwrap();
        members.into_iter().map(|member| member.name).collect::<Vec<_>>()
    };
    let classes = async || {
        let mut classes = store.list_classes().await.unwrap();
        classes.sort_by(|one, other| one.class.name.cmp(&other.class.name));
        let classes = classes.into_iter().map(|each| (each.class, each.pupils, each.pupil));
        classes.collect::<Vec<_>>()
    };
    assert_eq!(store.add_account(account(3913, "Thea")).await.unwrap(), Registered::Done);
    apply_change(store, &thea, AccountChange::Role(Some(Role::Teacher))).await;
    let admission = Admission::Pupil { teacher: thea.clone(), class: "CE1".into() };
    let pupil = NewAccount { admission, ..account(3914, "Karim") };
    assert_eq!(store.add_account(pupil).await.unwrap(), Registered::Done);
    let (ce1, cm2) = (class("CE1", &thea), class("CM2", &yann));
    let both = [(ce1.clone(), 1_u32, "Karim".to_owned()), (cm2.clone(), 2_u32, "Oscar".to_owned())];
    assert_eq!(classes().await, both);

    let before = store.list_audit(None, 1).await.unwrap();
    assert_eq!(give(cm2.clone(), &yann, "CM2").await, Administered::Unchanged);
    assert_eq!(give(class("CM1", &yann), &thea, "CM1").await, Administered::Missing);
    assert_eq!(give(cm2.clone(), &player(3999), "CM2").await, Administered::NotATeacher);
    assert_eq!(give(cm2.clone(), &paulette, "CM2").await, Administered::NotATeacher);
    assert_eq!(give(cm2.clone(), &thea, "CE1").await, Administered::ClassNameTaken);
    apply_change(store, &thea, AccountChange::State(AccountState::Closed)).await;
    assert_eq!(give(cm2.clone(), &thea, "CM2").await, Administered::NotATeacher);
    apply_change(store, &thea, AccountChange::State(AccountState::Open)).await;
    assert_eq!(classes().await, both);
    assert_eq!(store.list_audit(None, 1).await.unwrap()[0].number, before[0].number + 2);

    assert!(matches!(give(cm2.clone(), &thea, "CM2 B").await, Administered::Done { .. }));
    assert_eq!(pupils(&thea, "CM2 B").await, ["Oscar", "Zoelie"]);
    assert_eq!(pupils(&thea, "CE1").await, ["Karim"]);
    assert_eq!(pupils(&yann, "CM2").await, [""; 0]);
    // A second administrator acts on an outdated list of classes.
    assert_eq!(give(cm2.clone(), &sofia, "CM2").await, Administered::Missing);
    // A class outlives its teacher's account. An administrator can have classes too.
    apply_change(store, &thea, AccountChange::Delete(NameRetirement::default())).await;
    let left = class("CM2 B", &thea);
    assert_eq!(
        classes().await,
        [(ce1.clone(), 1_u32, "Karim".to_owned()), (left.clone(), 2_u32, "Oscar".to_owned())]
    );
    assert!(matches!(give(left, &sofia, "CM2").await, Administered::Done { .. }));
    // A class can also be renamed without changing its teacher.
    assert!(matches!(give(class("CM2", &sofia), &sofia, "CM2 A").await, Administered::Done { .. }));
    assert!(matches!(give(class("CM2 A", &sofia), &yann, "CM2").await, Administered::Done { .. }));
    // A class without pupils is gone.
    apply_change(store, &player(3914), AccountChange::Delete(NameRetirement::default())).await;
    assert_eq!(classes().await, [(cm2, 2_u32, "Oscar".to_owned())]);
}

async fn a_link_from_an_administrator_does_not_confirm_the_address(store: &dyn Store) {
    let paulette = player(3912);
    let verified = Credentials { password: "hash".into(), second_factor: false };
    assert!(store.set_email(&paulette, &verified, Some("p@example.org")).await.unwrap());
    let (token, expires_at) = (TokenHash([77; 32]), Millis(1_000));
    apply_change(store, &paulette, AccountChange::Recovery { token, expires_at }).await;
    assert_eq!(store.lookup_recovery(&token, Millis(60)).await.unwrap(), Some(paulette.clone()));
    assert!(store.recover(&token, "chosen", Millis(60)).await.unwrap().is_some());
    let account = store.lookup_account(&paulette).await.unwrap().unwrap();
    assert_eq!((account.password.as_str(), account.email_confirmed), ("chosen", false));
    assert_eq!(store.lookup_recovery(&token, Millis(60)).await.unwrap(), None);
}

async fn reports_are_handled(store: &dyn Store) {
    let reports = store.list_reports_with_outcomes(true, 0, 10).await.unwrap();
    let Some(open) = reports.first() else { panic!("there is no report; the chat checks must run first") };
    assert_eq!(open.handled, None);
    let line = open.report.report.message;
    let handle = |line| AdminChange::Report {
        line,
        by: Some(player(3900)),
        outcome: ReportOutcome::Upheld,
        note: "silenced for a week".into(),
    };
    assert_eq!(store.administer(handle(-1), entry(70)).await.unwrap(), Administered::Missing);
    assert!(matches!(store.administer(handle(line), entry(70)).await.unwrap(), Administered::Done { .. }));
    // Handling it again changes nothing.
    let again = AdminChange::Report {
        line,
        by: Some(player(3902)),
        outcome: ReportOutcome::Dismissed,
        note: "no reason".into(),
    };
    assert_eq!(store.administer(again, entry(71)).await.unwrap(), Administered::Unchanged);
    assert_eq!(store.list_audit(None, 1).await.unwrap()[0].at, Millis(70));
    let left = store.list_reports_with_outcomes(true, 0, 10).await.unwrap();
    assert_eq!(left.len(), reports.len() - 1);
    let all = store.list_reports_with_outcomes(false, 0, 10).await.unwrap();
    assert_eq!(all.len(), reports.len());
    let handled = all.iter().find(|report| report.report.report.message == line).unwrap();
    let handled = handled.handled.clone().unwrap();
    assert_eq!(
        (handled.at, handled.by, handled.note.as_str()),
        (Millis(70), Some(player(3900)), "silenced for a week")
    );
    assert_eq!(store.list_reports_with_outcomes(false, all.len() as u32, 10).await.unwrap(), []);
}

async fn documents_are_stored(store: &dyn Store) {
    let set = async |body: Option<&str>| {
        let change = AdminChange::Document { name: "house".into(), body: body.map(Into::into) };
        store.administer(change, entry(80)).await.unwrap();
        store.lookup_document("house").await.unwrap()
    };
    assert_eq!(store.lookup_document("house").await.unwrap(), None);
    assert_eq!(set(Some("one")).await.as_deref(), Some("one"));
    assert_eq!(set(Some("other")).await.as_deref(), Some("other"));
    assert_eq!(set(None).await, None);
}

async fn the_audit_log_is_a_chain(store: &dyn Store) {
    let last = store.list_audit(None, 1).await.unwrap().remove(0);
    assert_eq!((last.at, last.body.as_str()), (Millis(80), "{\"at\":80}"));
    let before = store.list_audit(Some(last.number), 500).await.unwrap();
    assert_eq!(before.len() as i64, last.number - 1);
    assert!(before.is_sorted_by(|one, other| one.number == other.number + 1));
    assert_eq!(check_audit(store).await.unwrap(), Ok(last.number as u64));
}
