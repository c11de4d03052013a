//! A picture on disk, as SVG or PNG, and what all pictures share.

use std::path::Path;

use anyhow::{Context, Result, bail};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

pub(crate) const SIZE: (u32, u32) = (960, 560);
pub(crate) const FONT: &str = "DejaVu Sans, sans-serif";
/// Colours that people with any colour vision can tell apart (Okabe and Ito).
pub(crate) const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(213, 94, 0),
    RGBColor(86, 180, 233),
];

/// What the file's name says that it is.
#[derive(Clone, Copy)]
pub(crate) enum Format {
    Svg,
    Png,
}

/// Something that can be drawn on either.
pub(crate) trait Drawing {
    /// Width and height in pixels.
    fn size(&self) -> (u32, u32) {
        SIZE
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<()>
    where
        B::ErrorType: 'static;
}

impl Format {
    pub(crate) fn from_path(out: &Path) -> Result<Self> {
        // Before anything is computed.
        let folder = out.parent().filter(|folder| *folder != Path::new(""));
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            bail!(
                "expected an existing folder for --out, found {}",
                folder.display()
            );
        }
        match out.extension().and_then(|ext| ext.to_str()) {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            _ => bail!(
                "expected a name that ends in .svg or .png for --out, found {}",
                out.display()
            ),
        }
    }

    /// Draws under a temporary name and renames, so that a picture is whole or not there.
    pub(crate) fn draw(self, out: &Path, drawing: &impl Drawing) -> Result<()> {
        // Widths of labels are measured for an SVG as well.
        plotters::style::register_font(FONT, FontStyle::Normal, dejavu::sans::regular())
            .map_err(|_| anyhow::anyhow!("failed to load the embedded font"))?;
        let bytes = match self {
            Self::Svg => {
                let mut text = String::new();
                let area = SVGBackend::with_string(&mut text, drawing.size()).into_drawing_area();
                drawing.draw(&area)?;
                area.present().context("failed to draw")?;
                drop(area);
                text.into_bytes()
            }
            Self::Png => {
                let (width, height) = drawing.size();
                let mut pixels = vec![0; 3 * width as usize * height as usize];
                let area = BitMapBackend::with_buffer(&mut pixels, (width, height));
                let area = area.into_drawing_area();
                drawing.draw(&area)?;
                area.present().context("failed to draw")?;
                drop(area);
                let mut bytes = Vec::new();
                let mut encoder = png::Encoder::new(&mut bytes, width, height);
                encoder.set_color(png::ColorType::Rgb);
                let mut writer = encoder.write_header().context("failed to draw")?;
                writer.write_image_data(&pixels).context("failed to draw")?;
                writer.finish().context("failed to draw")?;
                bytes
            }
        };
        Ok(tester::util::atomic_file::write_whole(out, &bytes)?)
    }
}

/// Text of this size, centred on a line. It begins, ends or has its middle at a point.
pub(crate) fn text<'a>(size: i32, horizontal: HPos) -> TextStyle<'a> {
    TextStyle::from((FONT, size).into_font()).pos(Pos::new(horizontal, VPos::Center))
}

/// The box that tells which colour is what.
pub(crate) fn legend<'a, B, C>(
    chart: &mut ChartContext<'a, B, C>,
    position: SeriesLabelPosition,
) -> Result<()>
where
    B: DrawingBackend + 'a,
    B::ErrorType: 'static,
    C: CoordTranslate,
{
    chart
        .configure_series_labels()
        .position(position)
        .margin(14)
        .label_font((FONT, 15))
        .background_style(WHITE.mix(0.85))
        .border_style(RGBColor(200, 200, 200))
        .draw()?;
    Ok(())
}
