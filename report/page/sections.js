// The sections that are tables: headline figures, causes, counters, regions, source, listing.

const events = (run, name) => run.counters.events[name];
const issuedBundles = (run) => run.counters.causes.issued;

function biggestLoss(run) {
  const lost = Object.entries(run.counters.causes).filter(([name]) => name !== "issued");
  return lost.reduce((best, entry) => (entry[1] > best[1] ? entry : best));
}

function headline(run, before) {
  const figures = run.counters.figures;
  const [cause, lost] = biggestLoss(run);
  const figure = (title, value, note) =>
      node("div", {}, node("dt", {}, title), node("dd", {}, value, note ? node("small", {}, note) : null));
  const cycles = run.counters.cycles;
  const items = [
    figure("Cycles", whole(cycles), before ? changeText(cycles, before.counters.cycles) : "start to end"),
    figure("Bundles issued", whole(issuedBundles(run)), percent(share(issuedBundles(run), cycles)) + " of cycles"),
    figure("Operations a bundle", figures.operations_per_bundle.toFixed(2), "of 9 slots"),
    figure("MXU", percent(figures.mxu_use), short(figures.macs) + " MACs, of peak"),
    figure("Vector ALUs", percent(figures.valu_use), "of two operations a cycle"),
    figure("Memory in", percent(figures.memory_read_use), bytes(events(run, "hbm_read_bytes")) + " copied, of the beat"),
    figure("Memory out", percent(figures.memory_write_use), bytes(events(run, "hbm_write_bytes")) + ", of the beat"),
    figure("Most cycles lost to", lost === 0 ? "nothing" : cause, percent(share(lost, cycles)) + " of cycles"),
  ];
  return section("headline", "At a glance", "", node("dl", {class: "figures"}, items));
}

function causes(run) {
  const cycles = run.counters.cycles;
  const rows = Object.entries(run.counters.causes).filter(([, count]) => count > 0)
      .sort((a, b) => b[1] - a[1]);
  const stack = node("div", {class: "stack", role: "img",
    "aria-label": "Share of cycles: " + rows.map(([name, count]) => `${name} ${percent(share(count, cycles))}`).join(", ")},
  rows.map(([name, count]) => node("span", {title: `${name} ${percent(share(count, cycles))}`,
    style: `flex:${count} 0 0;background:${causeColours[name]}`})));
  const most = rows.length === 0 ? 1 : rows[0][1];
  return section("causes", "Where the cycles went",
      "Every cycle has exactly one cause, so these add up to " + whole(cycles) + ".", stack,
      table("Cycles by cause, most first", [
        {title: "Cause", cell: ([name]) => [swatch(causeColours[name]), name]},
        {title: "Cycles", kind: "n", cell: ([, count]) => whole(count)},
        {title: "Share", kind: "n", cell: ([, count]) => percent(share(count, cycles))},
        {title: "", kind: "bars", cell: ([name, count]) => bar(count / most, causeColours[name])},
        {title: "Meaning", kind: "meaning", cell: ([name]) => prose(run.meanings.causes[name])},
      ], rows));
}

function advice(run) {
  if (!run.advice || run.advice.rows.length === 0) return null;
  const cycles = run.counters.cycles;
  const {unit, cycles: needed} = run.advice.busiest;
  const most = run.advice.rows[0].at_most;
  return section("advice", "What to do about it",
      `What each remedy can gain, at most: the cycles that a place loses to a cause. No more than `
      + `${whole(cycles - needed)} of ${whole(cycles)} can go, since ${unit} has work for ${whole(needed)}; `
      + `and what no longer waits for one thing may wait for another.`,
      table("Remedies, the largest gain first", [
        {title: "At most", kind: "n", cell: (row) => whole(row.at_most)},
        {title: "Share", kind: "n", cell: (row) => percent(share(row.at_most, cycles))},
        {title: "", kind: "bars", cell: (row) => bar(row.at_most / most, causeColours[row.cause])},
        {title: "Place", kind: "place", cell: (row) => row.source || "the program"},
        {title: "Source", kind: "code", cell: (row) => row.text.trim()},
        {title: "Cause", cell: (row) => [swatch(causeColours[row.cause]), row.cause]},
        {title: "What helps", kind: "meaning", cell: (row) => prose(row.remedy)},
      ], run.advice.rows.slice(0, 12)));
}

function counters(run) {
  const unit = {count: whole, ratio: (value) => value.toFixed(3), percent: (value) => percent(value)};
  const shares = run.counters.shares;
  return section("counters", "Counters", "As the machine's registers hold them at the end.",
      table("Events", [
        {title: "Event", cell: ([name]) => name},
        {title: "Count", kind: "n", cell: ([, count]) => whole(count)},
        {title: "Share", kind: "place", cell: ([name]) =>
            (name in shares ? percent(shares[name]) + " " + run.meanings.shares[name] : "")},
        {title: "Meaning", kind: "meaning", cell: ([name]) => prose(run.meanings.events[name])},
      ], Object.entries(run.counters.events)),
      node("h3", {}, "Figures"),
      table("What follows from the counters", [
        {title: "Figure", cell: ([name]) => name},
        {title: "Value", kind: "n", cell: ([name, value]) => unit[run.meanings.figures[name].unit](value)},
        {title: "Meaning", kind: "meaning", cell: ([name]) => prose(run.meanings.figures[name].meaning)},
      ], Object.entries(run.counters.figures)));
}

function regions(run) {
  if (run.regions.length === 0) return null;
  const cycles = run.counters.cycles;
  return section("regions", "Regions",
      "From each marker to the next one; what comes before the first is the region start.",
      table("Regions between markers", [
        {title: "Region", cell: (region) => region.name},
        {title: "Source", kind: "place", cell: (region) => region.source || ""},
        {title: "Times", kind: "n", cell: (region) => whole(region.times)},
        {title: "Cycles", kind: "n", cell: (region) => whole(region.cycles)},
        {title: "Share", kind: "n", cell: (region) => percent(share(region.cycles, cycles))},
        {title: "Bundles", kind: "n", cell: (region) => whole(region.causes.issued)},
        {title: "MXU", kind: "n", cell: (region) => percent(region.figures.mxu_use)},
        {title: "Memory in", kind: "n", cell: (region) => percent(region.figures.memory_read_use)},
        {title: "Memory out", kind: "n", cell: (region) => percent(region.figures.memory_write_use)},
        {title: "Most lost to", kind: "place", cell: (region) => {
          const [name, count] = biggestLoss({counters: region});
          return count === 0 ? "" : `${name} ${percent(share(count, region.cycles))}`;
        }},
      ], run.regions));
}

const hottest = (rows) => [...rows].sort((a, b) => (b.within ?? b.cycles) - (a.within ?? a.cycles));

// A table with a filter, an order to choose and a limit on what is shown at first. `time`: {group, step, name: row =>
// text}; rows mark their time, and those without cycles in the window are left out.
function listing(caption, columns, rows, orders, words, time) {
  const first = 60;
  let order = 0, all = false, wanted = "";
  const place = node("div");
  const status = node("span", {class: "soft", role: "status"});
  const note = node("p", {class: "soft", role: "status"});
  const more = node("button", {type: "button", onclick: () => { all = !all; show(); }});
  const buttons = orders.map(({title}, index) => node("button",
      {type: "button", onclick: () => { order = index; show(); }}, title));
  const filter = node("input", {type: "search", placeholder: "Filter", "aria-label": "Filter: " + caption,
    oninput: (event) => { wanted = event.target.value.toLowerCase(); show(); }});
  function inWindow() {
    note.hidden = !time || time.group.isWhole;
    if (note.hidden) return rows;
    const window = windowOf(time.group, time.step);
    const left = rows.map((row) => ({...row, within: cyclesWithin(row, time.step, window)})).filter((row) => row.within > 0);
    note.replaceChildren(`Only what ran in cycles ${whole(window.from)} to ${whole(window.to - 1)}, as in the charts `,
        node("a", {href: "#timeline"}, "over time"), `: ${whole(left.length)} of ${whole(rows.length)} rows. `,
        node("button", {type: "button", onclick: () => time.group.whole()}, "Whole run"));
    return left;
  }
  function show() {
    const found = orders[order].sort(inWindow()).filter((row) => words(row).toLowerCase().includes(wanted));
    const shown = all ? found : found.slice(0, first);
    buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(index === order)));
    status.textContent = `${whole(shown.length)} of ${whole(found.length)} rows`;
    more.textContent = all ? "Show fewer" : "Show all";
    more.hidden = found.length <= first;
    const there = note.hidden ? [] : [{title: "In this time", kind: "n", cell: (row) => whole(row.within)}];
    const focused = place.contains(document.activeElement) ? document.activeElement.closest("tr")?.rowIndex : undefined;
    place.replaceChildren(table(caption, [...columns.slice(0, 1), ...there, ...columns.slice(1)], shown));
    if (time) markable(place, shown, time.name, time.group, time.step);
    place.querySelectorAll("tr")[focused]?.querySelector("button")?.focus();
  }
  show();
  time?.group.listeners.push(show);
  return [node("div", {class: "tools"}, buttons, filter, more, status), note, place];
}

// `text`: the column of what ran, if it is not the head, kept near the cycles for narrow screens.
function cycleColumns(run, rows, text) {
  const cycles = run.counters.cycles;
  const most = Math.max(1, ...rows.map((row) => row.cycles));
  return [
    {title: "Cycles", kind: "n", cell: (row) => whole(row.cycles)},
    {title: "Share", kind: "n", cell: (row) => percent(share(row.cycles, cycles))},
    {title: "", kind: "bars", cell: (row) => bar(row.cycles / most)},
    ...(text ? [text] : []),
    {title: "Issued", kind: "n", cell: (row) => whole(row.issues)},
    {title: "Lost to", kind: "lost", cell: (row) => lostText(row.lost)},
  ];
}

// Pages of earlier versions do not say when a row ran.
const timeOf = (group, list, name) => (list.step ? {group, step: list.step, name} : undefined);

function sourceLines(run, group) {
  const {rows, total} = run.lines;
  if (rows.length === 0) return null;
  const left = rows.length < total ? ` Of ${whole(total)} lines, the ${whole(rows.length)} hottest are here.` : "";
  const notes = scheduleNotes(run);
  const noted = (row) => [...(notes.get(row.source) || [])];
  return section("source", "Source lines",
      "Cycles in which a line's bundles issued, or waited to." + left,
      listing("Cycles by source line", [
        {title: "Line", kind: "place", cell: (row) => row.source},
        ...cycleColumns(run, rows, {title: "Source", kind: "code", cell: (row) =>
            [row.text.trim(), noted(row).map((note) => node("div", {class: "soft"}, note))]}),
      ], rows, [{title: "Hottest first", sort: hottest}, {title: "In order of the text", sort: (all) => all}],
      (row) => [row.source, row.text, ...noted(row), ...Object.keys(row.lost)].join(" "), timeOf(group, run.lines, (row) => row.source)));
}

function operations(run, group) {
  const {rows, total} = run.operations;
  if (rows.length === 0) return null;
  const left = rows.length < total ? ` Of ${whole(total)} operations, the ${whole(rows.length)} hottest are here.` : "";
  return section("operations", "Operations",
      "Cycles by what the compiled program calls its parts." + left,
      listing("Cycles by operation", [
        {title: "Operation", kind: "place", cell: (row) => row.operation},
        ...cycleColumns(run, rows),
      ], rows, [{title: "Hottest first", sort: hottest}, {title: "By name", sort: (all) => all}],
      (row) => row.operation + " " + Object.keys(row.lost).join(" "), timeOf(group, run.operations, (row) => row.operation)));
}

function bundles(run, group) {
  const {rows, met, text} = run.bundles;
  const left = rows.length < met ? ` The ${whole(rows.length)} hottest are here.` : "";
  return section("bundles", "Bundles",
      `${whole(met)} of the program's ${whole(text)} bundles were met.` + left,
      listing("Cycles by bundle", [
        {title: "PC", kind: "n", cell: (row) => String(row.pc)},
        {title: "Place", kind: "place", cell: (row) => row.place},
        ...cycleColumns(run, rows, {title: "Bundle", kind: "code", cell: (row) => row.text}),
        {title: "Source", kind: "place", cell: (row) => [row.source, row.call ? node("div", {class: "soft"}, "from " + row.call) : null,
          row.operation ? node("div", {class: "soft"}, row.operation) : null]},
      ], rows, [{title: "Hottest first", sort: hottest}, {title: "In program order", sort: (all) => all}],
      (row) => [row.place, row.source, row.operation, row.text, ...Object.keys(row.lost)].join(" "),
      timeOf(group, run.bundles, (row) => row.place)));
}
