// What the scheduler made of linear blocks: a section, and notes beside the source lines.

const loopsOf = (run) => (run.schedule || []).flatMap((block) => block.loops);

// By "file:line": what is to be said there, each once (a macro's line may close many loops).
function scheduleNotes(run) {
  const notes = new Map();
  const add = (place, text) => {
    if (!notes.has(place)) notes.set(place, new Set());
    notes.get(place).add(text);
  };
  for (const block of run.schedule || []) {
    add(block.source, `${whole(block.operations)} operations in ${whole(block.bundles)} bundles`);
  }
  for (const block of run.schedule || []) {
    for (const place of block.predicated) add(place, "has become a predicate");
  }
  for (const loop of loopsOf(run)) {
    add(loop.branch, loop.text);
    if (loop.culprit && loop.culprit !== loop.branch) add(loop.culprit, "keeps the loop at " + loop.branch + " from being pipelined: " + loop.reason);
    for (const line of loop.bound?.lines || []) {
      if (line !== loop.branch) add(line, "goes round in the loop at " + loop.branch);
    }
  }
  return notes;
}

const registersText = (registers) => Object.entries(registers).filter(([, count]) => count > 0)
    .map(([file, count]) => `${count} ${file}`).join(" ");

function boundText(loop) {
  if (!loop.bound) return "";
  return loop.bound.by === "recurrence" ? "what goes round" : loop.bound.by;
}

function spillsText(spills) {
  const parts = [[spills.constants, "constants made anew"], [spills.words, "words"], [spills.row_slots, "slots of rows"]];
  return parts.filter(([count]) => count > 0).map(([count, what]) => `${whole(count)} ${what}`).join(", ") || "none";
}

function schedule(run) {
  if (!run.schedule || run.schedule.length === 0) return null;
  const loops = loopsOf(run);
  const number = (value) => (value === null ? "" : whole(value));
  return section("schedule", "Linear blocks",
      "What the scheduler made of each block and of its loops; an interval is the cycles from iteration to iteration.",
      table("Linear blocks", [
        {title: "Block", kind: "place", cell: (block) => block.name || block.source},
        {title: "Operations", kind: "n", cell: (block) => whole(block.operations)},
        {title: "Bundles", kind: "n", cell: (block) => whole(block.bundles)},
        {title: "Slots", cell: (block) => Object.entries(block.slots).filter(([, count]) => count > 0)
          .map(([slot, count]) => `${slot} ${percent(share(count, block.bundles), 0)}`).join(", ")},
        {title: "Spills", cell: (block) => spillsText(block.spills)},
      ], run.schedule),
      loops.length === 0 ? null : [node("h3", {}, "Loops"),
        table("Loops of linear blocks", [
          {title: "Branch back", kind: "place", cell: (loop) => loop.branch},
          {title: "Interval", kind: "n", cell: (loop) => number(loop.interval)},
          {title: "At least", kind: "n", cell: (loop) => number(loop.minimum)},
          {title: "Bound by", cell: boundText},
          {title: "Stages", kind: "n", cell: (loop) => number(loop.stages)},
          {title: "Unrolled", kind: "n", cell: (loop) => number(loop.unrolled)},
          {title: "Bundles", kind: "n", cell: (loop) => whole(loop.bundles)},
          {title: "Registers", kind: "place", cell: (loop) => registersText(loop.registers)},
          {title: "Not pipelined", cell: (loop) => (loop.pipelined ? "" : (loop.reason || "not asked for") + (loop.culprit ? ` (${loop.culprit})` : ""))},
        ], loops)]);
}
