// Source, linear operations, bundles and cycles of a program beside each other. What belongs to what the pointer is on
// is marked in all panes; a click keeps the marks and brings them into view.

const shownNow = {program: 0, file: 0, links: null, pinned: null, pointed: null};

// "k.s:7:12: error: ..." marks line 7. Names of files may hold anything but a colon followed by a number.
function wrongLines(data) {
  return new Set([...(data.error || "").matchAll(/^(.+?:\d+):/gm)].map((match) => match[1]));
}

function mark(item) {
  for (const old of document.querySelectorAll(".same, .near")) old.classList.remove("same", "near");
  const {same, near} = item ? shownNow.links.linked(item) : {same: [], near: []};
  near.forEach((other) => other.element.classList.add("near"));
  same.forEach((other) => { other.element.classList.remove("near"); other.element.classList.add("same"); });
  document.getElementById("about").textContent = item ? item.about() : "Point at a line to see what belongs to it; click to keep that.";
}

// In each other pane the first of what is marked.
function reveal(item) {
  for (const pane of document.querySelectorAll(".pane")) {
    if (pane.contains(item.element)) continue;
    const first = pane.querySelector(".same") || pane.querySelector(".near");
    if (first) pane.scrollTop += first.getBoundingClientRect().top - pane.getBoundingClientRect().top - pane.clientHeight / 3;
  }
}

function pin(item) {
  shownNow.pinned = item && shownNow.pinned !== item ? item : null;
  document.querySelectorAll(".pinned").forEach((old) => old.classList.remove("pinned"));
  mark(shownNow.pinned || item);
  if (!shownNow.pinned) return;
  item.element.classList.add("pinned");
  reveal(item);
}

// The item after or before the one that is marked, in this pane.
function step(pane, by) {
  const items = [...pane.querySelectorAll(".row.source, .row.linear, .slot")];
  const at = items.indexOf((shownNow.pinned || shownNow.pointed)?.element);
  const next = items[Math.max(0, Math.min(items.length - 1, at < 0 ? 0 : at + by))];
  if (!next) return;
  shownNow.pinned = null;
  next.scrollIntoView({block: "nearest"});
  pin(shownNow.links.at(next));
}

const paneKeys = {ArrowDown: (pane) => step(pane, 1), ArrowUp: (pane) => step(pane, -1), PageDown: (pane) => step(pane, 20),
  PageUp: (pane) => step(pane, -20), Escape: () => { if (shownNow.pinned) pin(shownNow.pinned); mark(null); }};

function pane(name, title, rows) {
  const body = node("div", {class: "pane", id: name, tabindex: "0", role: "region", "aria-label": title,
    onkeydown: (event) => {
      const act = paneKeys[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act(event.currentTarget);
    },
    onmouseover: (event) => {
      shownNow.pointed = shownNow.links.at(event.target);
      if (!shownNow.pinned) mark(shownNow.pointed);
    },
    onmouseleave: () => { if (!shownNow.pinned) mark(null); },
    onclick: (event) => { if (getSelection().isCollapsed) pin(shownNow.links.at(event.target)); }}, rows);
  return node("div", {class: "column " + name}, node("h2", {}, title), body);
}

function choice(label, names, at, choose) {
  if (names.length < 2) return null;
  const select = node("select", {"aria-label": label, onchange: () => choose(select.selectedIndex)},
      names.map((name, index) => node("option", {selected: index === at ? "" : undefined}, name)));
  return select;
}

function panes(data, program, file) {
  const links = new Links();
  const linear = program.linear ? linearRows(program, file, links) : null;
  const bundles = bundleRows(program, file, links);
  const source = sourceRows(program, file, links, wrongLines(data));
  shownNow.links = links;
  return node("div", {class: "panes" + (linear ? "" : " without-linear") + (data.is_old ? " old" : "")},
      pane("source", file.name, source),
      linear ? pane("linear", "Linear operations", linear) : null,
      pane("bundles", "Bundles and cycles", bundles));
}

function problem(data) {
  return data.error ? node("pre", {class: "problem", role: "alert"}, data.error, data.is_old ? "\nBelow is what was there before." : "") : null;
}

function drawExplore(data) {
  const programs = data.programs;
  shownNow.program = Math.min(shownNow.program, programs.length - 1);
  const program = programs[shownNow.program];
  const files = program.files.length ? program.files : [{name: data.file, total: 0, lines: []}];
  shownNow.file = Math.min(shownNow.file, files.length - 1);
  shownNow.pinned = null;
  const scrolled = [...document.querySelectorAll(".pane")].map((old) => [old.id, old.scrollTop]);
  const again = (what) => (index) => { shownNow[what] = index; drawExplore(data); };
  document.title = `${program.name} - Tandem explorer`;
  document.getElementById("head").replaceChildren(node("h1", {}, program.name),
      node("div", {class: "tools"},
          choice("Program", programs.map((other) => `${other.name}: ${whole(other.cycles)} cycles`), shownNow.program, again("program")),
          choice("File", files.map((other) => other.name), shownNow.file, again("file")),
          node("span", {class: "soft"}, program.preset ? `${program.preset} · ${program.verdict.trim()}` : ""),
          node("span", {id: "served", class: "soft", role: "status"})));
  const main = document.getElementById("main");
  main.replaceChildren(...[problem(data), panes(data, program, files[shownNow.file])].filter(Boolean));
  for (const [id, top] of scrolled) {
    const now = document.getElementById(id);
    if (now) now.scrollTop = top;
  }
  document.getElementById("foot").replaceChildren(node("div", {id: "about", role: "status"}),
      node("div", {class: "soft"}, "Made by ", node("code", {}, data.command)));
  mark(null);
}
