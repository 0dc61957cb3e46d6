// Packets on their way to a trace file: gathered into blocks, each compressed on its own into one
// packet of the file (TracePacket.compressed_packets).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "sim/trace_deflate.hpp"

namespace tandem::trace {

// Takes the bytes of a file in order; throws what it likes when it cannot.
using ByteSink = std::function<void(std::string_view)>;

class Blocks {
 public:
  explicit Blocks(ByteSink sink) : sink_(std::move(sink)) {}

  // Whole packets, encoded as fields of the message Trace, are appended here...
  std::string& packets() { return packets_; }
  // ...and then may be written: where blocks end depends on the bytes alone.
  void packets_added() {
    if (packets_.size() >= block_bytes) flush();
  }
  void flush();

  [[nodiscard]] std::uint64_t bytes_written() const { return bytes_written_; }

 private:
  // Perfetto wants the compressed packet below 512 KB.
  static constexpr std::size_t block_bytes = std::size_t{256} << 10U;

  ByteSink sink_;
  Deflater deflater_;
  std::string packets_;
  std::string compressed_;
  std::uint64_t bytes_written_ = 0;
};

}  // namespace tandem::trace
