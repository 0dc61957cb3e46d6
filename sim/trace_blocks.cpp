#include "sim/trace_blocks.hpp"

#include "sim/protobuf.hpp"
#include "sim/trace_format.hpp"

namespace tandem::trace {

void Blocks::flush() {
  if (packets_.empty()) return;
  deflater_.compress(packets_, compressed_);
  std::string packet;
  protobuf::put_bytes(packet, field::compressed_packets, compressed_);
  std::string out;
  protobuf::put_bytes(out, field::packet, packet);
  bytes_written_ += out.size();
  packets_.clear();
  sink_(out);
}

}  // namespace tandem::trace
