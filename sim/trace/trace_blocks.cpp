#include "sim/trace/trace_blocks.hpp"

#include "sim/trace/protobuf.hpp"
#include "sim/trace/trace_format.hpp"

namespace tandem::trace {

// In a loop, one repeated piece begins where the other ends: they are one repetition.
void Blocks::add(Piece& piece) {
  const std::size_t at = packets_.size();
  const std::size_t length = piece.packets.size();
  const std::uint64_t distance = flushed_ + at + 1 - piece.last;
  if (piece.last > flushed_ && distance <= Deflater::window) {
    const bool goes_on = !repeats_.empty() && repeats_.back().distance == distance &&
                         repeats_.back().at + repeats_.back().length == at;
    if (goes_on) {
      repeats_.back().length += length;
    } else {
      repeats_.push_back({at, length, distance});
    }
    repeated_ += length;
  }
  piece.last = flushed_ + at + 1;
  packets_ += piece.packets;
}

void Blocks::flush() {
  if (packets_.empty()) return;
  std::string packet;
  protobuf::put_bytes(packet, field::compressed_packets, deflater_.compress(packets_, repeats_));
  std::string out;
  protobuf::put_bytes(out, field::packet, packet);
  bytes_written_ += out.size();
  flushed_ += packets_.size();
  packets_.clear();
  repeats_.clear();
  repeated_ = 0;
  sink_(out);
}

}  // namespace tandem::trace
