// Information for people about a trap beyond its cause and detail.
#pragma once

#include <string>

#include "isa/golden/golden_model.hpp"
#include "isa/image.hpp"

namespace tandem {

// Of a model that has just trapped: "f3 holds 2, the wait wants 5\n" after a deadlock; after a copy
// the decoded descriptor with both boxes and the sizes of the memories; after an address_range the
// valid range; else "".
std::string trap_note(const GoldenModel& golden, const Image& image);
// The meaning of a descriptor word: "length of a run in bytes"; 16 is the descriptor's address.
std::string_view descriptor_word_meaning(std::uint32_t word);

}  // namespace tandem
