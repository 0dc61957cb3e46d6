#include "cosim/lockstep/timing_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cosim/checker/copies.hpp"
#include "isa/registers/registers.hpp"
#include "isa/text/text.hpp"
#include "runtime/models/listing.hpp"

namespace tandem {
namespace {

constexpr std::uint64_t shown_bundles = 32;

// The bundle concerned, or the last that issued before the cycle concerned.
std::uint64_t last_sequence(const TimingComparison& comparison, const Mismatch& mismatch) {
  if (mismatch.sequence) return *mismatch.sequence;
  const TimingHistory& history = comparison.history(Side::expected);
  std::uint64_t sequence = history.next_sequence();
  while (sequence != 0) {
    const std::optional<BundleTiming> bundle = history.find(--sequence);
    if (!bundle || bundle->cycle <= *mismatch.cycle) break;
  }
  return sequence;
}

std::string lost_text(const BundleTiming& bundle) {
  std::string text;
  for (const LostCycles& lost : bundle.lost) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                        stall_causes()[static_cast<std::size_t>(lost.cause)].name, lost.count);
  }
  return text.empty() ? "-" : text;
}

std::string cycle_text(const std::optional<BundleTiming>& bundle) {
  return bundle ? fmt::format("{}", bundle->cycle) : "-";
}

const BundleTiming& either(const TimedBundle& bundle) {
  return bundle.expected ? *bundle.expected : *bundle.got;
}

// The cycles lost before it, on both sides if they differ.
std::string losses_text(const TimedBundle& bundle) {
  const std::string expected = bundle.expected ? lost_text(*bundle.expected) : "";
  const std::string got = bundle.got ? lost_text(*bundle.got) : "";
  if (expected == got || got.empty()) return expected;
  return expected.empty() ? got : fmt::format("{} | {}", expected, got);
}

const Bundle& bundle_at(const Image& image, std::uint32_t pc) {
  static const Bundle outside{};
  return pc < image.text.size() ? image.text[pc] : outside;
}

std::string bundles_text(const TimingReport& report) {
  const Image& image = *report.context.image;
  std::string text = fmt::format("last bundles   cycle {:>10} {:>10}   lost before\n",
                                 "(" + std::string(report.context.expected_model) + ")",
                                 "(" + std::string(report.context.got_model) + ")");
  for (const TimedBundle& bundle : report.last_bundles) {
    const bool concerned = report.mismatch.sequence == bundle.sequence;
    const std::uint32_t pc = either(bundle).pc;
    text += fmt::format("{} {:>8} {:>14} {:>10}   {:24}  {}\n", concerned ? ">" : " ",
                        bundle.sequence, cycle_text(bundle.expected), cycle_text(bundle.got),
                        losses_text(bundle), bundle_title(pc, bundle_at(image, pc), image));
  }
  return text;
}

std::string copies_text(const TimingReport& report, const std::vector<CopyTiming>& copies,
                        std::string_view model) {
  const Parameters& parameters = *report.context.image->preset;
  std::string text;
  for (const CopyTiming& copy : copies) {
    const CopyIssue& issue = copy.start.copy;
    text +=
        fmt::format("  {}: copy of bundle {}, issued in cycle {}: {} to {}, f{} += {}\n", model,
                    copy.start.sequence, copy.start.cycle,
                    copy_address_text(copy_source_space(issue), issue.source, parameters),
                    copy_address_text(copy_destination_space(issue), issue.destination, parameters),
                    copy_flag(issue), copy_amount(issue));
  }
  return text;
}

std::string flight_text(const TimingReport& report) {
  const std::string text =
      copies_text(report, report.expected_copies, report.context.expected_model) +
      copies_text(report, report.got_copies, report.context.got_model);
  if (text.empty()) return text;
  return fmt::format("copies in flight in cycle {}\n{}", *report.mismatch.cycle, text);
}

std::string headline(const TimingReport& report) {
  const Mismatch& mismatch = report.mismatch;
  const CompareFieldRow& field = compare_field(mismatch.field);
  std::string text = fmt::format("MISMATCH in {} ({})", field.text, field.meaning);
  if (mismatch.sequence) text += fmt::format(", bundle {}", *mismatch.sequence);
  if (!mismatch.place.empty()) text += fmt::format(", {}", mismatch.place);
  return text + fmt::format(", from cycle {} on\n", *mismatch.cycle);
}

nlohmann::json side_json(const std::optional<BundleTiming>& bundle) {
  if (!bundle) return nullptr;
  nlohmann::json lost = nlohmann::json::array();
  for (const LostCycles& run : bundle->lost) {
    lost.push_back({{"cause", stall_causes()[static_cast<std::size_t>(run.cause)].name},
                    {"first", run.first},
                    {"count", run.count}});
  }
  return {{"cycle", bundle->cycle}, {"lost", std::move(lost)}};
}

nlohmann::json bundle_json(const TimedBundle& bundle, const Image& image) {
  const std::uint32_t pc = either(bundle).pc;
  return {{"sequence", bundle.sequence},
          {"pc", pc},
          {"source", source_location(image, pc)},
          {"text", bundle_text(bundle_at(image, pc))},
          {"expected", side_json(bundle.expected)},
          {"got", side_json(bundle.got)}};
}

nlohmann::json copies_json(const std::vector<CopyTiming>& copies) {
  nlohmann::json list = nlohmann::json::array();
  for (const CopyTiming& copy : copies) {
    list.push_back({{"sequence", copy.start.sequence},
                    {"cycle", copy.start.cycle},
                    {"source", copy.start.copy.source},
                    {"destination", copy.start.copy.destination}});
  }
  return list;
}

}  // namespace

TimingReport make_timing_report(const TimingComparison& comparison, const ReportContext& context) {
  TimingReport report;
  report.mismatch = *comparison.first();
  report.context = context;
  const std::uint64_t last = last_sequence(comparison, report.mismatch);
  const std::uint64_t first = last + 1 >= shown_bundles ? last + 1 - shown_bundles : 0;
  for (std::uint64_t sequence = first; sequence <= last; ++sequence) {
    const TimedBundle bundle{sequence, comparison.history(Side::expected).find(sequence),
                             comparison.history(Side::got).find(sequence)};
    if (bundle.expected || bundle.got) report.last_bundles.push_back(bundle);
  }
  report.expected_copies = comparison.history(Side::expected).in_flight(*report.mismatch.cycle);
  report.got_copies = comparison.history(Side::got).in_flight(*report.mismatch.cycle);
  return report;
}

std::string timing_report_text(const TimingReport& report) {
  const ReportContext& context = report.context;
  return headline(report) +
         fmt::format("  expected  {}  ({})\n  got       {}  ({})\n", report.mismatch.expected_text,
                     context.expected_model, report.mismatch.got_text, context.got_model) +
         flight_text(report) + bundles_text(report) + repeat_text(context);
}

nlohmann::json timing_report_json(const TimingReport& report) {
  const Mismatch& mismatch = report.mismatch;
  nlohmann::json json = repeat_json(report.context);
  json["field"] = compare_field(mismatch.field).text;
  json["meaning"] = compare_field(mismatch.field).meaning;
  json["cycle"] = *mismatch.cycle;
  json["signature"] = fmt::format("mismatch {}", compare_field(mismatch.field).text);
  json["expected"] = mismatch.expected_text;
  json["got"] = mismatch.got_text;
  if (!mismatch.place.empty()) json["place"] = mismatch.place;
  if (mismatch.sequence) json["sequence"] = *mismatch.sequence;
  for (const TimedBundle& bundle : report.last_bundles) {
    json["last_bundles"].push_back(bundle_json(bundle, *report.context.image));
  }
  json["copies_in_flight"] = {{"expected", copies_json(report.expected_copies)},
                              {"got", copies_json(report.got_copies)}};
  return json;
}

}  // namespace tandem
