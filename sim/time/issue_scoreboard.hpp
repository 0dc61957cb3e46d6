// Which registers wait for a result, and until when (tpu_scoreboard in the RTL). All latencies are
// known at issue, so a register carries the cycle from which it can be read instead of a unit that
// clears a bit. Results that land right after their bundle are not here: see LateResults.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "isa/parameters.hpp"
#include "sim/time/issue_plan.hpp"

namespace tandem {

// For each kind of pending result: the first cycle in which it no longer holds up a bundle.
using PendingUntil = std::array<std::uint64_t, pending_kinds>;

class Scoreboard {
 public:
  // A result of a bundle that issues in some cycle lands in this one. A bundle that reads it may
  // issue in the next.
  void land(RegisterFile file, std::uint8_t index, Pending by, std::uint64_t cycle) {
    const Entry entry{cycle + 1, by};
    switch (file) {
      case RegisterFile::s:
        s_pending_ |= 1U << index;
        s_[index] = entry;
        break;
      case RegisterFile::v:
        v_pending_ |= std::uint64_t{1} << index;
        v_[index] = entry;
        break;
      case RegisterFile::m:
      case RegisterFile::p: break;  // never that late
    }
    idle_from_ = std::max(idle_from_, cycle + 1);
  }

  // Whether the bundle may have to wait for a register.
  [[nodiscard]] bool touches(const IssuePlan& plan) const {
    return ((plan.scalars & s_pending_) | ((plan.v_reads | plan.v_writes) & v_pending_)) != 0;
  }

  // Raises `until` by the registers of a bundle that is at issue in `now`.
  void wait(const IssuePlan& plan, std::uint64_t now, PendingUntil& until) {
    for (std::uint64_t set = plan.scalars & s_pending_; set != 0; set &= set - 1) {
      const auto i = static_cast<unsigned>(__builtin_ctzll(set));
      if (!raise(s_[i], 0, now, until)) s_pending_ &= ~(1U << i);
    }
    // A vector register may be written by a bundle that issues while the old result lands.
    for (std::uint64_t set = (plan.v_reads | plan.v_writes) & v_pending_; set != 0;
         set &= set - 1) {
      const auto i = static_cast<unsigned>(__builtin_ctzll(set));
      const std::uint64_t only_written = ((plan.v_reads >> i) & 1U) ^ 1U;
      if (!raise(v_[i], only_written, now, until)) v_pending_ &= ~(std::uint64_t{1} << i);
    }
  }

  // The first cycle in which no register is pending.
  [[nodiscard]] std::uint64_t idle_from() const { return idle_from_; }

 private:
  struct Entry {
    std::uint64_t readable = 0;
    Pending by = Pending::scalar;
  };

  // False when the register is no longer pending.
  static bool raise(const Entry& entry, std::uint64_t early, std::uint64_t now,
                    PendingUntil& until) {
    std::uint64_t& kind = until[static_cast<std::size_t>(entry.by)];
    kind = std::max(kind, entry.readable - early);
    return entry.readable > now;
  }

  std::uint64_t v_pending_ = 0;
  std::uint32_t s_pending_ = 0;
  std::array<Entry, vector_registers> v_{};
  std::array<Entry, scalar_registers> s_{};
  std::uint64_t idle_from_ = 0;
};

}  // namespace tandem
