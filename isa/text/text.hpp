// Text of operations and bundles, as the assembler reads it. Loops over the table.
#pragma once

#include <functional>
#include <string>

#include "isa/encoding.hpp"

namespace tandem {

// Name of a bundle number for branch targets; an empty string prints the number.
using LabelName = std::function<std::string(std::uint32_t pc)>;

// One operation with its predicate: "@p1 v3 = vadd.f32 v1, v2.lo". Attributes with their default
// value are omitted.
std::string operation_text(const Operation& operation, const LabelName& label_of = {});

// A bundle: "{ sa: s1 = add s1, 1 ; ld: v1 = vld [s4 + 8] }", "{}" when empty. A slot with an
// illegal encoding is printed as "sa: <illegal 0x...>", which the assembler does not accept.
std::string bundle_text(const Bundle& bundle, const LabelName& label_of = {});

// Whether every slot of the bundle decodes.
bool is_legal(const Bundle& bundle);

std::string_view slot_name(Slot slot);
// "f32", "lo", "hi", "b0" .. "b3"; "?" for an invalid code.
std::string_view part_suffix(Part part);
char file_letter(RegisterFile file);
std::string register_text(RegisterName name);

// As a string of assembly text, with its quotes: `"` and `\` escaped.
std::string quoted(std::string_view text);

}  // namespace tandem
