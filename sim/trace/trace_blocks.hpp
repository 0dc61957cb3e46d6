// Packets on their way to a trace file: gathered into blocks, each compressed on its own into one
// packet of the file (TracePacket.compressed_packets).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/trace/trace_deflate.hpp"

namespace tandem::trace {

// Packets that may come again.
struct Piece {
  std::string packets;
  std::uint64_t last = 0;  // where they were written last in the trace without compression, + 1
};

// Takes the bytes of a file in order; may throw anything on failure.
using ByteSink = std::function<void(std::string_view)>;

class Blocks {
 public:
  explicit Blocks(ByteSink sink) : sink_(std::move(sink)) {}

  // Whole packets, encoded as fields of the message Trace, are appended here...
  std::string& packets() { return packets_; }
  // ...or are given as a piece, ...
  void add(Piece& piece);
  // ...and then may be written: where blocks end depends on the bytes alone.
  void packets_added() {
    if (packets_.size() >= most_bytes || packets_.size() - repeated_ >= most_new_bytes) flush();
  }
  void flush();

  [[nodiscard]] std::uint64_t bytes_written() const { return bytes_written_; }

 private:
  // Each block is compressed on its own, so the longer, the better. But Perfetto requires
  // compressed packets below 512 KB, and data without repetitions may not shrink.
  static constexpr std::size_t most_bytes = std::size_t{512} << 10U;
  static constexpr std::size_t most_new_bytes = std::size_t{256} << 10U;

  ByteSink sink_;
  Deflater deflater_;
  std::string packets_;
  std::vector<Repeat> repeats_;  // in packets_
  std::size_t repeated_ = 0;     // bytes of repeats_
  std::uint64_t flushed_ = 0;    // bytes of earlier blocks
  std::uint64_t bytes_written_ = 0;
};

}  // namespace tandem::trace
