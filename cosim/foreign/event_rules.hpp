// What an event must be like to be compared at all: numbers that name nothing are the teller's
// mistake, where wrong values are the core's.
#pragma once

#include <cstdint>
#include <string>

#include "isa/parameters.hpp"
#include "runtime/models/machine_events.hpp"

namespace tandem {

// An event, a part or an order of them that makes no sense; for whoever tells of the core.
struct BadEvent {
  std::string message;
};

// Each throws BadEvent.
void check_issue(const IssueEvent& event);
// Also that `count` words are what the space has.
void check_write(const WriteEvent& event, std::size_t count, const Parameters& parameters);

}  // namespace tandem
