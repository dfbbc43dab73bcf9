//! QR codes as SVG.

use qrcode::{QrCode, render::svg};

use crate::error::Error;

/// Returns the QR code of a string as SVG, with modules of the given size in pixels. Fails if the string is
/// too long for a QR code.
pub(crate) fn svg(text: &str, module: u32) -> Result<String, Error> {
    let code = QrCode::new(text).map_err(|_| Error::Internal("a string is too long for a QR code"))?;
    Ok(code.render::<svg::Color<'_>>().module_dimensions(module, module).build())
}
