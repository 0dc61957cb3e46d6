// The data of a run in a report page, as JSON; a later page can be compared with it.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "isa/image.hpp"
#include "sim/counters/counter_regions.hpp"
#include "sim/counters/profile.hpp"
#include "sim/memory/memory_timing.hpp"

namespace tandem {

inline constexpr const char* run_data_format = "tandem-report-1";

struct ReportedRun {
  std::string program;  // the title, if its operations do not name the function
  std::string command;
  std::string model;                                  // "rtl", "cycle"
  std::string outcome;                                // "halted"
  std::string trace;                                  // a Perfetto trace beside the page; "": none
  nlohmann::json options = nlohmann::json::object();  // given ones by name: {"--seed": "3"}
  MemoryTimingParameters memory;
  const Image* image = nullptr;
  const Profile* profile = nullptr;
  CounterValues counters;
  std::vector<CounterRegion> regions;
  nlohmann::json schedule =
      nlohmann::json::array();  // of linear blocks: cli/run/program/schedule_json.hpp
};

// The text of a file of the program, or nothing if it is not available.
using SourceReader = std::function<std::optional<std::string>(const std::string& name)>;

// "program" is the function that a compiled program says it is ("jit(train_step)"), "file" its
// file. "settings" has the sizes of the machine and the timing of its memory by name, as text.
// Bounded: it has only the `hottest` bundles and source lines.
nlohmann::json run_data(const ReportedRun& run, const SourceReader& source,
                        std::size_t hottest = 1500);

}  // namespace tandem
