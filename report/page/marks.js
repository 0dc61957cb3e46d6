// When a row of a listing ran: its mark in the charts over time, and its cycles in their window.

// [step, cycles, step, cycles, ...] as [{from, to, share, cycles}], neighbours of the same share joined.
function partsOf(row, step, end) {
  const parts = [];
  for (let i = 0; i < row.steps.length; i += 2) {
    const from = row.steps[i] * step, to = Math.min(from + step, end), cycles = row.steps[i + 1];
    parts.push({from, to, cycles, share: share(cycles, to - from)});
  }
  return parts;
}

// The window as whole steps, since lists know no less.
function windowOf(group, step) {
  return {from: Math.floor(group.from / step) * step, to: Math.min(group.end, Math.ceil(group.to / step) * step)};
}

function cyclesWithin(row, step, {from, to}) {
  let cycles = 0;
  for (let i = 0; i < row.steps.length; i += 2) {
    if (row.steps[i] * step >= from && row.steps[i] * step < to) cycles += row.steps[i + 1];
  }
  return cycles;
}

// A band along the top, the stronger the more of the time is the row's, and a tint below it.
function paintMark(plot, group) {
  if (!group.marked) return;
  const {ctx, bbox} = plot, hot = css("--mark");
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const part of group.marked.parts) {
    const left = Math.round(plot.valToPos(part.from, "x", true));
    const width = Math.max(1, Math.round(plot.valToPos(part.to, "x", true)) - left);
    ctx.fillStyle = `rgba(${hot}, ${0.06 + 0.14 * part.share})`;
    ctx.fillRect(left, bbox.top, width, bbox.height);
    ctx.fillStyle = `rgba(${hot}, ${0.4 + 0.6 * part.share})`;
    ctx.fillRect(left, bbox.top, width, 6 * devicePixelRatio);
  }
  ctx.restore();
}

function markText({name, parts}) {
  const first = parts[0].from, last = parts[parts.length - 1].to;
  return `${name}: ${whole(sum(parts.map((part) => part.cycles)))} cycles between ${whole(first)} and ${whole(last - 1)}`;
}

// Beside the charts: what is marked.
function markNote(group) {
  const text = node("span");
  const zoom = () => group.window(group.marked.parts[0].from, group.marked.parts[group.marked.parts.length - 1].to);
  const place = node("div", {class: "tools marked", role: "status"}, text,
      node("button", {type: "button", onclick: zoom}, "Zoom to it"),
      node("button", {type: "button", onclick: () => group.mark(null)}, "No mark"));
  const show = () => {
    place.hidden = !group.marked;
    if (group.marked) text.textContent = "Marked: " + markText(group.marked);
  };
  group.listeners.push(show);
  show();
  return place;
}

// The rows of a table's body, in the order of `rows`, mark their time when their head is pressed.
function markable(place, rows, name, group, step) {
  place.querySelectorAll("tbody tr").forEach((line, index) => {
    const row = rows[index], head = line.firstElementChild;
    if (row.steps.length === 0) return;
    const isMarked = group.marked?.row === row.steps;
    const press = () => group.mark(isMarked ? null : {row: row.steps, name: name(row), parts: partsOf(row, step, group.end)});
    line.classList.add("markable");
    line.classList.toggle("is-marked", isMarked);
    head.replaceChildren(node("button", {type: "button", class: "mark", "aria-pressed": String(isMarked), title: "Mark its time"}, ...head.childNodes));
    line.addEventListener("click", (event) => {
      if (getSelection().isCollapsed && !event.target.closest("a")) press();
    });
  });
}
