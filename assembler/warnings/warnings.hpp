// The warnings of assembler/warnings/warnings.def by name, and sets of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tandem {

enum class Warning : std::uint8_t {
#define WARNING(name, text, wording, about) name,
#include "assembler/warnings/warnings.def"
#undef WARNING
};

struct WarningRow {
  std::string_view name;     // "unused-label"
  std::string_view wording;  // a format string
  std::string_view about;
};

const WarningRow& warning_row(Warning warning);
const std::vector<WarningRow>& warning_rows();

class WarningSet {
 public:
  static WarningSet all() {
    WarningSet set;
    set.bits_ = ~0U;
    return set;
  }
  [[nodiscard]] bool has(Warning warning) const {
    return ((bits_ >> static_cast<unsigned>(warning)) & 1U) != 0;
  }
  [[nodiscard]] bool empty() const { return bits_ == 0; }
  void set(Warning warning, bool on) {
    const std::uint32_t bit = 1U << static_cast<unsigned>(warning);
    bits_ = on ? bits_ | bit : bits_ & ~bit;
  }

 private:
  std::uint32_t bits_ = 0;
};

// The state set by -W switches, and whether warnings are errors.
struct WarningSwitches {
  WarningSet on = WarningSet::all();
  bool are_errors = false;

  // Sets from the text after -W: a name, no-NAME, all, none, error. Returns "" when it is one of
  // these, else the error.
  std::string take(std::string_view text);
};

}  // namespace tandem
