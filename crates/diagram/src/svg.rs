//! Renders pictures as SVG.

use std::fmt::Write as _;

use adoube_rules::{AnyPosition, Color, File, Piece, Position, Rank, Square};

use crate::{
    board::Board,
    glyphs,
    marks::{Mark, Marks},
    men::{self, Set},
};

/// The highlight colour for the squares of the last turn.
const LAST_TURN_COLOR: &str = "#f6d54a";
/// The colour of the outline of marks. The outline makes them visible on squares and men of the same colour.
const RIM: &str = "#fff";
/// The width of a square, in units of the picture; drawings of men fill it.
const SQUARE: i32 = 100;
/// The height of the strips for the reserves, above and below the board.
const RESERVE: i32 = 56;

/// A picture of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// The position.
    pub position: AnyPosition,
    /// The drawings of the men.
    pub set: Set,
    /// The colours of the squares.
    pub board: Board,
    /// The side shown at the bottom.
    pub orientation: Color,
    /// Circles and arrows.
    pub marks: Marks,
    /// The squares of the last turn in order; empty if none was played.
    pub last: Vec<Square>,
    /// Whether to show coordinates at the edge.
    pub coordinates: bool,
    /// The width in pixels, from 64 to 2048; it determines the height. For an SVG, which can be scaled, it is
    /// only a default.
    pub width: u32,
    /// The text alternative for screen readers; the FEN if empty.
    pub title: String,
}

impl Picture {
    /// The allowed widths.
    pub const WIDTHS: std::ops::RangeInclusive<u32> = 64..=2_048;

    /// The width and height of a card in pixels, in the shape of link previews: 1.91 to 1.
    pub const CARD: (u16, u16) = (1200, 630);

    /// Returns the default picture of a position: the default board, the default set of its variant, White at
    /// the bottom, coordinates, no marks, 400 pixels wide.
    pub fn of(position: AnyPosition) -> Self {
        Self {
            set: Set::of(position.variant()),
            board: Board::default(),
            position,
            orientation: Color::White,
            marks: Marks::default(),
            last: Vec::new(),
            coordinates: true,
            width: 400,
            title: String::new(),
        }
    }

    /// Returns the query of the URL from which the server serves this picture: `variant=chess&fen=…&marks=…`.
    /// The size and the coordinates are the default ones, and the last turn is not highlighted.
    pub fn query(&self) -> String {
        // FENs and marks contain no other characters with a special meaning in a query.
        let escaped = |text: &str| text.replace(' ', "+").replace('[', "%5B").replace(']', "%5D");
        let mut query = format!("variant={}&fen={}", self.position.variant(), escaped(&self.position.fen()));
        // Writing to a string cannot fail.
        if !self.marks.0.is_empty() {
            let _ = write!(query, "&marks={}", escaped(&self.marks.to_string()));
        }
        if self.set != Set::of(self.position.variant()) {
            let _ = write!(query, "&men={}", self.set.name());
        }
        if self.board != Board::default() {
            let _ = write!(query, "&board={}", self.board.name());
        }
        if self.orientation == Color::Black {
            query.push_str("&flip=true");
        }
        query
    }

    /// Returns the width and the height in pixels.
    pub fn size(&self) -> (u32, u32) {
        let (width, height) = self.units();
        let clamped_width = self.width.clamp(*Self::WIDTHS.start(), *Self::WIDTHS.end());
        (clamped_width, (clamped_width * height as u32).div_ceil(width as u32))
    }

    /// Returns the width and the height in units.
    fn units(&self) -> (i32, i32) {
        (8 * SQUARE, 8 * SQUARE + 2 * self.strip())
    }

    /// Returns the height of each reserve strip. A variant with reserves always shows both strips, so that
    /// the board does not move in an animation.
    fn strip(&self) -> i32 {
        if self.position.variant().reserve_roles().is_empty() { 0 } else { RESERVE }
    }

    /// Returns the picture as SVG.
    pub fn svg(&self) -> String {
        let (width, height) = self.units();
        let (pixels, pixels_high) = self.size();
        let title = if self.title.is_empty() { self.position.fen() } else { self.title.clone() };
        let mut out = Svg(String::with_capacity(32 * 1024));
        out.put(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{pixels}\" height=\"{pixels_high}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{}</title>\n",
            escape(&title)
        ));
        self.define_men(&mut out);
        out.put(&format!("<g transform=\"translate(0 {})\">\n", self.strip()));
        self.draw_squares(&mut out);
        if self.coordinates {
            self.draw_coordinates(&mut out);
        }
        for square in Square::ALL {
            if let Some(piece) = self.position.piece_at(square) {
                let (x, y) = self.corner(square);
                out.man(piece, x, y, SQUARE);
            }
        }
        for &mark in &self.marks.0 {
            self.draw_mark(&mut out, mark);
        }
        out.put("</g>\n");
        if self.strip() > 0 {
            self.draw_reserve(&mut out, !self.orientation, 0);
            self.draw_reserve(&mut out, self.orientation, self.strip() + 8 * SQUARE);
        }
        out.put("</svg>\n");
        out.0
    }

    /// Defines each kind of man once, so that the board can refer to the definitions.
    fn define_men(&self, out: &mut Svg) {
        let variant = self.position.variant();
        let mut seen: Vec<Piece> = Vec::new();
        let on_board = Square::ALL.into_iter().filter_map(|square| self.position.piece_at(square));
        let in_reserve = [Color::White, Color::Black].into_iter().flat_map(|color| {
            let roles = variant.reserve_roles().iter().copied();
            roles
                .filter(move |&role| self.position.reserve(color, role) > 0)
                .map(move |role| Piece { color, role })
        });
        for piece in on_board.chain(in_reserve) {
            if seen.contains(&piece) {
                continue;
            }
            seen.push(piece);
            let Some(drawing) = men::drawing(self.set, variant, piece) else { continue };
            let name = name(piece);
            // All drawings use the same ids for their parts, but within one file ids must differ.
            let drawing = drawing
                .trim_end()
                .replace("id=\"", &format!("id=\"{name}-"))
                .replace("href=\"#", &format!("href=\"#{name}-"))
                .replace("url(#", &format!("url(#{name}-"))
                .replace("<svg xmlns=\"http://www.w3.org/2000/svg\"", &format!("<symbol id=\"{name}\""))
                .replace("</svg>", "</symbol>");
            out.put(&drawing);
            out.put("\n");
        }
    }

    /// Returns the upper left corner of a square.
    fn corner(&self, square: Square) -> (i32, i32) {
        let (file, rank) = (square.file().index() as i32, square.rank().index() as i32);
        let (column, row) = match self.orientation {
            Color::White => (file, 7 - rank),
            Color::Black => (7 - file, rank),
        };
        (column * SQUARE, row * SQUARE)
    }

    fn draw_squares(&self, out: &mut Svg) {
        let Board { light, dark, .. } = self.board;
        out.put(&format!("<path fill=\"{light}\" d=\"M0 0H800V800H0Z\"/>\n<path fill=\"{dark}\" d=\""));
        for square in Square::ALL.into_iter().filter(|&square| !is_light(square)) {
            let (x, y) = self.corner(square);
            out.put(&format!("M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z"));
        }
        out.put("\"/>\n");
        if !self.last.is_empty() {
            out.put(&format!("<path fill=\"{LAST_TURN_COLOR}\" fill-opacity=\".7\" d=\""));
            for &square in &self.last {
                let (x, y) = self.corner(square);
                out.put(&format!("M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z"));
            }
            out.put("\"/>\n");
        }
    }

    fn draw_coordinates(&self, out: &mut Svg) {
        let (left, bottom) = match self.orientation {
            Color::White => (File::A, Rank::First),
            Color::Black => (File::H, Rank::Eighth),
        };
        for file in File::ALL {
            let (x, y) = self.corner(Square::new(file, bottom));
            let color = self.coordinate_color(Square::new(file, bottom));
            out.glyph(file.to_string().chars().next(), color, x + 88, y + 81);
        }
        for rank in Rank::ALL {
            let (x, y) = self.corner(Square::new(left, rank));
            let color = self.coordinate_color(Square::new(left, rank));
            out.glyph(rank.to_string().chars().next(), color, x + 3, y + 5);
        }
    }

    fn coordinate_color(&self, square: Square) -> &'static str {
        if is_light(square) { self.board.on_light } else { self.board.on_dark }
    }

    fn draw_mark(&self, out: &mut Svg, mark: Mark) {
        let color = mark.brush.color();
        let (x, y) = self.corner(mark.from);
        let (x, y) = (x + SQUARE / 2, y + SQUARE / 2);
        if mark.from == mark.to {
            out.put(&format!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"44\" fill=\"none\" stroke=\"{RIM}\" stroke-width=\"12\" \
                 stroke-opacity=\".9\"/>\n\
                 <circle cx=\"{x}\" cy=\"{y}\" r=\"44\" fill=\"none\" stroke=\"{color}\" stroke-width=\"8\"/>\n"
            ));
            return;
        }
        let (to_x, to_y) = self.corner(mark.to);
        let (to_x, to_y) = (to_x + SQUARE / 2, to_y + SQUARE / 2);
        let (run, rise) = (f64::from(to_x - x), f64::from(to_y - y));
        let length = run.hypot(rise);
        let degrees = rise.atan2(run).to_degrees();
        // The shaft and the head are drawn from the origin to the right, and then rotated.
        let (neck, tip) = (length - 46.0, length - 6.0);
        out.put(&format!(
            "<path fill=\"{color}\" stroke=\"{RIM}\" stroke-width=\"3\" opacity=\".9\" transform=\"translate({x} {y}) rotate({degrees:.2})\" \
             d=\"M18-9H{neck:.1}V-28L{tip:.1} 0L{neck:.1} 28V9H18Z\"/>\n"
        ));
    }

    fn draw_reserve(&self, out: &mut Svg, color: Color, y: i32) {
        let mut x = 6;
        for &role in self.position.variant().reserve_roles() {
            for _ in 0..self.position.reserve(color, role) {
                out.man(Piece { color, role }, x, y + 4, RESERVE - 8);
                x += RESERVE - 10;
            }
        }
    }
}

/// Returns `true` if a square is light, as h1 is (C1).
fn is_light(square: Square) -> bool {
    (square.file().index() + square.rank().index()) % 2 == 1
}

/// Returns the id of a man inside the picture.
fn name(piece: Piece) -> String {
    let color = if piece.color == Color::White { 'w' } else { 'b' };
    format!("{color}{}", piece.role.index())
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML cannot represent many of the control characters.
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// The SVG text under construction.
struct Svg(String);

impl Svg {
    fn put(&mut self, text: &str) {
        self.0.push_str(text);
    }

    fn man(&mut self, piece: Piece, x: i32, y: i32, size: i32) {
        // Writing to a string cannot fail.
        let _ = writeln!(
            self.0,
            "<use href=\"#{}\" x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\"/>",
            name(piece)
        );
    }

    fn glyph(&mut self, letter: Option<char>, color: &str, x: i32, y: i32) {
        let Some(letter) = letter else { return };
        let _ = writeln!(
            self.0,
            "<path fill=\"none\" stroke=\"{color}\" stroke-width=\"16\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\" transform=\"translate({x} {y}) scale(.14)\" d=\"{}\"/>",
            glyphs::strokes(letter)
        );
    }
}

#[cfg(test)]
mod tests {
    use adoube_rules::Variant;

    use super::*;

    fn picture(variant: Variant, fen: &str) -> Picture {
        Picture::of(AnyPosition::from_fen(variant, fen).unwrap())
    }

    /// Returns the id and the corner of each man drawn on the board.
    fn men_in(svg: &str) -> Vec<(String, i32, i32)> {
        let document = roxmltree::Document::parse(svg).unwrap();
        let number = |node: roxmltree::Node<'_, '_>, name| node.attribute(name).unwrap().parse().unwrap();
        let uses = document.descendants().filter(|node| {
            node.has_tag_name("use") && node.ancestors().all(|node| !node.has_tag_name("symbol"))
        });
        uses.map(|node| {
            (node.attribute("href").unwrap()[1..].to_owned(), number(node, "x"), number(node, "y"))
        })
        .collect()
    }

    #[test]
    fn men_are_drawn_on_their_squares_in_both_orientations() {
        let mut shown = picture(Variant::Chess, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
        let king =
            name(Piece { color: Color::Black, role: shown.position.piece_at(Square::E8).unwrap().role });
        assert!(men_in(&shown.svg()).contains(&(king.clone(), 400, 0)));
        shown.orientation = Color::Black;
        assert!(men_in(&shown.svg()).contains(&(king, 300, 700)));
        assert_eq!(men_in(&shown.svg()).len(), 3);
    }

    #[test]
    fn every_reference_is_valid() {
        for variant in Variant::ALL {
            for set in Set::ALL {
                let svg = Picture { set, ..Picture::of(AnyPosition::initial(variant)) }.svg();
                let document = roxmltree::Document::parse(&svg).unwrap();
                let ids: Vec<_> = document.descendants().filter_map(|node| node.attribute("id")).collect();
                let mut sorted = ids.clone();
                sorted.sort_unstable();
                sorted.dedup();
                assert_eq!(sorted.len(), ids.len(), "each id is unique");
                for (at, _) in svg.match_indices('#') {
                    let target: String =
                        svg[at + 1..].chars().take_while(|c| c.is_alphanumeric() || *c == '-').collect();
                    let is_color = target.len() == 3 || target.len() == 6;
                    assert!(ids.contains(&target.as_str()) || is_color, "{target}");
                }
            }
        }
    }

    #[test]
    fn games_with_the_same_men_share_their_drawings() {
        let men = |variant: Variant| {
            let picture = Picture { set: Set::Mechanism, ..Picture::of(AnyPosition::initial(variant)) };
            let svg = picture.svg();
            let drawings = svg.split("<symbol").skip(1).filter_map(|rest| rest.split("</symbol>").next());
            drawings.map(str::to_owned).collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!(men(Variant::Ultima), men(Variant::Baroque));
        assert_ne!(men(Variant::Chess), men(Variant::Baroque));
    }

    #[test]
    fn the_query_contains_the_position_the_marks_and_the_set() {
        let position =
            AnyPosition::from_fen(Variant::Interweave, "7k/7k/3P4/8/8/8/1P6/6KK[N] w - - 0 1").unwrap();
        let picture =
            Picture { set: Set::Classic, marks: "b2c3 Rd6".parse().unwrap(), ..Picture::of(position) };
        let query = picture.query();
        assert!(
            query.starts_with("variant=interweave&fen=7k/7k/3P4/8/8/8/1P6/6KK%5BN%5D+w+-+-+0+1"),
            "{query}"
        );
        assert!(query.ends_with("&marks=Gb2c3+Rd6&men=classic"), "{query}");
    }

    #[test]
    fn i11_reserves_are_shown_next_to_their_side() {
        let shown = picture(Variant::Interweave, "rbnkk1br/8/8/8/8/8/8/RBNKKNBR[Rnn] w - - 0 1");
        let svg = shown.svg();
        let document = roxmltree::Document::parse(&svg).unwrap();
        // The men on the board are in a group with an offset.
        let in_strips = document.root_element().children().filter(|node| node.has_tag_name("use"));
        let heights: Vec<i32> = in_strips.map(|node| node.attribute("y").unwrap().parse().unwrap()).collect();
        assert_eq!(heights, [4, 4, 860], "two black men above, one white man below");
        assert_eq!(shown.size(), (400, 456));
    }

    #[test]
    fn external_text_is_escaped() {
        let svg =
            Picture { title: "<script>\"&\u{1}".into(), ..Picture::of(AnyPosition::initial(Variant::Chess)) }
                .svg();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let title = document.descendants().find(|node| node.has_tag_name("title")).unwrap();
        assert_eq!(title.text(), Some("<script>\"& "));
    }
}
