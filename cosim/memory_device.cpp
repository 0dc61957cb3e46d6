#include "cosim/memory_device.hpp"

#include <algorithm>
#include <cstring>

namespace tandem {
namespace {

// The seed of writes differs, or both directions would jitter alike.
MemoryTimingParameters for_writes(MemoryTimingParameters timing) {
  timing.seed ^= 0x5bd1e995U;
  return timing;
}

}  // namespace

MemoryDevice::MemoryDevice(const Parameters& parameters, const MemoryTimingParameters& timing,
                           std::uint64_t hbm_bytes, MemoryPort* port)
    : beat_bytes_(parameters.beat_bytes()),
      outstanding_(std::max(1U, timing.outstanding)),
      contents_(hbm_bytes),
      port_(port),
      read_timing_(timing),
      write_timing_(for_writes(timing)),
      response_(parameters.beat_bytes() / 4) {}

void MemoryDevice::load(const std::vector<HbmSegment>& segments) {
  for (const HbmSegment& segment : segments) contents_.write(segment.address, segment.bytes);
}

bool MemoryDevice::refused(std::uint64_t address, std::uint32_t beats) const {
  const std::uint64_t bytes = std::uint64_t{beats} * beat_bytes_;
  if (address % beat_bytes_ != 0) return true;
  if (address % burst_limit_bytes + bytes > burst_limit_bytes) return true;
  if (port_ != nullptr) return false;
  return address > contents_.size() || bytes > contents_.size() - address;
}

MemoryDevice::Wires MemoryDevice::drive(std::uint64_t cycle) {
  Wires wires;
  wires.read_ready = reads_.size() < outstanding_;
  wires.write_ready = writes_.size() < outstanding_;
  wires.data_ready = writes_complete_ < writes_.size();
  if (!reads_.empty() && cycle >= reads_.front().first + reads_.front().done) {
    Burst& burst = reads_.front();
    wires.response_valid = true;
    wires.response_class = burst.read_class;
    const std::uint64_t address = burst.address + std::uint64_t{burst.done} * beat_bytes_;
    wires.error = burst.error || !load_beat(address);
    if (wires.error) std::fill(response_.begin(), response_.end(), 0);
    ++beats_;
    if (++burst.done == burst.beats) reads_.pop_front();
  }
  if (writes_complete_ != 0 && cycle >= writes_.front().first) {
    wires.write_response_valid = true;
    wires.error = wires.error || writes_.front().error;
    writes_.pop_front();
    --writes_complete_;
  }
  return wires;
}

void MemoryDevice::take_read(std::uint64_t cycle, std::uint64_t address, std::uint32_t beats,
                             std::uint32_t read_class) {
  reads_.push_back({address, beats, 0, read_timing_.request(cycle, address, beats),
                    refused(address, beats), read_class});
}

void MemoryDevice::take_write(std::uint64_t cycle, std::uint64_t address, std::uint32_t beats) {
  const std::uint64_t last = write_timing_.request(cycle, address, beats) + beats - 1;
  writes_.push_back({address, beats, 0, last, refused(address, beats)});
}

void MemoryDevice::take_data(std::uint64_t cycle, const std::uint32_t* data,
                             const std::uint32_t* strobes) {
  Burst& burst = writes_[writes_complete_];
  const std::uint64_t address = burst.address + std::uint64_t{burst.done} * beat_bytes_;
  if (!burst.error) burst.error = !store_beat(address, data, strobes);
  ++beats_;
  if (++burst.done < burst.beats) return;
  burst.first = std::max(burst.first, cycle + 1);
  ++writes_complete_;
}

bool MemoryDevice::load_beat(std::uint64_t address) {
  if (port_ != nullptr) {
    return port_->read(address, reinterpret_cast<std::uint8_t*>(response_.data()), beat_bytes_);
  }
  contents_.read_words(address, response_);
  return true;
}

bool MemoryDevice::store(std::uint64_t address, std::span<const std::uint8_t> bytes) {
  if (port_ != nullptr) return port_->write(address, bytes.data(), bytes.size());
  contents_.write(address, bytes);
  return true;
}

bool MemoryDevice::store_beat(std::uint64_t address, const std::uint32_t* data,
                              const std::uint32_t* strobes) {
  const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(data),
                                            beat_bytes_);
  const auto strobe = [strobes](std::uint32_t byte) {
    return (strobes[byte / 32] >> (byte % 32)) & 1U;
  };
  for (std::uint32_t begin = 0; begin < beat_bytes_;) {
    if (strobe(begin) == 0) {
      ++begin;
      continue;
    }
    std::uint32_t end = begin + 1;
    while (end < beat_bytes_ && strobe(end) != 0) ++end;
    if (!store(address + begin, bytes.subspan(begin, end - begin))) return false;
    begin = end;
  }
  return true;
}

}  // namespace tandem
