// Coverage of the instruction table's crosses (bins.hpp), collected from the effects of bundles in
// golden's records and from their waits in the machine's timing events.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "cosim/coverage/bins.hpp"
#include "isa/image.hpp"
#include "isa/state/retire.hpp"
#include "sim/events/timing_events.hpp"

namespace tandem {

class Coverage final : public TimingSink {
 public:
  Coverage() : hits_(bin_table().size()) {}

  // A program begins; `image` outlives its run.
  void begin(const Image& image);
  void record(const RetireRecord& record);

  void issued(const IssueTiming& event) override;
  void lost(const LostCycles& event) override {
    waited_ |= 1U << static_cast<unsigned>(event.cause);
  }
  void copy_started(const CopyStart& event) override { starts_.push_back(event.cycle); }
  void copy_done(const CopyDone& event) override { completions_.push_back(event.cycle); }
  void beats(const MemoryBeats&) override {}
  void progress(std::uint64_t cycle) override { count_copies(cycle); }
  void ended(std::uint64_t cycles) override {
    count_copies(cycles);
    waited_ = 0;
  }

  [[nodiscard]] const std::vector<std::uint64_t>& hits() const { return hits_; }
  [[nodiscard]] std::size_t covered() const { return covered_; }

 private:
  static constexpr std::size_t elements = 8;  // of a register: those of row 0 that every preset has

  struct Maker {
    std::uint64_t sequence = 0;
    Latency latency{};
    bool known = false;
  };
  struct Operated {
    Slot slot{};
    Operation operation;
  };
  struct Decoded {
    bool done = false;
    std::vector<Operated> operations;
  };
  using Elements = std::array<std::uint32_t, elements>;

  void hit(std::uint32_t bin) {
    if (bin == no_bin) return;
    if (hits_[bin]++ == 0) ++covered_;
  }
  const Decoded& decoded(std::uint32_t pc, const Bundle& bundle);
  void count_operation(const RetireRecord& record, const Operated& operated);
  void count_read(const RetireRecord& record, Slot slot, RegisterName name);
  void count_floats(const Operation& operation);
  [[nodiscard]] std::optional<Elements> values(const OperandValue& source) const;
  // Copies in addition to those issued before this cycle.
  void count_copies(std::uint64_t before);
  void remember(const RetireRecord& record, const Decoded& bundle);

  std::vector<std::uint64_t> hits_;
  std::size_t covered_ = 0;
  const Image* image_ = nullptr;
  std::vector<Decoded> decoded_;  // by PC
  std::array<std::array<Maker, vector_registers>, 4> makers_{};
  // The contents of registers, as far as known from writes.
  std::array<std::optional<Elements>, vector_registers> vectors_;
  std::array<std::uint32_t, scalar_registers> scalars_{};
  // Each in order of cycle, and not counted yet: kinds of events are interleaved in any way.
  std::deque<IssueTiming> issues_;
  std::deque<std::uint64_t> starts_;
  std::deque<std::uint64_t> completions_;
  std::uint64_t outstanding_ = 0;
  std::uint32_t waited_ = 0;  // causes of the cycles lost since the last bundle
};

}  // namespace tandem
