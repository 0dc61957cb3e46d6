// Collects the contents of a mismatch report.
#include "cosim/reports/mismatch_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "cosim/checker/copies.hpp"
#include "cosim/reports/producers.hpp"
#include "cosim/reports/readings.hpp"
#include "isa/encoding.hpp"
#include "isa/text/text.hpp"
#include "runtime/models/listing.hpp"

namespace tandem {
namespace {

constexpr std::size_t shown_elements = 8;
constexpr std::uint64_t shown_bundles = 32;
constexpr std::size_t shown_in_flight = 16;

// Name of one word of a field: register element, lane, mask word.
std::string element_place(const Mismatch& mismatch, std::size_t element,
                          const Parameters& parameters) {
  std::string base = mismatch.place;
  const bool is_value = mismatch.space != Space::none &&
                        (mismatch.field == CompareField::write_data || !mismatch.sequence);
  if (base.empty() && is_value) {
    base = place_text({Slot::sa, mismatch.space, 0, mismatch.index, {}, 0});
  }
  if (base.empty()) base = field_place(mismatch.field);
  switch (is_value ? mismatch.space : Space::none) {
    case Space::vreg:
      return fmt::format("{}[{}][{}]", base, element / parameters.lanes,
                         element % parameters.lanes);
    case Space::vmem:
    case Space::acc: return fmt::format("{}[{}]", base, element);
    case Space::mreg: return fmt::format("{} bits {}..", base, element * 32);
    case Space::none:
      return mismatch.expected.size() > 1 ? fmt::format("{} word {}", base, element) : base;
    case Space::sreg:
    case Space::preg:
    case Space::smem:
    case Space::flag_add:
    case Space::flag_set: return base;
  }
  return base;
}

bool word_counts(const Mismatch& mismatch, const RetireRecord* record, std::size_t word) {
  if (mismatch.field != CompareField::write_data || mismatch.space != Space::vmem ||
      record == nullptr) {
    return true;
  }
  for (const Write& write : record->writes) {
    if (write.space == Space::vmem && write.index == mismatch.index) {
      return ((write.lanes[word / 32] >> (word % 32)) & 1U) != 0;
    }
  }
  return true;
}

ElementReport element_report(const MismatchReport& report, std::size_t word,
                             const Parameters& parameters) {
  const Mismatch& mismatch = report.mismatch;
  const Reading reading = reading_of(mismatch);
  const Image& image = *report.context.image;
  return {element_place(mismatch, word, parameters),
          mismatch.expected[word],
          mismatch.got[word],
          reading_text(reading, mismatch.expected[word], image),
          reading_text(reading, mismatch.got[word], image),
          reading == Reading::number};
}

// An address of a copy, of two words, is shown as one value.
void add_address(MismatchReport& report, const Parameters& parameters) {
  const Mismatch& mismatch = report.mismatch;
  const auto address = [](const std::vector<std::uint32_t>& words) {
    return words[0] | std::uint64_t{words[1]} << 32U;
  };
  const bool source = mismatch.field == CompareField::copy_source;
  const CopyIssue& copy = report.record->copy;
  const CopySpace space = source ? copy_source_space(copy) : copy_destination_space(copy);
  report.differing = 1;
  report.words = 1;
  report.elements.push_back({std::string(field_place(mismatch.field)), mismatch.expected[0],
                             mismatch.got[0],
                             copy_address_text(space, address(mismatch.expected), parameters),
                             copy_address_text(space, address(mismatch.got), parameters), false});
}

void add_elements(MismatchReport& report, const Parameters& parameters) {
  const Mismatch& mismatch = report.mismatch;
  const bool is_address = mismatch.field == CompareField::copy_source ||
                          mismatch.field == CompareField::copy_destination;
  if (is_address && report.record) return add_address(report, parameters);
  report.words = std::max(mismatch.expected.size(), mismatch.got.size());
  const RetireRecord* record = report.record ? &*report.record : nullptr;
  for (std::size_t word = 0; word < report.words; ++word) {
    const bool missing = word >= mismatch.expected.size() || word >= mismatch.got.size();
    if (missing || mismatch.expected[word] == mismatch.got[word]) continue;
    if (!word_counts(mismatch, record, word)) continue;
    ++report.differing;
    if (report.elements.size() >= shown_elements) continue;
    report.elements.push_back(element_report(report, word, parameters));
  }
}

void add_operands(MismatchReport& report, const Checker& checker) {
  ProducerTracer tracer(checker, *report.context.image, report.operands);
  if (report.record) {
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
      if (report.mismatch.slot && static_cast<std::size_t>(*report.mismatch.slot) != slot) continue;
      tracer.trace(*report.record, static_cast<Slot>(slot));
    }
  } else if (report.mismatch.space != Space::none) {  // at the end
    tracer.trace_place("last written", report.mismatch.space, report.mismatch.index);
  } else if (report.mismatch.address) {
    tracer.trace_hbm("last written", *report.mismatch.address);
  } else if (report.mismatch.weight) {
    tracer.trace_weight("last written", *report.mismatch.weight);
  }
}

void add_bundles(MismatchReport& report, const Checker& checker) {
  const std::uint64_t last =
      report.mismatch.sequence.value_or(checker.bundles() == 0 ? 0 : checker.bundles() - 1);
  const std::uint64_t first = last + 1 >= shown_bundles ? last + 1 - shown_bundles : 0;
  for (std::uint64_t sequence = first; sequence <= last; ++sequence) {
    const Expectation* entry = checker.history().find(static_cast<std::uint32_t>(sequence));
    if (entry != nullptr) report.last_bundles.push_back(entry->record);
  }
}

void add_in_flight(MismatchReport& report, const Checker& checker) {
  const std::uint64_t span =
      std::min<std::uint64_t>(checker.history().capacity(), checker.bundles());
  for (std::uint64_t sequence = checker.bundles() - span; sequence < checker.bundles();
       ++sequence) {
    const Expectation* entry = checker.history().find(static_cast<std::uint32_t>(sequence));
    if (entry == nullptr || entry->complete()) continue;
    std::string line = fmt::format("bundle {}:", sequence);
    for (std::uint32_t left = entry->unseen_writes; left != 0; left &= left - 1) {
      const Write& write = entry->record.writes[static_cast<std::size_t>(std::countr_zero(left))];
      line += fmt::format(" {} {}", slot_name(write.slot), place_text(write));
    }
    if (entry->unseen_copy) line += " dma copy";
    report.in_flight.push_back(std::move(line));
    if (report.in_flight.size() >= shown_in_flight) return;
  }
}

}  // namespace

MismatchReport make_report(const Checker& checker, const Mismatch& mismatch,
                           const ReportContext& context) {
  MismatchReport report;
  report.mismatch = mismatch;
  report.context = context;
  if (report.mismatch.sequence) {
    const Expectation* entry =
        checker.history().find(static_cast<std::uint32_t>(*report.mismatch.sequence));
    if (entry != nullptr) report.record = entry->record;
  }
  add_elements(report, checker.golden().parameters());
  add_operands(report, checker);
  add_bundles(report, checker);
  report.copies = checker.copies();
  add_in_flight(report, checker);
  return report;
}

std::optional<std::uint64_t> ulp_distance(std::uint32_t a, std::uint32_t b) {
  const auto is_nan = [](std::uint32_t x) { return (x & 0x7fffffffU) > 0x7f800000U; };
  if (is_nan(a) || is_nan(b)) return std::nullopt;
  // Maps signed magnitude to a scale on which neighbours differ by one.
  const auto ordinal = [](std::uint32_t x) {
    const auto magnitude = static_cast<std::int64_t>(x & 0x7fffffffU);
    return (x >> 31U) != 0 ? -magnitude : magnitude;
  };
  const std::int64_t distance = ordinal(a) - ordinal(b);
  return static_cast<std::uint64_t>(distance < 0 ? -distance : distance);
}

}  // namespace tandem
