// Bins of copies, of bundles, and of neighbouring bundles.
#include <fmt/format.h>

#include <algorithm>

#include "isa/instructions.hpp"
#include "isa/text/text.hpp"
#include "tests/programs/coverage.hpp"
#include "tests/programs/coverage_operations.hpp"
#include "tests/programs/coverage_traps.hpp"

namespace tandem::directed {
namespace {

constexpr std::array<std::string_view, 3> space_names{"HBM", "VMEM", "SMEM"};

std::string_view latency_name(Latency latency) {
  switch (latency) {
    case Latency::scalar: return "scalar";
    case Latency::scalar_load: return "sld";
    case Latency::control: return "control";
    case Latency::valu: return "valu";
    case Latency::load: return "load";
    case Latency::store: return "store";
    case Latency::push: return "push";
    case Latency::multiply: return "multiply";
    case Latency::acc_read: return "accumulator read";
    case Latency::eup: return "eup";
    case Latency::xlu: return "xlu";
    case Latency::copy: return "copy";
    case Latency::wait: return "wait";
  }
  return "?";
}

std::vector<RegisterName> sources(const Operation& operation) {
  std::vector<RegisterName> result;
  if (operation.predicate != 0) result.push_back({RegisterFile::p, operation.predicate});
  const Instruction& row = instruction(operation.op);
  for (std::size_t i = 0; i < row.operands.count; ++i) {
    if (const auto name = source(*row.operands.items[i], operation.operands[i])) {
      result.push_back(*name);
    }
  }
  return result;
}

bool reads(const Operation& operation, RegisterName name) {
  const auto all = sources(operation);
  return std::find(all.begin(), all.end(), name) != all.end();
}

std::string forward_bin(const std::string& producer, RegisterFile file, std::string_view consumer) {
  return fmt::format("{} to {} through {}", producer, consumer, file_letter(file));
}

void add_pairs(const DecodedBundle& first, const DecodedBundle& second, bool same, Bins& bins) {
  for (const auto& producer : first) {
    if (!producer) continue;
    const auto name = destination(*producer);
    if (!name) continue;
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
      if (!second[slot] || !reads(*second[slot], *name)) continue;
      const std::string from(same ? "old value" : latency_name(instruction(producer->op).latency));
      bins.insert(forward_bin(from, name->file, slot_layouts[slot].name));
    }
  }
}

void add_copy(const CopyIssue& copy, Bins& bins) {
  const auto& words = copy.descriptor;
  bins.insert(fmt::format("copy {} to {}", space_names[words[0] >> 8U & 3U],
                          space_names[words[0] >> 10U & 3U]));
  if (words[6] == 0) bins.insert("copy of length zero");
  for (int dimension = 1; dimension <= 3; ++dimension) {
    const std::size_t first = 4 + 3 * static_cast<std::size_t>(dimension);
    if (words[first] == 0) bins.insert(fmt::format("copy with count {} zero", dimension));
    if (words[first] > 1) bins.insert(fmt::format("copy with dimension {}", dimension));
    const bool negative = ((words[first + 1] | words[first + 2]) >> 31U) != 0;
    if (words[first] > 1 && negative) bins.insert("copy with a negative stride");
  }
  const auto base = [&words](std::size_t low) {
    return words[low] | std::uint64_t{words[low + 1]} << 32U;
  };
  if (copy.source != base(2)) bins.insert("copy with a source offset");
  if (copy.destination != base(4)) bins.insert("copy with a destination offset");
}

}  // namespace

void Coverage::add_sequence(const DecodedBundle& bundle, const RetireRecord& record) {
  add_pairs(bundle, bundle, true, bins_);
  if (previous_) add_pairs(*previous_, bundle, false, bins_);
  if (record.has_copy) add_copy(record.copy, bins_);
  previous_ = bundle;
}

void Coverage::add(const RetireRecord& record) {
  if (record.trap) {
    add_trap(record, bins_);
    // The only operation that acts by trapping.
    if (record.trap.cause == TrapCause::explicit_trap) {
      add_operation(Slot::sa, *decode(Slot::sa, slot_bits(record.bundle, Slot::sa)), true, bins_);
    }
    return;
  }
  DecodedBundle executed;
  for (std::size_t i = 0; i < slot_count; ++i) {
    const SlotBits bits = slot_bits(record.bundle, static_cast<Slot>(i));
    if (is_empty(bits)) continue;
    const auto operation = decode(static_cast<Slot>(i), bits);
    const bool enabled = (record.enabled >> i & 1U) != 0;
    add_operation(static_cast<Slot>(i), *operation, enabled, bins_);
    if (enabled) executed[i] = operation;
  }
  add_sequence(executed, record);
}

Bins required_sequence_bins() {
  Bins bins{"copy of length zero", "copy with a negative stride", "copy with a source offset",
            "copy with a destination offset"};
  for (const std::string_view from : space_names) {
    for (const std::string_view to : space_names)
      bins.insert(fmt::format("copy {} to {}", from, to));
  }
  for (int dimension = 1; dimension <= 3; ++dimension) {
    bins.insert(fmt::format("copy with dimension {}", dimension));
    bins.insert(fmt::format("copy with count {} zero", dimension));
  }
  for (const char* from : {"valu", "load", "accumulator read", "eup", "xlu"}) {
    for (const char* to : {"va", "vb", "st", "mx", "xu"}) {
      bins.insert(forward_bin(from, RegisterFile::v, to));
    }
  }
  for (const char* from : {"scalar", "sld", "valu", "xlu"}) {
    for (const char* to : {"sa", "sb", "va", "ld", "st", "mx", "xu", "dma"}) {
      bins.insert(forward_bin(from, RegisterFile::s, to));
    }
  }
  for (const char* to : {"va", "vb", "ld", "st"})
    bins.insert(forward_bin("valu", RegisterFile::m, to));
  for (const SlotLayout& to : slot_layouts) {
    bins.insert(forward_bin("scalar", RegisterFile::p, to.name));
  }
  for (const char* to : {"sa", "sb", "va", "ld", "st", "mx", "xu", "dma"}) {
    bins.insert(forward_bin("old value", RegisterFile::s, to));
  }
  for (const char* to : {"va", "vb", "st", "mx", "xu"}) {
    bins.insert(forward_bin("old value", RegisterFile::v, to));
  }
  for (const char* to : {"va", "vb", "ld", "st"}) {
    bins.insert(forward_bin("old value", RegisterFile::m, to));
  }
  for (const SlotLayout& to : slot_layouts) {
    bins.insert(forward_bin("old value", RegisterFile::p, to.name));
  }
  return bins;
}

}  // namespace tandem::directed
