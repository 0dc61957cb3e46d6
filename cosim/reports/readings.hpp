// How to show the words of a field to people: not every word is a number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cosim/checker/mismatch.hpp"
#include "isa/image.hpp"

namespace tandem {

enum class Reading : std::uint8_t {
  number,      // hex, fp32, bf16, signed
  count,       // a plain number
  predicate,   // true or false
  predicates,  // p0 .. p7 that are true
  bits,        // hex, and which bits are set
  pc,          // with its place in the source
  slots,       // names of the slots that are set
  slot,        // its name
  trap_cause,  // its name
  trap_cause_register,
  status_register,
  space,  // kind of state
  word,   // hex alone
};

Reading reading_of(const Mismatch& mismatch);
std::string reading_text(Reading reading, std::uint32_t word, const Image& image);

// The name of the trap cause with this number, if there is one.
std::optional<std::string_view> cause_name(std::uint32_t number);

// The name of a field that is not a register or memory: "next pc", "trap cause".
std::string_view field_place(CompareField field);

}  // namespace tandem
