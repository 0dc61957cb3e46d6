// `tandem explore`: its page in headless Chromium (skipped where there is none), and its server.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/cli/browser.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

// A loop that is scheduled, a macro that is used twice, and what waits for a copy.
constexpr const char* kernel = R"(        .target nano
        .tensor x, f32, [64], in
        .macro twice a, b
        \a = vadd.f32 \b, \b
        .endm
        .text
        .linear
        %i = mov 40
        %v = vld [0]
loop:   twice %w, %v
        twice %u, %w
        vst [8], %u
        %i = sub %i, 1
        %p = ne %i, 0
        @%p br loop
        halt
        .endlinear
)";

nlohmann::json held_data(const std::string& page) {
  const std::string start = R"(<script type="application/json" id="run">)";
  const std::size_t from = page.find(start) + start.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

std::uint64_t bundle_cycles(const nlohmann::json& program) {
  std::uint64_t total = 0;
  for (const nlohmann::json& row : program["bundles"]["rows"]) {
    total += row["cycles"].get<std::uint64_t>();
  }
  return total;
}

// The mnemonic, after a predicate and a destination.
std::string mnemonic(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  if (text.starts_with('@')) text.erase(0, text.find(' ') + 1);
  const std::size_t equals = text.find("= ");
  const std::string rest =
      text.substr(equals == std::string::npos ? text.find_first_not_of(' ') : equals + 2);
  return rest.substr(0, rest.find_first_of(" \n"));
}

// Operations of bundles and linear operations with the same key are the same operation.
void check_keys(const nlohmann::json& program) {
  std::map<std::string, std::set<std::string>> linear;
  for (const nlohmann::json& row : program["linear"]["rows"]) {
    linear[row["key"]].insert(mnemonic(row["text"]));
  }
  std::size_t linked = 0;
  for (const nlohmann::json& row : program["bundles"]["rows"]) {
    for (const nlohmann::json& slot : row["slots"]) {
      INFO(slot.dump());
      const auto found = linear.find(slot["key"]);
      if (slot["key"] == "" || found == linear.end()) continue;
      CHECK(found->second.contains(mnemonic(slot["text"])));
      ++linked;
    }
  }
  CHECK(linked >= 5);
}

}  // namespace

TEST_CASE("an explorer's page has the cycles of the run, by bundle and by line") {
  const Folder folder;
  folder.write("k.s", kernel);
  folder.write_floats("x.npy", {64});
  const Output made = folder.run("explore k.s --in x=x.npy -o page.html");
  INFO(made.text);
  REQUIRE(made.status == 0);
  const nlohmann::json run =
      nlohmann::json::parse(folder.run("run k.s --in x=x.npy --on cycle --json").text);
  const nlohmann::json program = held_data(folder.read("page.html"))["programs"][0];
  CHECK(program["cycles"] == run["cycles"]);
  CHECK(bundle_cycles(program) == run["cycles"]);
  // Line 10 calls the macro's line 4, and so does line 11.
  const auto cycles = [&](const char* line) {
    return program["lines"][line]["cycles"].get<std::uint64_t>();
  };
  CHECK(cycles("k.s:4") >= cycles("k.s:10"));
  check_keys(program);
}

TEST_CASE("pointing at a line marks what belongs to it in all panes") {
  if (!has_chromium()) return;
  const Folder folder;
  folder.write("k.s", kernel);
  REQUIRE(folder.run("explore k.s -o page.html").status == 0);
  folder.write("point.html", with_script(folder.read("page.html"), R"(
    const row = (pane, text) => [...document.querySelectorAll(`#${pane} .row`)].find((one) => one.textContent.includes(text));
    const point = (element) => element.dispatchEvent(new MouseEvent("mouseover", {bubbles: true}));
    const same = (pane) => [...document.querySelectorAll(`#${pane} .same`)].map((one) => one.textContent.replace(/\s+/g, " ")).join("|");
    point(row("source", "vst [8]"));
    result("stored", same("linear") + "/" + same("bundles"));
    point(row("source", "twice %u"));
    result("macro", String(same("linear").includes("vadd.f32") && same("bundles").includes("vadd.f32") && !same("bundles").includes("vst")));
    const slot = [...document.querySelectorAll("#bundles .slot")].find((one) => one.textContent.includes("vst"));
    point(slot);
    result("back", String(row("source", "vst [8]").classList.contains("same") && same("linear").includes("vst")));
    slot.click();
    point(row("source", "%v = vld"));
    result("kept", String(row("source", "vst [8]").classList.contains("same")));
    document.getElementById("bundles").dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true}));
    result("escaped", String(document.querySelectorAll(".same").length === 0));
    document.getElementById("source").dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowDown", bubbles: true}));
    result("pinned", document.querySelector(".pinned .number").textContent);)"));
  const Drawn drawn = draw(folder, "point.html");
  CHECK(drawn.console.empty());
  CHECK(contains(drawn.document, "data-ready=\"yes\""));
  for (const char* name : {"macro", "back", "kept", "escaped"}) {
    INFO(name);
    CHECK(contains(drawn.document, "data-" + std::string(name) + "=\"true\""));
  }
  CHECK(contains(drawn.document, "data-pinned=\"10\""));
  const std::size_t at = drawn.document.find("data-stored=\"");
  const std::string stored = drawn.document.substr(at, drawn.document.find('"', at + 13) - at);
  INFO(stored);
  CHECK(contains(stored, "vst [8]"));
  CHECK(contains(stored.substr(stored.find('/')), "vst [8]"));
}

TEST_CASE("linear operations of a compiled program are those of its bundles") {
  const std::filesystem::path compiler =
      std::filesystem::path(TANDEM_EXECUTABLE).parent_path() / "tandem-compile";
  if (!std::filesystem::exists(compiler)) {
    WARN("SKIPPED: this build has no compiler");
    return;
  }
  const Folder folder;
  folder.write("f.mlir", R"(module @jit_f {
  func.func public @main(%arg0: tensor<32x64xf32>, %arg1: tensor<64x64xf32>) -> tensor<32x64xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
    %1 = stablehlo.add %0, %arg0 : tensor<32x64xf32>
    return %1 : tensor<32x64xf32>
  }
}
)");
  const Output made = folder.run("explore f.mlir -o page.html --machine nano");
  INFO(made.text);
  REQUIRE(made.status == 0);
  const nlohmann::json program = held_data(folder.read("page.html"))["programs"][0];
  CHECK(bundle_cycles(program) == program["cycles"]);
  CHECK(program["preset"] == "nano");
  CHECK(program["files"][0]["lines"].size() == 7);
  check_keys(program);
  std::set<std::string> lines;
  for (const nlohmann::json& row : program["linear"]["rows"]) {
    for (const nlohmann::json& line : row["lines"]) lines.insert(line);
  }
  CHECK(lines.contains("f.mlir:3"));
  CHECK(lines.contains("f.mlir:4"));
}

TEST_CASE("errors are shown beside the file, in the page and on the terminal") {
  const Folder folder;
  folder.write("k.s", "        .target nano\n        { s4 = mvo 1 }\n        { halt }\n");
  check_refused(folder.run("explore k.s -o page.html"), 2, "k.s:2");
  check_refused(folder.run("explore k.s"), 2, "--serve");
  check_refused(folder.run("explore nowhere.mlir -o page.html"), 2, "nowhere.mlir");
  check_refused(folder.run("explore k.s -o page.html --json"), 2, "--json");
  if (!has_chromium()) return;
  CHECK(folder.run("explore k.s -o page.html").status == 2);
  const Drawn drawn = draw(folder, "page.html");
  CHECK(drawn.console.empty());
  CHECK(contains(drawn.document, "class=\"row source wrong\""));
  CHECK(contains(drawn.document, "role=\"alert\""));
}

TEST_CASE("names and lines are text in the explorer, whatever they hold") {
  if (!has_chromium()) return;
  const Folder folder;
  const std::string name = "<img src=x onerror=alert(1)>'.s";
  folder.write(
      name,
      "        .target nano\n        // </script><script>alert(2)</script>\n        { halt }\n");
  const Output made = folder.run("explore \"" + name + "\" -o page.html");
  INFO(made.text);
  REQUIRE(made.status == 0);
  const Drawn drawn = draw(folder, "page.html");
  CHECK(drawn.console.empty());
  const std::string body = drawn.document.substr(0, drawn.document.find("<script"));
  CHECK(contains(body, "&lt;/script&gt;&lt;script&gt;alert(2)"));
  CHECK_FALSE(contains(body, "<img"));
}

TEST_CASE("control characters of names do not reach the terminal") {
  const Folder folder;
  folder.write("k.s", "        .target nano\n        { halt }\n");
  folder.shell("cp k.s \"$(printf 'a\\033[31mb.s')\"");
  const Output made = folder.run("explore \"$(printf 'a\\033[31mb.s')\" -o page.html");
  CHECK(made.status == 0);
  CHECK(contains(made.text, "a\\x1b[31mb.s: "));
}
