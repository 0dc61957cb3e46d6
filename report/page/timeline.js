// The charts over time: units, causes, memory.

// One strip a unit; the stronger the colour, the busier.
function paintStrips(plot, group) {
  const {ctx} = plot, hot = css("--hot"), [starts, ...strips] = plot.data;
  ctx.save();
  ctx.beginPath();
  ctx.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height);
  ctx.clip();
  const edges = [...starts, group.end].map((cycle) => Math.round(plot.valToPos(cycle, "x", true)));
  strips.forEach((values, index) => {
    const top = plot.valToPos(strips.length - index - 0.08, "y", true);
    const bottom = plot.valToPos(strips.length - index - 0.92, "y", true);
    values.forEach((value, i) => {
      if (value <= 0) return;
      ctx.fillStyle = `rgba(${hot}, ${Math.min(1, 0.12 + 0.88 * value)})`;
      ctx.fillRect(edges[i], top, edges[i + 1] - edges[i], bottom - top);
    });
  });
  ctx.restore();
}

function unitTimeline(run, group) {
  const rows = run.time.units.map((unit) => ({title: unit.title, values: group.shares(unit.values, unit.per_cycle)}));
  const middle = rows.map((_, index) => rows.length - index - 0.5);
  const busiest = rows.map((row) => [row.title, group.mean(row.values, 0, group.count)])
      .sort((a, b) => b[1] - a[1]).slice(0, 3).map(([title, value]) => `${title} ${percent(value)}`).join(", ");
  const figure = timeChart(group, "units-chart", "Units over time",
      `The stronger the colour, the busier the unit. Busiest over the whole run: ${busiest}.`, rows,
      (drawn) => drawn.map((row) => row.values), () => ({
        height: 28 * rows.length + 48, series: [{}, ...rows.map(() => ({paths: () => null, points: {show: false}}))],
        scales: {y: {range: [0, rows.length]}}, hooks: {draw: [(plot) => paintStrips(plot, group)]},
        axes: [cycleAxis(), leftAxis({grid: {show: false}, splits: () => middle, gap: 6,
          values: () => rows.map((row) => row.title)})],
      }));
  figure.append(node("details", {}, node("summary", {}, "What each unit's share is of"), node("ul", {},
      run.time.units.map((unit) => node("li", {}, `${unit.title}: ${unit.meaning}`)))));
  return figure;
}

const stepped = uPlot.paths.stepped({align: 1});

// Causes stacked: issued at the bottom, then most first; beyond eight they are `other`.
function causeTimeline(run, group) {
  const named = Object.entries(run.time.causes).sort((a, b) => sum(b[1]) - sum(a[1]));
  const ordered = [...named.filter(([name]) => name === "issued"), ...named.filter(([name]) => name !== "issued")];
  const rows = ordered.slice(0, 8).map(([name, values]) => ({title: name, colour: causeColours[name], values: group.shares(values)}));
  const rest = ordered.slice(8);
  if (rows.length === 0) return null;  // a run given up on before it did anything
  if (rest.length > 0) {
    const total = group.starts.map((_, i) => sum(rest.map(([, values]) => values[i])));
    rows.push({title: "other", colour: causeColours.other, values: group.shares(total)});
  }
  // The highest first, so that lower ones cover it.
  const stack = (drawn) => drawn.map((_, top) => drawn[0].values.map((_, i) => sum(drawn.slice(0, top + 1).map((row) => row.values[i])))).reverse();
  return timeChart(group, "causes-chart", "Causes over time", "Share of the cycles by cause.", rows, stack, (width) => ({
    height: width < 640 ? 220 : 260,
    series: [{}, ...[...rows].reverse().map((row) => ({paths: stepped, width: 0, fill: row.colour, points: {show: false}}))],
    scales: {y: {range: [0, 1]}}, axes: [cycleAxis(), percentAxis()],
  }));
}

function memoryTimeline(run, group) {
  const look = {copy_read: ["copies in", "#4c8df6"], fetch: ["fetch in", "#e8590c"], copy_write: ["copies out", "#2f9e63"]};
  const rows = Object.entries(look).map(([name, [title, colour]]) => ({title, colour, values: group.shares(run.time.paths[name])}));
  const figures = run.counters.figures;
  return timeChart(group, "memory-chart", "Memory over time",
      `Beats on the memory port, of one of ${run.preset.beat_bytes} bytes in every cycle each way. Over the whole run ${percent(figures.memory_read_use)} in, ${percent(figures.memory_write_use)} out.`,
      rows, (drawn) => drawn.map((row) => row.values), (width) => ({
        height: width < 640 ? 200 : 230,
        series: [{}, ...rows.map((row, index) => ({paths: stepped, stroke: row.colour, width: 1.5, dash: [[], [6, 3], [2, 2]][index],
          fill: row.colour + "30", points: {show: false}}))],
        scales: {y: {range: [0, 1.02]}}, axes: [cycleAxis(), percentAxis()],
      }));
}

function timeline(run, group) {
  return section("timeline", "Over time",
      `Steps of ${whole(run.time.bucket)} cycle${run.time.bucket === 1 ? "" : "s"}.`, timeTools(group), markNote(group),
      run.trace ? traceTools(run, group) : null,
      unitTimeline(run, group), causeTimeline(run, group), memoryTimeline(run, group));
}
