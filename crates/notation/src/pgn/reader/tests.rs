use super::*;

/// Records the calls.
#[derive(Default)]
struct Recorder {
    calls: Vec<String>,
    enter_variations: bool,
}

impl Visitor for Recorder {
    type Output = Vec<String>;

    fn begin_game(&mut self, line: usize) {
        self.calls.push(format!("game {line}"));
    }

    fn tag(&mut self, _: usize, name: &str, value: &str) {
        self.calls.push(format!("{name}={value}"));
    }

    fn turn(&mut self, _: usize, san: &str) -> ControlFlow<()> {
        self.calls.push(san.to_owned());
        if san == "stop" { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn nag(&mut self, nag: Nag) {
        self.calls.push(format!("${}", nag.0));
    }

    fn comment(&mut self, text: &str) {
        self.calls.push(format!("{{{}}}", text.trim()));
    }

    fn begin_variation(&mut self) -> ControlFlow<()> {
        if !self.enter_variations {
            return ControlFlow::Break(());
        }
        self.calls.push("begin".to_owned());
        ControlFlow::Continue(())
    }

    fn end_variation(&mut self) {
        self.calls.push("end".to_owned());
    }

    fn result(&mut self, result: GameResult) {
        self.calls.push(result.to_string());
    }

    fn problem(&mut self, line: usize, problem: SyntaxProblem) {
        self.calls.push(format!("line {line}: {problem}"));
    }

    fn end_game(&mut self) -> Vec<String> {
        std::mem::take(&mut self.calls)
    }
}

#[track_caller]
fn check(text: &str, enter_variations: bool, expected: &[&[&str]]) {
    let mut reader = Reader::new(text);
    let mut recorder = Recorder { enter_variations, ..Recorder::default() };
    let games: Vec<_> = std::iter::from_fn(|| reader.read_game(&mut recorder)).collect();
    assert_eq!(games, expected, "{text:?}");
}

#[test]
fn squares_and_chains_attached_to_a_turn_belong_to_it() {
    check(
        "1. Bxd5(c4,a5)(d4 d5) Nxe7(b7);Nxa5(c6)# 2. Px=c8;xe8 Pxc8=R(c7);Rxe8(f8);remark\n e8(Q)+ (e4) *",
        false,
        &[&[
            "game 1",
            "Bxd5(c4,a5)",
            "Nxe7(b7);Nxa5(c6)#",
            "Px=c8;xe8",
            "Pxc8=R(c7);Rxe8(f8)",
            "{remark}",
            "e8(Q)+",
            "*",
        ]],
    );
    check("e4;best by test\ne5 ; Nxe5\n", false, &[&["game 1", "e4", "{best by test}", "e5", "{Nxe5}"]]);
}

#[test]
fn tags_comments_marks_and_variations_are_read() {
    check(
        "\u{feff}% escaped\r\n[Event \"a \\\"b\\\" \\\\ c]\"] [Site \"x\"]\r\n\r\n1.e4!? $14 (1. d4 (1. c4 1-0) d5) \
         {one\r\ntwo} 1...e5?? +- 2 O-O 0-0 1/2-1/2",
        true,
        &[&[
            "game 2",
            "Event=a \"b\" \\ c]",
            "Site=x",
            "e4",
            "$5",
            "$14",
            "begin",
            "d4",
            "begin",
            "c4",
            "end",
            "d5",
            "end",
            "{one\r\ntwo}",
            "e5",
            "$4",
            "$18",
            "O-O",
            "0-0",
            "1/2-1/2",
        ]],
    );
}

#[test]
fn a_bad_game_does_not_hide_the_next() {
    check(
        "[Event \"1\"]\n\n1. e4 ( 1. d4\n[Event \"2\"]\n[Bad-tag]\ne4 {open\n\n[Event \"3\"]\n) } stop e5 ) 1-0\n\
         [Event \"4\"]\n[Event \"5\"]\n*",
        false,
        &[
            &["game 1", "Event=1", "e4", "line 4: a variation is not closed: its \")\" is missing"],
            &[
                "game 4",
                "Event=2",
                "line 5: \"[Bad-tag]\" is not a tag; write [Name \"value\"]",
                "e4",
                "{open}",
                "line 6: the comment that begins here is never closed by \"}\"",
            ],
            &["game 8", "Event=3", "line 9: ')' closes nothing", "line 9: '}' closes nothing", "stop"],
            &["game 10", "Event=4"],
            &["game 11", "Event=5", "*"],
        ],
    );
}
