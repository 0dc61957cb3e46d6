// Events of a machine, collected to be passed on together. The simulated RTL is a long stretch of
// code that evicts everything else from the host's caches; a reader that is called once for some
// hundred cycles finds its own code and data there again, while one called in every cycle does not.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/models/machine_events.hpp"

namespace tandem {

class EventBatch final : public EventSink {
 public:
  explicit EventBatch(const Parameters& parameters) : parameters_(parameters) {}

  // The cycle of the events to come.
  void set_cycle(std::uint64_t cycle) { cycle_ = cycle; }
  void copy_done(const CopyDoneEvent& event) override;
  void issue(const IssueEvent& event) override;
  void copy_issue(const CopyIssueEvent& event) override;
  void write(const WriteEvent& event) override;

  [[nodiscard]] std::size_t events() const { return entries_.size(); }
  // Of the written values, including those of copies.
  [[nodiscard]] std::size_t data_words() const { return used_; }
  void clear();
  // Passes on the events in order of arrival, until `stop()` is true, and forgets them all. The
  // sink must not add to this batch. Returns the cycle of the last that was given. A sink with
  // prepare() is notified of bundles whose events follow.
  template <typename Sink, typename Stop>
  std::uint64_t give(Sink& sink, Stop stop) {
    Place place;
    std::uint64_t last = cycle_;
    while (place.event < entries_.size() && !stop()) {
      last = entries_[place.event].cycle;
      if constexpr (requires { sink.prepare(0U, 0U); }) {
        if (place.event + 4 < entries_.size()) {
          sink.prepare(entries_[place.event + 4].sequence, entries_[place.event + 2].sequence);
        }
      }
      give_next(sink, place);
    }
    clear();
    return last;
  }

  template <typename A>
  void archive(A& a) {
    data_.resize(used_);
    a(cycle_, entries_, issues_, copy_issues_, data_);
    used_ = data_.size();
  }

 private:
  enum class Kind : std::uint8_t { copy_done, issue, copy_issue, write, volatile_csr };
  // A write without its words, which are in data_, for a row of VMEM after its lanes. The same for
  // a copy's completion; its index is their number.
  struct Entry {
    std::uint64_t cycle;
    Kind kind;
    Slot slot{};
    Space space{};
    std::uint8_t row = 0;
    std::uint32_t sequence = 0;
    std::uint32_t index = 0;
  };
  // The part that has been passed on.
  struct Place {
    std::size_t event = 0, issue = 0, copy_issue = 0, data = 0;
  };

  void add(Kind kind) { entries_.push_back({cycle_, kind}); }
  [[nodiscard]] std::uint32_t words_of(Space space) const;
  void keep(const std::uint32_t* words, std::size_t count);
  void give_next(EventSink& sink, Place& place);
  void give_copy_done(EventSink& sink, const Entry& entry, Place& place) const;
  void give_write(EventSink& sink, const Entry& entry, Place& place) const;

  Parameters parameters_;
  std::uint64_t cycle_ = 0;
  std::vector<Entry> entries_;
  std::vector<IssueEvent> issues_;
  std::vector<CopyIssueEvent> copy_issues_;
  std::vector<std::uint32_t> data_;  // the first used_ words; the rest is free
  std::size_t used_ = 0;
};

}  // namespace tandem
