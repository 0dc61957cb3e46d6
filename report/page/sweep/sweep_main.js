// Draws the page of a sweep out of the JSON block at its end.

function draw() {
  const study = prepared(JSON.parse(document.getElementById("run").textContent));
  const {element, select} = beside(study);
  const sections = [overview(study), fronts(study, select), sensitivity(study), pointTable(study), element, withoutCycles(study)].filter(Boolean);
  document.getElementById("head").replaceChildren(node("h1", {}, study.name),
      node("div", {class: "soft"}, `${whole(study.points.length)} points on the cycle-exact model`), contents(sections));
  document.getElementById("main").replaceChildren(...sections);
  document.getElementById("foot").replaceChildren(node("p", {}, "Made by ", node("code", {}, "tandem sweep"),
      ". Cycles are those of the RTL; gates are a model's, fitted to machines synthesised with Yosys. Charts: uPlot, MIT licence."));
}

shown(draw);
