// Weights of instructions in random programs: how often each is drawn, compared with the others of
// its slot. The standard is 1, and 0 is never.
//
// They are knobs with a name of two parts: `weight.vadd.f32`, or with a pattern `weight.vadd.*` for
// every instruction that begins so. Of several patterns the longest counts, a full name before all.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "cosim/random/knobs.hpp"
#include "isa/instructions.hpp"

namespace tandem {

inline constexpr std::string_view weight_prefix = "weight.";
inline constexpr std::uint32_t most_weight = 1000;

// Whether an instruction may be drawn for any bundle: no control flow, no copies, no flags.
bool may_stand_anywhere(const Instruction& row);

// "" if the name, without the prefix, is that of such instructions; else what is wrong with it.
std::string weight_complaint(std::string_view name);

// The range chosen for an instruction; nullptr: none.
const KnobRange* find_weight(const KnobChoices& choices, std::string_view mnemonic);

}  // namespace tandem
