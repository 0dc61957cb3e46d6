// `tandem report`: the page in headless Chromium (skipped where there is none), and what is
// refused.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "report/page.hpp"
#include "report/run_data.hpp"
#include "tests/cli/browser.hpp"

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

void write_program(const Folder& folder) {
  folder.write("k.s", busy);
  for (const char* name : {"common.inc", "machine.inc"}) {
    std::ifstream file(std::string("benchmarks/common/") + name);
    folder.write(name, {std::istreambuf_iterator<char>(file), {}});
  }
  folder.write_floats("x.npy", {64});
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
  CHECK(contains(drawn.document, "data-readout=\"Cycles 32 to 63: scalar "));
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
  CHECK(cell(drawn.document, "Settings that differ", "hbm_latency") == "40");
  CHECK(cell(drawn.document, "Settings that differ", "hbm_beat") == "no row");
}

TEST_CASE("a page names the options that differ from an earlier run's") {
  if (!has_chromium()) return;
  const Folder folder;
  write_program(folder);
  REQUIRE(folder.run("report k.s --in x=x.npy -o before.html").status == 0);
  REQUIRE(folder.run("report k.s --in x=x.npy --seed 7 -o now.html --compare before.html").status ==
          0);
  REQUIRE(folder.run("report k.s --in x=x.npy -o same.html --compare before.html").status == 0);
  CHECK(cell(draw(folder, "now.html").document, "Settings that differ", "--seed") == "not given");
  CHECK(contains(draw(folder, "same.html").document, "Machine, timing and options are the same."));
}

TEST_CASE("all charts of a page begin at one left margin") {
  if (!has_chromium()) return;
  const Folder folder;
  write_program(folder);
  REQUIRE(folder.run("report k.s --in x=x.npy -o page.html").status == 0);
  folder.write("margins.html", with_script(folder.read("page.html"), R"(
    const margins = [...document.querySelectorAll(".chart")].map((chart) => chart.plot.bbox.left);
    result("margins", [...new Set(margins)].length + " of " + margins.length);)"));
  CHECK(contains(draw(folder, "margins.html").document, "data-margins=\"1 of 4\""));
}

// The columns `In this time` of a list add up to the window, as every cycle belongs to one line.
TEST_CASE("pressing a line marks its time, and a window of time filters the lists") {
  if (!has_chromium()) return;
  const Folder folder;
  write_program(folder);
  REQUIRE(folder.run("report k.s --in x=x.npy -o page.html").status == 0);
  folder.write("marks.html", with_script(folder.read("page.html"), R"(
    const chart = document.getElementById("memory-chart");
    const press = (key) => chart.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
    const heads = () => [...document.querySelectorAll("#source tbody th")].map((head) => head.textContent);
    const colour = () => chart.plot.ctx.canvas.toDataURL();
    const before = colour(), all = heads().length;
    document.querySelector("#source tbody button.mark").click();
    await drawn();
    result("note", document.querySelector(".marked span").textContent);
    result("pressed", document.querySelectorAll("#source button.mark[aria-pressed=true]").length);
    result("painted", String(before !== colour()));
    document.querySelector("#source tbody button.mark").click();
    await drawn();
    result("unmarked", String(document.querySelector(".marked").hidden && before === colour()));
    press("Home");
    for (let i = 0; i < 6; ++i) press("+");
    const number = (text) => Number(text.replaceAll(",", ""));
    const [from, to] = document.querySelector("#source p[role=status]").textContent.match(/[\d,]+/g).map(number);
    for (const list of ["source", "bundles"]) {
      document.querySelector(`#${list} button:not([aria-pressed])`)?.click();
      const cells = [...document.querySelectorAll(`#${list} tbody tr`)].map((row) => number(row.children[1].textContent));
      result(list + "Within", String(cells.reduce((a, b) => a + b) === to - from + 1));
    }
    result("fewer", String(heads().length < all && heads().length > 0));
    press("0");
    result("back", String(heads().length === all));)"));
  const Drawn drawn = draw(folder, "marks.html");
  CHECK(drawn.console.empty());
  CHECK(contains(drawn.document, "data-note=\"Marked: k.s:"));
  for (const char* name :
       {"painted", "unmarked", "source-within", "bundles-within", "fewer", "back"}) {
    INFO(name);
    CHECK(contains(drawn.document, "data-" + std::string(name) + "=\"true\""));
  }
  CHECK(contains(drawn.document, "data-pressed=\"1\""));
}

// What a compiler writes: the operation of each line, in a file of a language of its own.
std::string compiled(const std::string& function) {
  return "        .target nano\n        .lines off\n        .loc 3, \"f.py\", operation \"" +
         function + "/add\"\n        { s4 = mov 1 }\n        { halt }\n";
}

TEST_CASE("a page is named after the function that was compiled") {
  const Folder folder;
  folder.write("program.s", compiled("jit(train_step)"));
  REQUIRE(folder.run("report program.s -o page.html").status == 0);
  const std::string page = folder.read("page.html");
  CHECK(contains(page, "<title>jit(train_step) - Tandem report</title>"));
  CHECK(page_data(page).value()["file"] == "program.s");
  REQUIRE(folder.run("report program.s -o pages/").status == 0);
  CHECK(page_data(folder.read("pages/jit_train_step.html")).has_value());
  CHECK(contains(folder.read("pages/index.html"), R"("page":"jit_train_step.html")"));
}

TEST_CASE("several programs have a page each, and an index") {
  const Folder folder;
  write_program(folder);
  folder.write("f.s", compiled("jit(f)"));
  REQUIRE(folder.run("asm k.s -o k.elf").status == 0);
  for (const char* name : {"f", "g"}) {
    REQUIRE(folder.run("asm f.s -o " + std::string(name) + ".elf").status == 0);
  }
  const Output made = folder.run("report k.elf f.elf g.elf --in x=x.npy -o pages --with-trace");
  INFO(made.text);
  REQUIRE(made.status == 0);
  for (const char* page : {"k.html", "jit_f.html", "jit_f-2.html"}) {
    INFO(page);
    CHECK(page_data(folder.read("pages/" + std::string(page))).has_value());
  }
  CHECK(page_data(folder.read("pages/k.html")).value()["trace"] == "k.pftrace");
  CHECK(std::filesystem::file_size(folder.path("pages/k.pftrace")) > 1000);
  check_refused(folder.run("report k.elf f.elf --in z=x.npy -o pages"), 2, "z=x.npy");
  check_refused(folder.run("report k.elf f.elf --in x=x.npy -o pages --json"), 2, "--json");
  check_refused(folder.run("report k.elf f.elf -o pages --data x.json"), 2, "--data");
  check_refused(folder.run("report k.elf f.elf -o page.html"), 2, "linked already");
  folder.write(
      "pages/hostile.html",
      report_page({{"format", run_data_format}, {"program", "x"}, {"counters", 3}}, nullptr));
  REQUIRE(folder.run("report f.elf -o later/ --compare pages").status == 0);
  CHECK(contains(folder.read("later/jit_f.html"),
                 "<script type=\"application/json\" id=\"before\">{"));
  if (!has_chromium()) return;
  const Drawn drawn = draw(folder, "pages/index.html");
  CHECK(drawn.console.empty());
  for (const char* link : {"href=\"k.html\"", "href=\"jit_f.html\"", "href=\"jit_f-2.html\""}) {
    CHECK(contains(drawn.document, link));
  }
  CHECK_FALSE(contains(drawn.document, "hostile"));
  CHECK(contains(drawn.document, "<title>pages - Tandem reports</title>"));
}

TEST_CASE("names of functions and files are text in pages, whatever they hold") {
  if (!has_chromium()) return;
  const Folder folder;
  const std::string hostile = "<script>alert(1)<img src=x onerror=alert(2)>'&quot;";
  folder.write("program.s", compiled(hostile));
  folder.shell("mkdir -p pages && cp program.s \"<i>'&.s\"");
  REQUIRE(folder.run("report \"<i>'&.s\" -o pages").status == 0);
  REQUIRE(folder.run("asm program.s -o \"pages/<b onclick=x>.elf\"").status == 0);
  folder.write(
      "pages/two.html",
      report_page(page_data(folder.read("pages/script_alert_1_img_src_x_onerror_alert_2_quot.html"))
                      .value(),
                  nullptr));
  REQUIRE(folder.run("report program.s -o pages").status == 0);
  for (const char* page : {"index.html", "two.html"}) {
    INFO(page);
    const Drawn drawn = draw(folder, "pages/" + std::string(page));
    CHECK(drawn.console.empty());
    CHECK(contains(drawn.document, "data-ready=\"yes\""));
    const std::string body = drawn.document.substr(0, drawn.document.find("<script"));
    CHECK(contains(body, "&lt;script&gt;alert(1)&lt;img src=x onerror=alert(2)&gt;'&amp;quot;"));
    for (const char* part : {"<img", "<i>", "<b "}) CHECK_FALSE(contains(body, part));
  }
}

// Python's server of files, and Chromium on a page of it.
constexpr const char* served_page = R"(
import functools, http.server, subprocess, sys, threading
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=".")
handler.func.log_message = lambda *_: None
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
page = f"http://127.0.0.1:{server.server_address[1]}/{sys.argv[1]}"
ended = subprocess.run(["timeout", "100", "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir=profile",
    "--virtual-time-budget=8000", "--dump-dom", page], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
sys.stdout.buffer.write(ended.stdout)
)";

// ui.perfetto.dev cannot be reached from a test: a window that answers as it does.
constexpr const char* instead_of_perfetto = R"(
    const other = document.createElement("iframe");
    document.body.append(other);
    let asked = 0;
    window.open = (address) => {
      result("opened", address);
      return new Proxy({}, {get: (_, name) => name !== "postMessage" ? undefined : (message, origin) => {
        if (message === "PING") {
          if (++asked === 2) window.dispatchEvent(new MessageEvent("message", {data: "PONG", origin, source: other.contentWindow}));
          if (asked === 1) window.dispatchEvent(new MessageEvent("message", {data: "PONG", origin: "https://evil.example", source: other.contentWindow}));
          return;
        }
        result("asked", String(asked));
        result("bytes", String(message.perfetto.buffer.byteLength));
        result("name", message.perfetto.title);
      }});
    };
    document.querySelector("#trace button").click();)";

TEST_CASE("a served page hands its trace to Perfetto, a file says where it is") {
  if (!has_chromium()) return;
  const Folder folder;
  write_program(folder);
  REQUIRE(folder.run("report k.s --in x=x.npy -o page.html --with-trace").status == 0);
  const std::string file = draw(folder, "page.html").document;
  CHECK(contains(file, "<code>page.pftrace</code>"));
  CHECK(contains(file, "https://ui.perfetto.dev/#!/?visStart=0&amp;visEnd="));
  folder.write("test.html", with_script(folder.read("page.html"), instead_of_perfetto));
  folder.write("served.py", served_page);
  folder.shell("python3 served.py test.html > dom.html");
  const std::string document = folder.read("dom.html");
  CHECK(contains(document, "data-opened=\"https://ui.perfetto.dev/#!/?visStart=0&amp;visEnd="));
  CHECK(contains(document, "data-asked=\"2\""));
  CHECK(contains(document, "data-name=\"k.s\""));
  CHECK(contains(document,
                 "data-bytes=\"" +
                     std::to_string(std::filesystem::file_size(folder.path("page.pftrace"))) +
                     "\""));
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
