// The index of a folder of report pages.

function biggestOf(causes) {
  return Object.entries(causes).filter(([name]) => name !== "issued")
      .reduce((best, entry) => (entry[1] > best[1] ? entry : best), ["nothing", 0]);
}

function causeStack(row) {
  const parts = Object.entries(row.causes).filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1]);
  return node("div", {class: "stack small", role: "img",
    "aria-label": parts.map(([name, count]) => `${name} ${percent(share(count, row.cycles))}`).join(", ")},
  parts.map(([name, count]) => node("span", {title: `${name} ${percent(share(count, row.cycles))}`,
    style: `flex:${count} 0 0;background:${causeColours[name]}`})));
}

function drawIndex() {
  const {name, pages} = JSON.parse(document.getElementById("run").textContent);
  const rows = [...pages].sort((a, b) => b.cycles - a.cycles);
  const lost = (row) => {
    const [cause, count] = biggestOf(row.causes);
    return count === 0 ? "" : `${cause} ${percent(share(count, row.cycles))}`;
  };
  document.getElementById("head").replaceChildren(node("h1", {}, name),
      node("div", {class: "soft"}, `${whole(rows.length)} report pages`));
  document.getElementById("main").replaceChildren(section("pages", "Programs", "The one with most cycles first.",
      table("Programs", [
        {title: "Program", cell: (row) => [node("a", {href: encodeURIComponent(row.page)}, row.program),
          row.file && row.file !== row.program ? node("div", {class: "soft"}, row.file) : null]},
        {title: "Cycles", kind: "n", cell: (row) => whole(row.cycles)},
        {title: "Of its roof", kind: "n", cell: (row) => (row.busiest ? percent(share(row.busiest.cycles, row.cycles)) : "")},
        {title: "Busiest", kind: "place", cell: (row) => (row.busiest ? row.busiest.unit : "")},
        {title: "Most lost to", kind: "place", cell: lost},
        {title: "Where the cycles went", kind: "wide", cell: causeStack},
        {title: "Machine", kind: "place", cell: (row) => `${row.preset}, ${row.model}`},
        {title: "End", kind: "place", cell: (row) => row.outcome},
      ], rows)));
}

shown(drawIndex);
