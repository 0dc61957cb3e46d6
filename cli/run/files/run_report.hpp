// Gathers the data of a report page during a run, and writes the page.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/run/drive.hpp"
#include "report/run_data.hpp"
#include "sim/counters/profile.hpp"
#include "sim/events/timing_fan_out.hpp"
#include "sim/events/timing_order.hpp"

namespace tandem {

// The page's information about the run besides measurements.
struct ReportTitle {
  std::string program;
  std::string model;
  MemoryTimingParameters memory;
  nlohmann::json schedule = nlohmann::json::array();  // as ReportedRun::schedule
  nlohmann::json options = nlohmann::json::object();  // as ReportedRun::options
  std::string trace{};                                // as ReportedRun::trace
};

struct ReportFiles {
  std::string page;     // "": written by the caller, who knows its name after the run
  std::string data;     // of the page, as JSON; "": none
  std::string earlier;  // a page to compare with; "": none
};

// The data of an earlier page; null for "". Throws UserError.
nlohmann::json read_report_page(const std::string& path);

// A source file named by a program, if it still exists. Only plain files: a name in a binary may be
// anything.
std::optional<std::string> read_source_file(const std::string& name);

// Not movable: the machine holds a pointer to the result of timing().
class RunReport {
 public:
  // Reads the earlier page immediately, so that a wrong name does not cost a run. The image must
  // outlive this. Throws UserError.
  RunReport(const Image& image, ReportFiles files);
  RunReport(const RunReport&) = delete;
  RunReport& operator=(const RunReport&) = delete;

  // For RunReaders::timing of the runtime.
  TimingSink* timing() { return &events_; }
  // After the run, however it ended: the contents of the page; and the page itself.
  nlohmann::json data(const ReportTitle& title, const Runner& runner, const RunResult& result);
  void write(const ReportTitle& title, const Runner& runner, const RunResult& result);

 private:
  const Image& image_;
  ReportFiles files_;
  nlohmann::json before_;
  Profile profile_;
  OrderedTiming ordered_{profile_};
  CounterRegions regions_;
  TimingFanOut events_;
};

}  // namespace tandem
