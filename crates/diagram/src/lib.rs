//! Pictures of positions and games, for web pages, forums and print.
//!
//! A [`Picture`] describes the content. Its [`svg`](Picture::svg) needs no style sheet, font or other file.
//! With the `raster` feature it is also available as PNG, and a series of pictures as an animated GIF.
//!
//! ```
//! use adoube_diagram::{Marks, Picture};
//! use adoube_rules::{AnyPosition, Variant};
//!
//! let position = AnyPosition::from_fen(Variant::Baroque, "7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7")?;
//! let marks: Marks = "c2c4 Rc5 Rd4".parse()?;
//! let svg = Picture { marks, ..Picture::of(position) }.svg();
//! assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod game;
mod glyphs;
mod marks;
mod men;
#[cfg(feature = "raster")]
mod raster;
mod svg;

pub use board::{Board, BoardError};
pub use marks::{Brush, Mark, MarkError, Marks};
pub use men::{Set, SetError};
#[cfg(feature = "raster")]
pub use raster::{Animation, RasterError};
pub use svg::Picture;
