// The wordings of cli/messages/messages.def: `throw UserError{fmt::format(message::no_display,
// number)}`.
#pragma once

namespace tandem::message {

#define MESSAGE(name, wording) inline constexpr char name[] = wording;
#include "cli/messages/messages.def"
#undef MESSAGE

}  // namespace tandem::message
