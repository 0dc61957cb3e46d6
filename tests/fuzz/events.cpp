// Any bytes as a stream of events; and a good one with bytes changed and no checksum, so that what
// compares the events is reached.
#include <string>

#include "assembler/assembler.hpp"
#include "tests/cosim/planted_program.hpp"
#include "tests/foreign/recorded.hpp"

namespace {

using namespace tandem;  // NOLINT

Recorded good_run() {
  const std::string text = std::string(planted_program) + planted_halt;
  return record(make_image(build(std::vector{SourceText{"e.s", text}}).program), std::nullopt);
}

// Each five bytes are an offset and the byte to put there.
std::string changed(std::string stream, const std::uint8_t* edits, std::size_t size) {
  const std::size_t flags = stream.size() - 8;
  stream[flags] = static_cast<char>(stream[flags] & ~static_cast<char>(end_checksum));
  for (; size >= 5; edits += 5, size -= 5) {
    std::uint32_t offset = 0;
    std::memcpy(&offset, edits, sizeof offset);
    stream[offset % stream.size()] = static_cast<char>(edits[4]);
  }
  return stream;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Recorded good = good_run();
  if (size == 0) return 0;
  const bool plain = (data[0] & 1U) != 0;
  const std::string stream =
      plain ? std::string(data + 1, data + size) : changed(good.stream, data + 1, size - 1);
  try {
    const auto level = static_cast<CheckLevel>((data[0] >> 1U) % 3);
    replay(good.image, stream, level, 10'000);
  } catch (const StreamError&) {
  }
  return 0;
}
