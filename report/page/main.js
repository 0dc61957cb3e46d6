// Draws the page out of the two JSON blocks at its end.

function header(run, before) {
  const parts = [`${run.model === "rtl" ? "RTL" : run.model === "cycle" ? "cycle-exact model" : run.model}`,
    `${run.preset.name} (${run.preset.lanes} lanes)`, `${whole(run.counters.cycles)} cycles`, run.outcome];
  if (run.file && run.file !== run.program) parts.unshift(run.file);
  document.getElementById("head").replaceChildren(node("h1", {}, run.program), node("div", {class: "soft"}, parts.join(" · ")));
}

function foot(run) {
  const {latency, jitter, seed} = run.memory;
  document.getElementById("foot").replaceChildren(
      node("p", {}, "Made by ", node("code", {}, run.command)),
      node("p", {}, `Memory: latency ${latency}` + (jitter ? `, jitter ${jitter}, seed ${seed}` : ", no jitter") +
          ". RTL and cycle-exact model give the same page. Charts: uPlot, MIT licence."));
}

function draw() {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const run = read("run"), before = read("before");
  header(run, before);
  const group = new TimeGroup(run);
  const sections = [headline(run, before), comparison(run, before), causes(run), advice(run), timeline(run, group), roofline(run),
    regions(run), schedule(run), sourceLines(run, group), operations(run, group), bundles(run, group), counters(run)].filter(Boolean);
  document.getElementById("main").replaceChildren(...sections);
  document.getElementById("head").append(contents(sections));
  foot(run);
}

shown(draw);
