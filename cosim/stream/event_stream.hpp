// The events of a core as bytes: a header, then records, all in words of 32 bits, little-endian.
// docs/event_stream.md is the definition; numbers never change.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "cosim/checker/core_terms.hpp"
#include "sim/memory/memory_timing.hpp"

namespace tandem {

inline constexpr std::array<std::uint32_t, 2> stream_magic{0x444e4154, 0x5645'4d45};  // "TANDEMEV"
inline constexpr std::uint32_t stream_version = 1;
inline constexpr std::size_t stream_fixed_words = 20;  // of the header, before the machine's name
inline constexpr std::size_t most_header_words = 20 + 64;  // names have at most 256 bytes

enum class RecordKind : std::uint8_t {
  issue = 1,
  write = 2,
  copy_issue = 3,
  copy_done = 4,
  cycle = 5,
  timing = 6,
  part = 7,
  end = 8,
};

// Word 0 of a record: kind | words that follow << 8.
inline constexpr std::size_t most_record_words = (1U << 24U) - 1;

// Of the last record.
inline constexpr std::uint32_t end_stopped = 1;    // the core has stopped, its parts were reported
inline constexpr std::uint32_t end_hbm_whole = 2;  // HBM is as at the start where not reported
inline constexpr std::uint32_t end_checksum = 4;   // the checksum is valid

struct StreamHeader {
  std::string machine;  // as for --machine
  std::uint32_t lanes = 0;
  CheckLevel level = CheckLevel::all;
  bool times = false;
  std::uint32_t seed = 0;       // of never-written state; 0: the default
  std::uint64_t hbm_bytes = 0;  // 0: the default
  MemoryTimingParameters memory;
};

// Not a stream, or a damaged one, with the offset of the error.
struct StreamError {
  std::string message;
};

}  // namespace tandem
