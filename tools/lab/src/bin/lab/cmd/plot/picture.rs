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

/// What a picture is drawn on: an SVG or a bitmap.
pub(crate) trait Canvas: DrawingBackend<ErrorType: 'static> {}

impl<B: DrawingBackend<ErrorType: 'static>> Canvas for B {}

/// Something that can be drawn on either.
pub(crate) trait Drawing {
    /// Width and height in pixels.
    fn size(&self) -> (u32, u32) {
        SIZE
    }

    /// Draws on a white area.
    fn draw<B: Canvas>(&self, area: &DrawingArea<B, Shift>) -> Result<()>;
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
                draw_on(area, drawing)?;
                text.into_bytes()
            }
            Self::Png => {
                let (width, height) = drawing.size();
                let mut pixels = vec![0; 3 * width as usize * height as usize];
                let area = BitMapBackend::with_buffer(&mut pixels, (width, height));
                draw_on(area.into_drawing_area(), drawing)?;
                encode_png(&pixels, width, height).context("failed to encode a PNG")?
            }
        };
        Ok(tester::util::atomic_file::write_whole(out, &bytes)?)
    }
}

/// Pixels are rows of red, green and blue.
fn encode_png(pixels: &[u8], width: u32, height: u32) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}

fn draw_on<B: Canvas>(area: DrawingArea<B, Shift>, drawing: &impl Drawing) -> Result<()> {
    area.fill(&WHITE)?;
    drawing.draw(&area)?;
    area.present().context("failed to draw")
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
    B: Canvas + 'a,
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
