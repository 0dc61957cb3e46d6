// Gathers what a report page needs while a run goes on, and writes the page.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/run/drive.hpp"
#include "report/run_data.hpp"
#include "sim/counters/profile.hpp"
#include "sim/events/timing_fan_out.hpp"
#include "sim/events/timing_order.hpp"

namespace tandem {

// What the page says about the run beside what it measured.
struct ReportTitle {
  std::string program;
  std::string model;
  MemoryTimingParameters memory;
  nlohmann::json schedule = nlohmann::json::array();  // as ReportedRun::schedule
};

// Not movable: the machine holds a pointer to what timing() gives.
class RunReport {
 public:
  // Reads the earlier page at once ("": none), so that a wrong name costs no run. The image must
  // outlive this. Throws UserError.
  RunReport(const Image& image, std::string path, const std::string& earlier_page);
  RunReport(const RunReport&) = delete;
  RunReport& operator=(const RunReport&) = delete;

  // For RunReaders::timing of the runtime.
  TimingSink* timing() { return &events_; }
  // After the run, however it ended.
  void write(const ReportTitle& title, const Runner& runner, const RunResult& result);

 private:
  const Image& image_;
  std::string path_;
  nlohmann::json before_;
  Profile profile_;
  OrderedTiming ordered_{profile_};
  CounterRegions regions_;
  TimingFanOut events_;
};

}  // namespace tandem
