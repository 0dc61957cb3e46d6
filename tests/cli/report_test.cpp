// `tandem report`: the page in headless Chromium (skipped where there is none), and what is
// refused.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "report/page.hpp"
#include "tests/cli/folder.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

// Loads, EUP results to wait for, copies, markers and a loop of 2,000 iterations.
constexpr const char* busy = R"(
        .target nano
        .tensor x, f32, [n], in
        .include "common.inc"
        .smem
        .align 16
setup:  .space 16
load:   .space 16
args:   .space 16
        .text
        .global start
start:  fetch_arguments setup, args, 1
        descriptor load, in_hbm, in_vmem, 1
        tensor_address load, copy_source, args, 0
        s8 = sld [args + 9]
        sst [load + copy_length], s8
        copy_and_wait load, f1
        { s4 = mov 2000 }
loop:   marker 1
        { v1 = vld [0] }
        { v2 = exp2 v1 }
        { v3 = vadd.f32 v2, v2 ; s4 = sub s4, 1 }
        { marker 2 ; p1 = ne s4, s0 }
        { @p1 br loop }
        { halt }
)";

bool has_chromium() {
  static const bool found = [] {
    const bool there = std::system("command -v chromium > /dev/null 2>&1") == 0;  // NOLINT
    if (!there) WARN("no chromium on this machine: the page is not drawn");
    return there;
  }();
  return found;
}

void write_program(const Folder& folder) {
  folder.write("k.s", busy);
  for (const char* name : {"common.inc", "machine.inc"}) {
    std::ifstream file(std::string("benchmarks/common/") + name);
    folder.write(name, {std::istreambuf_iterator<char>(file), {}});
  }
  folder.write_floats("x.npy", {64});
}

// The page's document once it has drawn itself, then the output of the browser's console.
struct Drawn {
  std::string document;
  std::string console;
};

Drawn draw(const Folder& folder, const std::string& page, const std::string& more = "") {
  const std::string command =
      "timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
      "--disable-background-networking --disable-component-update --disable-sync "
      "--user-data-dir=profile --virtual-time-budget=5000 --enable-logging=stderr " +
      more + " --dump-dom \"file://$PWD/" + page + "\" > dom.html 2> console.txt";
  folder.shell(command);
  Drawn drawn{folder.read("dom.html"), ""};
  std::istringstream log(folder.read("console.txt"));
  for (std::string line; std::getline(log, line);) {
    if (contains(line, "CONSOLE")) drawn.console += line + '\n';
  }
  return drawn;
}

std::string with_commas(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(at, ",");
  return digits;
}

// The text of the cell after the row head `name` of the table with this caption.
std::string cell(const std::string& document, const std::string& caption, const std::string& name) {
  const std::size_t table = document.find("<caption>" + caption);
  if (table == std::string::npos) return "no table";
  const std::size_t row = document.find(name + "</th>", table);
  if (row == std::string::npos) return "no row";
  const std::size_t start = document.find('>', document.find("<td", row)) + 1;
  return document.substr(start, document.find('<', start) - start);
}

}  // namespace

TEST_CASE("a page draws itself with the numbers of the counters and no console message") {
  if (!has_chromium()) return;
  const Folder folder;
  write_program(folder);
  const Output run =
      folder.run("report k.s --in x=x.npy -o page.html --counters --json 2> log.txt");
  INFO(run.text << folder.read("log.txt"));
  REQUIRE(run.status == 0);
  const nlohmann::json result = nlohmann::json::parse(run.text);
  const Drawn drawn = draw(folder, "page.html");
  CHECK(drawn.console.empty());
  REQUIRE(contains(drawn.document, "data-ready=\"yes\""));
  CHECK(contains(drawn.document, "<dd>" + with_commas(result["cycles"].get<std::uint64_t>())));
  for (const auto& [name, count] : result["counters"]["causes"].items()) {
    if (count == 0) continue;
    INFO(name);
    CHECK(cell(drawn.document, "Cycles by cause", name) == with_commas(count.get<std::uint64_t>()));
  }
  for (const auto& [name, count] : result["counters"]["events"].items()) {
    INFO(name);
    CHECK(cell(drawn.document, "Events", name) == with_commas(count.get<std::uint64_t>()));
  }
  CHECK(contains(drawn.document, "marker 1 (loop)"));
}

TEST_CASE("the data of a page are handed out as JSON too") {
  const Folder folder;
  write_program(folder);
  REQUIRE(folder.run("report k.s --in x=x.npy -o page.html --data page.json").status == 0);
  const auto held = page_data(folder.read("page.html"));
  REQUIRE(held);
  CHECK(nlohmann::json::parse(folder.read("page.json")) == *held);
  CHECK((*held)["counters"]["cycles"].get<std::uint64_t>() > 0);
  check_refused(folder.run("report k.s --in x=x.npy -o page.html --data page.html"), 2,
                "page.html");
}

TEST_CASE("every chart has a canvas, words for those who do not see it, and a table") {
  if (!has_chromium()) return;
  const Folder folder;
  write_program(folder);
  REQUIRE(folder.run("report k.s --in x=x.npy -o page.html").status == 0);
  const std::string document = draw(folder, "page.html", "--window-size=390,900").document;
  for (const char* id : {"units-chart", "causes-chart", "memory-chart", "roofline-chart"}) {
    INFO(id);
    const std::size_t chart = document.find("id=\"" + std::string(id) + "\"");
    REQUIRE(chart != std::string::npos);
    const std::size_t canvas = document.find("<canvas", chart);
    const std::size_t label = document.find("aria-label=", chart);
    REQUIRE(canvas != std::string::npos);
    CHECK(label < canvas);
    CHECK(document.find("<table", canvas) != std::string::npos);
  }
}

TEST_CASE("charts read out values and zoom by keyboard, tables filter and sort") {
  if (!has_chromium()) return;
  const Folder folder;
  write_program(folder);
  REQUIRE(folder.run("report k.s --in x=x.npy -o page.html").status == 0);
  std::string page = folder.read("page.html");
  page.insert(page.rfind("</body>"), R"(<script>
    const result = (name, value) => { document.body.dataset[name] = value; };
    const chart = document.getElementById("units-chart");
    const press = (key) => chart.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
    const span = () => chart.plot.scales.x.max - chart.plot.scales.x.min;
    setTimeout(() => {
      press("Home");
      press("ArrowRight");
      const whole = span();
      press("+");
      setTimeout(() => {
        result("readout", chart.nextElementSibling.textContent);
        result("zoomed", String(span() < 0.6 * whole));
        press("0");
        const filter = document.querySelector("#bundles input");
        filter.value = "exp2";
        filter.dispatchEvent(new Event("input"));
        result("found", document.querySelectorAll("#bundles tbody tr").length);
        document.querySelectorAll("#source button")[1].click();
        result("first", document.querySelector("#source tbody th").textContent);
        setTimeout(() => result("again", String(span() === whole)), 100);
      }, 100);
    }, 100);
  </script>)");
  folder.write("keys.html", page);
  const Drawn drawn = draw(folder, "keys.html");
  CHECK(drawn.console.empty());
  CHECK(contains(drawn.document, "data-readout=\"Cycles 64 to 127: scalar "));
  CHECK(contains(drawn.document, "data-zoomed=\"true\""));
  CHECK(contains(drawn.document, "data-again=\"true\""));
  CHECK(contains(drawn.document, "data-found=\"1\""));
  CHECK(contains(drawn.document, "data-first=\"common.inc:"));
}

TEST_CASE("a page compares itself with an earlier one") {
  if (!has_chromium()) return;
  const Folder folder;
  write_program(folder);
  REQUIRE(folder.run("report k.s --in x=x.npy -o before.html").status == 0);
  REQUIRE(folder.run("report k.s --in x=x.npy --latency 500 -o now.html --compare before.html")
              .status == 0);
  const Drawn drawn = draw(folder, "now.html");
  CHECK(drawn.console.empty());
  CHECK(contains(drawn.document, "Compared with an earlier run"));
  CHECK(contains(drawn.document, "times more than before"));
}

TEST_CASE("RTL and cycle-exact model give the same page") {
  if (!has_nano()) return;
  const Folder folder;
  write_program(folder);
  REQUIRE(folder.run("report k.s --in x=x.npy -o cycle.html").status == 0);
  REQUIRE(folder.run("report k.s --in x=x.npy --on rtl -o rtl.html").status == 0);
  nlohmann::json cycle = page_data(folder.read("cycle.html")).value();
  nlohmann::json rtl = page_data(folder.read("rtl.html")).value();
  for (const char* key : {"model", "command"}) {
    cycle.erase(key);
    rtl.erase(key);
  }
  CHECK(cycle == rtl);
}

TEST_CASE("the cycles of bundles and of source lines add up to the run's") {
  const Folder folder;
  write_program(folder);
  REQUIRE(folder.run("report k.s --in x=x.npy -o page.html").status == 0);
  const nlohmann::json data = page_data(folder.read("page.html")).value();
  for (const char* list : {"bundles", "lines"}) {
    INFO(list);
    std::uint64_t total = 0;
    for (const nlohmann::json& row : data[list]["rows"])
      total += row["cycles"].get<std::uint64_t>();
    CHECK(total == data["counters"]["cycles"]);
  }
}

TEST_CASE("a report is written for a program that traps or meets the limit") {
  const Folder folder;
  folder.write("trap.s", "        .target nano\n        { s4 = mov 1 }\n        { trap 3 }\n");
  CHECK(folder.run("report trap.s -o trap.html").status == 1);
  CHECK(page_data(folder.read("trap.html")).value()["outcome"] == "trapped");
  folder.write("ever.s", "        .target nano\nhere:   { br here }\n");
  CHECK(folder.run("report ever.s --limit 20000 -o ever.html").status == 1);
  CHECK(page_data(folder.read("ever.html")).value()["outcome"] == "limit reached");
  if (!has_chromium()) return;
  for (const char* page : {"trap.html", "ever.html"}) {
    const Drawn drawn = draw(folder, page);
    INFO(page << '\n' << drawn.console);
    CHECK(drawn.console.empty());
    CHECK(contains(drawn.document, "data-ready=\"yes\""));
  }
}

TEST_CASE("a report refuses what it cannot use") {
  const Folder folder;
  folder.write("k.s", "        .target nano\n        { halt }\n");
  folder.write("other.html", "<html></html>");
  check_refused(folder.run("report k.s"), 2, "--output");
  check_refused(folder.run("report k.s -o x.html --on golden"), 2, "cycle or rtl");
  check_refused(folder.run("report k.s -o x.html --compare other.html"), 2, "not a page");
  check_refused(folder.run("report k.s -o nowhere/x.html"), 2, "nowhere/x.html");
}
