// Reads a stream of events (cosim/stream/event_stream.hpp) and passes them to a check.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "cosim/foreign/core_check.hpp"
#include "cosim/stream/event_stream.hpp"

namespace tandem {

class StreamReader {
 public:
  // Fills as many bytes as there are, and returns their number; fewer than requested only at the
  // end.
  using Input = std::function<std::size_t(std::span<std::uint8_t> bytes)>;

  // Reads the header. Throws StreamError, like everything here.
  explicit StreamReader(Input input);

  [[nodiscard]] const StreamHeader& header() const { return header_; }
  // Passes the next record to the check; false after the last; then the check is finished unless
  // the core had not stopped.
  bool give_next(CoreCheck& check);
  // The core had stopped when the stream ended.
  [[nodiscard]] bool stopped() const { return stopped_; }

 private:
  using Words = std::span<const std::uint32_t>;

  [[noreturn]] void refuse(const std::string& what) const;
  void read(std::span<std::uint32_t> words);
  void read_header();
  void want(std::size_t least, std::size_t most) const;
  // Refuses a word of the record with other bits than these.
  void unused(std::size_t word, std::uint32_t used) const;
  void give_issue(CoreCheck& check) const;
  void give_write(CoreCheck& check) const;
  void give_copy_issue(CoreCheck& check) const;
  void give_timing(CoreCheck& check) const;
  void give_part(CoreCheck& check) const;
  void give_end(CoreCheck& check, std::uint32_t checksum);
  void give_record(CoreCheck& check, RecordKind kind);

  Input input_;
  StreamHeader header_;
  std::vector<std::uint32_t> words_;  // of the record
  std::uint64_t bytes_ = 0;           // read so far
  std::uint64_t record_at_ = 0;       // where the record begins
  std::uint32_t checksum_ = 0;
  bool stopped_ = false;
};

}  // namespace tandem
