// The roofline: work done per cycle against work per byte that the busier direction of the memory
// port carried. What a program can reach lies under the slope of memory and the roof of its unit.

function rooflineModel(run) {
  const lanes = run.preset.lanes, beat = run.preset.beat_bytes;
  const roofs = [
    {unit: "MXU", work: "multiply-accumulates", roof: lanes * lanes, colour: "#e03131", dash: [],
      done: (counters) => counters.events.mxu_rows * lanes * lanes},
    {unit: "vector ALUs", work: "element operations", roof: 2 * 8 * lanes, colour: "#7950f2", dash: [6, 3],
      done: (counters) => (counters.events.slot_va + counters.events.slot_vb) * 8 * lanes},
  ];
  const point = (name, counters, roof, small) => {
    const {hbm_read_bytes: read, fetch_bytes: fetched, hbm_write_bytes: written} = counters.events;
    const moved = Math.max(read + fetched, written);
    const done = roof.done(counters);
    if (done === 0 || counters.cycles === 0) return null;
    const intensity = moved === 0 ? Infinity : done / moved;
    const bound = Math.min(roof.roof, intensity * beat);
    return {name, roof, small, intensity, rate: done / counters.cycles, bound,
      limit: bound < roof.roof ? "memory" : roof.unit};
  };
  const points = roofs.flatMap((roof) => [
    point(run.program, run.counters, roof, false),
    ...run.regions.map((region) => point(region.name, region, roof, true)),
  ]).filter(Boolean);
  return {roofs, points, beat};
}

function roofline(run) {
  const {roofs, points, beat} = rooflineModel(run);
  const rows = table("The roofline in numbers", [
    {title: "What", cell: (point) => point.name},
    {title: "Unit", kind: "place", cell: (point) => point.roof.unit},
    {title: "Work per byte", kind: "n", cell: (point) => (Number.isFinite(point.intensity) ? point.intensity.toPrecision(3) : "no bytes")},
    {title: "Work per cycle", kind: "n", cell: (point) => point.rate.toPrecision(3)},
    {title: "Could be", kind: "n", cell: (point) => point.bound.toPrecision(3)},
    {title: "Reached", kind: "n", cell: (point) => percent(point.rate / point.bound)},
    {title: "Roof", kind: "place", cell: (point) => point.limit},
  ], points);
  const lead = "Work per cycle against work per byte on the busier direction of the memory port. Work is a multiply-accumulate " +
      `(roof ${whole(roofs[0].roof)} a cycle) or an element of a vector ALU operation (roof ${whole(roofs[1].roof)}); memory brings ${beat} bytes a cycle.`;
  if (points.length === 0) return section("roofline", "Roofline", lead, node("p", {}, "Neither unit did any work."));
  const words = points.filter((point) => !point.small).map((point) =>
      `${point.roof.unit}: ${percent(point.rate / point.bound)} of the roof, which is set by ${point.limit === "memory" ? "memory" : "the unit"}`).join("; ");
  const place = node("div", {class: "chart", id: "roofline-chart", role: "img", "aria-label": `Roofline. ${words}. A table follows.`});
  const known = points.filter((point) => Number.isFinite(point.intensity)).map((point) => point.intensity);
  const corners = roofs.map((roof) => roof.roof / beat);
  const left = 10 ** Math.floor(Math.log10(Math.min(...known, ...corners)) - 0.5);
  const right = 10 ** Math.ceil(Math.log10(Math.max(...known, ...corners)) + 0.5);
  const xOf = (point) => Math.min(point.intensity, right);
  const low = 10 ** Math.floor(Math.log10(Math.min(left * beat, ...points.map((point) => point.rate))));
  const high = 2.5 * Math.max(...roofs.map((roof) => roof.roof));
  const xs = [...new Set([left, ...corners, ...points.map(xOf), right])].sort((a, b) => a - b);
  const marks = (plot) => {
    const {ctx} = plot, ratio = devicePixelRatio;
    ctx.save();
    ctx.textAlign = "left";
    ctx.textBaseline = "alphabetic";
    ctx.font = `${12 * ratio}px system-ui, sans-serif`;
    points.forEach((point) => {
      const x = plot.valToPos(xOf(point), "x", true), y = plot.valToPos(point.rate, "y", true);
      ctx.beginPath();
      ctx.arc(x, y, (point.small ? 4 : 7) * ratio, 0, 2 * Math.PI);
      ctx.fillStyle = point.roof.colour;
      ctx.fill();
      ctx.lineWidth = 1.5 * ratio;
      ctx.strokeStyle = css("--card");
      ctx.stroke();
      if (point.small) return;
      const text = `${point.roof.unit} ${percent(point.rate / point.bound, 0)} of roof`;
      const wide = ctx.measureText(text).width;
      const right = plot.bbox.left + plot.bbox.width - wide - 4 * ratio;
      ctx.fillStyle = css("--text");
      ctx.fillText(text, Math.max(plot.bbox.left + 4 * ratio, Math.min(x - wide / 2, right)), y + 22 * ratio);
    });
    ctx.restore();
  };
  chart(place, (width) => ({
    data: [xs, ...roofs.map((roof) => xs.map((x) => Math.min(roof.roof, x * beat)))],
    options: {height: width < 640 ? 280 : 340, cursor: {show: false},
      scales: {x: {time: false, distr: 3, range: [left, right]}, y: {distr: 3, range: [low, high]}},
      series: [{}, ...roofs.map((roof) => ({stroke: roof.colour, width: 2, dash: roof.dash, points: {show: false}}))],
      hooks: {draw: [marks]},
      axes: [axis({label: "work per byte", labelSize: 22, values: logTicks, filter: decades}),
        leftAxis({label: "work per cycle", labelSize: 22, values: logTicks, filter: decades})]},
  }));
  const figure = node("figure", {}, place,
      legend(roofs.map((roof) => ({colour: roof.colour, title: `${roof.unit}: ${roof.work}`}))));
  return section("roofline", "Roofline", lead, node("p", {}, words + "."), figure, rows);
}
