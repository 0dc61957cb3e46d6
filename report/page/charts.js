// Charts on uPlot that follow the colour scheme, fit their width, work by keyboard and say in words
// what they show.

const drawn = [];  // functions that draw a chart again

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const font = "12px system-ui, sans-serif";

function axis(options) {
  return {stroke: css("--soft"), grid: {stroke: css("--grid"), width: 1},
    ticks: {stroke: css("--grid"), width: 1}, font, labelFont: font, ...options};
}

// Axes on the left end at the same place in every chart, so that charts can be read one below the other.
const leftMargin = 112;
function leftAxis(options) {
  return axis({size: leftMargin - (options.label ? options.labelSize : 0), ...options});
}

// Puts a chart into `place` and draws it again when its width or the colour scheme changes. `make`
// gives uPlot's options and data for a width.
function chart(place, make) {
  let plot = null, width = 0;
  const draw = () => {
    const keep = plot && plot.zoomed ? {min: plot.scales.x.min, max: plot.scales.x.max} : null;
    if (plot) plot.destroy();
    width = place.clientWidth || 600;
    const {options, data} = make(width);
    plot = new uPlot({width, legend: {show: false}, ...options}, data, place);
    place.plot = plot;
    if (keep) plot.setScale("x", keep);
  };
  new ResizeObserver(() => {
    if (plot && place.clientWidth !== width) draw();
  }).observe(place);
  drawn.push(draw);
}

const legend = (rows) => node("ul", {class: "legend", "aria-hidden": "true"},
    rows.map((row) => node("li", {}, swatch(row.colour), row.title)));

// Labels at powers of ten alone.
const isDecade = (value) => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;
const decades = (_, splits) => splits.map((split) => (isDecade(split) ? split : null));
const logTicks = (_, splits) => splits.map((split) => (split === null ? "" : short(split)));

window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawn.forEach((draw) => draw()));
