// The wordings of cli/messages.def: `throw UserError{fmt::format(message::no_display, number)}`.
#pragma once

namespace tandem::message {

#define MESSAGE(name, wording) inline constexpr char name[] = wording;
#include "cli/messages.def"
#undef MESSAGE

}  // namespace tandem::message
