// The adjustable parameters of random programs: a plain struct, and the table by which command line
// and campaign files read it (knobs.def).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tandem {

struct RandomKnobs {
#define VALUES(...)
#define KNOB(name, standard, lowest, highest, values, meaning) std::uint32_t name = (standard);
#include "cosim/random/knobs.def"
#undef KNOB
#undef VALUES
  // By mnemonic, of the instructions whose weight was chosen (weights.hpp); of the others it is 1.
  std::map<std::string_view, std::uint32_t> weights;
  bool operator==(const RandomKnobs&) const = default;
};

struct KnobRow {
  std::string_view name;
  std::uint32_t RandomKnobs::*place;
  std::uint32_t standard;  // of an unchanged RandomKnobs
  std::uint32_t lowest;
  std::uint32_t highest;
  std::vector<std::uint32_t> drawn;  // random_knobs() takes one of these
  std::string_view meaning;
};
std::span<const KnobRow> random_knob_table();
const KnobRow* find_knob(std::string_view name);  // nullptr: none

// The user's choice: a value, or the lowest and highest of those to draw from.
struct KnobRange {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  bool operator==(const KnobRange&) const = default;
};
using KnobChoices = std::map<std::string, KnobRange, std::less<>>;

// "density=60" or "density=30..90"; "weight.vadd.*=20" (weights.hpp). Throws runtime::Error, which
// names the knobs or the range.
void choose_knob(KnobChoices& choices, std::string_view assignment);
// The same for lines of a file: NAME = VALUE, or NAME = "LOW..HIGH"; blank lines, comments from #
// on. `name` of the file and the line are in the error.
void choose_knobs(KnobChoices& choices, std::string_view text, std::string_view name);
// In the syntax of choose_knob(), one after the other: " --knob density=60 --knob near=10..20".
std::string knob_options(const KnobChoices& choices);

// Drawn from the seed, except for those chosen. The value of one knob does not depend on which
// others were chosen.
RandomKnobs random_knobs(std::uint64_t seed, const KnobChoices& choices = {});

}  // namespace tandem
