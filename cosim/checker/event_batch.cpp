#include "cosim/checker/event_batch.hpp"

#include <algorithm>
#include <cstring>

namespace tandem {

void EventBatch::copy_done(const CopyDoneEvent& event) {
  add(Kind::copy_done);
  entries_.back().sequence = event.sequence;
  entries_.back().index = static_cast<std::uint32_t>(event.words.size());
  keep(event.words.data(), event.words.size());
}

void EventBatch::issue(const IssueEvent& event) {
  add(Kind::issue);
  issues_.push_back(event);
}

void EventBatch::copy_issue(const CopyIssueEvent& event) {
  add(Kind::copy_issue);
  copy_issues_.push_back(event);
}

void EventBatch::write(const WriteEvent& event) {
  const Kind kind = event.volatile_csr ? Kind::volatile_csr : Kind::write;
  entries_.push_back(
      {cycle_, kind, event.slot, event.space, event.row, event.sequence, event.index});
  if (event.space == Space::vmem) keep(event.lanes.data(), event.lanes.size());
  keep(event.data, words_of(event.space));
}

// A machine may report a space that does not exist; it always has one word.
std::uint32_t EventBatch::words_of(Space space) const {
  return std::max(tandem::data_words(space, parameters_), 1U);
}

void EventBatch::keep(const std::uint32_t* words, std::size_t count) {
  if (used_ + count > data_.size()) data_.resize(2 * (used_ + count));
  if (count != 0) std::memcpy(data_.data() + used_, words, count * sizeof *words);
  used_ += count;
}

void EventBatch::give_next(EventSink& sink, Place& place) {
  const Entry& entry = entries_[place.event++];
  switch (entry.kind) {
    case Kind::copy_done: return give_copy_done(sink, entry, place);
    case Kind::issue: return sink.issue(issues_[place.issue++]);
    case Kind::copy_issue: return sink.copy_issue(copy_issues_[place.copy_issue++]);
    case Kind::write:
    case Kind::volatile_csr: return give_write(sink, entry, place);
  }
}

void EventBatch::give_copy_done(EventSink& sink, const Entry& entry, Place& place) const {
  const std::uint32_t* words = data_.data() + place.data;
  place.data += entry.index;
  sink.copy_done({entry.sequence, {words, entry.index}});
}

void EventBatch::give_write(EventSink& sink, const Entry& entry, Place& place) const {
  WriteEvent event;
  event.sequence = entry.sequence;
  event.slot = entry.slot;
  event.space = entry.space;
  event.row = entry.row;
  event.index = entry.index;
  event.volatile_csr = entry.kind == Kind::volatile_csr;
  if (entry.space == Space::vmem) {
    std::memcpy(event.lanes.data(), data_.data() + place.data, sizeof event.lanes);
    place.data += event.lanes.size();
  }
  event.data = data_.data() + place.data;
  place.data += words_of(entry.space);
  sink.write(event);
}

void EventBatch::clear() {
  entries_.clear();
  issues_.clear();
  copy_issues_.clear();
  used_ = 0;
}

}  // namespace tandem
