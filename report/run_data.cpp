#include "report/run_data.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "isa/machine.hpp"
#include "isa/text/source_place.hpp"
#include "report/advice.hpp"
#include "report/counters.hpp"
#include "report/function_name.hpp"
#include "report/listing_data.hpp"
#include "sim/counters/counter_figures.hpp"
#include "sim/memory/machine_timing.hpp"

namespace tandem {
namespace {

std::string_view unit_name(FigureUnit unit) {
  switch (unit) {
    case FigureUnit::count: return "count";
    case FigureUnit::ratio: return "ratio";
    case FigureUnit::percent: return "percent";
  }
  __builtin_unreachable();
}

nlohmann::json meanings(const CounterValues& counters, const Parameters& parameters) {
  nlohmann::json json;
  for (const CounterRow& row : stall_causes()) json["causes"][std::string(row.name)] = row.meaning;
  for (const CounterRow& row : counted_events())
    json["events"][std::string(row.name)] = row.meaning;
  for (const CounterShare& share : counter_shares(counters, parameters)) {
    const CounterRow& row = counted_events()[static_cast<std::size_t>(share.event)];
    json["shares"][std::string(row.name)] = share.of;
  }
  for (const CounterFigure& figure : counter_figures(counters, parameters)) {
    json["figures"][std::string(figure.name)] = {{"unit", unit_name(figure.unit)},
                                                 {"meaning", figure.meaning}};
  }
  return json;
}

nlohmann::json over_time(const Profile& profile) {
  nlohmann::json json{{"bucket", profile.bucket_cycles()}, {"causes", nlohmann::json::object()}};
  for (const CounterRow& row : stall_causes()) {
    const std::vector<std::uint64_t> values =
        profile.cause_over_time(static_cast<StallCause>(row.number));
    json["buckets"] = values.size();
    if (std::any_of(values.begin(), values.end(), [](std::uint64_t v) { return v != 0; })) {
      json["causes"][std::string(row.name)] = values;
    }
  }
  const std::vector<ProfileTrack>& tracks = Profile::unit_tracks();
  for (std::size_t track = 0; track < tracks.size(); ++track) {
    json["units"].push_back({{"title", tracks[track].title},
                             {"meaning", tracks[track].meaning},
                             {"per_cycle", tracks[track].per_cycle},
                             {"values", profile.unit_over_time(track)}});
  }
  json["paths"] = {{"fetch", profile.beats_over_time(MemoryPath::fetch)},
                   {"copy_read", profile.beats_over_time(MemoryPath::copy_read)},
                   {"copy_write", profile.beats_over_time(MemoryPath::copy_write)}};
  return json;
}

nlohmann::json settings_json(const Parameters& machine, const MemoryTimingParameters& memory) {
  nlohmann::json settings;
  for (const MachineSize& size : machine_sizes()) {
    settings[std::string(size.name)] = size_text(size, machine.*size.member);
  }
  for (std::size_t row = 0; row < machine_timings().size(); ++row) {
    settings[std::string(machine_timings()[row].name)] = std::to_string(timing_value(memory, row));
  }
  settings["memory seed"] = std::to_string(memory.seed);
  return settings;
}

}  // namespace

nlohmann::json run_data(const ReportedRun& run, const SourceReader& source, std::size_t hottest) {
  const Image& image = *run.image;
  const Parameters& preset = *image.preset;
  const std::string function = function_name(*run.profile, image);
  nlohmann::json json{
      {"format", run_data_format},
      {"program", function.empty() ? run.program : function},
      {"file", run.program},
      {"command", run.command},
      {"model", run.model},
      {"outcome", run.outcome},
      {"preset",
       {{"name", preset.name}, {"lanes", preset.lanes}, {"beat_bytes", preset.beat_bytes()}}},
      {"memory",
       {{"latency", run.memory.latency}, {"jitter", run.memory.jitter}, {"seed", run.memory.seed}}},
      {"settings", settings_json(preset, run.memory)},
      {"options", run.options},
      {"counters", counters_json(run.counters, preset)},
      {"meanings", meanings(run.counters, preset)},
      {"regions", regions_json(run.regions, image)},
      {"time", over_time(*run.profile)},
      {"bundles", bundles_json(*run.profile, image, hottest)},
      {"lines", lines_json(*run.profile, image, source, hottest)},
      {"operations", operations_json(*run.profile, image, hottest)},
      {"schedule", run.schedule},
  };
  for (std::size_t i = 0; i < run.regions.size(); ++i) {
    json["regions"][i]["name"] = region_name(run.regions[i], image);
  }
  if (!run.trace.empty()) json["trace"] = run.trace;
  json["advice"] = advice_json(json);
  return json;
}

}  // namespace tandem
