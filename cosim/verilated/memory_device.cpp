#include "cosim/verilated/memory_device.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tandem {

MemoryDevice::MemoryDevice(const Parameters& parameters, const MemoryTimingParameters& timing,
                           std::uint64_t hbm_bytes, MemoryPort* port)
    : beat_bytes_(parameters.beat_bytes()),
      contents_(hbm_bytes),
      port_(port),
      read_(timing),
      write_(timing),
      response_(parameters.beat_bytes() / 4) {}

void MemoryDevice::restart(const MemoryTimingParameters& timing) {
  read_ = MemoryReadChannel(timing);
  write_ = MemoryWriteChannel(timing);
  reads_.clear();
  writes_.clear();
  beats_ = 0;
  refused_ = false;
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
  wires.read_ready = read_.ready();
  wires.write_ready = write_.ready();
  wires.data_ready = write_.data_ready(cycle);
  wires.data_expected = write_.data_expected();
  if (read_.responds(cycle)) {
    Burst& burst = reads_.front();
    wires.response_valid = true;
    wires.response_class = read_.tag();
    wires.error = burst.error || !load_beat(burst.address);
    if (wires.error) std::fill(response_.begin(), response_.end(), 0);
    ++beats_;
    burst.address += beat_bytes_;
    if (read_.beats_left() == 1) reads_.pop_front();
    read_.respond();
  }
  if (write_.responds(cycle)) {
    wires.write_response_valid = true;
    wires.error = wires.error || writes_.front().error;
    writes_.pop_front();
    write_.respond();
  }
  if (wires.response_valid || wires.write_response_valid) {
    wires.error = wires.error || std::exchange(refused_, false);
  }
  return wires;
}

void MemoryDevice::take_read(std::uint64_t cycle, std::uint64_t address, std::uint32_t beats,
                             std::uint32_t read_class) {
  reads_.push_back({address, refused(address, beats)});
  read_.take(cycle, address, beats, read_class);
}

void MemoryDevice::take_write(std::uint64_t cycle, std::uint64_t address, std::uint32_t beats) {
  writes_.push_back({address, refused(address, beats)});
  write_.take(cycle, address, beats);
}

void MemoryDevice::take_data(std::uint64_t cycle, const std::uint32_t* data,
                             const std::uint32_t* strobes) {
  Burst& burst = writes_[write_.complete()];
  if (!burst.error) burst.error = !store_beat(burst.address, data, strobes);
  ++beats_;
  burst.address += beat_bytes_;
  write_.take_data(cycle);
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
