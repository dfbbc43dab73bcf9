//! From text to the calls of a visitor.

use std::ops::ControlFlow;

use super::tag::{self, GameResult};

/// Number of a mark ("numeric annotation glyph"): 1 is `!`, 2 is `?`, …
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Nag(pub u8);

/// What is wrong with the text of a game, whatever the game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SyntaxProblem {
    /// A line that begins like a tag and is none.
    #[error("{0:?} is not a tag; write [Name \"value\"]")]
    Tag(String),
    /// A comment without its closing brace.
    #[error("the comment that begins here is never closed by \"}}\"")]
    OpenComment,
    /// A variation without its closing parenthesis.
    #[error("a variation is never closed by \")\"")]
    OpenVariation,
    /// A closing parenthesis or brace that closes nothing.
    #[error("{0:?} closes nothing")]
    ClosesNothing(char),
}

/// Who is told what stands in a PGN. The reader calls in the order of the text: once `begin_game`; `tag`s;
/// once `begin_movetext`; turns and the rest; once `end_game`.
pub trait Visitor {
    /// What a game becomes.
    type Output;

    /// A game begins on this line.
    fn begin_game(&mut self, line: usize);

    /// A tag, its value without quotes and backslashes.
    fn tag(&mut self, _line: usize, _name: &str, _value: &str) {}

    /// All tags have been told. With `Break`, nothing more is told of this game but its end.
    fn begin_movetext(&mut self, _line: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// A turn. It is as it was written, and may be anything. With `Break`, nothing more is told of this game
    /// but its end.
    fn turn(&mut self, line: usize, san: &str) -> ControlFlow<()>;

    /// A mark of the turn before.
    fn nag(&mut self, _nag: Nag) {}

    /// A comment, without its braces.
    fn comment(&mut self, _text: &str) {}

    /// A variation on the turn before begins. With `Break` it is skipped, variations inside included, and
    /// `end_variation` is not called.
    fn begin_variation(&mut self) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    /// The innermost variation ends.
    fn end_variation(&mut self) {}

    /// The result at the end of the movetext. Not called if there is none.
    fn result(&mut self, _result: GameResult) {}

    /// Something cannot be read; the reader goes on behind it.
    fn problem(&mut self, line: usize, problem: SyntaxProblem);

    /// The game is over.
    fn end_game(&mut self) -> Self::Output;
}

/// Reads the games of a text, one by one. However bad a game is, the next one is found.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
    line: usize,
}

/// Where the reader is inside a game.
struct State {
    has_tags: bool,
    in_movetext: bool,
    /// The visitor wants nothing more.
    stopped: bool,
    depth: usize,
    /// Depth of the outermost variation that is skipped.
    skipped: Option<usize>,
}

impl State {
    fn silent(&self) -> bool {
        self.stopped || self.skipped.is_some()
    }
}

impl<'a> Reader<'a> {
    /// Returns a reader of a text.
    pub const fn new(text: &'a str) -> Self {
        Self { text, rest: text, line: 1 }
    }

    /// Returns the number of the line that is read next, 1 for the first.
    pub const fn line(&self) -> usize {
        self.line
    }

    /// Reads the next game, if there is one.
    pub fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> Option<V::Output> {
        self.skip_blank();
        while self.rest.starts_with('%') && self.at_line_start() {
            self.skip_line();
            self.skip_blank();
        }
        if self.rest.is_empty() {
            return None;
        }
        visitor.begin_game(self.line);
        let mut state =
            State { has_tags: false, in_movetext: false, stopped: false, depth: 0, skipped: None };
        loop {
            self.skip_blank();
            let Some(first) = self.rest.chars().next() else { break };
            if first == '%' && self.at_line_start() {
                self.skip_line();
                continue;
            }
            if first == '[' {
                // A tag behind movetext is the next game's, whatever is still open in this one; so is the tag
                // that begins every game.
                if state.in_movetext || state.has_tags && self.rest.starts_with("[Event ") {
                    break;
                }
                state.has_tags = true;
                self.tag(visitor);
                continue;
            }
            if first == '{' || first == ';' {
                self.comment(visitor, state.silent());
                continue;
            }
            if !state.in_movetext {
                state.in_movetext = true;
                state.stopped = visitor.begin_movetext(self.line).is_break();
            }
            if self.movetext(first, visitor, &mut state).is_break() {
                break;
            }
        }
        if !state.in_movetext && visitor.begin_movetext(self.line).is_break() {
            state.stopped = true;
        }
        if state.depth > 0 && !state.stopped {
            visitor.problem(self.line, SyntaxProblem::OpenVariation);
        }
        Some(visitor.end_game())
    }

    /// Reads one word of the movetext; `Break` is the end of the game.
    fn movetext<V: Visitor>(&mut self, first: char, visitor: &mut V, state: &mut State) -> ControlFlow<()> {
        let line = self.line;
        match first {
            '(' => {
                self.advance(1);
                state.depth += 1;
                if !state.silent() && visitor.begin_variation().is_break() {
                    state.skipped = Some(state.depth);
                }
            }
            ')' => {
                self.advance(1);
                if state.depth == 0 {
                    if !state.stopped {
                        visitor.problem(line, SyntaxProblem::ClosesNothing(')'));
                    }
                    return ControlFlow::Continue(());
                }
                if state.skipped == Some(state.depth) {
                    state.skipped = None;
                } else if !state.silent() {
                    visitor.end_variation();
                }
                state.depth -= 1;
            }
            '}' | ']' => {
                self.advance(1);
                if !state.silent() {
                    visitor.problem(line, SyntaxProblem::ClosesNothing(first));
                }
            }
            '$' => {
                let digits = self.rest.get(1..).map_or(0, |rest| leading(rest, |c| c.is_ascii_digit()));
                let number = self.rest.get(1..=digits).and_then(|digits| digits.parse().ok());
                if let Some(number) = number.filter(|_| !state.silent()) {
                    visitor.nag(Nag(number));
                }
                self.advance(1 + digits);
            }
            // Dots of a move number, wherever they are; figures of speech such as "+-" and "=".
            '.' | '…' | '+' | '-' | '=' | '/' | '~' | '±' | '∓' | '∞' | '<' | '>' if !self.is_null_move() =>
            {
                self.advance(first.len_utf8());
            }
            '!' | '?' => {
                let length = leading(self.rest, |c| matches!(c, '!' | '?'));
                let word = self.take(length);
                if let Some(nag) = nag(word).filter(|_| !state.silent()) {
                    visitor.nag(nag);
                }
            }
            _ => {
                if let Some((result, length)) = result(self.rest) {
                    self.advance(length);
                    if state.depth > 0 {
                        return ControlFlow::Continue(());
                    }
                    if !state.stopped {
                        visitor.result(result);
                    }
                    return ControlFlow::Break(());
                }
                let number = move_number(self.rest);
                if number > 0 {
                    self.advance(number);
                    return ControlFlow::Continue(());
                }
                // A character that begins nothing must not be read for ever.
                let length = turn_length(self.rest).max(first.len_utf8());
                let word = self.take(length);
                if word != "e.p." && !state.silent() {
                    let san = word.trim_end_matches(['!', '?']);
                    if visitor.turn(line, san).is_break() {
                        state.stopped = true;
                    } else if let Some(nag) = word.get(san.len()..).and_then(nag) {
                        visitor.nag(nag);
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn is_null_move(&self) -> bool {
        self.rest.starts_with("--")
    }

    fn tag<V: Visitor>(&mut self, visitor: &mut V) {
        let line = self.line;
        let end = self.rest.find(['\n', '\r']).unwrap_or(self.rest.len());
        let text = self.rest.get(..end).unwrap_or_default();
        if let Some((name, value, length)) = parse_tag(text) {
            visitor.tag(line, name, &value);
            self.advance(length);
        } else {
            visitor.problem(line, SyntaxProblem::Tag(text.chars().take(80).collect()));
            self.advance(end);
        }
    }

    fn comment<V: Visitor>(&mut self, visitor: &mut V, silent: bool) {
        let line = self.line;
        let open = self.rest.starts_with('{');
        let inside = self.rest.get(1..).unwrap_or_default();
        let (length, closed) = if open {
            // A comment that is never closed must not swallow the games behind it.
            let (end, found) = inside.find('}').map_or((inside.len(), false), |end| (end, true));
            match inside.get(..end).unwrap_or_default().find("\n[Event ") {
                Some(next) => (next, false),
                None => (end, found),
            }
        } else {
            (inside.find(['\n', '\r']).unwrap_or(inside.len()), true)
        };
        if !silent {
            visitor.comment(inside.get(..length).unwrap_or_default());
            if !closed {
                visitor.problem(line, SyntaxProblem::OpenComment);
            }
        }
        self.advance(1 + length + usize::from(open && closed));
    }

    fn skip_blank(&mut self) {
        // A byte order mark stands at the beginning, and again where files were joined.
        self.advance(leading(self.rest, |c| c.is_whitespace() || c == '\u{feff}'));
    }

    fn skip_line(&mut self) {
        self.advance(self.rest.find(['\n', '\r']).unwrap_or(self.rest.len()));
    }

    fn at_line_start(&self) -> bool {
        let read = self.text.len() - self.rest.len();
        let before = self.text.get(..read).unwrap_or_default();
        before.trim_end_matches('\u{feff}').is_empty() || before.ends_with(['\n', '\r'])
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (word, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.line += word.bytes().filter(|&byte| byte == b'\n').count();
        self.rest = rest;
        word
    }

    fn advance(&mut self, length: usize) {
        self.take(length);
    }
}

/// Returns the number of bytes of the characters at the beginning that are so.
fn leading(text: &str, is_so: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_so(c)).unwrap_or(text.len())
}

fn nag(mark: &str) -> Option<Nag> {
    Some(Nag(match mark {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        _ => return None,
    }))
}

/// Returns the result that a text begins with, and its length.
fn result(text: &str) -> Option<(GameResult, usize)> {
    let (result, length) = GameResult::ALL
        .into_iter()
        .chain([(GameResult::Draw, "1/2"), (GameResult::Draw, "½-½")])
        .find_map(|(result, written)| text.starts_with(written).then_some((result, written.len())))?;
    let next = text.get(length..)?.chars().next();
    next.is_none_or(|c| !c.is_alphanumeric() && c != '-').then_some((result, length))
}

/// Returns the length of the move number that a text begins with, its dots included; 0 if there is none.
fn move_number(text: &str) -> usize {
    let digits = leading(text, |c| c.is_ascii_digit());
    let behind = text.get(digits..).unwrap_or_default();
    let dots = leading(behind, |c| matches!(c, '.' | '…'));
    if digits > 0 && (dots > 0 || behind.chars().next().is_none_or(char::is_whitespace)) {
        digits + dots
    } else {
        0
    }
}

/// Returns the length of the turn that a text begins with.
fn turn_length(text: &str) -> usize {
    let mut length = 0;
    loop {
        let rest = text.get(length..).unwrap_or_default();
        length += leading(rest, |c| {
            !c.is_whitespace() && !matches!(c, '(' | ')' | '{' | '}' | '[' | ']' | ';' | '$' | '\u{feff}')
        });
        let rest = text.get(length..).unwrap_or_default();
        length += match rest.as_bytes().first() {
            Some(b'(') if length > 0 => match squares_length(rest) {
                Some(squares) => squares,
                None => return length,
            },
            Some(b';') if length > 0 && is_taking(rest.as_bytes().get(1..).unwrap_or_default()) => 1,
            _ => return length,
        };
    }
}

/// Sixteen squares with their commas and parentheses: no step takes more men.
const MAX_SQUARES_LENGTH: usize = 16 * 3 + 1;

/// Returns the length of the squares between parentheses that a text begins with.
fn squares_length(text: &str) -> Option<usize> {
    let end = text.bytes().take(MAX_SQUARES_LENGTH).position(|byte| byte == b')')?;
    let inside = text.get(1..end)?;
    let promotion = inside.len() == 1 && inside.bytes().all(|byte| byte.is_ascii_uppercase());
    let squares = inside.split(',').all(|square| is_square(square.as_bytes()) && square.len() == 2);
    (promotion || squares).then_some(end + 1)
}

fn is_square(text: &[u8]) -> bool {
    matches!(text, [b'a'..=b'h', b'1'..=b'8', ..])
}

/// Returns whether a text begins as the next step of a chain does: a letter or none, `x`, a square.
fn is_taking(text: &[u8]) -> bool {
    let text = match text {
        [b'A'..=b'Z', rest @ ..] => rest,
        all => all,
    };
    match text {
        [b'x', rest @ ..] => is_square(rest),
        _ => false,
    }
}

/// Reads a tag at the beginning of a line: name, value, length.
fn parse_tag(text: &str) -> Option<(&str, String, usize)> {
    let blank = |text: &str| leading(text, char::is_whitespace);
    let mut rest = text.strip_prefix('[')?;
    rest = rest.get(blank(rest)..)?;
    let (name, behind) = rest.split_at_checked(leading(rest, tag::is_name_char))?;
    if !tag::is_name(name) {
        return None;
    }
    rest = behind.get(blank(behind)..)?.strip_prefix('"')?;
    let mut value = String::new();
    let mut chars = rest.char_indices();
    loop {
        match chars.next()? {
            (at, '"') => {
                rest = rest.get(at + 1..)?;
                break;
            }
            (_, '\\') => match chars.next()? {
                (_, c @ ('"' | '\\')) => value.push(c),
                // A backslash that escapes nothing: somebody's path.
                (_, c) => value.extend(['\\', c]),
            },
            (_, c) => value.push(c),
        }
    }
    rest = rest.get(blank(rest)..)?.strip_prefix(']')?;
    Some((name, value, text.len() - rest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes down what it is told.
    #[derive(Default)]
    struct Recorder {
        seen: Vec<String>,
        enter_variations: bool,
    }

    impl Visitor for Recorder {
        type Output = Vec<String>;

        fn begin_game(&mut self, line: usize) {
            self.seen.push(format!("game {line}"));
        }

        fn tag(&mut self, _: usize, name: &str, value: &str) {
            self.seen.push(format!("{name}={value}"));
        }

        fn turn(&mut self, _: usize, san: &str) -> ControlFlow<()> {
            self.seen.push(san.to_owned());
            if san == "stop" { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }

        fn nag(&mut self, nag: Nag) {
            self.seen.push(format!("${}", nag.0));
        }

        fn comment(&mut self, text: &str) {
            self.seen.push(format!("{{{}}}", text.trim()));
        }

        fn begin_variation(&mut self) -> ControlFlow<()> {
            if !self.enter_variations {
                return ControlFlow::Break(());
            }
            self.seen.push("begin".to_owned());
            ControlFlow::Continue(())
        }

        fn end_variation(&mut self) {
            self.seen.push("end".to_owned());
        }

        fn result(&mut self, result: GameResult) {
            self.seen.push(result.to_string());
        }

        fn problem(&mut self, line: usize, problem: SyntaxProblem) {
            self.seen.push(format!("line {line}: {problem}"));
        }

        fn end_game(&mut self) -> Vec<String> {
            std::mem::take(&mut self.seen)
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
    fn squares_and_chains_glued_to_a_turn_belong_to_it() {
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
    fn tags_comments_marks_and_variations() {
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
                "O-O",
                "0-0",
                "1/2-1/2",
            ]],
        );
    }

    #[test]
    fn a_bad_game_does_not_hide_the_next() {
        check(
            "[Event \"1\"]\n\n1. e4 ( 1. d4\n[Event \"2\"]\n[Bad tag]\ne4 {open\n[Event \"3\"]\n) } stop e5 ) 1-0\n\
             [Event \"4\"]\n[Event \"5\"]\n*",
            false,
            &[
                &["game 1", "Event=1", "e4", "line 4: a variation is never closed by \")\""],
                &[
                    "game 4",
                    "Event=2",
                    "line 5: \"[Bad tag]\" is not a tag; write [Name \"value\"]",
                    "e4",
                    "{open}",
                    "line 6: the comment that begins here is never closed by \"}\"",
                ],
                &["game 7", "Event=3", "line 8: ')' closes nothing", "line 8: '}' closes nothing", "stop"],
                &["game 9", "Event=4"],
                &["game 10", "Event=5", "*"],
            ],
        );
    }
}
