// The wordings of runtime/device/messages.def.
#pragma once

namespace tandem::runtime::message {

#define MESSAGE(name, wording) inline constexpr char name[] = wording;
#include "runtime/device/messages.def"
#undef MESSAGE

}  // namespace tandem::runtime::message
