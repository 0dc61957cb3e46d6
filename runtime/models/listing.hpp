// Retire records as text: one bundle with its writes.
#pragma once

#include <string>

#include "isa/image.hpp"
#include "isa/state/retire.hpp"

namespace tandem {

// Source line of a bundle with its operation and its callers, "k.s:3 [jit(f)/add] (called at
// k.s:9)", or "" when the image has no line table; of the operation in a slot, where it has its
// own.
std::string source_location(const Image& image, std::uint32_t pc);
std::string source_location(const Image& image, std::uint32_t pc, Slot slot);
// Name of a bundle for branch targets: a label or "".
std::string label_at(const Image& image, std::uint32_t pc);
// The target of a write: "s5", "p1", "m2", "v3", "smem[0x10]", "vmem[12]", "a4[3]", "f1 +=", "f1
// =".
std::string place_text(const Write& write);
// A trap in words: "address_range in slot ld, detail 0x800: the row, word or index out of range".
std::string trap_text(const Trap& trap);

// Several lines ending in '\n':
//         7  pc 3  kernel.s:12  { sa: s1 = add s1, 1 ; ld: v1 = vld [s10] }
//              s1 = 0x00000008
//              v1[0] = 3f800000 ...
std::string listing_text(const RetireRecord& record, const Image& image);

}  // namespace tandem
