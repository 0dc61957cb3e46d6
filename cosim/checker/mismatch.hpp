// The first thing that differed between a machine and the golden model.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/checker/weight_writers.hpp"
#include "isa/state/retire.hpp"

namespace tandem {

enum class CompareField : std::uint8_t {
#define FIELD(name, text, meaning) name,
#include "cosim/checker/compare_fields.def"
#undef FIELD
};

struct CompareFieldRow {
  CompareField field;
  std::string_view text;  // "write.data"
  std::string_view meaning;
};
std::span<const CompareFieldRow> compare_fields();
const CompareFieldRow& compare_field(CompareField field);

struct Mismatch {
  CompareField field{};
  std::optional<std::uint64_t> sequence;  // of the bundle concerned; none for final state
  std::optional<Slot> slot;
  Space space = Space::none;  // kind of state, for the coordinates of elements
  std::uint32_t index = 0;    // register, row, word ... of that space, as in isa/state/retire.hpp
  std::string place;          // "v3", "vmem[12]", "HBM 0x1234", "descriptor word 5"; may be ""
  std::vector<std::uint32_t> expected;  // words, whole field
  std::vector<std::uint32_t> got;
  std::size_t element = 0;               // the first word that differs
  std::optional<std::uint64_t> address;  // of HBM at the end: of the word that differs
  std::optional<WeightPlace> weight;     // of the matrix unit at the end
  // For differences in time, instead of words: the text of each side, and the first cycle
  // concerned.
  std::string expected_text;
  std::string got_text;
  std::optional<std::uint64_t> cycle;

  template <typename A>
  void archive(A& a) {
    a(field, sequence, slot, space, index, place, expected, got, element, expected_text, got_text,
      cycle, address, weight);
  }
};

// Of a performance counter, named by `place`.
Mismatch counter_mismatch(std::string place, std::uint64_t expected, std::uint64_t got);

}  // namespace tandem
