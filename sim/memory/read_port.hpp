// The shared read channel (rtl/fetch/tpu_readport.sv) and the memory that answers it.
//
// One request register: a request accepted in cycle t is on the port from t + 1 until granted.
// Demand fetch has priority over copies, and copies over prefetch, but one request in
// prefetch_share goes to a waiting prefetch.
#pragma once

#include <cstdint>

#include "isa/timing.hpp"
#include "sim/memory/memory_channels.hpp"

namespace tandem {

class ReadPort {
 public:
  enum class Client : std::uint8_t { fetch, copies, to_right, to_left };
  // Of the copy engine's readers, by number.
  static Client reader(std::uint32_t number) { return static_cast<Client>(1 + number); }

  explicit ReadPort(const MemoryTimingParameters& timing) : memory_(timing) {}

  // ---- looking, at the beginning of a cycle -----------------------------------------------------
  // A request would be accepted in this cycle.
  [[nodiscard]] bool is_free() const {
    return (!valid_ || memory_.ready()) && outstanding() != timing::read_bursts;
  }
  [[nodiscard]] bool has_request() const { return valid_; }
  // A waiting prefetch now has priority over a copy's request.
  [[nodiscard]] bool prefetch_turn() const { return passed_ == timing::prefetch_share - 1; }
  [[nodiscard]] bool granted() const { return valid_ && memory_.ready(); }
  // A beat arrives in this cycle, for this client.
  [[nodiscard]] bool responds(std::uint64_t cycle) const { return memory_.responds(cycle); }
  [[nodiscard]] Client client() const { return static_cast<Client>(memory_.tag()); }
  [[nodiscard]] std::uint32_t beats_left() const { return memory_.beats_left(); }
  [[nodiscard]] std::uint32_t beats_in_a_row() const { return memory_.beats_in_a_row(); }
  // Bursts accepted and not answered completely.
  [[nodiscard]] std::uint32_t outstanding() const { return memory_.size() + (valid_ ? 1 : 0); }
  // Memory has something to answer: the first cycle in which a beat can arrive.
  [[nodiscard]] bool waiting() const { return memory_.size() != 0; }
  [[nodiscard]] std::uint64_t due() const { return memory_.due(); }

  // ---- events of the cycle, in this order -------------------------------------------------------
  void respond(std::uint32_t n = 1) { memory_.respond(n); }
  void grant(std::uint64_t cycle) {
    memory_.take(cycle, address_, beats_, static_cast<std::uint32_t>(client_));
    valid_ = false;
  }
  // A copy's request was preferred to a waiting prefetch; the prefetch is accepted.
  void pass_prefetch() { ++passed_; }
  void take_prefetch() { passed_ = 0; }
  void accept(Client client, std::uint64_t address, std::uint32_t beats) {
    valid_ = true;
    client_ = client;
    address_ = address;
    beats_ = beats;
  }

 private:
  MemoryReadChannel memory_;
  std::uint32_t passed_ = 0;
  bool valid_ = false;
  Client client_{};
  std::uint32_t beats_ = 0;
  std::uint64_t address_ = 0;
};

}  // namespace tandem
