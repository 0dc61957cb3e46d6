#include "report/listing_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "isa/text/source_place.hpp"
#include "isa/text/text.hpp"

namespace tandem {
namespace {

nlohmann::json cycles_json(const BundleProfile& profile) {
  nlohmann::json lost = nlohmann::json::object();
  for (const CounterRow& row : stall_causes()) {
    if (row.number == static_cast<std::uint32_t>(StallCause::issued)) continue;
    if (profile.cycles[row.number] != 0) {
      lost[std::string(row.name)] = profile.cycles[row.number];
    }
  }
  return {{"cycles", profile.total()}, {"issues", profile.issues()}, {"lost", lost}};
}

// The `count` rows with most cycles, in the given order.
template <typename Row, typename Total>
std::vector<Row> hottest_rows(std::vector<Row> rows, std::size_t count, const Total& total) {
  if (rows.size() <= count) return rows;
  std::vector<std::uint64_t> totals;
  totals.reserve(rows.size());
  for (const Row& row : rows) totals.push_back(total(row));
  std::nth_element(totals.begin(), totals.begin() + static_cast<std::ptrdiff_t>(count) - 1,
                   totals.end(), std::greater<>());
  const std::uint64_t least = totals[count - 1];
  std::size_t ties = static_cast<std::size_t>(
      std::count(totals.begin(), totals.begin() + static_cast<std::ptrdiff_t>(count), least));
  std::vector<Row> kept;
  for (const Row& row : rows) {
    if (total(row) > least) kept.push_back(row);
    if (total(row) == least && ties != 0) {
      --ties;
      kept.push_back(row);
    }
  }
  return kept;
}

constexpr std::size_t most_json_steps = std::size_t{1} << 15U;  // of a list

// Puts the steps of all rows into the list.
void add_steps_json(nlohmann::json& list, std::vector<StepList> rows, std::uint64_t width) {
  const auto count = [&rows] {
    std::size_t entries = 0;
    for (const StepList& row : rows) entries += row.size();
    return entries;
  };
  while (count() > std::max(most_json_steps, 2 * rows.size())) {
    for (StepList& row : rows) row = wider_steps(row);
    width *= 2;
  }
  list["step"] = width;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    nlohmann::json& steps = list["rows"][i]["steps"] = nlohmann::json::array();
    for (const StepCycles& part : rows[i]) {
      steps.push_back(part.step);
      steps.push_back(part.cycles);
    }
  }
}

void add_profile(BundleProfile& sum, const BundleProfile& bundle) {
  for (std::size_t i = 0; i < cause_count; ++i) sum.cycles[i] += bundle.cycles[i];
  add_steps(sum.steps, bundle.steps);
}

// "a/../b.inc" as "b.inc": includes lead to long names.
std::string short_name(const std::string& file) {
  return std::filesystem::path(file).lexically_normal().string();
}

std::string place_text(const Image& image, const SourceFrame& frame) {
  return fmt::format("{}:{}", short_name(image.source.file_of(frame)), frame.line);
}

std::string source_text(const Image& image, std::uint32_t pc) {
  const SourceFrame* frame = find_source(image, pc);
  return frame == nullptr ? "" : place_text(image, *frame);
}

std::string call_text(const Image& image, std::uint32_t pc) {
  const SourceFrame* frame = find_source(image, pc);
  if (frame == nullptr || frame->caller == no_frame) return {};
  return place_text(image, image.source.outermost(*frame));
}

std::string_view operation_text(const Image& image, std::uint32_t pc) {
  const SourceFrame* frame = find_source(image, pc);
  return frame == nullptr ? std::string_view() : image.source.operation_of(*frame);
}

// Lines of the program's files, each file read once.
class SourceLines {
 public:
  SourceLines(const Image& image, const SourceReader& reader) : image_(image), reader_(reader) {}

  std::string line(std::uint32_t file, std::uint32_t number) {
    const auto [found, added] = files_.try_emplace(file);
    if (added) read(image_.source.files[file], found->second);
    return number == 0 || number > found->second.size() ? "" : found->second[number - 1];
  }

 private:
  void read(const std::string& name, std::vector<std::string>& lines) const {
    std::istringstream text(reader_(name).value_or(""));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
  }

  const Image& image_;
  const SourceReader& reader_;
  std::map<std::uint32_t, std::vector<std::string>> files_;
};

struct LineProfile {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  BundleProfile sum;
};

std::vector<LineProfile> line_profiles(std::span<const BundleProfile> bundles, const Image& image) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, BundleProfile> lines;
  for (const BundleProfile& bundle : bundles) {
    const SourceFrame* location = find_source(image, bundle.pc);
    if (location == nullptr) continue;
    add_profile(lines[{location->file, location->line}], bundle);
  }
  std::vector<LineProfile> result;
  result.reserve(lines.size());
  for (const auto& [place, sum] : lines) result.push_back({place.first, place.second, sum});
  return result;
}

}  // namespace

nlohmann::json bundles_json(const Profile& profile, const Image& image, std::size_t hottest) {
  const auto label_of = [&image](std::uint32_t pc) { return place_name(image, pc); };
  nlohmann::json rows = nlohmann::json::array();
  std::vector<StepList> steps;
  const std::vector<BundleProfile> bundles = profile.bundles();
  for (const BundleProfile& bundle :
       hottest_rows(bundles, hottest, [](const BundleProfile& row) { return row.total(); })) {
    nlohmann::json row = cycles_json(bundle);
    row["pc"] = bundle.pc;
    row["place"] = place_name(image, bundle.pc);
    row["source"] = source_text(image, bundle.pc);
    row["call"] = call_text(image, bundle.pc);
    row["operation"] = operation_text(image, bundle.pc);
    row["text"] = bundle_text(image.text[bundle.pc], label_of);
    rows.push_back(std::move(row));
    steps.push_back(bundle.steps);
  }
  nlohmann::json list{{"met", bundles.size()}, {"text", image.text.size()}, {"rows", rows}};
  add_steps_json(list, std::move(steps), profile.step_cycles());
  return list;
}

nlohmann::json lines_json(const Profile& profile, const Image& image, const SourceReader& source,
                          std::size_t hottest) {
  const std::vector<LineProfile> lines = line_profiles(profile.bundles(), image);
  SourceLines texts(image, source);
  nlohmann::json rows = nlohmann::json::array();
  std::vector<StepList> steps;
  for (const LineProfile& line :
       hottest_rows(lines, hottest, [](const LineProfile& row) { return row.sum.total(); })) {
    nlohmann::json row = cycles_json(line.sum);
    row["source"] = place_text(image, {line.file, line.line});
    row["text"] = texts.line(line.file, line.line);
    rows.push_back(std::move(row));
    steps.push_back(line.sum.steps);
  }
  nlohmann::json list{{"total", lines.size()}, {"rows", rows}};
  add_steps_json(list, std::move(steps), profile.step_cycles());
  return list;
}

nlohmann::json operations_json(const Profile& profile, const Image& image, std::size_t hottest) {
  struct Part {
    std::string_view name;
    BundleProfile sum;
  };
  std::map<std::string_view, BundleProfile> sums;
  for (const BundleProfile& bundle : profile.bundles()) {
    const SourceFrame* frame = find_source(image, bundle.pc);
    if (frame == nullptr || frame->operation == 0) continue;
    add_profile(sums[image.source.operation_of(*frame)], bundle);
  }
  std::vector<Part> parts;
  parts.reserve(sums.size());
  for (const auto& [name, sum] : sums) parts.push_back({name, sum});
  nlohmann::json rows = nlohmann::json::array();
  std::vector<StepList> steps;
  for (const Part& part :
       hottest_rows(parts, hottest, [](const Part& row) { return row.sum.total(); })) {
    nlohmann::json row = cycles_json(part.sum);
    row["operation"] = part.name;
    rows.push_back(std::move(row));
    steps.push_back(part.sum.steps);
  }
  nlohmann::json list{{"total", parts.size()}, {"rows", rows}};
  add_steps_json(list, std::move(steps), profile.step_cycles());
  return list;
}

}  // namespace tandem
