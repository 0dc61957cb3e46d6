// The wordings of isa/archive/messages.def.
#pragma once

namespace tandem::archiving::message {

#define MESSAGE(name, wording) inline constexpr char name[] = wording;
#include "isa/archive/messages.def"
#undef MESSAGE

}  // namespace tandem::archiving::message
