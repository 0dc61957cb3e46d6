#include "cosim/checker/history.hpp"

#include <bit>

namespace tandem {
namespace {

constexpr std::size_t spaces = static_cast<std::size_t>(Space::flag_set) + 1;

// Enough for everything in flight, above all a wavefront of the matrix unit (L + 8 cycles), and for
// the 32 bundles that a report shows. No larger: each step of golden fills the least recently used
// place, so all of it passes through the host's cache.
std::uint64_t ring_size(const Parameters& parameters) {
  return std::bit_ceil(std::uint64_t{64} + parameters.lanes);
}

}  // namespace

History::History(const Parameters& parameters)
    : parameters_(parameters),
      mask_(ring_size(parameters) - 1),
      ring_(ring_size(parameters)),
      producers_(spaces) {
  for (std::size_t space = 0; space < spaces; ++space) {
    producers_[space].resize(space_size(static_cast<Space>(space), parameters));
  }
}

Expectation& History::open(std::uint64_t sequence) {
  Expectation& entry = ring_[sequence & mask_];
  if (entry.valid) remember(entry.record);
  entry.valid = true;
  return entry;
}

void History::remember(const RetireRecord& record) {
  for (const Write& write : record.writes) {
    std::vector<Producer>& table = producers_[static_cast<std::size_t>(write.space)];
    if (write.index < table.size()) table[write.index] = {record.sequence, record.pc, true};
  }
}

Producer History::producer(Space space, std::uint32_t index, std::uint64_t sequence) const {
  for (std::uint64_t back = 1; back < ring_.size() && back <= sequence; ++back) {
    const Expectation& entry = ring_[(sequence - back) & mask_];
    if (!entry.valid || entry.record.sequence != sequence - back) break;
    for (const Write& write : entry.record.writes) {
      if (write.space == space && write.index == index) {
        return {entry.record.sequence, entry.record.pc, true};
      }
    }
  }
  const std::vector<Producer>& table = producers_[static_cast<std::size_t>(space)];
  return index < table.size() ? table[index] : Producer{};
}

std::optional<std::uint32_t> History::scalar_before(std::uint32_t index, std::uint64_t sequence,
                                                    std::uint64_t newest, std::uint32_t now) const {
  if (index == 0) return 0;
  const auto value_written = [&](std::uint64_t at) -> std::optional<std::uint32_t> {
    const Expectation& entry = ring_[at & mask_];
    if (!entry.valid || entry.record.sequence != at) return std::nullopt;
    for (const Write& write : entry.record.writes) {
      if (write.space == Space::sreg && write.index == index) {
        return entry.record.data[write.offset];
      }
    }
    return std::nullopt;
  };
  bool written_since = false;
  for (std::uint64_t at = sequence; at < newest; ++at) {
    written_since = written_since || value_written(at).has_value();
  }
  if (!written_since) return now;
  for (std::uint64_t back = 1; back < ring_.size() && back <= sequence; ++back) {
    if (const auto value = value_written(sequence - back)) return value;
  }
  return std::nullopt;
}

}  // namespace tandem
