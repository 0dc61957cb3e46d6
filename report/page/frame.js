// What every page has around its sections.

function contents(sections) {
  return node("nav", {"aria-label": "Contents"}, node("ul", {}, sections.map((part) =>
      node("li", {}, node("a", {href: "#" + part.id}, part.querySelector("h2").textContent)))));
}

// Calls what puts the sections into the page, draws their charts, and goes to the place that the address names. What
// fails is said at the top.
function shown(draw) {
  window.addEventListener("error", (event) => {
    document.getElementById("main").prepend(node("p", {class: "problem", role: "alert"}, "This page could not be drawn: " + event.message));
  });
  draw();
  drawn.forEach((again) => again());
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
  document.documentElement.dataset.ready = "yes";
}
