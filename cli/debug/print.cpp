#include "cli/debug/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

namespace tandem::debug {
namespace {

constexpr std::size_t most_lines = 72;
constexpr std::uint64_t most_json_values = 65536;

// Elements per line, so that it stays readable on a terminal.
std::uint64_t elements_per_line(const Selection& selection) {
  if (selection.width == 1) return 128;
  const bool several = selection.width == 32 &&
                       (selection.type == NumberType::bf16 || selection.type == NumberType::s8);
  return several ? 4 : 8;
}

std::string shape_text(const Selection& selection) {
  std::string text;
  for (const Dimension& dimension : selection.dimensions) {
    if (!dimension.single) text += fmt::format("{}{}", text.empty() ? "" : " x ", dimension.count);
  }
  return text;
}

struct Line {
  std::string place;
  std::vector<std::string> numbers;
};

class Table {
 public:
  Table(const GoldenModel& model, const Selection& selection)
      : model_(model), selection_(selection) {
    fill();
  }

  [[nodiscard]] std::string text() const {
    std::size_t place_width = 0;
    std::size_t width = 1;
    for (const Line& line : lines_) {
      place_width = std::max(place_width, line.place.size());
      for (const std::string& number : line.numbers) width = std::max(width, number.size());
    }
    std::string text = fmt::format("{}: {} {}\n", selection_.text(),
                                   number_type_name(selection_.type), shape_text(selection_));
    const std::string_view gap = selection_.width == 1 ? "" : " ";
    for (const Line& line : lines_) {
      text += fmt::format("{:<{}} ", line.place, place_width);
      for (const std::string& number : line.numbers)
        text += fmt::format("{}{:>{}}", gap, number, width);
      text += '\n';
    }
    if (shown_ < selection_.count()) {
      text += fmt::format("... {} more of {} elements; give ranges to see them\n",
                          selection_.count() - shown_, selection_.count());
    }
    if (unwritten_) text += "? was never written\n";
    return text;
  }

 private:
  void fill() {
    const std::uint64_t per_line = elements_per_line(selection_);
    std::vector<std::uint64_t> place(selection_.dimensions.size());
    for (std::uint64_t left = selection_.count(); left != 0; --left, ++shown_) {
      if (place.back() % per_line == 0) {
        if (lines_.size() == most_lines) return;
        lines_.push_back({selection_.element_text(place), {}});
      }
      add(place);
      for (std::size_t i = place.size(); i-- != 0;) {
        if (++place[i] < selection_.dimensions[i].count) break;
        place[i] = 0;
      }
    }
  }

  void add(const std::vector<std::uint64_t>& place) {
    const std::uint64_t element = selection_.element(place);
    auto texts =
        texts_of(element_bits(model_, selection_, element), selection_.width, selection_.type);
    if (is_unwritten(model_, selection_, element)) {
      std::fill(texts.begin(), texts.end(), "?");
      unwritten_ = true;
    }
    std::move(texts.begin(), texts.end(), std::back_inserter(lines_.back().numbers));
  }

  const GoldenModel& model_;
  const Selection& selection_;
  std::vector<Line> lines_;
  std::uint64_t shown_ = 0;
  bool unwritten_ = false;
};

std::string one_text(const GoldenModel& model, const Selection& selection) {
  const std::uint64_t element =
      selection.element(std::vector<std::uint64_t>(selection.dimensions.size()));
  const std::uint32_t bits = element_bits(model, selection, element);
  std::string text = fmt::format("{} = {}", selection.text(),
                                 fmt::join(texts_of(bits, selection.width, selection.type), " "));
  if (selection.width > 1 && selection.type != NumberType::hex) {
    text += fmt::format(" (0x{:0{}x})", bits, selection.width / 4);
  }
  if (is_unwritten(model, selection, element)) text += ", never written";
  return text + "\n";
}

}  // namespace

std::string selection_text(const GoldenModel& model, const Selection& selection) {
  if (selection.is_one()) return one_text(model, selection);
  return Table(model, selection).text();
}

std::shared_ptr<const nlohmann::json> shared_json(nlohmann::json json) {
  return std::make_shared<const nlohmann::json>(std::move(json));
}

nlohmann::json selection_json(const GoldenModel& model, const Selection& selection) {
  nlohmann::json json{{"name", selection.text()},
                      {"type", number_type_name(selection.type)},
                      {"shape", nlohmann::json::array()},
                      {"values", nlohmann::json::array()}};
  for (const Dimension& dimension : selection.dimensions) {
    if (!dimension.single) json["shape"].push_back(dimension.count);
  }
  json["elements"] = selection.count();
  if (selection.count() > most_json_values) return json;  // without the values: give ranges
  selection.for_each([&](const auto& place) {
    const std::uint64_t element = selection.element(place);
    const bool unwritten = is_unwritten(model, selection, element);
    const std::uint32_t bits = element_bits(model, selection, element);
    for (const Number& number : numbers_of(bits, selection.width, selection.type)) {
      if (unwritten) {
        json["values"].push_back(nullptr);
      } else if (number.real) {
        json["values"].push_back(number.fraction);
      } else {
        json["values"].push_back(number.whole);
      }
    }
  });
  return json;
}

}  // namespace tandem::debug
