// From the page to the trace beside it, at the time that the charts show. ui.perfetto.dev takes a trace from a page that
// was served, not from one that is a file: browsers let no other page, and no other file, into a file.

const perfetto = "https://ui.perfetto.dev";
const isServed = () => location.protocol === "http:" || location.protocol === "https:";

// A cycle is a nanosecond of the trace.
const perfettoAt = ({from, to}) => `${perfetto}/#!/?visStart=${Math.floor(from)}&visEnd=${Math.ceil(to)}`;

// Asks until the other page answers, then hands it the trace.
function handOver(other, title, buffer) {
  return new Promise((done, fail) => {
    const asking = setInterval(() => other.postMessage("PING", perfetto), 50);
    const late = setTimeout(() => { stop(); fail(new Error("Perfetto did not answer")); }, 30000);
    const hear = (event) => {
      if (event.origin !== perfetto || event.data !== "PONG") return;
      stop();
      other.postMessage({perfetto: {buffer, title}}, perfetto);
      done();
    };
    const stop = () => { clearInterval(asking); clearTimeout(late); removeEventListener("message", hear); };
    addEventListener("message", hear);
  });
}

async function openTrace(run, group, say) {
  const other = window.open(perfettoAt(group));
  if (!other) return say("The browser did not let the page open another one.");
  try {
    const answer = await fetch(encodeURIComponent(run.trace));
    if (!answer.ok) throw new Error(`${run.trace}: ${answer.status}`);
    await handOver(other, run.program, await answer.arrayBuffer());
    say("");
  } catch (error) {
    say("The trace could not be handed over: " + error.message);
  }
}

// Nothing without a trace.
function traceTools(run, group) {
  if (!run.trace) return null;
  const place = node("div", {class: "tools", id: "trace"});
  const note = node("span", {class: "soft", role: "status"});
  const times = () => `${whole(Math.floor(group.from))} to ${whole(Math.ceil(group.to))} ns`;
  const show = () => {
    if (isServed()) {
      place.replaceChildren(node("button", {type: "button", onclick: () => openTrace(run, group, (text) => { note.textContent = text; })},
          "Open in Perfetto, at " + times()), note);
      return;
    }
    place.replaceChildren(node("span", {class: "soft"}, "Trace beside this page: ", node("code", {}, run.trace),
        ", for ", node("a", {href: perfettoAt(group), target: "_blank", rel: "noreferrer"}, "ui.perfetto.dev"),
        ` (Open trace file); this time is ${times()} there. Served by HTTP, the page opens it itself.`));
  };
  group.listeners.push(show);
  show();
  return place;
}
