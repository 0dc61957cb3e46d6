#include "sim/trace_blocks.hpp"

#include <libdeflate.h>

#include <new>

#include "sim/protobuf.hpp"
#include "sim/trace_format.hpp"

namespace tandem::trace {

namespace {
// The fastest: the packets of a loop are the same bytes again and again.
constexpr int compression_level = 1;
}  // namespace

void Blocks::Free::operator()(libdeflate_compressor* compressor) const {
  libdeflate_free_compressor(compressor);
}

Blocks::Blocks(ByteSink sink)
    : sink_(std::move(sink)), compressor_(libdeflate_alloc_compressor(compression_level)) {
  if (!compressor_) throw std::bad_alloc();
}

void Blocks::flush() {
  if (packets_.empty()) return;
  compressed_.resize(libdeflate_zlib_compress_bound(compressor_.get(), packets_.size()));
  compressed_.resize(libdeflate_zlib_compress(compressor_.get(), packets_.data(), packets_.size(),
                                              compressed_.data(), compressed_.size()));
  std::string packet;
  protobuf::put_bytes(packet, field::compressed_packets, compressed_);
  std::string out;
  protobuf::put_bytes(out, field::packet, packet);
  bytes_written_ += out.size();
  packets_.clear();
  sink_(out);
}

}  // namespace tandem::trace
