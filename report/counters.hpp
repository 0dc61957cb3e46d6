// Performance counters for people and for programs: of a whole run and by region.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "isa/image.hpp"
#include "sim/counters/counter_regions.hpp"
#include "sim/events/counter_values.hpp"

namespace tandem {

// Tables: causes with their share of the cycles, the largest first; events with their share of the
// maximum; figures. Rows that counted nothing are left out.
std::string counters_text(const CounterValues& counters, const Parameters& parameters);
// {"cycles", "causes": {name: n}, "events": {name: n}, "shares": {event: 0..1}, "figures": {...}}
nlohmann::json counters_json(const CounterValues& counters, const Parameters& parameters);

// "marker 3 (loop+1)", "start" before the first one.
std::string region_name(const CounterRegion& region, const Image& image);
// A summary of all regions, then the counters of each; "" when there are none.
std::string regions_text(std::span<const CounterRegion> regions, const Image& image);
// A list of {"marker", "times", "place", "source"} with the keys of counters_json().
nlohmann::json regions_json(std::span<const CounterRegion> regions, const Image& image);

}  // namespace tandem
