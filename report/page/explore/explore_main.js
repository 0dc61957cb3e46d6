// The page as a file: it shows what it holds.

document.body.classList.add("explorer");
const held = JSON.parse(document.getElementById("run").textContent);
shown(() => drawExplore(held));
