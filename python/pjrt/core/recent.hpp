// The results for the last keys, so that they need not be looked up again.
#pragma once

#include <algorithm>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace tandem::pjrt {

// Any thread may call any member.
template <typename Value>
class Recent {
 public:
  // Null when it is not there, or has been dropped.
  std::shared_ptr<const Value> find(std::string_view key) {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [key](const Entry& entry) { return entry.key == key; });
    if (found == entries_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found);
    return found->value;
  }
  void remember(std::string_view key, std::shared_ptr<const Value> value) {
    const std::lock_guard lock(mutex_);
    entries_.push_front({std::string(key), std::move(value)});
    if (entries_.size() > most) entries_.pop_back();
  }

 private:
  static constexpr std::size_t most = 64;
  struct Entry {
    std::string key;
    std::shared_ptr<const Value> value;
  };
  std::mutex mutex_;
  std::list<Entry> entries_;  // the newest first
};

}  // namespace tandem::pjrt
