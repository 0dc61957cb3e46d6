// Lists of named values in the interface's form, which points into what this owns.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "python/pjrt/core/pjrt_header.hpp"

namespace tandem::pjrt {

class NamedValues {
 public:
  NamedValues() = default;
  NamedValues(const NamedValues&) = delete;
  NamedValues& operator=(const NamedValues&) = delete;

  void add(std::string_view name, std::string_view value);
  void add(std::string_view name, std::int64_t value);
  void add(std::string_view name, std::vector<std::int64_t> values);
  void add(std::string_view name, float value);
  void add(std::string_view name, bool value);
  void add(std::string_view name, const char* value) { add(name, std::string_view(value)); }

  [[nodiscard]] const PJRT_NamedValue* data() const { return values_.data(); }
  [[nodiscard]] std::size_t size() const { return values_.size(); }

 private:
  PJRT_NamedValue& append(std::string_view name, PJRT_NamedValue_Type type, std::size_t size);

  std::vector<PJRT_NamedValue> values_;
  std::deque<std::string> strings_;  // a deque: what points to elements stays right
  std::deque<std::vector<std::int64_t>> lists_;
};

}  // namespace tandem::pjrt
