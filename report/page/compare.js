// This run beside an earlier one: where cycles were won and lost.

function changeText(now, before) {
  if (now === before) return "as before";
  const ratio = now < before ? before / now : now / before;
  return `${ratio.toFixed(ratio < 1.1 ? 3 : 2)} times ${now < before ? "fewer" : "more"} than before`;
}

function change(now, before) {
  const delta = now - before;
  if (delta === 0) return "0";
  return node("span", {class: delta < 0 ? "good" : "bad"}, (delta > 0 ? "+" : "−") + whole(Math.abs(delta)));
}

function pairColumns(title, first) {
  return [
    {title, cell: first},
    {title: "Before", kind: "n", cell: (row) => whole(row.before)},
    {title: "Now", kind: "n", cell: (row) => whole(row.now)},
    {title: "Change", kind: "n", cell: (row) => change(row.now, row.before)},
  ];
}

const byChange = (a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before);

// Rows of both runs by key: what one of them lacks counts 0 there.
function pairs(now, before, key) {
  const found = new Map();
  for (const row of before) found.set(key(row), {key: key(row), before: row.cycles, now: 0, text: row.text});
  for (const row of now) {
    const pair = found.get(key(row)) || {key: key(row), before: 0};
    found.set(key(row), {...pair, now: row.cycles, text: row.text});
  }
  return [...found.values()].sort(byChange);
}

// What was asked for, by name, as text. Pages of earlier versions tell less.
function settingsOf(run) {
  const {latency, jitter, seed} = run.memory;
  const known = run.settings || {lanes: String(run.preset.lanes), hbm_latency: String(latency), hbm_jitter: String(jitter), "memory seed": String(seed)};
  return {program: run.program, file: run.file, model: run.model, machine: run.preset.name, ...known, ...run.options};
}

function settingsThatDiffer(run, before) {
  const now = settingsOf(run), then = settingsOf(before);
  // Only what both pages can tell, except options, which are there or not.
  const names = [...new Set([...Object.keys(then), ...Object.keys(now)])].filter((name) =>
      (now[name] !== undefined && then[name] !== undefined) || (run.options && before.options && (name in run.options || name in before.options)));
  return names.filter((name) => now[name] !== then[name])
      .map((name) => ({name, before: then[name] ?? "not given", now: now[name] ?? "not given"}));
}

function settingsTable(run, before) {
  const rows = settingsThatDiffer(run, before);
  if (rows.length === 0) return node("p", {}, "Machine, timing and options are the same.");
  return table("Settings that differ", [
    {title: "Setting", cell: (row) => row.name},
    {title: "Before", kind: "place", cell: (row) => row.before},
    {title: "Now", kind: "place", cell: (row) => row.now},
  ], rows);
}

function comparison(run, before) {
  if (!before) return null;
  const now = run.counters, then = before.counters;
  const causeRows = Object.keys(now.causes)
      .map((name) => ({name, now: now.causes[name], before: then.causes[name] || 0}))
      .filter((row) => row.now !== 0 || row.before !== 0).sort(byChange);
  const most = Math.max(1, ...causeRows.map((row) => Math.abs(row.now - row.before)));
  const eventRows = Object.keys(now.events).map((name) => ({name, now: now.events[name], before: then.events[name] || 0}))
      .filter((row) => row.now !== row.before);
  const lines = pairs(run.lines.rows, before.lines.rows, (row) => row.source + "  " + row.text.trim())
      .filter((row) => row.now !== row.before);
  const changed = lines.slice(0, 40);
  return section("comparison", "Compared with an earlier run",
      `Before: ${before.program} on ${before.model}, ${before.preset.name}; ${whole(then.cycles)} cycles. ` +
      `Now: ${run.program} on ${run.model}, ${run.preset.name}; ${whole(now.cycles)} cycles, ${changeText(now.cycles, then.cycles)}.`,
      settingsTable(run, before),
      table("Cycles by cause, greatest change first", [
        ...pairColumns("Cause", (row) => [swatch(causeColours[row.name]), row.name]),
        {title: "", kind: "bars", cell: (row) => (row.name === "all" || row.now === row.before ? "" :
            bar(Math.abs(row.now - row.before) / most, row.now < row.before ? "var(--good)" : "var(--bad)"))},
      ], [{name: "all", now: now.cycles, before: then.cycles}, ...causeRows]),
      node("h3", {}, "Events that changed"),
      eventRows.length === 0 ? node("p", {}, "None.") : table("Events", pairColumns("Event", (row) => row.name), eventRows),
      node("h3", {}, "Source lines that changed"),
      changed.length === 0 ? node("p", {}, "None.") :
        table(`Cycles by source line, greatest change first${lines.length > changed.length ? `: ${changed.length} of ${lines.length}` : ""}`,
            pairColumns("Line", (row) => node("span", {class: "code"}, row.key)), changed));
}
