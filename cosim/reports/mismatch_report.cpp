// Collects what a mismatch report shows.
#include "cosim/reports/mismatch_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "isa/encoding.hpp"
#include "isa/text.hpp"
#include "runtime/models/listing.hpp"

namespace tandem {
namespace {

constexpr std::size_t shown_elements = 8;
constexpr std::uint64_t shown_bundles = 32;
constexpr std::size_t shown_in_flight = 16;

// Name of one word of a field: register element, lane, mask word.
std::string element_place(const Mismatch& mismatch, std::size_t element,
                          const Parameters& parameters) {
  const std::string base = !mismatch.place.empty()
                               ? mismatch.place
                               : place_text({Slot::sa, mismatch.space, 0, mismatch.index, {}, 0});
  switch (mismatch.space) {
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

void add_elements(MismatchReport& report, const Parameters& parameters) {
  const Mismatch& mismatch = report.mismatch;
  report.words = std::max(mismatch.expected.size(), mismatch.got.size());
  const RetireRecord* record = report.record ? &*report.record : nullptr;
  for (std::size_t word = 0; word < report.words; ++word) {
    const bool missing = word >= mismatch.expected.size() || word >= mismatch.got.size();
    if (missing || mismatch.expected[word] == mismatch.got[word]) continue;
    if (!word_counts(mismatch, record, word)) continue;
    ++report.differing;
    if (report.elements.size() >= shown_elements) continue;
    report.elements.push_back(
        {element_place(mismatch, word, parameters), mismatch.expected[word], mismatch.got[word]});
  }
}

std::string producer_text(const Producer& producer, const Image& image) {
  if (!producer.known) return "not written since the start";
  const std::string location = source_location(image, producer.pc);
  return fmt::format("bundle {} (pc {}{}{})", producer.sequence, producer.pc,
                     location.empty() ? "" : ", ", location);
}

Space space_of(RegisterFile file) {
  switch (file) {
    case RegisterFile::s: return Space::sreg;
    case RegisterFile::p: return Space::preg;
    case RegisterFile::m: return Space::mreg;
    case RegisterFile::v: return Space::vreg;
  }
  __builtin_unreachable();
}

// Follows the operands of one operation back to the bundles that wrote them.
class OperandTracer {
 public:
  OperandTracer(const Checker& checker, const RetireRecord& record, const Image& image,
                std::vector<OperandReport>& out)
      : checker_(checker), record_(record), image_(image), out_(out) {}

  void trace(const Operation& operation) {
    if (operation.predicate != 0) {
      add("predicate", Space::preg, operation.predicate, fmt::format("p{}", operation.predicate));
    }
    const Instruction& row = instruction(operation.op);
    for (std::size_t i = 0; i < row.operands.count; ++i) {
      trace_operand(*row.operands.items[i], operation.operands[i]);
    }
  }

 private:
  void trace_operand(const Operand& operand, const OperandValue& value) {
    if (operand.kind == OperandKind::accumulator) {
      trace_accumulator(operand, value);
    } else if (const auto name = source(operand, value)) {
      add(std::string(operand.name), space_of(name->file), name->index, register_text(*name));
    }
    trace_memory(operand, value);
  }

  [[nodiscard]] std::optional<std::uint32_t> scalar(std::uint32_t number) const {
    return checker_.history().scalar_before(number, record_.sequence, checker_.bundles(),
                                            checker_.golden().state().scalars[number]);
  }

  void trace_accumulator(const Operand& operand, const OperandValue& value) {
    const auto reg = static_cast<std::uint32_t>(value.value);
    if (reg != 0) add(std::string(operand.name), Space::sreg, reg, fmt::format("s{}", reg));
    const std::optional<std::uint32_t> base = scalar(reg);
    if (!base) return;
    const std::uint32_t number = *base + static_cast<std::uint32_t>(value.imm);
    if (number >= accumulators) return;
    for (std::uint32_t row = 0; row < sublanes; ++row) {
      add("old", Space::acc, number * sublanes + row, fmt::format("a{}[{}]", number, row));
    }
  }

  // The row or word that a load reads first, when the base register's value is still known.
  void trace_memory(const Operand& operand, const OperandValue& value) {
    if (operand.access != Access::read) return;
    const std::optional<std::uint32_t> base = scalar(static_cast<std::uint32_t>(value.value));
    if (!base) return;
    const std::uint32_t address = *base + static_cast<std::uint32_t>(value.imm);
    const std::uint32_t lanes = image_.preset->lanes;
    if (operand.kind == OperandKind::smem) {
      add("word", Space::smem, address, fmt::format("smem[{:#x}]", address));
    } else if (operand.kind == OperandKind::vmem) {
      add("first row", Space::vmem, address, fmt::format("vmem[{}]", address));
    } else if (operand.kind == OperandKind::vmem_word) {
      add("first row", Space::vmem, address / lanes, fmt::format("vmem[{}]", address / lanes));
    }
  }

  void add(const std::string& name, Space space, std::uint32_t index, const std::string& place) {
    const Producer producer = checker_.history().producer(space, index, record_.sequence);
    OperandReport report{fmt::format("{} = {}", name, place), producer_text(producer, image_)};
    const bool known = std::any_of(out_.begin(), out_.end(), [&](const OperandReport& other) {
      return other.operand == report.operand;
    });
    if (!known) out_.push_back(std::move(report));
  }

  const Checker& checker_;
  const RetireRecord& record_;
  const Image& image_;
  std::vector<OperandReport>& out_;
};

void add_operands(MismatchReport& report, const Checker& checker) {
  if (!report.record) return;
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    if (report.mismatch.slot && static_cast<std::size_t>(*report.mismatch.slot) != slot) continue;
    const auto which = static_cast<Slot>(slot);
    const auto operation = decode(which, slot_bits(report.record->bundle, which));
    if (!operation) continue;
    OperandTracer(checker, *report.record, *report.context.image, report.operands)
        .trace(*operation);
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
  // Signed magnitude to a line on which neighbours differ by one.
  const auto ordinal = [](std::uint32_t x) {
    const auto magnitude = static_cast<std::int64_t>(x & 0x7fffffffU);
    return (x >> 31U) != 0 ? -magnitude : magnitude;
  };
  const std::int64_t distance = ordinal(a) - ordinal(b);
  return static_cast<std::uint64_t>(distance < 0 ? -distance : distance);
}

}  // namespace tandem
