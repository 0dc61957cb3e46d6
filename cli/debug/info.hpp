// Information about time and history.
#pragma once

#include <span>
#include <string>

#include "cli/debug/session.hpp"

namespace tandem::debug {

// The cycles lost before each of the last `count` bundles, by cause; on golden, a note that it has
// none.
std::string stalls_text(const Session& session, std::uint64_t count);
// Copies in flight; on golden, those that no wait has proved complete.
std::string copies_text(const Session& session);
// The copies of these bundles, with the bytes that both sides touch.
std::string all_copies_text(const Session& session, std::span<const RetireRecord> records);
// The value of every flag that is not 0, the copies in flight that will add to it, and the bundles
// that wait for it.
std::string flags_text(const Session& session);
// The target of s1, by convention the return address.
std::string caller_text(const Session& session);

}  // namespace tandem::debug
