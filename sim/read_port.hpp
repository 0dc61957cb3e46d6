// The shared read channel (rtl/tpu_readport.sv) and the memory that answers it.
//
// One request register: what a client asks for and is accepted in cycle t stands on the port from
// t + 1 until granted. Demand fetch comes before copies before prefetch.
#pragma once

#include <cstdint>

#include "isa/timing.hpp"
#include "sim/memory_channels.hpp"

namespace tandem {

enum class ReadClass : std::uint8_t { demand, copy, prefetch };

class ReadPort {
 public:
  explicit ReadPort(const MemoryTimingParameters& timing) : memory_(timing) {}

  // ---- looking, at the beginning of a cycle -----------------------------------------------------
  // A request would be accepted in this cycle.
  [[nodiscard]] bool is_free() const {
    return (!valid_ || memory_.ready()) && outstanding() != timing::read_bursts;
  }
  [[nodiscard]] bool granted() const { return valid_ && memory_.ready(); }
  [[nodiscard]] bool responds(std::uint64_t cycle) const { return memory_.responds(cycle); }
  // Of the beat that comes; and whether it is the last of its burst.
  [[nodiscard]] ReadClass response_class() const {
    return static_cast<ReadClass>(memory_.front().tag);
  }
  // Bursts accepted and not answered completely.
  [[nodiscard]] std::uint32_t outstanding() const { return memory_.size() + (valid_ ? 1 : 0); }
  // The first cycle in which a beat can come, if anything is under way at the memory.
  [[nodiscard]] bool waiting() const { return memory_.size() != 0; }
  [[nodiscard]] std::uint64_t due() const { return memory_.due(); }
  [[nodiscard]] const MemoryBurst& answering() const { return memory_.front(); }

  // ---- what happened in the cycle, in this order ------------------------------------------------
  void respond() { memory_.respond(); }
  // The standing request is granted.
  void grant(std::uint64_t cycle) {
    memory_.take(cycle, address_, beats_, static_cast<std::uint8_t>(class_));
    valid_ = false;
  }
  void accept(ReadClass what, std::uint64_t address, std::uint32_t beats) {
    valid_ = true;
    class_ = what;
    address_ = address;
    beats_ = beats;
  }

 private:
  MemoryReadChannel memory_;
  bool valid_ = false;
  ReadClass class_{};
  std::uint32_t beats_ = 0;
  std::uint64_t address_ = 0;
};

}  // namespace tandem
