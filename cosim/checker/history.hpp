// The golden records of the last bundles, by sequence number, with the parts of each that have been
// seen. The checker compares against them; the report looks back at them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/archive/archive.hpp"
#include "isa/state/retire.hpp"

namespace tandem {

// A golden record and which of its parts the machine has reported. Bits of `unseen_writes` follow
// RetireRecord::writes; a bundle makes at most 23 writes.
struct Expectation {
  RetireRecord record;
  bool valid = false;
  bool unseen_copy = false;
  bool volatile_csr = false;  // it reads a CSR whose value was taken from the machine
  std::uint32_t unseen_writes = 0;

  [[nodiscard]] bool complete() const { return unseen_writes == 0 && !unseen_copy; }

  template <typename A>
  void archive(A& a) {
    a(record, valid, unseen_copy, volatile_csr, unseen_writes);
  }
};

// The last bundle that wrote a place.
struct Producer {
  std::uint64_t sequence = 0;
  std::uint32_t pc = 0;
  bool known = false;
};

class History {
 public:
  explicit History(const Parameters& parameters);

  // The place for the record of bundle `sequence`. Its old contents are forgotten; the caller has
  // checked that they were complete.
  Expectation& open(std::uint64_t sequence);
  // The place that `open` would reuse.
  [[nodiscard]] const Expectation& oldest(std::uint64_t sequence) const {
    return ring_[sequence & mask_];
  }
  // The record with these low 32 bits of its sequence number, or nullptr.
  [[nodiscard]] Expectation* find(std::uint32_t sequence) {
    Expectation& entry = ring_[sequence & mask_];
    const bool same = static_cast<std::uint32_t>(entry.record.sequence) == sequence;
    return entry.valid && same ? &entry : nullptr;
  }
  [[nodiscard]] const Expectation* find(std::uint32_t sequence) const {
    return const_cast<History*>(this)->find(sequence);
  }
  // Prefetches the data touched by open() of the next bundles and by golden filling them into the
  // host's cache, for which the ring is too large: the place of the next but one, and the writes
  // and words of the next, whose place the previous call fetched.
  void prefetch_behind(std::uint64_t sequence) const {
    const Expectation& next = ring_[(sequence + 1) & mask_];
    __builtin_prefetch(next.record.writes.data(), 1);
    __builtin_prefetch(next.record.data.data(), 1);
    prefetch_place(sequence + 2);
  }
  // The same for a comparison with the record of this sequence number, in two steps.
  void prefetch_place(std::uint64_t sequence) const {
    const Expectation& entry = ring_[sequence & mask_];
    __builtin_prefetch(&entry, 1);
    __builtin_prefetch(&entry.record.writes, 1);
    __builtin_prefetch(&entry.unseen_writes, 1);
  }
  void prefetch_writes(std::uint64_t sequence) const {
    const RetireRecord& record = ring_[sequence & mask_].record;
    __builtin_prefetch(record.writes.data());
    __builtin_prefetch(record.data.data());
  }
  [[nodiscard]] std::size_t capacity() const { return ring_.size(); }

  // The last writer of a register, row or word before bundle `sequence`.
  [[nodiscard]] Producer producer(Space space, std::uint32_t index, std::uint64_t sequence) const;
  // The value of a scalar before bundle `sequence`, if the history still has it; `newest` is the
  // sequence number after the last record and `now` the value then.
  [[nodiscard]] std::optional<std::uint32_t> scalar_before(std::uint32_t index,
                                                           std::uint64_t sequence,
                                                           std::uint64_t newest,
                                                           std::uint32_t now) const;

  template <typename A>
  void archive(A& a) {
    a(fixed(ring_));
    for (std::vector<Producer>& table : producers_) a(fixed(table));
  }

 private:
  void remember(const RetireRecord& record);

  Parameters parameters_;
  std::uint64_t mask_;
  std::vector<Expectation> ring_;
  // Last writers among the records that have left the ring, by space.
  std::vector<std::vector<Producer>> producers_;
};

}  // namespace tandem
