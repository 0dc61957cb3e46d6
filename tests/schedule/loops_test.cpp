// Every loop of our programs in linear form is at its least interval, computed independently of the
// scheduler (minimum.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "assembler/assembler.hpp"
#include "schedule/proof/predicated.hpp"
#include "tests/schedule/inner_loops.hpp"
#include "tests/schedule/minimum.hpp"
#include "tests/schedule/support.hpp"

namespace tandem::test {

using namespace schedule;  // NOLINT: a test file

namespace {

struct Row {
  std::string program;
  std::string preset;
  std::string place;
  std::uint32_t interval = 0;  // 0: no pipeline
  Minimum minimum;
  std::uint32_t scheduler = 0;  // the scheduler's own minimum; 0: none
  std::string reason;
  bool one_stretch = false;
  [[nodiscard]] bool reached() const { return interval != 0 && interval <= minimum.cycles(); }
  [[nodiscard]] bool cold() const { return reason == "it is cold"; }
};

void add_rows(const LinearBlock& written, const Result& result, const BlockReport& report,
              const Parameters& preset, const Row& like, std::vector<Row>& rows) {
  LinearBlock block = written;
  Result mapped = result;
  if (!result.converted.empty()) {
    proof::Predicated made = proof::predicated(written, result);
    REQUIRE(made.trouble.empty());
    block = made.block;
    mapped = made.result;
  }
  for (const InnerLoop& loop : inner_loops(block)) {
    Row row = like;
    const std::uint32_t tag = block.operations[loop.last].tag;
    const auto found = std::find_if(report.loops.begin(), report.loops.end(),
                                    [&](const PlacedLoop& x) { return x.loop.tag == tag; });
    REQUIRE(found != report.loops.end());
    row.place = fmt::format("{}:{}", std::filesystem::path(found->branch.file).filename().string(),
                            found->branch.line);
    row.interval = found->loop.pipelined ? found->loop.interval : 0;
    row.reason = found->loop.reason;
    if (found->loop.bounds.is_known()) row.scheduler = found->loop.bounds.minimum();
    row.one_stretch = is_one_stretch(block, loop);
    if (row.one_stretch) {
      row.minimum = minimum_of(block, mapped, loop.first, loop.last, preset.lanes);
    }
    rows.push_back(std::move(row));
  }
}

std::vector<Row> rows_of(const std::string& path, const std::string& preset) {
  std::vector<Row> rows;
  AssembleOptions options;
  options.preset = preset;
  const Parameters& parameters = *find_preset(preset);
  LinearBlock block;
  Result result;
  options.on_block = [&](const SourceSpan&, const LinearBlock& b, const Result& r) {
    block = b;
    result = r;
  };
  options.on_report = [&](const BlockReport& report) {
    const Row like{path, preset, "", 0, {}, 0, "", false};
    add_rows(block, result, report, parameters, like, rows);
  };
  const auto source = read_source(path);
  REQUIRE(source);
  // Programs that do not fit a machine are refused, and have no loops there.
  if (!build({&*source, 1}, options).diagnostics.empty()) return {};
  return rows;
}

std::vector<Row> all_rows(const std::vector<std::string>& presets) {
  std::vector<std::string> paths;
  for (const char* folder :
       {"kernels/run", "kernels/tutorial", "benchmarks/scalar/linear", "llama/linear"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".s") paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Row> rows;
  for (const std::string& path : paths) {
    for (const std::string& preset : presets) {
      const std::vector<Row> more = rows_of(path, preset);
      rows.insert(rows.end(), more.begin(), more.end());
    }
  }
  return rows;
}

// A loop of a shared include is in several programs: it counts once per preset.
std::vector<Row> distinct(std::vector<Row> rows) {
  std::vector<Row> kept;
  for (Row& row : rows) {
    const bool known = std::any_of(kept.begin(), kept.end(), [&](const Row& other) {
      return other.preset == row.preset && other.place == row.place &&
             other.interval == row.interval && other.minimum.cycles() == row.minimum.cycles();
    });
    if (!known) kept.push_back(std::move(row));
  }
  return kept;
}

std::uint32_t reached(const std::vector<Row>& rows) {
  return static_cast<std::uint32_t>(
      std::count_if(rows.begin(), rows.end(), [](const Row& row) { return row.reached(); }));
}

std::vector<Row> only(const std::vector<Row>& rows, const std::function<bool(const Row&)>& wanted) {
  std::vector<Row> kept;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(kept), wanted);
  return kept;
}

std::string share_text(const std::vector<Row>& rows) {
  return fmt::format("{} of {} ({:.1f}%)", reached(rows), rows.size(),
                     100.0 * reached(rows) / static_cast<double>(rows.size()));
}

void write_shares(std::ofstream& file, std::string_view name, const std::vector<Row>& rows) {
  const std::vector<Row> wanted = only(rows, [](const Row& row) { return !row.cold(); });
  const std::vector<Row> stretches = only(wanted, [](const Row& row) { return row.one_stretch; });
  file << fmt::format("| {} | {} | {} | {} |\n", name, share_text(rows), share_text(wanted),
                      share_text(stretches));
}

void write_table(const std::vector<Row>& rows, const char* path) {
  std::ofstream file(path);
  file << R"(# Loops and their least intervals

Written by `TANDEM_LOOPS_TABLE=benchmarks/loops.md build/test_schedule "every loop of our programs*"`; do not edit.
Loops that hold no other (code from a label to a branch back that it leads to, with what stands apart and comes back into it; a tail call is none), of all programs in linear form: `kernels/run`,
`kernels/tutorial`, `benchmarks/scalar/linear` and `llama/linear`; one of a shared include counts once a preset.
The least interval is worked out by `tests/schedule/minimum.cpp` from the operations alone: what slots and units need, and what values, addresses, effects and the branch need going round, with a slot for each where they leave no choice of cycle. A loop without a pipeline counts as missed.
Cold: the author said so (`.cold`), for such a loop hardly goes round and its pipeline would push other code out of the code cache.
On nano a pipeline may grow to 64 bundles, a quarter of the code cache, and many do not fit.

)"
       << "| loops at their least interval | all | not cold | not cold, of one stretch |\n"
          "|---|---:|---:|---:|\n";
  for (const char* preset : {"nano", "small", "full"}) {
    write_shares(file, preset, only(rows, [&](const Row& row) { return row.preset == preset; }));
  }
  write_shares(file, "together", rows);
  file << "\n| program | preset | branch back | interval | least | slots, units | going round | |\n"
          "|---|---|---|---:|---:|---:|---:|---|\n";
  for (const Row& row : rows) {
    const std::string interval = row.interval == 0 ? "-" : fmt::format("{}", row.interval);
    const std::string least =
        row.one_stretch ? fmt::format("{}", row.minimum.cycles()) : std::string("-");
    const std::string note =
        row.reached() ? "" : "missed" + (row.reason.empty() ? "" : ": " + row.reason);
    file << fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", row.program, row.preset,
                        row.place, interval, least, row.minimum.slots, row.minimum.round, note);
  }
}

}  // namespace

// head: i + 1; to the part apart if p; back: again if q; end. apart: j + 1, again if r; back.
TEST_CASE("a loop holds one that stands apart") {
  LinearText text;
  std::vector<LabelId>& labels = text.block.labels;
  labels = {1, 3, 5};
  const LabelId head = 0, back = 1, apart = 2;
  text.add(Op::mov, {text.s("i"), 0});
  text.add(Op::add, {text.s("i"), text.s("i"), 1});
  text.branch_if(text.p("p"), apart);
  text.branch_if(text.p("q"), head);
  text.add(Op::halt, {});
  text.add(Op::add, {text.s("j"), text.s("j"), 1});
  text.branch_if(text.p("r"), apart);
  text.add(Op::br, {LinearOperand(no_virtual, {})}).item->target = back;
  const std::vector<InnerLoop> inner = inner_loops(text.block);
  REQUIRE(inner.size() == 1);
  CHECK(inner[0].first == labels[apart]);
  CHECK(inner[0].last == 6);
}

TEST_CASE("every loop of our programs has an interval and a least one, and 95% stand at it") {
  const std::vector<Row> rows = distinct(all_rows({"nano", "small", "full"}));
  if (const char* path = std::getenv("TANDEM_LOOPS_TABLE")) write_table(rows, path);  // NOLINT
  REQUIRE(rows.size() > 200);
  for (const Row& row : rows) {
    INFO(row.program << " on " << row.preset << ", " << row.place << ": interval " << row.interval
                     << ", least " << row.minimum.cycles() << " " << row.reason);
    CHECK((row.interval == 0 || row.interval >= row.minimum.cycles()));
    if (!row.reached()) {
      UNSCOPED_INFO("missed: " << row.program << " on " << row.preset << ", " << row.place << ": "
                               << row.interval << " of " << row.minimum.cycles() << " "
                               << row.reason);
    }
  }
  CHECK(100 * reached(rows) >= 95 * rows.size());
}

}  // namespace tandem::test
