// The rows of the panes, and which of them belong together: those with a key in common.

// What can be pointed at: {key, lines, element, pane, place}. `place`: of a line of the source, its own line key.
class Links {
  constructor() {
    this.byKey = new Map();
    this.byLine = new Map();
    this.bySource = new Map();
    this.items = new WeakMap();
  }
  add(item) {
    const put = (map, name) => {
      if (!map.has(name)) map.set(name, []);
      map.get(name).push(item);
    };
    this.items.set(item.element, item);
    if (item.key) put(this.byKey, item.key);
    if (item.place) put(this.bySource, item.place);
    item.lines.forEach((line) => put(this.byLine, line));
    return item.element;
  }
  // The item that an element is, or is in.
  at(element) {
    for (let at = element; at; at = at.parentElement) {
      if (this.items.has(at)) return this.items.get(at);
    }
    return null;
  }
  hasLine(line) { return this.byLine.has(line); }
  // {same: what is the very same operation or line, near: what shares its line of the source}.
  linked(item) {
    if (item.place) return {same: [item, ...(this.byLine.get(item.place) || [])], near: []};
    const sources = item.lines.map((line) => this.bySource.get(line) || []);
    return {same: [item, ...(this.byKey.get(item.key) || []), ...(sources[0] || [])],
      near: [...sources.slice(1).flat(), ...(this.byLine.get(item.lines[0]) || [])]};
  }
}

// Lines next to each other have colours far apart.
const colourOf = (number) => `hsl(${(number * 137.5) % 360} 65% 50%)`;

function lineNumber(key) {
  return Number(key.slice(key.lastIndexOf(":") + 1));
}

// The colour of the innermost line that the shown file has, so that it is the same in all panes.
function stripe(lines, file) {
  const own = lines.find((line) => line.slice(0, line.lastIndexOf(":")) === file);
  return own ? `border-left-color:${colourOf(lineNumber(own))}` : "";
}

function heat(cycles, most) {
  return cycles === 0 ? "" : `background:rgba(${css("--hot")}, ${(0.06 + 0.4 * cycles / most).toFixed(3)})`;
}

function restNote(shown, total, what) {
  return shown < total ? node("div", {class: "soft rest"}, `The first ${whole(shown)} of ${whole(total)} ${what}.`) : null;
}

function sourceRows(program, file, links, wrong) {
  const cyclesOf = (key) => program.lines[key]?.cycles || 0;
  const keys = file.lines.map((_, index) => `${file.name}:${index + 1}`);
  const most = Math.max(1, ...keys.map(cyclesOf));
  return [file.lines.map((text, index) => {
    const key = keys[index], cycles = cyclesOf(key);
    const row = node("div", {class: "row source" + (wrong.has(key) ? " wrong" : ""), style: links.hasLine(key) ? stripe([key], file.name) : ""},
        node("span", {class: "gutter", style: heat(cycles, most)}, cycles ? whole(cycles) : ""),
        node("span", {class: "number"}, String(index + 1)), node("code", {}, text));
    return links.add({key: "", lines: [], place: key, element: row, pane: "source", about: () => `${key}: ${whole(cycles)} cycles`});
  }), restNote(file.lines.length, file.total, "lines")];
}

function linearRows(program, file, links) {
  const {rows, total} = program.linear;
  return [rows.map((row) => links.add({key: row.key, lines: row.lines, pane: "linear", about: () => row.lines.join(", from "),
    element: node("div", {class: "row linear", style: stripe(row.lines, file.name)}, node("code", {}, row.text))})),
  restNote(rows.length, Math.max(total, rows.length), "lines")];
}

function lostBar(row, most) {
  const parts = [["issued", row.issues], ...Object.entries(row.lost).sort((a, b) => b[1] - a[1])].filter(([, count]) => count > 0);
  return node("span", {class: "lost", style: `width:${(100 * row.cycles / most).toFixed(2)}%`, "aria-hidden": "true"},
      parts.map(([name, count]) => node("span", {style: `flex:${count} 0 0;background:${causeColours[name]}`})));
}

const bundleText = (row) => `bundle ${row.pc}: ${whole(row.cycles)} cycles, issued ${whole(row.issues)} times` +
    (Object.keys(row.lost).length ? ", lost to " + lostText(row.lost) : "");

function bundleRows(program, file, links) {
  const {rows, total} = program.bundles;
  const most = Math.max(1, ...rows.map((row) => row.cycles));
  return [rows.map((row) => {
    const slots = row.slots.map((slot) => links.add({key: slot.key, lines: slot.lines, pane: "bundles",
      about: () => `${bundleText(row)}; ${slot.lines.join(", from ")}`,
      element: node("span", {class: "slot", style: stripe(slot.lines, file.name)}, node("b", {}, slot.slot), node("code", {}, slot.text))}));
    const element = node("div", {class: "row bundle", title: bundleText(row)},
        node("span", {class: "number"}, row.place ? node("i", {}, row.place) : null, String(row.pc)),
        node("span", {class: "slots"}, slots.length ? slots : node("span", {class: "soft"}, "no operation")),
        node("span", {class: "cycles", style: heat(row.cycles, most)}, row.cycles ? whole(row.cycles) : "", lostBar(row, most)));
    return element;
  }), restNote(rows.length, total, "bundles")];
}
