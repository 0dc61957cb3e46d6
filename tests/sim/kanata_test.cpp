// Logs for Konata: read by the rules of the Kanata 0004 format and compared with the events.
#include <catch2/catch.hpp>

#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "isa/text/source_place.hpp"
#include "sim/events/timing_order.hpp"
#include "sim/trace/kanata_writer.hpp"
#include "tests/sim/random_stream.hpp"

using namespace tandem;        // NOLINT: a test file
using namespace tandem::test;  // NOLINT: a test file

namespace {

struct Row {
  std::uint64_t simulator_id = 0;
  std::string label;
  std::map<std::pair<std::string, std::string>, std::uint64_t> open;  // lane, stage -> cycle
  std::map<std::string, std::uint64_t> cycles;                        // by stage, closed ones
  std::map<std::string, std::uint64_t> first;                         // by stage
  std::vector<std::uint64_t> producers;
  bool retired = false;
};

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> parts;
  std::istringstream stream(line);
  for (std::string part; std::getline(stream, part, '\t');) parts.push_back(part);
  return parts;
}

std::uint64_t number(const std::string& digits) { return std::stoull(digits); }

// Checks the form of every line; rows by their id in the file.
class Log {
 public:
  explicit Log(const std::string& text) {
    std::istringstream stream(text);
    std::string line;
    std::getline(stream, line);
    REQUIRE(line == "Kanata\t0004");
    while (std::getline(stream, line)) read(fields(line));
    for (const auto& [id, row] : rows) REQUIRE(row.retired);
  }

  std::map<std::uint64_t, Row> rows;

 private:
  void read(const std::vector<std::string>& line) {
    REQUIRE(line.size() >= 2);
    if (line[0] == "C=") {
      REQUIRE(!started_);
      started_ = true;
      cycle_ = number(line[1]);
      return;
    }
    REQUIRE(started_);
    if (line[0] == "C") {
      REQUIRE(number(line[1]) > 0);
      cycle_ += number(line[1]);
      return;
    }
    const std::uint64_t id = number(line[1]);
    if (line[0] == "I") {
      REQUIRE(id == rows.size());  // in order of their first appearance
      rows[id].simulator_id = number(line.at(2));
      return;
    }
    REQUIRE(rows.count(id) == 1);
    REQUIRE_FALSE(rows[id].retired);
    read_command(line, rows[id]);
  }

  void read_command(const std::vector<std::string>& line, Row& row) {
    REQUIRE(line.size() == 4);
    if (line[0] == "L") {
      if (line[2] == "0") row.label += line[3];
    } else if (line[0] == "S") {
      if (line[2] == "0") row.open.erase({"0", "Ds"});  // a stage of a lane ends the one before
      REQUIRE(row.open.emplace(std::pair(line[2], line[3]), cycle_).second);
      row.first[line[3]] = cycle_;
    } else if (line[0] == "E") {
      const auto open = row.open.find({line[2], line[3]});
      REQUIRE(open != row.open.end());
      row.cycles[line[3]] += cycle_ - open->second;
      row.open.erase(open);
    } else if (line[0] == "R") {
      REQUIRE(retired_.insert(number(line[2])).second);
      REQUIRE(line[3] == "0");
      REQUIRE(row.open.empty());
      row.retired = true;
    } else {
      REQUIRE(line[0] == "W");
      REQUIRE(rows.count(number(line[2])) == 1);
      row.producers.push_back(number(line[2]));
    }
  }

  bool started_ = false;
  std::uint64_t cycle_ = 0;
  std::set<std::uint64_t> retired_;
};

std::string logged(const TimingRecording& stream, const CycleWindow& window = {}) {
  std::string text;
  KanataWriter writer(timed_program(), window, [&](std::string_view part) { text += part; });
  OrderedTiming ordered(writer);
  play(stream, ordered, 5);
  writer.finish();
  return text;
}

}  // namespace

TEST_CASE("each bundle is a row that issues in its cycle and waits for its causes") {
  const TimingRecording stream = random_stream(31, 2000);
  const Log log(logged(stream));
  REQUIRE(log.rows.size() == stream.issues.size());
  std::map<std::string, std::uint64_t> lost;
  for (const auto& [id, row] : log.rows) {
    const IssueTiming& issue = stream.issues.at(id);
    REQUIRE(row.simulator_id == issue.sequence);
    REQUIRE(row.first.at("X") == issue.cycle);
    REQUIRE(row.cycles.at("X") == 1);
    REQUIRE(row.label.rfind(place_name(timed_program(), issue.pc) + ": {", 0) == 0);
    for (const auto& [stage, cycles] : row.cycles) lost[stage] += cycles;
  }
  for (const CounterRow& cause : stall_causes()) {
    if (cause.name == "issued" || cause.name == "drain") continue;
    std::uint64_t expected = 0;
    for (const LostCycles& run : stream.losses) {
      if (static_cast<std::uint32_t>(run.cause) == cause.number) expected += run.count;
    }
    INFO(cause.name);
    CHECK(lost[std::string(cause.name)] == expected);
  }
}

TEST_CASE("a copy's row lasts until its completion and an arrow leads to the wait for it") {
  const TimingRecording stream = random_stream(32, 3000);
  const Log log(logged(stream));
  std::map<std::uint64_t, std::uint64_t> done;
  for (const CopyDone& copy : stream.copy_dones) done[copy.sequence] = copy.cycle;
  std::size_t copies = 0;
  std::size_t arrows = 0;
  for (const auto& [id, row] : log.rows) {
    arrows += row.producers.size();
    for (const std::uint64_t producer : row.producers) {
      REQUIRE(row.first.at("X") > done.at(log.rows.at(producer).simulator_id));
    }
    if (row.cycles.count("Cp") == 0) continue;
    ++copies;
    REQUIRE(row.cycles.at("Cp") == done.at(row.simulator_id) - row.first.at("Cp"));
  }
  CHECK(copies == stream.copy_starts.size());
  CHECK(arrows > copies / 2);
}

TEST_CASE("a window of a log is well-formed and holds its bundles alone") {
  const TimingRecording stream = random_stream(33, 2000);
  const CycleWindow window{*stream.cycles / 3, *stream.cycles / 2};
  std::size_t inside = 0;
  for (const IssueTiming& issue : stream.issues) inside += window.contains(issue.cycle) ? 1 : 0;
  CHECK(Log(logged(stream, window)).rows.size() == inside);
}
