use std::{
    fs,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use adoube_diagram::{Animation, Board, Marks, Picture, Set};
use adoube_rules::{Color, Position as _, coordinate};
use anyhow::{Context as _, bail};
use clap::Args;

use crate::options::Start;

/// Draw a position or a game
///
/// The file extension determines the format: `.svg`, `.png`, or `.gif` for a whole game as an animation. If
/// the name contains `{}`, each position is written to its own file, with `{}` replaced by its number in
/// three digits, starting from `000`.
#[derive(Args, Debug)]
pub(crate) struct Diagram {
    #[command(flatten)]
    start: Start,
    /// Turns to play first, in coordinate notation, separated by spaces: "e2e4 e7e5"
    #[arg(long, value_name = "TURNS", default_value = "")]
    moves: String,
    /// Circles and arrows on the last position: "e4 Rd5 Ge2e4", where G, R, Y or B sets the colour
    #[arg(long, value_name = "MARKS", default_value = "")]
    marks: Marks,
    /// The piece set: classic, silhouette, or mechanism, whose pieces show how they move and capture
    ///
    /// The default is classic for chess and mechanism for the other games.
    #[arg(long, value_name = "SET", alias = "set")]
    men: Option<Set>,
    /// The board: brown, green, blue, grey, maple or walnut
    #[arg(long, value_name = "BOARD", default_value_t = Board::default())]
    board: Board,
    /// Show the board from Black's side
    #[arg(long)]
    flip: bool,
    /// Omit the coordinates
    #[arg(long)]
    plain: bool,
    /// Width in pixels
    #[arg(long, value_name = "N", default_value = "400", value_parser = clap::value_parser!(u32).range(64..=2048))]
    width: u32,
    /// Milliseconds per frame of a GIF; the last frame is shown three times as long
    #[arg(long, value_name = "MS", default_value = "1000", value_parser = clap::value_parser!(u64).range(20..=60_000))]
    delay: u64,
    /// The output file, or `-` for SVG on standard output
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

/// An output format, chosen by the file extension.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
    Gif,
}

impl Format {
    fn of(path: &Path) -> anyhow::Result<Self> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        match extension.to_str() {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            Some("gif") => Ok(Self::Gif),
            _ => bail!("--output: {} must end with .svg, .png or .gif", path.display()),
        }
    }
}

pub(crate) fn run(arguments: &Diagram, out: &mut impl Write) -> anyhow::Result<()> {
    let (earlier, last) = pictures(arguments)?;
    let output = &arguments.output;
    if output == Path::new("-") {
        out.write_all(last.svg().as_bytes())?;
        return Ok(());
    }
    let format = Format::of(output)?;
    let Some(name_of) = numbered(output) else {
        return write(output, format, &earlier, &last, arguments.delay);
    };
    for (number, picture) in earlier.iter().chain([&last]).enumerate() {
        write(&name_of(number), format, &[], picture, arguments.delay)?;
    }
    Ok(())
}

/// Returns a picture of each position from which a turn is played, and one of the last position.
fn pictures(arguments: &Diagram) -> anyhow::Result<(Vec<Picture>, Picture)> {
    let mut position = arguments.start.position()?;
    let first = Picture {
        set: arguments.men.unwrap_or(Set::of(position.variant())),
        board: arguments.board,
        orientation: if arguments.flip { Color::Black } else { Color::White },
        coordinates: !arguments.plain,
        width: arguments.width,
        ..Picture::of(position.clone())
    };
    let mut turns = Vec::new();
    for (index, word) in arguments.moves.split_whitespace().enumerate() {
        let turn =
            coordinate::parse(&position, word).with_context(|| format!("--moves: turn {}", index + 1))?;
        position.play_turn_unchecked(&turn);
        turns.push(turn);
    }
    let mut earlier = first.after_each_turn(&turns);
    let last = earlier.pop().context("a game has no pictures")?;
    Ok((earlier, Picture { marks: arguments.marks.clone(), ..last }))
}

/// If the file name has a placeholder, returns a function that maps a position's number to its path.
fn numbered(path: &Path) -> Option<impl Fn(usize) -> PathBuf> {
    let name = path.file_name()?.to_str()?.to_owned();
    let path = path.to_owned();
    name.contains("{}").then_some(move |number: usize| {
        // Three digits are enough for any game worth drawing, and file names then sort by number.
        path.with_file_name(name.replacen("{}", &format!("{number:03}"), 1))
    })
}

fn write(path: &Path, format: Format, earlier: &[Picture], last: &Picture, delay: u64) -> anyhow::Result<()> {
    let cannot = || format!("{} cannot be written", path.display());
    match format {
        Format::Svg => fs::write(path, last.svg()).with_context(cannot),
        Format::Png => fs::write(path, last.png()?).with_context(cannot),
        Format::Gif => {
            let file = BufWriter::new(fs::File::create(path).with_context(cannot)?);
            let mut animation = Animation::new(file, last).with_context(cannot)?;
            for picture in earlier {
                animation.add(picture, Duration::from_millis(delay)).with_context(cannot)?;
            }
            animation.add(last, Duration::from_millis(delay * 3)).with_context(cannot)?;
            animation.finish().with_context(cannot)?.flush().with_context(cannot)
        }
    }
}
