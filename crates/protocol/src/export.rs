//! Exports this crate's types to TypeScript.

use std::{collections::BTreeMap, fs, path::Path};

use ts_rs::{Config, TS};

use crate::{
    Account, AccountState, Act, AdminAct, AdminDone, AdminOverview, AnalysisDocument, AnalysisId,
    AnalysisList, AttemptResult, AuditCheck, AuditLine, AuditList, AuditQuery, BeginSecondFactor, Block,
    BlockList, BlockedPlayer, Challenge, ChallengeId, ChallengeList, ChangeAccount, ChangeAnalysis,
    ChangeMail, ChangePreferences, ChangePresence, ChangeSecondFactor, ChatLine, ChatPolicy, ChatReport,
    ChatRoom, ClassList, ClientMessage, ClockState, Color, ColorChoice, CommandId, CompleteIdentity,
    ComposedList, ComposedProblem, Composition, Condition, ConfirmSecondFactor, CreateChallenge, CreateGame,
    CreateSeek, CreatedChallenge, CreatedGame, CreatedSeek, DeleteAccount, Difficulty, DrawRules, Drill,
    DrillList, DrillManner, DrillStage, ErrorBody, ErrorDetail, EventKind, Game, GameEvent, GameId, GameList,
    GameNews, GameResult, GameSettings, GameSummary, HalfPoints, Hall, HallClientMessage, HallServerMessage,
    HandledReport, House, HouseClass, HouseInvitation, HousePage, HousePageName, HouseSettings,
    HouseStatistics, IdentityProvider, Invitation, InvitationToken, JoinedGame, Level, LinkIdentity,
    LinkStarted, LinkedIdentities, LinkedIdentity, ListState, ListedProblem, LogEntry, MatchId, MatchState,
    Me, Member, MemberList, MemberQuery, Millis, MissingPart, NewSecondFactor, Obligation, OpponentChoice,
    OwnProposals, PairingResult, Password, PendingIdentity, People, Players, Practice, PrecedingTurn,
    Preferences, PresenceAudience, Problem, ProblemAttempt, ProblemGoal, ProblemId, ProblemList,
    ProblemStanding, ProblemTheme, ProofReason, ProofReport, PublishProblem, PublishedProblem, PupilPassword,
    PushDevice, PushDevices, RatingChange, Recover, RecoveryCodes, RecoveryToken, Register, Registration,
    ReportList, ReportOutcome, ReportQuery, ReportedLine, RequestRecovery, Role, RuleDiagram, RuleHeading,
    RuleMark, RulePage, SaveAnalysis, SavedAnalysis, Seat, SecondFactor, Seek, SeekId, ServerMessage,
    Session, SessionId, SessionList, SessionMessage, Shuffle, ShuffledSides, SignIn, SignInMethods, Solution,
    SolutionBranch, SolutionReply, Status, SubscribePush, TimeControl, Times, TouchOutcome, TouchState,
    UnlinkIdentity, Version,
};

/// Returns the expected text of each file, by file name.
#[expect(clippy::too_many_lines, reason = "a list of all types, one per line")]
fn expected() -> BTreeMap<String, String> {
    let config = Config::new().with_large_int("number");
    let mut files = BTreeMap::new();
    let mut add = |name: String, text: Result<String, ts_rs::ExportError>| {
        files.insert(format!("{name}.ts"), text.unwrap());
    };
    macro_rules! export {
        ($($type:ty),* $(,)?) => {
            $(add(<$type>::ident(&config), <$type>::export_to_string(&config));)*
        };
    }
    export!(
        Account,
        AccountState,
        Act,
        AdminAct,
        AdminDone,
        AdminOverview,
        AnalysisDocument,
        AnalysisId,
        AnalysisList,
        RequestRecovery,
        AuditCheck,
        AuditLine,
        AuditList,
        AuditQuery,
        BeginSecondFactor,
        Block,
        BlockList,
        BlockedPlayer,
        Challenge,
        ChallengeId,
        ChallengeList,
        ChangeAccount,
        ChangeAnalysis,
        ChangeMail,
        ChangePreferences,
        ChangePresence,
        ChangeSecondFactor,
        ChatLine,
        ChatPolicy,
        ChatReport,
        ChatRoom,
        ClassList,
        ClientMessage,
        ClockState,
        Color,
        ColorChoice,
        CommandId,
        CompleteIdentity,
        ComposedList,
        ComposedProblem,
        Composition,
        Condition,
        ConfirmSecondFactor,
        CreateChallenge,
        CreateGame,
        CreateSeek,
        CreatedChallenge,
        CreatedGame,
        CreatedSeek,
        DeleteAccount,
        DrawRules,
        Difficulty,
        Drill,
        DrillList,
        DrillManner,
        DrillStage,
        ErrorBody,
        ErrorDetail,
        EventKind,
        Game,
        GameEvent,
        GameId,
        GameList,
        GameNews,
        GameResult,
        GameSettings,
        GameSummary,
        HalfPoints,
        Hall,
        HallClientMessage,
        HallServerMessage,
        HandledReport,
        House,
        HouseClass,
        HouseInvitation,
        HousePage,
        HousePageName,
        HouseSettings,
        HouseStatistics,
        IdentityProvider,
        Invitation,
        InvitationToken,
        JoinedGame,
        AttemptResult,
        Level,
        LinkStarted,
        LinkIdentity,
        LinkedIdentities,
        LinkedIdentity,
        ListState,
        ListedProblem,
        LogEntry,
        MatchId,
        MatchState,
        Me,
        Member,
        MemberList,
        MemberQuery,
        Millis,
        MissingPart,
        NewSecondFactor,
        Obligation,
        OpponentChoice,
        OwnProposals,
        PairingResult,
        Password,
        PendingIdentity,
        People,
        Players,
        Practice,
        Preferences,
        PresenceAudience,
        Problem,
        ProblemGoal,
        ProblemId,
        ProblemList,
        PrecedingTurn,
        ProblemStanding,
        ProblemTheme,
        ProblemAttempt,
        ProofReason,
        ProofReport,
        PublishProblem,
        PublishedProblem,
        PupilPassword,
        PushDevice,
        PushDevices,
        RatingChange,
        Recover,
        RecoveryCodes,
        RecoveryToken,
        Register,
        Registration,
        ReportList,
        ReportOutcome,
        ReportQuery,
        ReportedLine,
        Role,
        RuleDiagram,
        RuleHeading,
        RuleMark,
        RulePage,
        SaveAnalysis,
        SavedAnalysis,
        Seat,
        SecondFactor,
        Seek,
        SeekId,
        ServerMessage,
        Session,
        SessionId,
        SessionList,
        SessionMessage,
        Shuffle,
        ShuffledSides,
        SignIn,
        SignInMethods,
        Solution,
        SolutionBranch,
        SolutionReply,
        Status,
        SubscribePush,
        TimeControl,
        Times,
        TouchOutcome,
        TouchState,
        UnlinkIdentity,
        Version,
    );
    let names = files.keys().map(|file| file.trim_end_matches(".ts").to_owned()).collect::<Vec<_>>();
    let mut index = vec!["// Written by the tests of crates/protocol. Do not edit.".to_owned()];
    index.extend(names.iter().map(|name| format!("export type {{ {name} }} from './{name}'")));
    index.push(String::new());
    files.insert("index.ts".into(), index.join("\n"));
    files
}

/// Rewrites the files that differ. Fails if there were any, because the committed files were out of date.
#[test]
fn committed_types_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/lib/api");
    fs::create_dir_all(&folder).unwrap();
    let expected = expected();
    let mut changed = Vec::new();
    for (name, text) in &expected {
        let path = folder.join(name);
        if fs::read_to_string(&path).ok().as_ref() != Some(text) {
            fs::write(&path, text).unwrap();
            changed.push(name.clone());
        }
    }
    // Removes the files for types that no longer exist. Only generated files are touched, because the folder
    // may hold others.
    for entry in fs::read_dir(&folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let generated =
            fs::read_to_string(entry.path()).is_ok_and(|text| text.contains("generated by [ts-rs]"));
        if generated && !expected.contains_key(&name) {
            fs::remove_file(entry.path()).unwrap();
            changed.push(name);
        }
    }
    assert!(changed.is_empty(), "web/src/lib/api was out of date and has been rewritten: {changed:?}");
}
