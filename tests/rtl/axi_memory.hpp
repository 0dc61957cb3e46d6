// An AXI4 memory that keeps its masters honest: random ready signals and delays on every channel,
// and a list of every protocol rule that was broken.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "isa/parameters.hpp"
#include "isa/state/memory.hpp"

namespace tandem::axi {

// The signals of a request channel in a cycle.
struct Request {
  bool valid = false;
  std::uint64_t address = 0;
  std::uint32_t length = 0;  // beats minus one
  std::uint32_t size = 0;
  std::uint32_t burst = 0;
  bool operator==(const Request&) const = default;
};

struct WriteBeat {
  bool valid = false;
  bool last = false;
  std::vector<std::uint32_t> data;
  std::vector<std::uint8_t> strobes;  // one a byte, 0 or 1
  bool operator==(const WriteBeat&) const = default;
};

// A rule that AXI calls stability: a valid item that was not taken is still there, unchanged.
template <typename Payload>
class Stability {
 public:
  // Returns whether this cycle keeps the promise of the one before.
  bool check(const Payload& now, bool ready) {
    const bool kept = !waiting_ || now == before_;
    waiting_ = now.valid && !ready;
    before_ = now;
    return kept;
  }

 private:
  bool waiting_ = false;
  Payload before_;
};

class Memory {
 public:
  // Requests that touch [error_from, error_to) are answered with SLVERR.
  Memory(const Parameters& parameters, std::uint64_t bytes, std::uint32_t seed)
      : beat_bytes_(parameters.beat_bytes()), contents_(bytes), random_(seed) {}

  std::uint64_t error_from = 0;
  std::uint64_t error_to = 0;
  std::uint32_t data_percent = 60;  // of the cycles: write data may be taken

  // The memory's wires of the next cycle.
  struct Wires {
    bool arready = false;
    bool awready = false;
    bool wready = false;
    bool rvalid = false;
    std::uint32_t rresp = 0;
    bool bvalid = false;
    std::uint32_t bresp = 0;
  };
  const Wires& drive() {
    wires_.arready = chance(60);
    wires_.awready = chance(60);
    wires_.wready = chance(data_percent);
    // A response, once shown, stays: only a taken one makes room for chance.
    wires_.rvalid = !reads_.empty() && (read_waits_ || chance(70));
    wires_.bvalid = complete_ != 0 && (write_waits_ || chance(50));
    // Invalid signals are ignored.
    wires_.rresp = random_() % 4;
    wires_.bresp = random_() % 4;
    if (wires_.rvalid) {
      wires_.rresp = failing(reads_.front()) ? 2 : 0;
      data_.assign(beat_bytes_ / 4, 0);
      contents_.read_words(reads_.front().address + std::uint64_t{read_beat_} * beat_bytes_, data_);
    }
    if (wires_.bvalid) wires_.bresp = failing(writes_.front()) ? 2 : 0;
    return wires_;
  }
  const std::vector<std::uint32_t>& read_data() const { return data_; }

  // The master's signals in this cycle.
  void observe(const Request& ar, const Request& aw, const WriteBeat& w, bool rready, bool bready) {
    expect(ar_stable_.check(ar, wires_.arready), "AR changed while it was not taken");
    expect(aw_stable_.check(aw, wires_.awready), "AW changed while it was not taken");
    expect(w_stable_.check(w, wires_.wready), "W changed while it was not taken");
    if (ar.valid) check_request(ar, "AR");
    if (aw.valid) check_request(aw, "AW");
    take_responses(rready, bready);
    if (w.valid) expect(!open_.empty(), "W before its burst was granted");
    if (w.valid && wires_.wready && !open_.empty()) take_beat(w);
    if (ar.valid && wires_.arready) reads_.push_back(ar);
    if (aw.valid && wires_.awready) {
      writes_.push_back(aw);
      open_.push_back(aw);
      most_open_ = std::max(most_open_, open_.size());
    }
  }

  bool idle() const { return reads_.empty() && writes_.empty(); }
  std::size_t most_open() const { return most_open_; }  // bursts granted with beats to come
  std::uint64_t read_beats() const { return read_beats_; }
  std::uint64_t write_beats() const { return write_beats_; }
  SparseMemory& contents() { return contents_; }
  const std::vector<std::string>& violations() const { return violations_; }

 private:
  bool chance(std::uint32_t percent) { return random_() % 100 < percent; }
  void expect(bool kept, const std::string& rule) {
    if (!kept && violations_.size() < 10) violations_.push_back(rule);
  }
  bool failing(const Request& request) const {
    return request.address >= error_from && request.address < error_to;
  }

  void check_request(const Request& request, const char* channel) {
    const std::uint64_t bytes = std::uint64_t{request.length + 1} * beat_bytes_;
    expect(std::uint64_t{1} << request.size == beat_bytes_, fmt::format("{}SIZE", channel));
    expect(request.burst == 1, fmt::format("{}BURST is not INCR", channel));
    expect(request.address % beat_bytes_ == 0, fmt::format("{} is not aligned", channel));
    expect(request.address % burst_limit_bytes + bytes <= burst_limit_bytes,
           fmt::format("{} crosses 4 KiB: {:#x} + {}", channel, request.address, bytes));
    expect(request.address + bytes <= contents_.size(), fmt::format("{} outside", channel));
  }

  void take_responses(bool rready, bool bready) {
    read_waits_ = wires_.rvalid && !rready;
    write_waits_ = wires_.bvalid && !bready;
    if (wires_.rvalid && rready) {
      ++read_beats_;
      if (read_beat_++ == reads_.front().length) {
        reads_.pop_front();
        read_beat_ = 0;
      }
    }
    if (wires_.bvalid && bready) {
      writes_.pop_front();
      --complete_;
    }
  }

  void take_beat(const WriteBeat& beat) {
    const Request& request = open_.front();
    const std::uint64_t address = request.address + std::uint64_t{write_beat_} * beat_bytes_;
    for (std::uint32_t i = 0; i < beat_bytes_; ++i) {
      if (beat.strobes[i] == 0) continue;
      const auto byte = static_cast<std::uint8_t>(beat.data[i / 4] >> (8 * (i % 4)));
      contents_.write(address + i, {&byte, 1});
    }
    ++write_beats_;
    const bool last = write_beat_ == request.length;
    expect(beat.last == last, "WLAST in the wrong place");
    ++write_beat_;
    if (!last) return;
    open_.pop_front();
    write_beat_ = 0;
    ++complete_;
  }

  std::uint32_t beat_bytes_;
  SparseMemory contents_;
  std::mt19937 random_;
  Wires wires_;
  Stability<Request> ar_stable_;
  Stability<Request> aw_stable_;
  Stability<WriteBeat> w_stable_;
  std::deque<Request> reads_;   // granted, not answered
  std::deque<Request> writes_;  // granted, not answered
  std::deque<Request> open_;    // granted, not all beats there
  std::size_t most_open_ = 0;
  std::size_t complete_ = 0;  // at the front of writes_: all beats there
  std::uint32_t read_beat_ = 0;
  std::uint32_t write_beat_ = 0;
  bool read_waits_ = false;
  bool write_waits_ = false;
  std::uint64_t read_beats_ = 0;
  std::uint64_t write_beats_ = 0;
  std::vector<std::uint32_t> data_;
  std::vector<std::string> violations_;
};

}  // namespace tandem::axi
