#include "report/panes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string_view>

#include "isa/text/source_place.hpp"
#include "isa/text/text.hpp"

namespace tandem {
namespace {

constexpr std::size_t most_rows = 5000;
constexpr std::size_t most_files = 16;

// The places of a frame, innermost first, each once.
std::vector<std::string> line_keys(const Image& image, const SourceFrame* frame) {
  std::vector<std::string> keys;
  while (frame != nullptr) {
    std::string key = image.source.place_text(*frame);
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(std::move(key));
    frame = frame->caller == no_frame ? nullptr : &image.source.frame(frame->caller);
  }
  return keys;
}

std::string linear_line_key(std::size_t line) { return fmt::format("linear {}", line); }

// Of a compiled program the line of the compiler's text, else the place with the calls that lead
// there. "" without a place.
std::string linear_key(const PaneProgram& program, const Image& image, std::uint32_t pc,
                       std::uint32_t slot) {
  if (program.by_linear_line != nullptr) {
    const SourceFrame* const line = find_source(*program.by_linear_line, pc, slot);
    if (line == nullptr) return {};
    return linear_line_key(program.by_linear_line->source.outermost(*line).line);
  }
  const SourceFrame* const frame = find_source(image, pc, slot);
  if (frame == nullptr) return {};
  return image.source.place_text(*frame) + image.source.callers_text(*frame);
}

nlohmann::json slots_json(const PaneProgram& program, const Image& image, std::uint32_t pc) {
  const auto label_of = [&image](std::uint32_t at) { return place_name(image, at); };
  nlohmann::json slots = nlohmann::json::array();
  for (std::uint32_t index = 0; index < slot_count; ++index) {
    const auto slot = static_cast<Slot>(index);
    const SlotBits bits = slot_bits(image.text[pc], slot);
    if (is_empty(bits)) continue;
    const std::optional<Operation> operation = decode(slot, bits);
    slots.push_back({{"slot", slot_name(slot)},
                     {"text", operation ? operation_text(*operation, label_of) : "illegal"},
                     {"key", linear_key(program, image, pc, index)},
                     {"lines", line_keys(image, find_source(image, pc, index))}});
  }
  return slots;
}

std::map<std::uint32_t, std::string> labels_of(const Image& image) {
  std::map<std::uint32_t, std::string> labels;
  for (const Label& label : image.labels) labels.emplace(label.pc, label.name);
  return labels;
}

nlohmann::json lost_json(const BundleProfile& bundle) {
  nlohmann::json lost = nlohmann::json::object();
  for (const CounterRow& row : stall_causes()) {
    if (row.number == static_cast<std::uint32_t>(StallCause::issued)) continue;
    if (bundle.cycles[row.number] != 0) lost[std::string(row.name)] = bundle.cycles[row.number];
  }
  return lost;
}

nlohmann::json bundle_rows(const PaneProgram& program) {
  const Image& image = *program.image;
  std::map<std::uint32_t, BundleProfile> ran;
  if (program.profile != nullptr) {
    for (BundleProfile& bundle : program.profile->bundles()) ran.emplace(bundle.pc, bundle);
  }
  const std::map<std::uint32_t, std::string> labels = labels_of(image);
  nlohmann::json rows = nlohmann::json::array();
  const std::size_t count = std::min(image.text.size(), most_rows);
  for (std::uint32_t pc = 0; pc < count; ++pc) {
    const auto label = labels.find(pc);
    nlohmann::json row{{"pc", pc},
                       {"place", label == labels.end() ? "" : label->second},
                       {"slots", slots_json(program, image, pc)},
                       {"cycles", 0},
                       {"issues", 0},
                       {"lost", nlohmann::json::object()}};
    const auto found = ran.find(pc);
    if (found != ran.end()) {
      row["cycles"] = found->second.total();
      row["issues"] = found->second.issues();
      row["lost"] = lost_json(found->second);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// Places of each line of the compiler's text, which its bundles know.
std::map<std::string, std::vector<std::string>> lines_of_keys(const PaneProgram& program) {
  std::map<std::string, std::vector<std::string>> lines;
  const Image& image = *program.image;
  for (std::uint32_t pc = 0; pc < image.text.size(); ++pc) {
    for (std::uint32_t slot = 0; slot < slot_count; ++slot) {
      if (is_empty(slot_bits(image.text[pc], static_cast<Slot>(slot)))) continue;
      std::string key = linear_key(program, image, pc, slot);
      if (lines.contains(key)) continue;
      lines.emplace(std::move(key), line_keys(image, find_source(image, pc, slot)));
    }
  }
  return lines;
}

nlohmann::json linear_of_text(const PaneProgram& program) {
  const auto lines = lines_of_keys(program);
  nlohmann::json rows = nlohmann::json::array();
  std::istringstream text(program.linear_text);
  std::string line;
  std::size_t total = 0;
  bool is_text = false;  // after `.text`, before it are data
  for (std::size_t number = 1; std::getline(text, line); ++number) {
    is_text = is_text || line.find(".text") != std::string::npos;
    if (!is_text || line.find_first_not_of(' ') == std::string::npos) continue;
    if (++total > most_rows) continue;
    const std::string key = linear_line_key(number);
    const auto found = lines.find(key);
    const bool has = found != lines.end();
    rows.push_back({{"text", line},
                    {"key", has ? key : ""},
                    {"lines", has ? found->second : std::vector<std::string>()}});
  }
  return {{"total", total}, {"rows", rows}};
}

nlohmann::json linear_of_image(const PaneProgram& program) {
  const Image& image = *program.unscheduled;
  const std::map<std::uint32_t, std::string> labels = labels_of(image);
  nlohmann::json rows = nlohmann::json::array();
  for (std::uint32_t pc = 0; pc < std::min(image.text.size(), most_rows); ++pc) {
    const auto label = labels.find(pc);
    if (label != labels.end()) {
      rows.push_back({{"text", label->second + ":"}, {"key", ""}, {"lines", nullptr}});
      rows.back()["lines"] = nlohmann::json::array();
    }
    for (nlohmann::json& slot : slots_json(program, image, pc)) {
      slot.erase("slot");
      slot["text"] = "        " + slot["text"].get<std::string>();
      rows.push_back(std::move(slot));
    }
  }
  return {{"total", image.text.size()}, {"rows", rows}};
}

nlohmann::json linear_json(const PaneProgram& program) {
  if (program.by_linear_line != nullptr) return linear_of_text(program);
  return program.unscheduled == nullptr ? nlohmann::json() : linear_of_image(program);
}

nlohmann::json line_cycles(const PaneProgram& program) {
  struct Sum {
    std::uint64_t cycles = 0;
    std::uint64_t issues = 0;
  };
  std::map<std::string, Sum> sums;
  if (program.profile != nullptr) {
    for (const BundleProfile& bundle : program.profile->bundles()) {
      const SourceFrame* const frame = find_source(*program.image, bundle.pc);
      for (const std::string& key : line_keys(*program.image, frame)) {
        sums[key].cycles += bundle.total();
        sums[key].issues += bundle.issues();
      }
    }
  }
  nlohmann::json lines = nlohmann::json::object();
  for (const auto& [key, sum] : sums) {
    lines[key] = {{"cycles", sum.cycles}, {"issues", sum.issues}};
  }
  return lines;
}

// How many rows have a place in each file.
std::map<std::string, std::size_t> files_of(const nlohmann::json& panes) {
  std::map<std::string, std::size_t> files;
  for (const nlohmann::json& bundle : panes.at("bundles").at("rows")) {
    for (const nlohmann::json& slot : bundle.at("slots")) {
      for (const nlohmann::json& key : slot.at("lines")) {
        const auto text = key.get<std::string>();
        ++files[text.substr(0, text.rfind(':'))];
      }
    }
  }
  return files;
}

}  // namespace

nlohmann::json panes_json(const PaneProgram& program) {
  return {{"linear", linear_json(program)},
          {"bundles", {{"total", program.image->text.size()}, {"rows", bundle_rows(program)}}},
          {"lines", line_cycles(program)}};
}

nlohmann::json pane_files(const nlohmann::json& panes, const std::vector<std::string>& also,
                          const SourceReader& reader) {
  std::map<std::string, std::size_t> counts = files_of(panes);
  for (const std::string& name : also) counts.emplace(name, 0);
  std::vector<std::pair<std::string, std::size_t>> names(counts.begin(), counts.end());
  std::stable_sort(names.begin(), names.end(),
                   [](const auto& left, const auto& right) { return left.second > right.second; });
  nlohmann::json files = nlohmann::json::array();
  for (const auto& [name, count] : names) {
    const std::optional<std::string> text = files.size() < most_files ? reader(name) : std::nullopt;
    if (!text) continue;
    nlohmann::json lines = nlohmann::json::array();
    std::istringstream stream(*text);
    std::size_t total = 0;
    for (std::string line; std::getline(stream, line);) {
      if (++total <= most_rows) lines.push_back(line);
    }
    files.push_back({{"name", name}, {"total", total}, {"lines", lines}});
  }
  return files;
}

std::string without_places(const std::string& assembly) {
  std::istringstream text(assembly);
  std::string result;
  for (std::string line; std::getline(text, line);) {
    const std::size_t first = line.find_first_not_of(' ');
    const std::string_view word =
        first == std::string::npos ? std::string_view() : std::string_view(line).substr(first);
    const bool is_place = word.starts_with(".loc ") || word.starts_with(".lines ");
    result += (is_place ? std::string() : line) + "\n";
  }
  return result;
}

}  // namespace tandem
