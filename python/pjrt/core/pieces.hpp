// Strings one after the other, each preceded by its length: the format of stored data and of
// messages between processes.
#pragma once

#include <string>
#include <string_view>

namespace tandem::pjrt {

void append_piece(std::string& bytes, std::string_view piece);
// The first of the pieces, which is removed from `bytes`. Throws Failure, INVALID_ARGUMENT, if
// `what` is truncated.
std::string_view take_piece(std::string_view& bytes, std::string_view what);

}  // namespace tandem::pjrt
