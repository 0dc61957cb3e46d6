// The points of a sweep: what machines are called, and what tells them apart.

const sizeNames = ["lanes", "vmem", "smem", "icache"];
const inBytes = new Set(["vmem", "smem"]);

function parameterText(name, value) {
  if (!inBytes.has(name)) return whole(value);
  return value >= 2 ** 20 ? value / 2 ** 20 + " MiB" : value / 2 ** 10 + " KiB";
}

// Parameters with more than one value in the study, sizes first.
function variedParameters(points) {
  const all = points.length === 0 ? [] : Object.keys(points[0].parameters);
  const varied = all.filter((name) => new Set(points.map((point) => point.parameters[name])).size > 1);
  return {sizes: sizeNames.filter((name) => varied.includes(name)), timings: varied.filter((name) => !sizeNames.includes(name))};
}

function prepared(sweep) {
  const points = sweep.points;
  const {sizes, timings} = variedParameters(points);
  const told = (point, names) => names.map((name) => `${name} ${parameterText(name, point.parameters[name])}`).join(", ");
  for (const point of points) {
    point.size = told(point, sizes) || point.sizes;
    point.timing = told(point, timings);
    point.label = [point.size, point.timing].filter(Boolean).join(", ");
    point.done = point.cycles !== undefined;
  }
  const done = points.filter((point) => point.done);
  return {
    points, done, sizes, timings, meanings: sweep.meanings, machines: sweep.machines, sensitivity: sweep.sensitivity, name: sweep.name,
    programs: [...new Set(points.map((point) => point.program))],
    timingTexts: [...new Set(points.map((point) => point.timing))],
  };
}

const pointsOf = (study, program) => study.done.filter((point) => point.program === program);
const fewest = (points) => points.reduce((best, point) => (point.cycles < best.cycles ? point : best));

// "sync_wait 43.1 %": what most of the lost cycles were lost to.
function lossText(point) {
  if (!point.dearest) return "nothing";
  return `${point.dearest} ${percent(share(point.counters.causes[point.dearest], point.cycles))}`;
}

function causeStack(point) {
  const rows = Object.entries(point.counters.causes).filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1]);
  const words = rows.map(([name, count]) => `${name} ${percent(share(count, point.cycles))}`).join(", ");
  return node("div", {class: "stack small", role: "img", "aria-label": words, title: words},
      rows.map(([name, count]) => node("span", {style: `flex:${count} 0 0;background:${causeColours[name]}`})));
}
