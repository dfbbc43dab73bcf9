//! Renders pictures as pixels.

use std::{io::Write, time::Duration};

use gif::{Encoder, Frame, Repeat};
use resvg::{
    tiny_skia::{Color, Pixmap, Transform},
    usvg::{Options, Tree},
};
use thiserror::Error;

use crate::svg::Picture;

/// The reason why a picture cannot be rendered.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RasterError {
    /// The format does not allow this size, or it differs from the animation's.
    #[error("a picture of {0} by {1} pixels is too large, or its size differs from the animation's")]
    TooLarge(u32, u32),
    /// The SVG could not be parsed, which should not happen because it is generated.
    #[error("the drawing cannot be read: {0}")]
    Drawing(String),
    /// The pixels could not be encoded.
    #[error("the picture cannot be written: {0}")]
    Encoding(String),
}

/// The empty space above and below the picture on a card, in pixels.
const CARD_MARGIN: f32 = 15.0;

/// The colour of a card around the picture.
const CARD_COLOR: Color = Color::WHITE;

impl Picture {
    /// Returns the picture as PNG.
    pub fn png(&self) -> Result<Vec<u8>, RasterError> {
        self.pixels()?.encode_png().map_err(|error| RasterError::Encoding(error.to_string()))
    }

    /// Returns the picture as PNG in the middle of a card of [`CARD`](Self::CARD) pixels: the shape used for
    /// link previews, which crop other shapes. Ignores the picture's `width`.
    pub fn card(&self) -> Result<Vec<u8>, RasterError> {
        let tree = self.tree()?;
        let (width, height) = Self::CARD;
        let too_large = || RasterError::TooLarge(width.into(), height.into());
        let mut pixels = Pixmap::new(width.into(), height.into()).ok_or_else(too_large)?;
        pixels.fill(CARD_COLOR);
        let (across, down) = (f32::from(width), f32::from(height));
        let scale = (down - 2.0 * CARD_MARGIN) / tree.size().height();
        let left = (across - scale * tree.size().width()) / 2.0;
        let transform = Transform::from_row(scale, 0.0, 0.0, scale, left, CARD_MARGIN);
        resvg::render(&tree, transform, &mut pixels.as_mut());
        pixels.encode_png().map_err(|error| RasterError::Encoding(error.to_string()))
    }

    fn tree(&self) -> Result<Tree, RasterError> {
        Tree::from_str(&self.svg(), &Options::default())
            .map_err(|error| RasterError::Drawing(error.to_string()))
    }

    fn pixels(&self) -> Result<Pixmap, RasterError> {
        let tree = self.tree()?;
        let (width, height) = self.size();
        let too_large = || RasterError::TooLarge(width, height);
        let mut pixels = Pixmap::new(width, height).ok_or_else(too_large)?;
        let scale = |pixels: u32, units: f32| {
            u16::try_from(pixels).map(|pixels| f32::from(pixels) / units).map_err(|_| too_large())
        };
        let (across, down) = (scale(width, tree.size().width())?, scale(height, tree.size().height())?);
        let transform = Transform::from_scale(across, down);
        resvg::render(&tree, transform, &mut pixels.as_mut());
        Ok(pixels)
    }
}

/// A looping animated GIF.
///
/// All pictures must have the same size as the first one. Only one is in memory at a time.
pub struct Animation<W: Write> {
    encoder: Encoder<W>,
    size: (u32, u32),
}

impl<W: Write> std::fmt::Debug for Animation<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Animation").field("size", &self.size).finish_non_exhaustive()
    }
}

impl<W: Write> Animation<W> {
    /// Starts an animation with the size of this picture, without adding the picture.
    pub fn new(out: W, first: &Picture) -> Result<Self, RasterError> {
        let size = first.size();
        let narrow = |side| u16::try_from(side).map_err(|_| RasterError::TooLarge(size.0, size.1));
        let encoding = |error: gif::EncodingError| RasterError::Encoding(error.to_string());
        let mut encoder = Encoder::new(out, narrow(size.0)?, narrow(size.1)?, &[]).map_err(encoding)?;
        encoder.set_repeat(Repeat::Infinite).map_err(encoding)?;
        Ok(Self { encoder, size })
    }

    /// Adds a picture that is shown for the given time, at most about eleven minutes, rounded down to
    /// hundredths of a second.
    pub fn add(&mut self, picture: &Picture, time: Duration) -> Result<(), RasterError> {
        if picture.size() != self.size {
            return Err(RasterError::TooLarge(picture.size().0, picture.size().1));
        }
        let pixels = picture.pixels()?;
        let mut bytes = pixels.take();
        let (width, height) = (self.size.0 as u16, self.size.1 as u16);
        // Speed 10 is three times as fast as 1, and boards have few colours.
        let mut frame = Frame::from_rgba_speed(width, height, &mut bytes, 10);
        frame.delay = u16::try_from(time.as_millis() / 10).unwrap_or(u16::MAX);
        self.encoder.write_frame(&frame).map_err(|error| RasterError::Encoding(error.to_string()))
    }

    /// Ends the animation.
    pub fn finish(self) -> Result<W, RasterError> {
        self.encoder.into_inner().map_err(|error| RasterError::Encoding(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use adoube_rules::{AnyPosition, Position as _, Variant, coordinate};

    use super::*;
    use crate::Set;

    #[test]
    fn the_pixels_show_the_men() {
        let fen = "8/8/8/8/8/8/8/K6k w - - 0 1";
        let picture =
            Picture { width: 800, ..Picture::of(AnyPosition::from_fen(Variant::Chess, fen).unwrap()) };
        let pixels = picture.pixels().unwrap();
        assert_eq!((pixels.width(), pixels.height()), (800, 800));
        let at = |x, y| {
            let color = pixels.pixel(x, y).unwrap();
            [color.red(), color.green(), color.blue()]
        };
        assert_eq!(at(150, 50), [0xb9, 0x8f, 0x63], "b8 is dark and empty");
        assert_eq!(at(50, 50), [0xf0, 0xdf, 0xc2], "a8 is light and empty");
        let brightness = |[red, green, blue]: [u8; 3]| u32::from(red) + u32::from(green) + u32::from(blue);
        assert!(brightness(at(50, 785)) > 600, "a white king on a1: {:?}", at(50, 785));
        assert!(brightness(at(750, 785)) < 300, "a black king on h1: {:?}", at(750, 785));
        assert!(picture.png().unwrap().starts_with(b"\x89PNG"));
    }

    /// The page draws coordinates in the same corners (`Squares.svelte`).
    #[test]
    fn men_do_not_cover_the_coordinates() {
        use adoube_rules::{Color, Piece, Role};

        for variant in Variant::ALL {
            for (set, index) in
                Set::ALL.into_iter().flat_map(|set| (0..variant.roles().len()).map(move |i| (set, i)))
            {
                for color in [Color::White, Color::Black] {
                    let piece = Piece { color, role: Role::new(index) };
                    let drawing = crate::men::drawing(set, variant, piece).unwrap();
                    let tree = Tree::from_str(drawing, &Options::default()).unwrap();
                    let mut pixels = Pixmap::new(100, 100).unwrap();
                    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
                    let name = variant.roles()[index].name;
                    for (x, y) in (2..13).flat_map(|x| (3..19).map(move |y| (x, y))) {
                        for (x, y) in [(x, y), (x + 85, y + 78)] {
                            let alpha = pixels.pixel(x, y).unwrap().alpha();
                            assert!(alpha < 100, "{} {name} of {variant} at {x}, {y}", set.name());
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_card_shows_the_whole_picture_in_its_middle() {
        let fen = "8/8/8/8/8/8/8/K6k w - - 0 1";
        let picture = Picture::of(AnyPosition::from_fen(Variant::Chess, fen).unwrap());
        let card = Pixmap::decode_png(&picture.card().unwrap()).unwrap();
        assert_eq!((card.width(), card.height()), (1200, 630));
        let at = |x, y| {
            let color = card.pixel(x, y).unwrap();
            [color.red(), color.green(), color.blue()]
        };
        // The board is 600 pixels wide, so a square is 75 pixels wide.
        assert_eq!(at(150, 300), [255, 255, 255], "left of the board");
        assert_eq!(at(338, 52), [0xf0, 0xdf, 0xc2], "a8 is light and empty");
        assert_eq!(at(412, 52), [0xb9, 0x8f, 0x63], "b8 is dark and empty");
        assert_eq!(at(600, 623), [255, 255, 255], "below the board");
    }

    #[test]
    fn a_game_becomes_an_animation() {
        let mut position = AnyPosition::initial(Variant::Interweave);
        let small = |position: &AnyPosition| Picture { width: 120, ..Picture::of(position.clone()) };
        let mut animation = Animation::new(Vec::new(), &small(&position)).unwrap();
        for turn in ["c2e4", "f7h5", "b2d4"] {
            animation.add(&small(&position), Duration::from_secs(1)).unwrap();
            let turn = coordinate::parse(&position, turn).unwrap();
            position.play_turn_unchecked(&turn);
        }
        animation.add(&small(&position), Duration::from_secs(3)).unwrap();
        let bytes = animation.finish().unwrap();
        let mut decoder = gif::Decoder::new(&bytes[..]).unwrap();
        let mut delays = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            assert_eq!((frame.width, frame.height), (120, 137));
            delays.push(frame.delay);
        }
        assert_eq!(delays, [100, 100, 100, 300]);
    }

    #[test]
    fn a_frame_of_a_different_size_is_refused() {
        let picture = Picture::of(AnyPosition::initial(Variant::Chess));
        let mut animation = Animation::new(Vec::new(), &picture).unwrap();
        let other = Picture { width: 100, ..picture };
        assert!(matches!(animation.add(&other, Duration::ZERO), Err(RasterError::TooLarge(100, 100))));
    }
}
