// The RTL behind the interface that platforms embed (sim/platform/tpu_core.hpp): a template over
// the Verilated class, instantiated once per preset by rtl_machine.cpp.in.
//
// The register port takes one write per cycle. A write to a stopped machine gets its own clock
// edge, which is not a cycle of the machine: cycle 0 is the one after the write that starts it. A
// write to a running machine happens in its next cycle, which is evaluated immediately and counts
// as the first one of the next advance().
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>

#include "cosim/verilated/verilated_top.hpp"
#include "sim/platform/tpu_core.hpp"

namespace tandem {

template <typename Top>
class VerilatedCore final : public TpuCore {
 public:
  VerilatedCore(const Parameters& parameters, const TpuCoreOptions& options, MemoryPort& memory)
      : parameters_(parameters),
        options_(options),
        memory_(memory),
        rtl_(parameters, options.seed) {
    connect_memory();
    rtl_.reset();
  }

  std::uint32_t read_register(std::uint32_t number) override { return rtl_.read_host(number); }

  void write_register(std::uint32_t number, std::uint32_t value) override {
    const bool stopped = !active();
    const bool starts = number == find_register("control")->number && (value & 1U) != 0;
    if (stopped && starts) prepare_start();
    rtl_.write_host(number, value);
    note_cycle();
    if (!stopped) ++ahead_;
  }

  bool active() const override { return running_ || ending_ || ahead_ != 0; }
  bool interrupt() const override { return interrupt_; }

  std::uint64_t advance(std::uint64_t limit) override {
    std::uint64_t done = std::min(ahead_, limit);
    ahead_ -= done;
    while (done < limit && (running_ || ending_)) {
      const bool running = running_;
      const bool interrupt = interrupt_;
      rtl_.half_cycle();
      rtl_.rise();
      note_cycle();
      ++done;
      if (running != running_ || interrupt != interrupt_) break;
    }
    return done;
  }

 private:
  // A start finds the memory as if nothing had happened, so that a second run takes the same cycles
  // as the first.
  void connect_memory() {
    constexpr std::uint64_t everywhere = std::numeric_limits<std::uint64_t>::max();
    rtl_.connect(
        std::make_unique<MemoryDevice>(parameters_, options_.memory, everywhere, &memory_));
  }

  void prepare_start() {
    connect_memory();
    rtl_.fill_patterns(options_.seed);
  }

  // An end sets its interrupt in the cycle after it.
  void note_cycle() {
    const bool running = rtl_.top().running_o != 0;
    ending_ = running_ && !running;
    running_ = running;
    interrupt_ = rtl_.top().irq_o != 0;
  }

  Parameters parameters_;
  TpuCoreOptions options_;
  MemoryPort& memory_;
  VerilatedTop<Top> rtl_;
  bool running_ = false;
  bool ending_ = false;
  bool interrupt_ = false;
  std::uint64_t ahead_ = 0;  // cycles taken by writes and not yet counted by advance()
};

}  // namespace tandem
