#include "cosim/random/knobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "cosim/random/weights.hpp"
#include "cosim/rng.hpp"
#include "runtime/error.hpp"

namespace tandem {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw runtime::Error{runtime::ErrorCode::invalid_argument, message};
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::string knob_names() {
  std::string names;
  for (const KnobRow& row : random_knob_table()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
  }
  return names;
}

std::optional<std::uint32_t> number(std::string_view text) {
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

KnobRange range_of(std::string_view name, std::uint32_t lowest, std::uint32_t highest,
                   std::string_view text) {
  const std::size_t dots = text.find("..");
  const auto low = number(trimmed(text.substr(0, dots)));
  const auto high = dots == std::string_view::npos ? low : number(trimmed(text.substr(dots + 2)));
  if (low && high && lowest <= *low && *low <= *high && *high <= highest) {
    return {*low, *high};
  }
  refuse(fmt::format("knob {} takes a number or LOW..HIGH within {} to {}, not '{}'", name, lowest,
                     highest, text));
}

// Separate random numbers per knob, so that the draw for one never depends on another.
std::uint64_t knob_seed(std::uint64_t seed, std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const char letter : name) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
  }
  return Rng(seed ^ hash).next64();
}

std::uint32_t drawn_from(const KnobRange& range, std::uint64_t seed, std::string_view name) {
  return range.low + Rng(knob_seed(seed, name)).below(range.high - range.low + 1);
}

KnobRange range_of(std::string_view name, std::string_view value) {
  if (name.starts_with(weight_prefix)) {
    const std::string complaint = weight_complaint(name.substr(weight_prefix.size()));
    if (!complaint.empty()) refuse(fmt::format("knob {}: {}", name, complaint));
    return range_of(name, 0, most_weight, value);
  }
  const KnobRow* const row = find_knob(name);
  if (row != nullptr) return range_of(name, row->lowest, row->highest, value);
  refuse(
      fmt::format("no knob is called '{}'; there are {}, and weight.MNEMONIC", name, knob_names()));
}

}  // namespace

std::span<const KnobRow> random_knob_table() {
  static const std::vector<KnobRow> table{
#define VALUES(...) \
  { __VA_ARGS__ }
#define KNOB(name, standard, lowest, highest, values, meaning) \
  {#name, &RandomKnobs::name, (standard), (lowest), (highest), values, meaning},
#include "cosim/random/knobs.def"
#undef KNOB
#undef VALUES
  };
  return table;
}

const KnobRow* find_knob(std::string_view name) {
  const auto table = random_knob_table();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const KnobRow& row) { return row.name == name; });
  return found == table.end() ? nullptr : &*found;
}

void choose_knob(KnobChoices& choices, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) {
    refuse(fmt::format("a knob is set as NAME=VALUE or NAME=LOW..HIGH, not '{}'", assignment));
  }
  const std::string_view name = trimmed(assignment.substr(0, equals));
  std::string_view value = trimmed(assignment.substr(equals + 1));
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
    value = value.substr(1, value.size() - 2);
  }
  choices[std::string(name)] = range_of(name, value);
}

void choose_knobs(KnobChoices& choices, std::string_view text, std::string_view name) {
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view content = trimmed(text.substr(0, std::min(end, text.find('#'))));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (content.empty()) continue;
    try {
      choose_knob(choices, content);
    } catch (const runtime::Error& error) {
      refuse(fmt::format("{}:{}: {}", name, line, error.message));
    }
  }
}

std::string knob_options(const KnobChoices& choices) {
  std::string text;
  for (const auto& [name, range] : choices) {
    std::string value = fmt::format("{}={}", name, range.low);
    if (range.high != range.low) value += fmt::format("..{}", range.high);
    const bool is_pattern = name.find('*') != std::string::npos;  // which shells would expand
    text += is_pattern ? fmt::format(" --knob '{}'", value) : " --knob " + value;
  }
  return text;
}

RandomKnobs random_knobs(std::uint64_t seed, const KnobChoices& choices) {
  RandomKnobs knobs;
  for (const KnobRow& row : random_knob_table()) {
    Rng rng(knob_seed(seed, row.name));
    const auto chosen = choices.find(row.name);
    if (chosen == choices.end()) {
      knobs.*row.place = rng.pick(std::span(std::as_const(row.drawn)));
    } else {
      knobs.*row.place = drawn_from(chosen->second, seed, row.name);
    }
  }
  for (const Instruction& row : instructions) {
    const KnobRange* const range = find_weight(choices, row.mnemonic);
    if (range == nullptr || !may_stand_anywhere(row)) continue;
    const std::string name = std::string(weight_prefix) + std::string(row.mnemonic);
    knobs.weights[row.mnemonic] = drawn_from(*range, seed, name);
  }
  return knobs;
}

}  // namespace tandem
