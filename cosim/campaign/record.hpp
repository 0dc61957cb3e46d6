// The result of one seed, and how it stands in a file: a line with a checksum of what follows, so
// that a line that a kill tore apart is known as such.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tandem {

struct SeedRecord {
  std::string key;    // of its configuration
  std::string build;  // the programs that found it: results of others are results of others
  std::uint64_t seed = 0;
  std::string outcome;  // outcome_name(), or "crashed", "hung"
  bool passed = false;
  std::uint64_t bundles = 0;
  std::uint64_t cycles = 0;
  std::uint64_t microseconds = 0;
  // Of failures: what those of one kind have in common, and the report, as text.
  std::string signature;
  std::string report;
  std::string data{};  // what else was found, as a JSON object; "" when there is nothing
};

// With its newline.
std::string record_line(const SeedRecord& record);
// `line` without its newline. Nothing when it is damaged.
std::optional<SeedRecord> parse_record(std::string_view line);

}  // namespace tandem
