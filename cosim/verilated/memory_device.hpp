// The memory at a machine's native beat port: contents (sparse) and timing
// (sim/memory/memory_channels.hpp).
//
// Per cycle: drive() determines the memory's wires, from state alone; then the machine's wires are
// sampled and take_*() report the handshakes that happened.
// A write's bytes are in memory once its beat is taken; its response comes when timing allows it
// and all its beats have arrived. Bursts outside memory are answered with an error, without data;
// so are those that break the port's contract: not at a multiple of a beat, or across a 4 KiB
// boundary.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "isa/archive/archive.hpp"
#include "isa/launch/launch.hpp"
#include "isa/state/memory.hpp"
#include "isa/state/memory_port.hpp"
#include "sim/memory/memory_channels.hpp"

namespace tandem {

class MemoryDevice {
 public:
  // With a port the contents are there, at its addresses, and not here; it must outlive this.
  MemoryDevice(const Parameters& parameters, const MemoryTimingParameters& timing,
               std::uint64_t hbm_bytes, MemoryPort* port = nullptr);
  // Forgets the traffic, of which nothing may be in flight; the contents stay.
  void restart(const MemoryTimingParameters& timing);

  struct Wires {
    bool read_ready = false;
    bool write_ready = false;
    bool data_ready = false;
    bool data_expected = false;        // a granted burst lacks beats
    bool response_valid = false;       // read data is in response()
    std::uint32_t response_class = 0;  // as given with its request
    bool write_response_valid = false;
    bool error = false;  // of the response in this cycle
  };
  Wires drive(std::uint64_t cycle);
  [[nodiscard]] const std::uint32_t* response() const { return response_.data(); }

  // `read_class` comes back with the response; it has no effect.
  void take_read(std::uint64_t cycle, std::uint64_t address, std::uint32_t beats,
                 std::uint32_t read_class = 0);
  void take_write(std::uint64_t cycle, std::uint64_t address, std::uint32_t beats);
  // One beat: `data` has beat_bytes bytes, `strobes` one bit per byte.
  void take_data(std::uint64_t cycle, const std::uint32_t* data, const std::uint32_t* strobes);
  // There are data on the port without a granted burst: the next response is an error.
  void refuse_data() { refused_ = true; }

  [[nodiscard]] const SparseMemory& contents() const { return contents_; }
  [[nodiscard]] SparseMemory& contents() { return contents_; }
  [[nodiscard]] std::uint64_t beats() const { return beats_; }

  // Traffic in flight; the contents are saved separately. Precondition: there is no port.
  template <typename A>
  void archive(A& a) {
    a(read_, write_, reads_, writes_, fixed(response_), beats_, refused_);
  }

 private:
  struct Burst {
    std::uint64_t address;  // of the next beat
    bool error;
  };
  [[nodiscard]] bool refused(std::uint64_t address, std::uint32_t beats) const;
  // These return false for a bus error.
  bool load_beat(std::uint64_t address);  // into response_
  bool store_beat(std::uint64_t address, const std::uint32_t* data, const std::uint32_t* strobes);
  bool store(std::uint64_t address, std::span<const std::uint8_t> bytes);

  std::uint32_t beat_bytes_;
  SparseMemory contents_;
  MemoryPort* port_;
  MemoryReadChannel read_;
  MemoryWriteChannel write_;
  std::deque<Burst> reads_;   // those of read_
  std::deque<Burst> writes_;  // those of write_
  std::vector<std::uint32_t> response_;
  std::uint64_t beats_ = 0;
  bool refused_ = false;
};

}  // namespace tandem
