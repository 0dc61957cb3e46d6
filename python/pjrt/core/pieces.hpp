// Strings one behind the other, each with its length before it: how what is kept or handed from
// process to process is written.
#pragma once

#include <string>
#include <string_view>

namespace tandem::pjrt {

void append_piece(std::string& bytes, std::string_view piece);
// The first of the pieces, which `bytes` then begins behind. Throws Failure, INVALID_ARGUMENT, that
// `what` is cut off.
std::string_view take_piece(std::string_view& bytes, std::string_view what);

}  // namespace tandem::pjrt
