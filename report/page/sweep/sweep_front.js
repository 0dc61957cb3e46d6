// Cycles against gates, a chart for each program: points by timing, and the machines that nothing beats.

const timingColours = ["#0b62c4", "#e8590c", "#2f9e63", "#a61e4d", "#7950f2", "#0c8599", "#c77d1e", "#6b7280"];
const colourOf = (study, point) => timingColours[study.timingTexts.indexOf(point.timing) % timingColours.length];

// A little room on both sides, on a logarithmic scale.
function logRange(values) {
  const low = Math.min(...values), high = Math.max(...values);
  const room = Math.max(1.25, (high / low) ** 0.08);
  return [low / room, high * room];
}
// Ticks at 1, 2 and 5 of each power of ten.
function roundSplits(low, high) {
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power) {
    for (const digit of [1, 2, 5]) ticks.push(Number(`${digit}e${power}`));
  }
  return ticks.filter((tick) => tick >= low && tick <= high);
}
const tidy = (value) => short(value).replace(/\.0+(?= |$)/, "");

// The front of a timing as a line of steps: from each machine on, no fewer cycles until the next.
function drawFront(plot, front, colour) {
  const {ctx} = plot, ratio = devicePixelRatio;
  const at = (point) => [plot.valToPos(point.area.gates, "x", true), plot.valToPos(point.cycles, "y", true)];
  ctx.beginPath();
  front.forEach((point, index) => {
    const [x, y] = at(point);
    if (index === 0) ctx.moveTo(x, y);
    else {
      ctx.lineTo(x, at(front[index - 1])[1]);
      ctx.lineTo(x, y);
    }
  });
  if (front.length > 0) ctx.lineTo(plot.bbox.left + plot.bbox.width, at(front.at(-1))[1]);
  ctx.strokeStyle = colour;
  ctx.globalAlpha = 0.55;
  ctx.lineWidth = 2 * ratio;
  ctx.stroke();
  ctx.globalAlpha = 1;
}

function drawPoint(plot, point, colour) {
  const {ctx} = plot, ratio = devicePixelRatio;
  ctx.beginPath();
  ctx.arc(plot.valToPos(point.area.gates, "x", true), plot.valToPos(point.cycles, "y", true), (point.pareto ? 5.5 : 4) * ratio, 0, 2 * Math.PI);
  ctx.fillStyle = point.pareto ? colour : css("--card");
  ctx.fill();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.8 * ratio;
  ctx.stroke();
}

function frontsOf(study, points) {
  return study.timingTexts.map((timing) => ({timing, points: points.filter((point) => point.timing === timing && point.pareto)
      .sort((a, b) => a.area.gates - b.area.gates)}));
}

// The point next to a place of the chart, in pixels; null where none is near.
function nearest(plot, points, left, top) {
  let best = null, least = 30;
  for (const point of points) {
    const distance = Math.hypot(plot.valToPos(point.area.gates, "x") - left, plot.valToPos(point.cycles, "y") - top);
    if (distance < least) [best, least] = [point, distance];
  }
  return best;
}

function explained(study, point) {
  const parts = [`${point.label}: ${whole(point.cycles)} cycles, ${short(point.area.gates)} gates`];
  if (point.dearest) parts.push(`most cycles lost to ${lossText(point)}: ${study.meanings.causes[point.dearest].replaceAll("`", "")}`);
  return parts.join("; ");
}

const rounded = {splits: (_, __, low, high) => roundSplits(low, high), filter: (_, splits) => splits,
  values: (_, splits) => splits.map(tidy)};

function frontChart(study, program, select) {
  const points = pointsOf(study, program);
  const best = fewest(points);
  const words = `${points.length} points, ${points.filter((point) => point.pareto).length} on the front; fewest cycles: ${whole(best.cycles)} on ${best.label}.`;
  const readout = node("div", {class: "readout", role: "status"}, "Point at a machine to read it; a click puts it beside another below.");
  const place = node("div", {class: "chart", role: "img", "aria-label": `${program}: cycles against gates. ${words} A table follows.`});
  const read = (plot) => {
    const point = plot.cursor.left < 0 ? null : nearest(plot, points, plot.cursor.left, plot.cursor.top);
    if (point) readout.textContent = explained(study, point);
  };
  place.addEventListener("click", () => {
    const point = nearest(place.plot, points, place.plot.cursor.left, place.plot.cursor.top);
    if (point) select(point);
  });
  const draw = (plot) => {
    plot.ctx.save();
    for (const {timing, points: front} of frontsOf(study, points)) {
      drawFront(plot, front, timingColours[study.timingTexts.indexOf(timing) % timingColours.length]);
    }
    for (const point of [...points].sort((a, b) => a.pareto - b.pareto)) drawPoint(plot, point, colourOf(study, point));
    plot.ctx.restore();
  };
  const xs = points.map((point) => point.area.gates).sort((a, b) => a - b);
  chart(place, (width) => ({
    data: [xs, xs.map(() => null)],
    options: {height: width < 640 ? 260 : 300, cursor: {drag: {x: false, y: false}, points: {show: false}},
      scales: {x: {time: false, distr: 3, range: logRange(xs)}, y: {distr: 3, range: logRange(points.map((point) => point.cycles))}},
      series: [{}, {paths: () => null, points: {show: false}}],
      hooks: {draw: [draw], setCursor: [read]},
      axes: [axis({label: "gates", labelSize: 20, ...rounded}), leftAxis({label: "cycles", labelSize: 20, ...rounded})]},
  }));
  return node("figure", {}, node("figcaption", {}, node("h3", {}, program), node("p", {class: "soft"}, words)), place, readout);
}

function fronts(study, select) {
  const shown = study.programs.filter((program) => pointsOf(study, program).length > 0);
  if (shown.length === 0) return null;
  const rows = study.timingTexts.map((timing, index) => ({colour: timingColours[index % timingColours.length], title: timing || "one timing"}));
  return section("front", "Cycles against gates",
      "Full marks are machines that no other with the same memory timing beats in both; the line joins them. Gates are those of the model of docs/gates.md, without memories.",
      rows.length > 1 ? legend(rows) : null, node("div", {class: "charts"}, shown.map((program) => frontChart(study, program, select))));
}
