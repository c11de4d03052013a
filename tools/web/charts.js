"use strict";
// Pictures by Chart.js: histograms and a scatter plot, in the colours of the page.

/** One for each run: told apart by colour-blind eyes too (Okabe and Ito). */
const RUN_COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#999999", "#f0e442"];
const runColour = (i) => RUN_COLOURS[i % RUN_COLOURS.length];
const runName = (i) => (i < 26 ? String.fromCharCode(65 + i) : `A${i}`);
/** How many bars are still told apart. */
const BARS = 30;

/** The colour that the style sheet calls so. */
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Bars of equal width over all of `values`; of whole numbers, so wide that no bar holds more of them. */
function bins(values) {
  if (values.length === 0) return [];
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const width = Math.max(1, Math.ceil((high - low + 1) / BARS));
  const count = Math.floor((high - low) / width) + 1;
  return Array.from({ length: count }, (_, i) => {
    const from = low + i * width;
    const to = Math.min(from + width - 1, high);
    return { from, to, label: from === to ? String(from) : `${from}–${to}` };
  });
}

/** How many of `values` fall into each bar. */
function tally(bars, values) {
  const counts = bars.map(() => 0);
  const width = bars.length > 1 ? bars[1].from - bars[0].from : 1;
  for (const value of values) {
    const at = Math.min(bars.length - 1, Math.floor((value - bars[0].from) / width));
    counts[at] += 1;
  }
  return counts;
}

/** Draws a chart where `canvas` is, in place of what was there. */
function draw(canvas, config) {
  Chart.getChart(canvas)?.destroy();
  const text = colour("text");
  const line = colour("line");
  const axis = (title, more = {}) => ({
    title: { display: true, text: title, color: text },
    ticks: { color: text, ...more.ticks },
    grid: { color: line },
    ...more.options,
  });
  return new Chart(canvas, config(axis, text));
}

/** Bars side by side, one colour for each of `sets`; `pick` is called with the bar that was clicked. */
function drawBars(canvas, bars, sets, axisTitle, pick) {
  draw(canvas, (axis, text) => ({
    type: "bar",
    data: {
      labels: bars.map((bar) => bar.label),
      datasets: sets.map((set) => ({ label: set.label, data: set.counts, backgroundColor: set.colour, categoryPercentage: 0.9, barPercentage: 0.95 })),
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      interaction: { mode: "index", intersect: false },
      onClick: (_, hit) => hit.length > 0 && pick(bars[hit[0].index]),
      onHover: (event, hit) => (event.native.target.style.cursor = hit.length ? "pointer" : ""),
      plugins: { legend: { display: sets.length > 1, labels: { color: text } } },
      scales: {
        x: axis(axisTitle, { ticks: { maxRotation: 60 } }),
        y: axis(word("casesAxis"), { options: { beginAtZero: true }, ticks: { precision: 0 } }),
      },
    },
  }));
}

/** Points that stand for one or more cases, each in the colour of the better of two runs; `pick` is called with the point that was clicked. */
function drawScatter(canvas, points, names, colours, objective, pick) {
  let [low, high, most] = [Infinity, -Infinity, 1];
  for (const { x, y, count } of points) {
    low = Math.min(low, x, y);
    high = Math.max(high, x, y);
    most = Math.max(most, count);
  }
  const better = objective === "max" ? (p) => p.y > p.x : (p) => p.y < p.x;
  const shade = (p) => (p.x === p.y ? colour("faint") : colours[better(p) ? 1 : 0]);
  const radius = (p) => (points.length > 500 ? 2.5 : 3 + 11 * Math.sqrt(p.count / most));
  const room = Math.max(1, (high - low) * 0.05);
  const range = { min: Math.floor(low - room), max: Math.ceil(high + room) };
  draw(canvas, (axis) => ({
    type: "scatter",
    data: {
      datasets: [
        {
          data: points,
          pointRadius: points.map(radius),
          pointHoverRadius: points.map((p) => radius(p) + 2),
          backgroundColor: points.map((p) => `${shade(p)}b0`),
          borderColor: points.map(shade),
        },
        {
          type: "line",
          data: [{ x: range.min, y: range.min }, { x: range.max, y: range.max }],
          borderColor: colour("faint"),
          borderWidth: 1,
          borderDash: [4, 4],
          pointRadius: 0,
          pointHitRadius: 0,
        },
      ],
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      onClick: (_, hit) => {
        const point = hit.find((h) => h.datasetIndex === 0);
        if (point) pick(points[point.index]);
      },
      onHover: (event, hit) => (event.native.target.style.cursor = hit.some((h) => h.datasetIndex === 0) ? "pointer" : ""),
      plugins: {
        legend: { display: false },
        tooltip: {
          filter: (item) => item.datasetIndex === 0,
          callbacks: { label: ({ raw }) => `A ${raw.x}, ${otherName} ${raw.y}: ${word("failed", raw.count)}` },
        },
      },
      scales: { x: axis(names[0], { options: range }), y: axis(names[1], { options: range }) },
    },
  }));
}
