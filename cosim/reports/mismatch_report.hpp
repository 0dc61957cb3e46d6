// A mismatch as one page for a person, and the same as JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cosim/checker/checker.hpp"
#include "isa/launch/launch.hpp"

namespace tandem {

// Data that the checker does not have: how the run was started.
struct ReportContext {
  const Image* image = nullptr;
  std::string command;     // repeats the run exactly
  std::uint32_t seed = 0;  // of never-written state
  MachineOptions machine;
  std::uint64_t cycles = 0;  // when the difference was seen
  std::string_view expected_model = "golden";
  std::string_view got_model;
};

// One element of the field that differs, in its own form: a number in every interpretation of its
// 32 bits, a predicate, a bundle's place, the name of a cause.
struct ElementReport {
  std::string place;  // "v3[2][5]", "trap cause"
  std::uint32_t expected = 0;
  std::uint32_t got = 0;
  std::string expected_text;
  std::string got_text;
  bool is_number = true;  // then a distance in ulp means something
};

// The origin of an operand, and in turn of the operands of its producer.
struct OperandReport {
  std::string operand;   // "x = v3"
  std::string producer;  // "bundle 17 (pc 4, kernel.s:12)" or "never written"
  unsigned depth = 0;    // 0: of the bundle itself; else of the last producer of depth - 1
  std::string text;      // the operation that produced it, if it is still known
};

struct MismatchReport {
  Mismatch mismatch;
  ReportContext context;
  std::optional<RetireRecord> record;   // of the bundle concerned, from golden
  std::vector<ElementReport> elements;  // the first that differ, at most 8
  std::size_t differing = 0;            // how many words of the field differ
  std::size_t words = 0;                // how many there are
  std::vector<OperandReport> operands;
  std::vector<RetireRecord> last_bundles;  // up to 32, oldest first
  std::vector<CopyInFlight> copies;        // issued, not completed
  std::vector<std::string> in_flight;      // writes of earlier bundles that have not arrived yet
};

// The lines that describe how to repeat a run, and the same as members of a JSON object.
std::string repeat_text(const ReportContext& context);
nlohmann::json repeat_json(const ReportContext& context);
// "pc 3  kernel.s:12  { sa: s1 = add s1, 1 }"
std::string bundle_title(std::uint32_t pc, const Bundle& bundle, const Image& image);

// `mismatch` of the checker's golden model with some machine.
MismatchReport make_report(const Checker& checker, const Mismatch& mismatch,
                           const ReportContext& context);
std::string report_text(const MismatchReport& report);
nlohmann::json report_json(const MismatchReport& report);

// A machine that stopped retiring: its last events, what it waits for, and what is in flight.
std::string silence_report_text(const Checker& checker, const ReportContext& context,
                                StallCause cause);
nlohmann::json silence_report_json(const Checker& checker, const ReportContext& context,
                                   StallCause cause);

// Distance of two fp32 values in units in the last place, or nullopt when either is NaN.
std::optional<std::uint64_t> ulp_distance(std::uint32_t a, std::uint32_t b);

}  // namespace tandem
