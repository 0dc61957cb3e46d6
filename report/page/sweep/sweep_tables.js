// The tables of a sweep: its points with their explanations, and what each parameter does.

function overview(study) {
  const figure = (title, value, note) =>
      node("div", {}, node("dt", {}, title), node("dd", {}, value, note ? node("small", {}, note) : null));
  const missing = study.points.length - study.done.length;
  const items = [
    figure("Points", whole(study.done.length), missing === 0 ? "all that were asked for" : `${whole(missing)} without cycles`),
    figure("Programs", whole(study.programs.length)),
    figure("Machines", whole(new Set(study.points.map((point) => point.sizes)).size), "by their sizes"),
    figure("Timings", whole(study.timingTexts.length), "of the memory"),
  ];
  const rows = study.programs.map((program) => ({program, points: pointsOf(study, program)})).filter((row) => row.points.length > 0);
  return section("overview", "At a glance", "", node("dl", {class: "figures"}, items), node("h3", {}, "Programs"),
      table("Fewest and most cycles of each program", [
        {title: "Program", cell: (row) => row.program},
        {title: "Fewest cycles", kind: "n", cell: (row) => whole(fewest(row.points).cycles)},
        {title: "on", cell: (row) => fewest(row.points).label},
        {title: "Most cycles", kind: "n", cell: (row) => whole(Math.max(...row.points.map((point) => point.cycles)))},
        {title: "Ratio", kind: "n", cell: (row) => (Math.max(...row.points.map((point) => point.cycles)) / fewest(row.points).cycles).toFixed(2)},
        {title: "Fewest cycles lost to", kind: "place", cell: (row) => lossText(fewest(row.points))},
      ], rows));
}

function pointTable(study) {
  if (study.done.length === 0) return null;
  const best = new Map(study.programs.map((program) => [program, pointsOf(study, program)]).filter(([, points]) => points.length > 0)
      .map(([program, points]) => [program, fewest(points).cycles]));
  const columns = [
    {title: "Program", cell: (point) => point.program},
    {title: "Machine", cell: (point) => [point.label, point.pareto ? node("span", {class: "good", title: "on the front"}, " ●") : null]},
    {title: "Cycles", kind: "n", cell: (point) => whole(point.cycles)},
    {title: "of the fewest", kind: "n", cell: (point) => (point.cycles / best.get(point.program)).toFixed(2)},
    {title: "Gates", kind: "n", cell: (point) => short(point.area.gates)},
    {title: "Memory", kind: "n", cell: (point) => bytes(point.area.memory_bits / 8)},
    {title: "Where the cycles went", kind: "wide", cell: causeStack},
    {title: "Most lost to", kind: "lost", cell: (point) => [lossText(point), point.dearest ?
        node("div", {class: "soft"}, prose(study.meanings.causes[point.dearest])) : null]},
  ];
  const by = (key) => (rows) => [...rows].sort((a, b) => study.programs.indexOf(a.program) - study.programs.indexOf(b.program) || key(a) - key(b));
  return section("points", "Points", "A green mark: nothing beats it. Every cycle has one cause; the meaning of the one that cost most stands beside it.",
      listing("Points of the study", columns, study.done, [
        {title: "Fewest cycles first", sort: by((point) => point.cycles)},
        {title: "Fewest gates first", sort: by((point) => point.area.gates)},
      ], (point) => [point.program, point.label, point.machine, point.dearest, point.pareto ? "front" : ""].join(" ")),
      legend(usedCauses(study).map((name) => ({colour: causeColours[name], title: name}))));
}

const usedCauses = (study) => Object.keys(study.meanings.causes).filter((name) => study.done.some((point) => point.counters.causes[name] > 0));

// Fewer cycles are green, more are red, the stronger the more.
function ratioCell(step) {
  if (!step) return "";
  const strength = Math.min(1, Math.abs(Math.log2(step.ratio)));
  const colour = step.ratio < 1 ? "47,158,99" : "224,49,49";
  const range = step.pairs > 1 && step.most - step.least > 0.005 ? ` (${step.least.toFixed(2)} to ${step.most.toFixed(2)})` : "";
  return node("span", {class: "heat", style: `background:rgba(${colour},${(0.45 * strength).toFixed(3)})`}, "× " + step.ratio.toFixed(2), node("small", {}, range));
}

function sensitivity(study) {
  if (study.sensitivity.length === 0) return null;
  const key = (step) => [step.parameter, step.from, step.to].join(" ");
  const rows = [...new Map(study.sensitivity.map((step) => [key(step), step])).values()];
  const find = (row, program) => study.sensitivity.find((step) => step.program === program && key(step) === key(row));
  return section("sensitivity", "What each parameter does",
      "Cycles after the step over cycles before it: the mean (geometric) of all pairs of machines that are the same but for it, and its range. A beat carries 4 bytes a lane, so that lanes widen the memory's path, too.",
      table("Cycles by step of a parameter", [
        {title: "Parameter", cell: (row) => row.parameter},
        {title: "Step", kind: "place", cell: (row) => `${parameterText(row.parameter, row.from)} → ${parameterText(row.parameter, row.to)}`},
        ...study.programs.map((program) => ({title: program, kind: "n", cell: (row) => ratioCell(find(row, program))})),
        {title: "Meaning", kind: "meaning", cell: (row) => prose(study.meanings.parameters[row.parameter])},
      ], rows));
}

function withoutCycles(study) {
  const rows = study.points.filter((point) => !point.done);
  if (rows.length === 0) return null;
  return section("refused", "Points without cycles", "What a machine is too small for, and what did not halt.",
      table("Points without cycles", [
        {title: "Program", cell: (point) => point.program},
        {title: "Machine", cell: (point) => point.label},
        {title: "Outcome", cell: (point) => point.outcome},
        {title: "Why", kind: "code", cell: (point) => (point.why || "").trim()},
      ], rows));
}
