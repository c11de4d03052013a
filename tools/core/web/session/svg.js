"use strict";
// A picture for each turn, as an image: no script in it runs, and it can load nothing.

/** The address of an SVG. As an image it needs its namespace, which authors forget because pages do without. */
function svgAddress(svg) {
  const named = svg.replace(/<svg(?![^>]*\sxmlns\s*=)/, '<svg xmlns="http://www.w3.org/2000/svg"');
  return `data:image/svg+xml,${encodeURIComponent(named)}`;
}

class SvgView {
  constructor({ frames }) {
    this.frames = frames;
    this.image = element("img", { decoding: "sync", alt: "" });
    this.element = element("figure", { class: "picture" }, this.image);
  }

  /** Shows the picture after this many turns. */
  go(at) {
    const frame = this.frames[Math.min(at, this.frames.length - 1)];
    if (frame === undefined) return;
    this.image.alt = word("pictureAfter", at);
    if (this.shown !== frame) this.image.src = svgAddress(frame);
    this.shown = frame;
  }
}
