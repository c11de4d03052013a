"use strict";
// Pictures by Chart.js: histograms and a scatter plot, in the colours of the page.

/** One for each run: told apart by colour-blind eyes too (Okabe and Ito). */
const RUN_COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#999999", "#f0e442"];
const runColour = (i) => RUN_COLOURS[i % RUN_COLOURS.length];
const runName = (i) => (i < 26 ? String.fromCharCode(65 + i) : `A${i}`);
/** How many bars are still told apart. */
const BARS = 30;
/** Scores that differ by this factor or more are shown by their order of magnitude. */
const STEEP = 1000;

/** The colour that the style sheet calls so. */
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** A number on an axis: short, where it is long. */
function brief(x) {
  return Math.abs(x) < 100000 ? String(Number(x.toPrecision(12))) : new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 4 }).format(x);
}

/** The same, of a number with many decimals only the first digits. */
const rounded = (x) => brief(Number.isInteger(x) ? x : Number(x.toPrecision(4)));

function rangeLabel(from, to, decimals) {
  const text = (x) => (decimals > 0 && Math.abs(x) < 100000 ? x.toFixed(decimals) : rounded(x));
  const [low, high] = [text(from), text(to)];
  if (low === high) return low;
  return from < 0 ? `${low} … ${high}` : `${low}–${high}`;
}

/**
 * Bars over all of `values`, numbers with this many decimals: of equal width, except the outermost, which reach as far as there is anything
 * where a few values lie far from all others.
 */
function bins(values, decimals = 0) {
  if (values.length === 0) return [];
  // Whole numbers from here on.
  const one = 10 ** decimals;
  const sorted = Float64Array.from(values, (value) => Math.round(value * one)).sort();
  const at = (share) => sorted[Math.round(share * (sorted.length - 1))];
  const [least, most] = [sorted[0], sorted[sorted.length - 1]];
  const bar = (from, to) => ({ from: from / one, to: to / one, label: rangeLabel(from / one, to / one, decimals) });
  if (least > 0 && most / least >= STEEP) {
    const digits = values.length < 100 ? [1] : [1, 2, 5];
    const powers = Array.from({ length: Math.ceil(Math.log10(most)) + 1 }, (_, i) => 10 ** i);
    const starts = powers.flatMap((power) => digits.map((digit) => digit * power)).filter((start) => start <= most);
    const used = starts.slice(starts.filter((start) => start <= least).length - 1);
    return used.map((start, i) => bar(Math.max(start, least), Math.min(most, (used[i + 1] ?? Infinity) - 1)));
  }
  // The middle 98 %, with as much room on both sides.
  const room = Math.max(at(0.99) - at(0.01), BARS / 2);
  const [low, high] = [Math.max(least, at(0.01) - room), Math.min(most, at(0.99) + room)];
  // Few cases have few bars, unless each number has its own.
  const bars = high - low < BARS ? BARS : Math.min(BARS, Math.max(5, Math.ceil(3 * Math.sqrt(values.length))));
  // Bars begin at round numbers, as on the command line.
  const width = roundUp(Math.max(1, (high - low + 1) / bars));
  const first = Math.floor(low / width) * width;
  const count = Math.floor((high - first) / width) + 1;
  return Array.from({ length: count }, (_, i) => {
    const [from, next] = [first + i * width, first + (i + 1) * width];
    return bar(i === 0 ? Math.min(least, from) : from, i === count - 1 ? Math.max(most, next - 1) : next - 1);
  });
}

/** How many of `values` fall into each bar. */
function tally(bars, values) {
  const counts = bars.map(() => 0);
  for (const value of values) {
    let [low, high] = [0, bars.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (value > bars[middle].to) low = middle + 1;
      else high = middle;
    }
    counts[low] += 1;
  }
  return counts;
}

/** Draws a chart on `canvas`, over its old content. */
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
  addKeys(new Chart(canvas, config(axis, text)));
}

/**
 * The arrow keys go from point to point, from left to right, and show its values as the mouse does; Enter and the space bar choose
 * it, and Escape ends that.
 */
function addKeys(chart) {
  const { canvas } = chart;
  const room = canvas.parentElement;
  // A screen reader hands the keys over, and reads the values out.
  canvas.setAttribute("role", "application");
  canvas.tabIndex = 0;
  const values = room.querySelector(".values") ?? room.appendChild(element("p", { class: "values", role: "status" }));
  const inOrder = (a, b) => a.x - b.x || a.datasetIndex - b.datasetIndex || b.y - a.y;
  const places = () =>
    chart
      .getSortedVisibleDatasetMetas()
      .filter((meta) => meta.type !== "line")
      .flatMap((meta) => meta.data.map(({ x, y }, index) => ({ datasetIndex: meta.index, index, x, y })))
      .sort(inOrder);
  let at = null;
  const show = (place) => {
    at = place;
    const active = place ? [place] : [];
    chart.setActiveElements(active);
    chart.tooltip.setActiveElements(active, place ?? { x: 0, y: 0 });
    chart.update();
    values.textContent = place ? [chart.tooltip.title, chart.tooltip.body.map(({ lines }) => lines)].flat(2).join(", ") : "";
  };
  canvas.onkeydown = (event) => {
    const all = places();
    const now = at ? all.findIndex((place) => place.datasetIndex === at.datasetIndex && place.index === at.index) : -1;
    const steps = { ArrowLeft: now - 1, ArrowUp: now - 1, ArrowRight: now + 1, ArrowDown: now + 1, Home: 0, End: all.length - 1 };
    const ends = ["Escape", "Enter", " "].includes(event.key);
    if (event.altKey || event.ctrlKey || event.metaKey || all.length === 0 || !(event.key in steps || (ends && at))) return;
    event.preventDefault();
    if (event.key in steps) show(all[Math.min(Math.max(steps[event.key], 0), all.length - 1)]);
    else if (event.key === "Escape") show(null);
    else chart.options.onClick(event, [at]);
  };
  // A chart that is drawn anew has nothing chosen.
  values.textContent = "";
  canvas.onblur = () => at && Chart.getChart(canvas) === chart && show(null);
}

/**
 * Bars side by side, one colour for each of `sets`; of sets of different sizes their shares. `pick` is called with the bar that
 * was clicked, and the place of its set.
 */
function drawBars(canvas, bars, sets, axisTitle, pick) {
  const sizes = sets.map((set) => set.counts.reduce((sum, n) => sum + n, 0));
  const shares = Math.max(...sizes) > 1.2 * Math.min(...sizes);
  const heights = (set, i) => (shares ? set.counts.map((n) => (100 * n) / Math.max(1, sizes[i])) : set.counts);
  draw(canvas, (axis, text) => ({
    type: "bar",
    data: {
      labels: bars.map((bar) => bar.label),
      datasets: sets.map((set, i) => ({ label: set.label, data: heights(set, i), backgroundColor: set.colour, categoryPercentage: 0.9, barPercentage: 0.95 })),
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      interaction: { mode: "nearest", axis: "x", intersect: false },
      onClick: (_, hit) => hit.length > 0 && pick(bars[hit[0].index], hit[0].datasetIndex),
      onHover: (event, hit) => (event.native.target.style.cursor = hit.length ? "pointer" : ""),
      plugins: {
        legend: { display: sets.length > 1, labels: { color: text } },
        tooltip: { callbacks: { label: ({ datasetIndex, dataIndex }) => `${sets[datasetIndex].label}${word("colon")}${word("failed", sets[datasetIndex].counts[dataIndex])}` } },
      },
      scales: {
        x: axis(axisTitle, { ticks: { maxRotation: 60 } }),
        y: axis(shares ? `${word("casesAxis")} (%)` : word("casesAxis"), { options: { beginAtZero: true }, ticks: { precision: 0 } }),
      },
    },
  }));
}

/** An axis over all of `values`; its steps are those of a logarithm where values differ by orders of magnitude. */
function axisOver(values) {
  const sorted = Float64Array.from(values).sort();
  const [low, usual, high] = [0, 0.05, 1].map((share) => sorted[Math.floor(share * (sorted.length - 1))]);
  // A few small values alone are no orders of magnitude.
  if (low > 0 && high / usual > 1000) return { type: "logarithmic", min: low / 1.5, max: high * 1.5 };
  const room = (high - low || Math.abs(high) || 1) * 0.05;
  return { type: "linear", min: low >= 0 ? Math.max(0, low - room) : low - room, max: high + room };
}

/**
 * Points that stand for one or more cases, and a line through means, in one colour for each of `sets`. `pick` is called with the
 * set and the point that was clicked.
 */
function drawPoints(canvas, sets, xTitle, yTitle, pick) {
  const all = sets.flatMap((set) => set.points);
  const most = Math.max(1, ...sets.map((set) => set.points.reduce((most, point) => Math.max(most, point.count), 1)));
  const radius = (p) => (all.length > 500 ? 2.5 : 3 + 5 * Math.sqrt((p.count - 1) / most));
  const points = (set) => ({
    label: set.label,
    data: set.points,
    clip: 10, // as large as a point
    pointRadius: set.points.map(radius),
    pointHoverRadius: set.points.map((p) => radius(p) + 2),
    backgroundColor: `${set.colour}60`,
    borderColor: set.colour,
  });
  const line = (set) => ({ type: "line", label: set.label, data: set.means, borderColor: set.colour, borderWidth: 2, pointRadius: 0, pointHitRadius: 0 });
  // Ends of an axis that are no round numbers are not written.
  const ticks = { callback: (x) => brief(Number(x.toPrecision(6))), includeBounds: false };
  const scale = (axis, title, key) => axis(title, { options: axisOver(all.map((point) => point[key])), ticks });
  const clicked = (hit) => hit.find((h) => h.datasetIndex < sets.length);
  draw(canvas, (axis, text) => ({
    type: "scatter",
    data: { datasets: [...sets.map(points), ...sets.map(line)] },
    options: {
      animation: false,
      maintainAspectRatio: false,
      onClick: (_, hit) => {
        const point = clicked(hit);
        if (point) pick(sets[point.datasetIndex], sets[point.datasetIndex].points[point.index]);
      },
      onHover: (event, hit) => (event.native.target.style.cursor = clicked(hit) ? "pointer" : ""),
      plugins: {
        legend: { display: sets.length > 1, labels: { color: text, filter: (item) => item.datasetIndex < sets.length } },
        tooltip: {
          filter: (item) => item.datasetIndex < sets.length,
          callbacks: { label: ({ datasetIndex, raw }) => `${sets.length > 1 ? `${sets[datasetIndex].label}: ` : ""}${xTitle} ${raw.x}${word("comma")}${yTitle} ${raw.y}${word("colon")}${word("failed", raw.count)}` },
        },
      },
      scales: { x: scale(axis, xTitle, "x"), y: scale(axis, yTitle, "y") },
    },
  }));
}

/**
 * Points that stand for one or more cases, each in the colour of the better of two runs; `pick` is called with the point that was
 * clicked. Scores have this many decimals.
 */
function drawScatter(canvas, points, names, colours, objective, pick, decimals = 0) {
  let [low, high, most] = [Infinity, -Infinity, 1];
  for (const { x, y, count } of points) {
    low = Math.min(low, x, y);
    high = Math.max(high, x, y);
    most = Math.max(most, count);
  }
  const better = objective === "max" ? (p) => p.y > p.x : (p) => p.y < p.x;
  const shade = (p) => (p.x === p.y ? colour("faint") : colours[better(p) ? 1 : 0]);
  const radius = (p) => (points.length > 500 ? 2.5 : 3 + 11 * Math.sqrt((p.count - 1) / most));
  // Where scores differ by orders of magnitude, so do the steps of the axes.
  const steep = low > 0 && high / low > 1000;
  const one = 10 ** decimals;
  const room = Math.max(1 / one, (high - low) * 0.05);
  const [least, greatest] = [Math.floor((low - room) * one) / one, Math.ceil((high + room) * one) / one];
  const linear = { type: "linear", min: low >= 0 ? Math.max(0, least) : least, max: greatest };
  const text = (x) => (decimals > 0 ? x.toFixed(decimals) : String(x));
  const range = steep ? { type: "logarithmic", min: low / 1.5, max: high * 1.5 } : linear;
  draw(canvas, (axis) => ({
    type: "scatter",
    data: {
      datasets: [
        {
          data: points,
          clip: 16, // points at the least score are round, too
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
          callbacks: { label: ({ raw }) => `A ${text(raw.x)}${word("comma")}${otherName} ${text(raw.y)}${word("colon")}${word("failed", raw.count)}` },
        },
      },
      scales: { x: axis(names[0], { options: range, ticks: { callback: brief } }), y: axis(names[1], { options: range, ticks: { callback: brief } }) },
    },
  }));
}
