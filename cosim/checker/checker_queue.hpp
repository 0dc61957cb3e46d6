// Sits between a machine and the checker: keeps the machine's retirement events, and the data
// written by completed copies, until the checker gets all of it, perhaps in another thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cosim/checker/checker.hpp"
#include "cosim/checker/event_batch.hpp"
#include "runtime/models/machine.hpp"

namespace tandem {

class CheckerQueue final : public EventSink {
 public:
  // `give_now` is called if the checker must look into the machine's memory itself, for a copy that
  // is too large to keep or that the machine never issued: then it must get all events, and again
  // once the value of a volatile CSR has arrived, for which it may have been waiting. `open`: the
  // machine's memory can be read while it runs; else copies carry their words.
  CheckerQueue(const Machine& machine, std::uint32_t chip, bool open,
               std::function<void()> give_now)
      : machine_(machine),
        chip_(chip),
        open_(open),
        give_now_(std::move(give_now)),
        batch_(machine.parameters()),
        aside_(machine.parameters()) {}

  // The cycle of the events to come.
  void set_cycle(std::uint64_t cycle) { batch_.set_cycle(cycle); }
  void copy_done(const CopyDoneEvent& event) override;
  void issue(const IssueEvent& event) override { batch_.issue(event); }
  void copy_issue(const CopyIssueEvent& event) override;
  void write(const WriteEvent& event) override;

  // Of the values kept.
  [[nodiscard]] std::size_t data_words() const { return batch_.data_words(); }
  // Events so far.
  [[nodiscard]] std::uint64_t events() const { return given_ + batch_.events(); }

  // Gives the checker everything, unless it has ended.
  void give(Checker& checker) { give(checker, batch_); }
  // The events so far are set aside, to be passed on while more arrive.
  void set_aside();
  void give_aside(Checker& checker) { give(checker, aside_); }
  // It is not used.
  void drop() { batch_.clear(); }
  void drop_aside() { aside_.clear(); }

  // The cycle of the event at which the comparison ended, if it has.
  [[nodiscard]] std::optional<std::uint64_t> end_cycle() const { return end_cycle_; }

  // Nothing is set aside then.
  template <typename A>
  void archive(A& a) {
    a(batch_, given_, copies_, asks_, end_cycle_);
  }

 private:
  void give(Checker& checker, EventBatch& batch);

  const Machine& machine_;
  std::uint32_t chip_;
  bool open_;
  std::function<void()> give_now_;
  EventBatch batch_;
  EventBatch aside_;
  std::uint64_t given_ = 0;                    // events, those set aside too
  std::map<std::uint32_t, CopyIssue> copies_;  // issued and not complete, by sequence number
  std::vector<std::uint32_t> words_;           // of the copy that completes
  bool asks_ = false;  // of a completed copy that the checker may not have reached yet
  std::optional<std::uint64_t> end_cycle_;
};

}  // namespace tandem
