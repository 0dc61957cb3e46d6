// The requirements on an event to be compared at all: invalid numbers are an error of the reporter,
// wrong values one of the core.
#pragma once

#include <cstdint>
#include <string>

#include "isa/parameters.hpp"
#include "runtime/models/machine_events.hpp"

namespace tandem {

// An invalid event, part or order of them; for the reporter of the core's events.
struct BadEvent {
  std::string message;
};

// Each throws BadEvent.
void check_issue(const IssueEvent& event);
// Also checks that `count` is the space's number of words.
void check_write(const WriteEvent& event, std::size_t count, const Parameters& parameters);

}  // namespace tandem
