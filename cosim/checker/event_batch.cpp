#include "cosim/checker/event_batch.hpp"

#include <algorithm>

namespace tandem {

void EventBatch::copy_done(const CopyDoneEvent& event) {
  add(Kind::copy_done);
  copies_done_.push_back(event);
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
  add(Kind::write);
  writes_.push_back({event, data_.size()});
  // A machine may report a space that does not exist; it always shows one word.
  const std::uint32_t words = std::max(tandem::data_words(event.space, parameters_), 1U);
  data_.insert(data_.end(), event.data, event.data + words);
}

void EventBatch::give_next(EventSink& sink, Place& place) {
  switch (entries_[place.event++].kind) {
    case Kind::copy_done: return sink.copy_done(copies_done_[place.copy_done++]);
    case Kind::issue: return sink.issue(issues_[place.issue++]);
    case Kind::copy_issue: return sink.copy_issue(copy_issues_[place.copy_issue++]);
    case Kind::write: {
      KeptWrite& kept = writes_[place.write++];
      kept.event.data = data_.data() + kept.data;
      return sink.write(kept.event);
    }
  }
}

void EventBatch::clear() {
  entries_.clear();
  copies_done_.clear();
  issues_.clear();
  copy_issues_.clear();
  writes_.clear();
  data_.clear();
}

}  // namespace tandem
