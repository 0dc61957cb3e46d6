// What is known about time and about the way here.
#pragma once

#include <span>
#include <string>

#include "cli/debug/session.hpp"

namespace tandem::debug {

// The cycles lost before each of the last `count` bundles, by cause; on golden, that it knows none.
std::string stalls_text(const Session& session, std::uint64_t count);
// Copies in flight; on golden, those that no wait has proved complete.
std::string copies_text(const Session& session);
// The copies of these bundles, with the bytes that both sides touch.
std::string all_copies_text(const Session& session, std::span<const RetireRecord> records);
// What every flag holds that is not 0, which copies under way will add to it, and which bundles
// wait for it.
std::string flags_text(const Session& session);
// Where s1, by convention the return address, leads.
std::string caller_text(const Session& session);

}  // namespace tandem::debug
