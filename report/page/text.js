// Numbers as text, and elements out of data.

const whole = (value) => Math.round(value).toLocaleString("en-US");
const percent = (share, digits = 1) => (100 * share).toFixed(digits) + " %";
const share = (part, total) => (total === 0 ? 0 : part / total);
const sum = (values) => values.reduce((total, value) => total + value, 0);

// 1234567 as "1.23 M".
function short(value) {
  const steps = [[1e12, " T"], [1e9, " G"], [1e6, " M"], [1e3, " k"]];
  for (const [scale, unit] of steps) {
    if (value >= scale) return (value / scale).toPrecision(3) + unit;
  }
  return value === Math.round(value) ? String(value) : value.toPrecision(3);
}

function bytes(value) {
  const steps = [[2 ** 40, " TiB"], [2 ** 30, " GiB"], [2 ** 20, " MiB"], [2 ** 10, " KiB"]];
  for (const [scale, unit] of steps) {
    if (value >= scale) return (value / scale).toFixed(value / scale < 10 ? 2 : 1) + unit;
  }
  return value + " B";
}

// node("td", {class: "n"}, "12", node("small", {}, "x")): text is never read as markup.
function node(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "style") element.style.cssText = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null));
  return element;
}

// Text with `names` between backticks.
function prose(text) {
  return text.split("`").map((part, index) => (index % 2 === 1 ? node("code", {}, part) : part));
}

function section(id, title, lead, ...children) {
  return node("section", {id, "aria-labelledby": id + "-title"},
      node("h2", {id: id + "-title"}, title), lead ? node("p", {class: "soft"}, lead) : null,
      children);
}

// Columns: {title, kind: "n", "bars", "code", "place", "lost", "meaning" or "", cell: row => text
// or element}. The first column heads its row.
function table(caption, columns, rows) {
  const head = node("tr", {}, columns.map((column) =>
      node("th", {scope: "col", class: column.kind || undefined}, column.title)));
  const body = rows.map((row) => node("tr", {}, columns.map((column, index) =>
      node(index === 0 ? "th" : "td",
          {scope: index === 0 ? "row" : undefined, class: column.kind || undefined},
          column.cell(row)))));
  return node("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
      node("table", {}, node("caption", {}, caption), node("thead", {}, head),
          node("tbody", {}, body)));
}

// A bar beside a number that says the same, so it needs no text of its own.
function bar(part, colour) {
  return node("span", {class: "bar", "aria-hidden": "true",
    style: `width:${(100 * Math.min(1, part)).toFixed(2)}%;` + (colour ? `background:${colour}` : "")});
}

// One colour a cause, the same in every chart; chosen to be told apart on light and dark.
const causeColours = {
  issued: "#2f9e63", start: "#8a8f98", branch: "#c77d1e", fetch: "#e8590c", idling: "#adb5bd",
  scalar_result: "#b197fc", vector_result: "#7950f2", vmem_bank: "#d6409f", eup: "#15aabf",
  xlu: "#0c8599", mxu_push: "#ff8787", mxu_multiply: "#e03131", mxu_result: "#a61e4d",
  copy_queue: "#f2c037", sync_wait: "#4c8df6", drain: "#6b7280", other: "#9aa0a6",
};
const swatch = (colour) => node("span", {class: "swatch", "aria-hidden": "true",
  style: `background:${colour}`});

// {sync_wait: 12, fetch: 3} as "sync_wait 12, fetch 3", most first.
function lostText(lost) {
  return Object.entries(lost).sort((a, b) => b[1] - a[1])
      .map(([name, count]) => `${name} ${whole(count)}`).join(", ");
}
