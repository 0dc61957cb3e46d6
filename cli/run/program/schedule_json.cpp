#include "cli/run/program/schedule_json.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "isa/instructions.hpp"

namespace tandem {
namespace {

using nlohmann::json;

// As in the page's source lines.
std::string place_text(const SourceSpan& place) {
  return fmt::format("{}:{}", std::filesystem::path(place.file).lexically_normal().string(),
                     place.line);
}

json bound_json(const PlacedLoop& placed) {
  const schedule::LoopBounds& bounds = placed.loop.bounds;
  if (!bounds.is_known()) return nullptr;
  json lines = json::array();
  for (const SourceSpan& place : placed.round) lines.push_back(place_text(place));
  return {{"by", bounds.by_recurrence() ? "recurrence" : std::string(bounds.busiest)},
          {"resources", bounds.resources},
          {"recurrence", bounds.recurrence},
          {"lines", lines}};
}

json registers_json(const schedule::LoopReport& loop) {
  json registers = json::object();
  for (std::size_t f = 0; f < file_count; ++f) {
    registers[std::string(1, file_letter(static_cast<File>(f)))] = loop.registers[f];
  }
  return registers;
}

json loop_json(const PlacedLoop& placed) {
  const schedule::LoopReport& loop = placed.loop;
  const auto if_pipelined = [&](std::uint32_t value) {
    return loop.pipelined ? json(value) : json();
  };
  return {{"head", place_text(placed.head)},
          {"branch", place_text(placed.branch)},
          {"pipelined", loop.pipelined},
          {"interval", if_pipelined(loop.interval)},
          {"minimum", loop.bounds.is_known() ? json(loop.bounds.minimum()) : json()},
          {"bound", bound_json(placed)},
          {"stages", if_pipelined(loop.stages)},
          {"unrolled", if_pipelined(loop.unrolled)},
          {"first_bundle", loop.first_bundle},
          {"bundles", loop.bundles},
          {"registers", registers_json(loop)},
          {"reason", loop.pipelined ? json() : json(loop.reason)},
          {"culprit", placed.culprit ? json(place_text(*placed.culprit)) : json()},
          {"text", loop_text(placed)}};
}

}  // namespace

json schedule_json(const BlockReport& report) {
  json slots = json::object();
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    slots[std::string(slot_layouts[slot].name)] = report.slots[slot];
  }
  json loops = json::array();
  for (const PlacedLoop& loop : report.loops) loops.push_back(loop_json(loop));
  json predicated = json::array();
  for (const SourceSpan& branch : report.predicated) predicated.push_back(place_text(branch));
  return {{"name", report.name},
          {"source", place_text(report.opened)},
          {"schedule", schedule::level_name(report.level)},
          {"operations", report.operations},
          {"first_bundle", report.first_bundle},
          {"cycles", report.cycles == 0 ? json() : json(report.cycles)},
          {"bundles", report.bundles},
          {"slots", slots},
          {"spills",
           {{"constants", report.spills.constants},
            {"words", report.spills.scalars},
            {"row_slots", report.spills.vectors}}},
          {"predicated", predicated},
          {"loops", loops}};
}

}  // namespace tandem
