// The result of one seed, and its form in a file: a line with a checksum of the rest, so that a
// line torn by a kill is recognized.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tandem {

struct SeedRecord {
  std::string key;    // of its configuration
  std::string build;  // the build that found it: results of other builds are kept apart
  std::uint64_t seed = 0;
  std::string outcome;  // outcome_name(), or "crashed", "hung"
  bool passed = false;
  std::uint64_t bundles = 0;
  std::uint64_t cycles = 0;
  std::uint64_t microseconds = 0;
  // For failures: their signature, common to one kind, and the report, as text.
  std::string signature;
  std::string report;
  std::string data{};  // other findings, as a JSON object; "" if there are none
};

// With its newline.
std::string record_line(const SeedRecord& record);
// `line` without its newline. Nothing when it is damaged.
std::optional<SeedRecord> parse_record(std::string_view line);

}  // namespace tandem
