// Time charts share the cursor and the window of cycles.
class TimeGroup {
  constructor(run) {
    this.places = [];
    this.width = run.time.bucket;
    this.count = run.time.buckets;
    this.end = run.counters.cycles;
    this.starts = Array.from({length: this.count}, (_, i) => i * this.width);
    this.at = null;
    this.from = 0;  // the window
    this.to = this.end;
    this.marked = null;  // {name, parts: [{from, to, share}]}
    this.listeners = [];  // called when the window or what is marked has changed
  }
  get isWhole() { return this.from <= 0 && this.to >= this.end; }
  tell() { this.listeners.forEach((listener) => listener()); }
  // Shows the time of a row in all charts; null: of none.
  mark(marked) {
    this.marked = marked;
    this.plots.forEach((plot) => plot.redraw(false, false));
    this.tell();
  }
  // Cycles that bucket i covers: the last may be cut short.
  covers(i) { return Math.max(1, Math.min(this.width, this.end - i * this.width)); }
  shares(values, perCycle = 1) { return values.map((value, i) => value / (perCycle * this.covers(i))); }
  // How many buckets to draw as one, so that they are at least two pixels wide: a power of two.
  grouping(pixels, from, to) {
    let together = 1;
    while ((to - from) / (this.width * together) > pixels / 2) together *= 2;
    return together;
  }
  // Shares of `together` buckets each.
  grouped(values, together) {
    const means = [];
    for (let first = 0; first < this.count; first += together) means.push(this.mean(values, first, together));
    return means;
  }
  mean(values, first, count) {
    let total = 0, cycles = 0;
    for (let i = first; i < Math.min(first + count, this.count); ++i) {
      total += values[i] * this.covers(i);
      cycles += this.covers(i);
    }
    return share(total, cycles);
  }
  get plots() { return this.places.map((place) => place.plot).filter(Boolean); }
  window(min, max) {
    const least = Math.min(this.end, 4 * this.width);
    const from = Math.max(0, Math.min(min, this.end - least));
    const to = Math.min(this.end, Math.max(max, from + least));
    this.places.forEach((place) => {
      place.plot.zoomed = from > 0 || to < this.end;
      place.regroup(from, to);
      place.plot.setScale("x", {min: from, max: to});
    });
    [this.from, this.to] = [from, to];
    this.tell();
  }
  zoom(factor) {
    const {min, max} = this.plots[0].scales.x;
    const middle = this.at === null ? (min + max) / 2 : this.starts[this.at];
    this.window(middle - (middle - min) * factor, middle + (max - middle) * factor);
  }
  whole() { this.window(0, this.end); }
  move(buckets) {
    const {min, max} = this.plots[0].scales.x;
    const middle = Math.round((min + max) / 2 / this.width);
    const at = (this.at ?? middle) + buckets;
    this.at = Math.max(0, Math.min(this.count - 1, at));
    const cycle = this.starts[this.at];
    if (cycle < min || cycle > max) this.window(cycle - (max - min) / 2, cycle + (max - min) / 2);
    this.plots.forEach((plot) => plot.setCursor({left: plot.valToPos(cycle + this.width / 2, "x"), top: 10}));
  }
}

const timeKeys = {
  ArrowLeft: (group, far) => group.move(far ? -10 : -1),
  ArrowRight: (group, far) => group.move(far ? 10 : 1),
  Home: (group) => group.move(-group.count), End: (group) => group.move(group.count),
  "+": (group) => group.zoom(0.5), "=": (group) => group.zoom(0.5), "-": (group) => group.zoom(2),
  "0": (group) => group.whole(), Escape: (group) => group.whole(),
};

function timeKey(group, event) {
  const act = timeKeys[event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
  act(group, event.shiftKey);
  event.preventDefault();
}

function timeTools(group) {
  const button = (title, act) => node("button", {type: "button", onclick: act}, title);
  return node("div", {class: "tools"}, button("Zoom in", () => group.zoom(0.5)),
      button("Zoom out", () => group.zoom(2)), button("Whole run", () => group.whole()),
      node("span", {class: "soft"}, "Drag over a chart to zoom; the lists below then show what ran there. By keyboard: arrows move (with Shift by ten), + and - zoom, 0 shows all."));
}

// A chart over time. `rows`: {title, values (0..1 by bucket), colour}; `series(rows)`: what to draw
// of them, as lists of the same length; `options(width)`: the rest.
function timeChart(group, id, title, words, rows, series, options) {
  const readout = node("div", {class: "readout", role: "status"});
  const place = node("div", {class: "chart", id, tabindex: "0", role: "img",
    "aria-label": `${title}. ${words} Arrow keys read values; a table follows.`,
    ondblclick: () => group.whole(), onkeydown: (event) => timeKey(group, event)});
  group.places.push(place);
  let together = 1;
  const data = () => {
    const grouped = rows.map((row) => ({...row, values: group.grouped(row.values, together)}));
    return [group.starts.filter((_, i) => i % together === 0), ...series(grouped)];
  };
  place.regroup = (from, to) => {
    const wanted = group.grouping(place.clientWidth || 600, from, to);
    if (wanted === together) return;
    together = wanted;
    place.plot.setData(data(), false);
  };
  const read = (plot) => {
    if (plot.cursor.left < 0) return;
    const at = Math.floor(plot.posToVal(plot.cursor.left, "x") / group.width);
    if (!(at >= 0 && at < group.count)) return;
    group.at = at;
    const from = group.starts[at];
    readout.textContent = `Cycles ${whole(from)} to ${whole(from + group.covers(at) - 1)}: ` +
        rows.map((row) => `${row.title} ${percent(row.values[at], 0)}`).join(", ");
  };
  const select = (plot) => {
    const {left, width} = plot.select;
    if (width < 4) return;
    group.window(plot.posToVal(left, "x"), plot.posToVal(left + width, "x"));
    plot.setSelect({left: 0, width: 0, top: 0, height: 0}, false);
  };
  chart(place, (width) => {
    const given = options(width);
    if (!place.plot || !place.plot.zoomed) together = group.grouping(width, 0, group.end);
    return {data: data(), options: {
      ...given,
      cursor: {sync: {key: "time", setSeries: false}, drag: {x: true, y: false, setScale: false}, y: false, points: {show: false}},
      scales: {x: {time: false, range: (plot, min, max) => (plot.zoomed ? [min, max] : [0, group.end])}, ...given.scales},
      hooks: {draw: [...(given.hooks?.draw || []), (plot) => paintMark(plot, group)], setCursor: [read], setSelect: [select]},
    }};
  });
  return node("figure", {}, node("figcaption", {}, node("h3", {}, title), node("p", {class: "soft"}, words)),
      place, readout, rows[0].colour ? legend(rows) : null, timeTable(group, title, rows));
}

// The chart again in numbers, in at most 32 steps.
function timeTable(group, title, rows) {
  const step = Math.max(1, Math.ceil(group.count / 32));
  const starts = group.starts.filter((_, i) => i % step === 0);
  return node("details", {}, node("summary", {}, "The chart as a table"), table(title, [
    {title: "From cycle", kind: "n", cell: (start) => whole(start)},
    ...rows.map((row) => ({title: row.title, kind: "n",
      cell: (start) => percent(group.mean(row.values, Math.round(start / group.width), step), 0)})),
  ], starts));
}

const cycleAxis = () => axis({size: 32, values: (_, ticks) => ticks.map((tick) => short(tick)), space: 60});
const percentAxis = () => leftAxis({values: (_, ticks) => ticks.map((tick) => `${Math.round(100 * tick)} %`)});
