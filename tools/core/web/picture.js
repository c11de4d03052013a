"use strict";
// The picture that a contest's visualizer drew of a case, and buttons that copy texts.
//
// What a visualizer writes is not ours: it stands in a frame without an origin, which can reach neither this page nor the
// network. Its own scripts run in there and nowhere else.

/** A button that copies a text; `label` is the key of what stands on it. */
function copyButton(text, label = "copy") {
  const done = (button) => {
    button.textContent = word("copied");
    setTimeout(() => (button.textContent = word(label)), 1500);
  };
  const copy = async ({ currentTarget }) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // From a file, some browsers do not allow it in this way.
      const field = element("textarea", {}, text);
      currentTarget.after(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    done(currentTarget);
  };
  return element("button", { type: "button", onclick: copy }, word(label));
}

/** An SVG as a page of its own, as wide as its frame. */
function pageOfSvg(svg) {
  return `<!DOCTYPE html><meta charset="utf-8"><style>body { margin: 0; background: #fff } svg { max-width: 100%; height: auto }</style>${svg.slice(svg.indexOf("<svg"))}`;
}

/** The frame of a picture. Links in it lead nowhere, and no form is sent. */
function pictureFrame({ kind, content, address }) {
  const frame = element("iframe", { sandbox: "allow-scripts", class: "drawn", title: word("drawn"), referrerpolicy: "no-referrer" });
  if (address) frame.src = address;
  else frame.srcdoc = kind === "svg" ? pageOfSvg(content) : content;
  return frame;
}

/** A picture, or that it is too large to be shown; `picture` is a `Picture` of `store/pictures.rs`. */
function pictureView(picture) {
  if (!picture) return null;
  const { kind, content, address, path, bytes } = picture;
  const file = element("span", { class: "mono" }, path);
  if (content == null && !address) return element("p", { class: "faint" }, word("pictureTooLarge", (bytes / 2 ** 20).toFixed(1)), " ", file);
  const shown = kind === "image" ? element("img", { class: "drawn", src: content, alt: word("drawn") }) : pictureFrame(picture);
  return element("figure", {}, shown, element("figcaption", {}, word("drawnIn"), " ", file));
}

/** A text with its name, and a button that copies it if all of it is there. */
function copiedText({ name, text, left_out, path }, label) {
  const cut = left_out > 0;
  return element(
    "section",
    { class: "copied" },
    element("h4", { class: "mono" }, name, cut ? element("span", { class: "faint" }, ` (${word("leftOutBytes", left_out)})`) : null),
    cut ? element("p", { class: "faint" }, word("copyFrom"), " ", element("span", { class: "mono" }, path)) : copyButton(text, label),
    element("pre", { tabindex: 0 }, text),
  );
}

/** Input and output of a case of another judge, side by side. */
function inputAndOutput(input, texts) {
  const label = (name) => (name.endsWith(".txt") ? "copyOutput" : "copy");
  return element("div", { class: "beside-each-other" }, copiedText(input, "copyInput"), texts.map((text) => copiedText(text, label(text.name))));
}
