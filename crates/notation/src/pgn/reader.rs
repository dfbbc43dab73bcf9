//! Reads text and calls a visitor.

use std::{
    io::{self, Read},
    ops::ControlFlow,
};

use super::{
    encoding::{Encoding, SNIFF_BYTES, UTF16_GROWTH, Utf16, decode, sniff},
    lexer::{Lexer, Tag, Token, count_lines, game_end},
    tag::GameResult,
};

/// The maximum size of a game that a [`Stream`] reads, in bytes. A longer one is reported as a problem, and
/// reading continues with the next. A [`Reader`] has no such limit.
pub const MAX_GAME_BYTES: usize = 4 << 20;

/// The maximum nesting depth of variations. Deeper ones are skipped and reported as a problem.
pub const MAX_DEPTH: usize = 100;

/// The number of a mark (numeric annotation glyph): 1 is `!`, 2 is `?`, … Every number is allowed, whether or
/// not it has a meaning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Nag(pub u8);

/// A problem in the text of a game. It does not depend on the variant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SyntaxProblem {
    /// A line that begins like a tag but is not one. It is ignored.
    #[error("{0:?} is not a tag; write [Name \"value\"]")]
    Tag(String),
    /// A tag that is not in the standard form, but was read.
    #[error("the tag {0:?} was read, but should be written [Name \"value\"]")]
    LooseTag(String),
    /// A tag in the middle of the movetext.
    #[error("the movetext ends without a result at a tag, which begins the next game")]
    TagInMovetext,
    /// A mark with a number above 255, or an unknown symbol. It is ignored.
    #[error("{0:?} means nothing here and is ignored")]
    UnknownSign(String),
    /// A comment without its closing brace.
    #[error("the comment that begins here is never closed by \"}}\"")]
    OpenComment,
    /// A variation without its closing parenthesis.
    #[error("a variation is not closed: its \")\" is missing")]
    OpenVariation,
    /// A closing parenthesis, brace or bracket that closes nothing.
    #[error("{0:?} closes nothing")]
    ClosesNothing(char),
    /// Variations nested deeper than [`MAX_DEPTH`].
    #[error("variations are nested more than {MAX_DEPTH} deep")]
    TooDeep,
    /// A game longer than [`MAX_GAME_BYTES`].
    #[error("the game that begins here is longer than {} MiB", MAX_GAME_BYTES >> 20)]
    TooLong,
}

impl SyntaxProblem {
    /// Returns `true` if the problem casts no doubt on the main line.
    pub const fn is_harmless(&self) -> bool {
        match self {
            Self::Tag(_) | Self::LooseTag(_) | Self::TagInMovetext | Self::UnknownSign(_) | Self::TooDeep => {
                true
            }
            Self::OpenComment | Self::OpenVariation | Self::ClosesNothing(_) | Self::TooLong => false,
        }
    }
}

/// Receives the contents of a PGN file. The reader makes its calls in the order of the text: `begin_game`
/// once; `tag` for each tag; `begin_movetext` once; the methods for turns and everything between them;
/// `end_game` once. `comment` and `problem` may also be called before `begin_movetext`. If a game is too
/// long for a [`Stream`], only `begin_game`, `problem` and `end_game` are called.
pub trait Visitor {
    /// The result of reading a game.
    type Output;

    /// Begins a game, on this line.
    fn begin_game(&mut self, line: usize);

    /// Receives a tag, with its value unquoted and unescaped.
    fn tag(&mut self, _line: usize, _name: &str, _value: &str) {}

    /// Begins the movetext, after all tags. After `Break`, only the end of this game is reported.
    fn begin_movetext(&mut self, _line: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Receives a turn as written; it may be any text. After `Break`, the rest of the line of play, which is
    /// the game or the innermost variation, is skipped, and only its end is reported.
    fn turn(&mut self, line: usize, san: &str) -> ControlFlow<()>;

    /// Receives an explicit turn. The vchess site writes each game a second time in this form, for example
    /// `e2.e4 wpe4/wpe2`: the squares where the turn starts and ends, the men that appear, and the men that
    /// disappear. Called even after `turn` has returned `Break`, because it resolves the ambiguities of the
    /// earlier turns.
    fn explicit_turn(&mut self, _line: usize, _text: &str) {}

    /// Receives a mark of the previous turn.
    fn nag(&mut self, _nag: Nag) {}

    /// Receives a comment, without its braces.
    fn comment(&mut self, _text: &str) {}

    /// Begins a variation on the previous turn. After `Break` it is skipped with all variations inside it,
    /// and `end_variation` is not called.
    fn begin_variation(&mut self) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    /// Ends the innermost variation.
    fn end_variation(&mut self) {}

    /// Receives the result at the end of the movetext. Not called if there is none, or after a `Break` in the
    /// main line.
    fn result(&mut self, _result: GameResult) {}

    /// Receives a problem with the text. The reader continues after it.
    fn problem(&mut self, line: usize, problem: SyntaxProblem);

    /// Ends the game.
    fn end_game(&mut self) -> Self::Output;
}

/// Reads the games in a string, one by one. After a bad game it continues with the next.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
    line: usize,
    /// Whether the rest begins a line.
    at_line_start: bool,
}

impl<'a> Reader<'a> {
    /// Returns a reader of a string.
    pub const fn new(text: &'a str) -> Self {
        Self { rest: text.as_bytes(), line: 1, at_line_start: true }
    }

    /// Returns the number of the line to be read next, starting from 1.
    pub const fn line(&self) -> usize {
        self.line
    }

    /// Reads the next game, if there is one.
    pub fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> Option<V::Output> {
        let end = game_end(self.rest, self.at_line_start, true)?;
        let (game, rest) = self.rest.split_at_checked(end.at)?;
        let output = report_game(game, self.line, self.at_line_start, end.starts_mid_movetext, visitor);
        self.line += count_lines(game);
        self.at_line_start = ends_line(game);
        self.rest = rest;
        Some(output)
    }
}

/// Reads the games in a file, one by one. Memory use does not grow with the file: a stream holds the longest
/// game, at most [`MAX_GAME_BYTES`], and a little more.
///
/// The bytes are UTF-16, or else each word is UTF-8 or Windows-1252. If the first bytes show that the file is
/// not PGN, reading fails with [`io::ErrorKind::InvalidData`] and a [`NotPgn`](super::NotPgn) inside.
#[derive(Debug)]
pub struct Stream<R> {
    source: R,
    buffer: Vec<u8>,
    /// The part of the buffer that is filled and not yet reported.
    start: usize,
    end: usize,
    line: usize,
    at_line_start: bool,
    finished: bool,
    /// Known after the first bytes have been read.
    encoding: Option<Encoding>,
    utf16: Utf16,
    /// The undecoded bytes of a file in UTF-16, and the text decoded from them.
    raw: Vec<u8>,
    decoded: Vec<u8>,
}

/// The number of bytes read at a time.
const CHUNK: usize = 256 << 10;

impl<R: Read> Stream<R> {
    /// Returns a reader for the games in a source, which need not be buffered.
    pub const fn new(source: R) -> Self {
        Self {
            source,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            line: 1,
            at_line_start: true,
            finished: false,
            encoding: None,
            utf16: Utf16::new(),
            raw: Vec::new(),
            decoded: Vec::new(),
        }
    }

    /// Returns the number of the line to be read next, starting from 1.
    pub const fn line(&self) -> usize {
        self.line
    }

    /// Reads the next game, if there is one. Fails if the source fails or is not PGN; problems in games go to
    /// the visitor.
    pub fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> io::Result<Option<V::Output>> {
        if self.encoding.is_none() {
            self.begin_file()?;
        }
        loop {
            let unread = self.buffer.get(self.start..self.end).unwrap_or_default();
            if let Some(end) = game_end(unread, self.at_line_start, self.finished) {
                let game = unread.get(..end.at).unwrap_or_default();
                let output =
                    report_game(game, self.line, self.at_line_start, end.starts_mid_movetext, visitor);
                self.advance(end.at);
                return Ok(Some(output));
            }
            if self.finished {
                return Ok(None);
            }
            // Whitespace between games belongs to none of them and need not be kept.
            let blank = unread.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let too_long = unread.len() - blank >= MAX_GAME_BYTES;
            self.advance(blank);
            if too_long {
                let line = self.line;
                visitor.begin_game(line);
                visitor.problem(line, SyntaxProblem::TooLong);
                let output = visitor.end_game();
                self.find_next_game()?;
                return Ok(Some(output));
            }
            self.fill()?;
        }
    }

    fn advance(&mut self, length: usize) {
        let read = self.buffer.get(self.start..self.start + length).unwrap_or_default();
        self.line += count_lines(read);
        if !read.is_empty() {
            self.at_line_start = ends_line(read);
        }
        self.start += length;
    }

    /// Reads the first bytes, which show what kind of file it is.
    fn begin_file(&mut self) -> io::Result<()> {
        while self.end < SNIFF_BYTES && !self.finished {
            self.fill()?;
        }
        let first = self.buffer.get(..self.end).unwrap_or_default();
        if let Some(found) = sniff(first) {
            return Err(found.into());
        }
        let encoding = Encoding::of(first);
        if let Encoding::Utf16 { big_endian } = encoding {
            self.utf16.decode(first, big_endian, &mut self.decoded);
            self.end = 0;
            self.take_decoded();
        }
        // This is set last so that, if reading fails, the next call looks at the first bytes again.
        self.encoding = Some(encoding);
        Ok(())
    }

    /// Moves decoded text into the buffer.
    fn take_decoded(&mut self) {
        let needed = self.end + self.decoded.len();
        if self.buffer.len() < needed {
            self.buffer.resize(needed, 0);
        }
        if let Some(room) = self.buffer.get_mut(self.end..needed) {
            room.copy_from_slice(&self.decoded);
            self.end = needed;
        }
        self.decoded.clear();
    }

    /// Reads more bytes, after making room for them.
    fn fill(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.buffer.len() < self.end + CHUNK {
            // The size is doubled to limit how often a long game is examined again.
            self.buffer.resize((2 * self.end).clamp(2 * CHUNK, MAX_GAME_BYTES + CHUNK), 0);
        }
        // A source that returns a few bytes at a time must not cause a long game to be examined again for
        // each of them.
        let needed = (self.end + self.end / 8).min(self.buffer.len());
        loop {
            let read = self.read_once();
            match read {
                Ok(0) => self.finished = true,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            }
            if self.finished || self.end >= needed {
                return Ok(());
            }
        }
    }

    /// Reads once from the source. Returns the number of bytes read.
    fn read_once(&mut self) -> io::Result<usize> {
        let room = self.buffer.get_mut(self.end..).unwrap_or_default();
        let Some(Encoding::Utf16 { big_endian }) = self.encoding else {
            let read = self.source.read(room)?;
            self.end += read;
            return Ok(read);
        };
        self.raw.resize((room.len() / UTF16_GROWTH).max(1), 0);
        let read = self.source.read(&mut self.raw)?;
        self.utf16.decode(self.raw.get(..read).unwrap_or_default(), big_endian, &mut self.decoded);
        self.take_decoded();
        Ok(read)
    }

    /// Skips to the next line that starts a game, even if comments or variations are still open.
    fn find_next_game(&mut self) -> io::Result<()> {
        // The first line belongs to the game that is skipped.
        let mut known = 1;
        loop {
            let unread = self.buffer.get(self.start..self.end).unwrap_or_default();
            let next = (known..unread.len()).find(|&at| {
                let (before, after) = unread.split_at_checked(at).unwrap_or_default();
                after.starts_with(b"[")
                    && (before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n"))
                    && after.get(1).is_none_or(u8::is_ascii_alphanumeric)
            });
            if let Some(next) = next {
                self.advance(next);
                return Ok(());
            }
            if self.finished {
                self.advance(unread.len());
                return Ok(());
            }
            // Keep the last bytes: they may be the line ends before the next game.
            let keep = unread.len().min(3);
            self.advance(unread.len() - keep);
            known = keep.max(1);
            self.fill()?;
        }
    }
}

fn ends_line(bytes: &[u8]) -> bool {
    matches!(bytes.last(), Some(b'\n' | b'\r'))
}

/// The maximum number of characters that a problem quotes.
const MAX_QUOTE: usize = 80;

fn quote(bytes: &[u8]) -> String {
    decode(bytes).chars().take(MAX_QUOTE).collect()
}

/// Reports one game to a visitor. `ends_at_tag` is true if a tag in the middle of the movetext ended it.
fn report_game<V: Visitor>(
    game: &[u8],
    line: usize,
    at_line_start: bool,
    ends_at_tag: bool,
    visitor: &mut V,
) -> V::Output {
    let mut lexer = Lexer::new(game, line, at_line_start);
    lexer.skip_blank();
    visitor.begin_game(lexer.line);
    let mut state = State { in_movetext: false, stopped: false, depth: 0, skipped: None, cut: None };
    // Whether the game ends inside a comment. If so, the tag at which it ends is not reported as a problem.
    let mut is_open = false;
    loop {
        lexer.skip_blank();
        let line = lexer.line;
        let Some(token) = lexer.next() else { break };
        match token {
            Token::Tag(Tag::Good(name, value)) => visitor.tag(line, name, &value),
            Token::Tag(Tag::Loose(name, value, text)) => {
                visitor.problem(line, SyntaxProblem::LooseTag(quote(text)));
                visitor.tag(line, name, &value);
            }
            Token::Tag(Tag::Bad(text)) => visitor.problem(line, SyntaxProblem::Tag(quote(text))),
            Token::Comment { text, closed } => {
                is_open = !closed;
                if !state.is_skipping() {
                    visitor.comment(&decode(text));
                    if !closed {
                        visitor.problem(line, SyntaxProblem::OpenComment);
                    }
                }
            }
            token => {
                if !state.in_movetext {
                    state.in_movetext = true;
                    if visitor.begin_movetext(line).is_break() {
                        // Only the end of the game remains to be reported.
                        return visitor.end_game();
                    }
                }
                movetext(&token, line, visitor, &mut state);
            }
        }
    }
    if !state.in_movetext && visitor.begin_movetext(lexer.line).is_break() {
        return visitor.end_game();
    }
    if state.depth > 0 && !state.stopped {
        visitor.problem(lexer.line, SyntaxProblem::OpenVariation);
    }
    if ends_at_tag && !is_open && state.depth == 0 && !state.stopped {
        visitor.problem(lexer.line, SyntaxProblem::TagInMovetext);
    }
    visitor.end_game()
}

/// The state of the reader inside a game.
struct State {
    in_movetext: bool,
    /// Whether the visitor has stopped the main line.
    stopped: bool,
    depth: usize,
    /// The depth of the outermost variation that is skipped.
    skipped: Option<usize>,
    /// The depth of the variation that the visitor has stopped.
    cut: Option<usize>,
}

impl State {
    fn is_skipping(&self) -> bool {
        self.stopped || self.skipped.is_some() || self.cut.is_some()
    }
}

/// Reports one word of the movetext to a visitor.
fn movetext<V: Visitor>(token: &Token<'_>, line: usize, visitor: &mut V, state: &mut State) {
    match *token {
        Token::OpenVariation => {
            state.depth += 1;
            if state.is_skipping() {
                return;
            }
            if state.depth > MAX_DEPTH {
                visitor.problem(line, SyntaxProblem::TooDeep);
                state.skipped = Some(state.depth);
            } else if visitor.begin_variation().is_break() {
                state.skipped = Some(state.depth);
            }
        }
        Token::CloseVariation if state.depth == 0 => {
            if !state.stopped {
                visitor.problem(line, SyntaxProblem::ClosesNothing(')'));
            }
        }
        Token::CloseVariation => {
            if state.skipped == Some(state.depth) {
                state.skipped = None;
            } else if state.cut == Some(state.depth) && !state.stopped {
                state.cut = None;
                visitor.end_variation();
            } else if !state.is_skipping() {
                visitor.end_variation();
            }
            state.depth -= 1;
        }
        Token::Explicit(text) => visitor.explicit_turn(line, &decode(text)),
        _ if state.is_skipping() => {}
        Token::StrayClose(c) => visitor.problem(line, SyntaxProblem::ClosesNothing(c)),
        Token::Nag(nag) => visitor.nag(nag),
        Token::Unknown(text) => visitor.problem(line, SyntaxProblem::UnknownSign(quote(text))),
        // A variation may end with a result, which is not the result of the game.
        Token::Result(result) if state.depth == 0 => visitor.result(result),
        Token::Turn(san, nags) => {
            if visitor.turn(line, &decode(san)).is_continue() {
                nags.iter().for_each(|nag| visitor.nag(nag));
            } else if state.depth == 0 {
                state.stopped = true;
            } else {
                state.cut = Some(state.depth);
            }
        }
        Token::Result(_) | Token::Tag(_) | Token::Comment { .. } => {}
    }
}

#[cfg(test)]
mod tests;
