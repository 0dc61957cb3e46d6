#include "compiler/contract/thresholds.hpp"

#include <array>
#include <atomic>

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace tandem::compiler {
namespace {

struct Row {
  const char* name;
  const char* unit;  // unused for a choice
  const char* text;  // only for a choice
  std::int64_t (*value)(const Parameters& machine);
};

constexpr std::array rows{
#define THRESHOLD(NAME, UNIT, VALUE, MEANING) \
  Row{#NAME, #UNIT, "", [](const Parameters&) -> std::int64_t { return VALUE; }},
#define MACHINE_THRESHOLD(NAME, UNIT, VALUE, MEANING) \
  Row{#NAME, #UNIT, "", [](const Parameters& machine) -> std::int64_t { return VALUE; }},
#define CHOICE(NAME, TEXT, MEANING) Row{#NAME, nullptr, TEXT, nullptr},
#include "compiler/contract/thresholds.def"
#undef CHOICE
#undef MACHINE_THRESHOLD
#undef THRESHOLD
};

// Counts: amounts up to the value, over it, and the close ones among these; the least candidate,
// the largest one, and others.
struct Taken {
  std::atomic<unsigned> low = 0;
  std::atomic<unsigned> high = 0;
  std::atomic<unsigned> near = 0;
};

std::array<Taken, rows.size()>& all_taken() {
  static std::array<Taken, rows.size()> taken;
  return taken;
}

Taken& taken_of(DecisionName name) { return all_taken()[static_cast<std::size_t>(name)]; }

// The last amount on either side, or for large values up to a sixteenth away.
bool is_near(std::int64_t amount, std::int64_t value) {
  const std::int64_t off = amount > value ? amount - value - 1 : value - amount;
  return off <= value / 16;
}

// The number of elements per unit; 0: not a size.
std::int64_t elements_of(llvm::StringRef unit, const Parameters& machine) {
  if (unit == "chunks" || unit == "beats") return machine.lanes;
  return unit == "operations" ? 0 : 1;
}

}  // namespace

bool compared(DecisionName name, std::int64_t amount, std::int64_t value) {
  Taken& taken = taken_of(name);
  const bool is_over = amount > value;
  ++(is_over ? taken.high : taken.low);
  if (is_near(amount, value)) ++taken.near;
  return is_over;
}

void chose(DecisionName name, std::int64_t value, llvm::ArrayRef<std::int64_t> candidates) {
  const auto [least, most] = std::minmax_element(candidates.begin(), candidates.end());
  if (candidates.empty() || *least == *most) return;
  Taken& taken = taken_of(name);
  ++(value == *least ? taken.low : value == *most ? taken.high : taken.near);
}

llvm::StringRef text_of(DecisionName name) { return rows[static_cast<std::size_t>(name)].text; }

std::string decisions_taken_json(const Parameters& machine) {
  llvm::json::Array all;
  for (const auto [row, taken] : llvm::zip_equal(rows, all_taken())) {
    llvm::json::Object told{{"name", row.name},
                            {"low", taken.low.load()},
                            {"high", taken.high.load()},
                            {"near", taken.near.load()}};
    if (row.unit != nullptr) {
      told["unit"] = row.unit;
      const std::int64_t value = row.value(machine);
      told["value"] = value;
      if (const std::int64_t elements = elements_of(row.unit, machine)) {
        told["elements"] = value * elements;
      }
    }
    all.push_back(std::move(told));
  }
  return llvm::formatv("{0}", llvm::json::Value(std::move(all))).str();
}

}  // namespace tandem::compiler
