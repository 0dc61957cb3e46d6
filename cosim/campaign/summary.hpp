// The findings of a campaign so far, and their forms: text, JSON, JUnit XML and a page.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cosim/campaign/campaign.hpp"
#include "cosim/campaign/store.hpp"

namespace tandem {

struct ConfigurationSummary {
  std::string title;
  std::uint64_t done = 0;
  std::uint64_t halted = 0;
  std::uint64_t trapped = 0;
  std::uint64_t failed = 0;
  std::uint64_t bundles = 0;
  std::uint64_t cycles = 0;
  std::uint64_t microseconds = 0;  // of all workers together
};

// Failures with the same signature: most likely one cause.
struct FailureKind {
  std::string signature;
  std::uint64_t count = 0;
  std::string first;                // "nano/dense/17"
  std::vector<std::string> others;  // up to 20 more
  std::string report;               // of the first
};

// A part of the work, for detailed lists.
struct UnitSummary {
  std::string name;  // "seeds 1 to 25"
  std::uint64_t missing = 0;
  std::uint64_t microseconds = 0;
  std::vector<std::string> failures;  // "nano/dense/17: mismatch write.data va vadd.f32"
};

struct CampaignSummary {
  std::string name;
  std::string build;
  std::uint64_t wanted = 0;
  std::uint64_t done = 0;
  std::uint64_t failed = 0;
  std::vector<ConfigurationSummary> configurations;
  std::vector<FailureKind> kinds;           // the most frequent first
  std::vector<std::string> contradictions;  // seeds with two different results
  std::uint64_t duplicates = 0;
  std::uint64_t of_other_builds = 0;
  std::uint64_t damaged = 0;
  std::uint64_t torn = 0;
  std::vector<std::vector<UnitSummary>> units;  // of each configuration

  [[nodiscard]] bool complete() const { return done == wanted; }
  // Everything done without failures.
  [[nodiscard]] bool passed() const {
    return complete() && failed == 0 && contradictions.empty() && damaged == 0;
  }
};

CampaignSummary summarise(const Campaign& campaign, const Store& store, const std::string& build);

// `file`: the campaign's, for the commands that repeat failures.
std::string summary_text(const CampaignSummary& summary, const std::string& file);
nlohmann::json summary_json(const CampaignSummary& summary);
// One test suite per configuration, one test case per unit; a missing result is an error.
std::string summary_junit(const CampaignSummary& summary);
// One HTML file that needs nothing else.
std::string summary_page(const CampaignSummary& summary, const std::string& file);

}  // namespace tandem
