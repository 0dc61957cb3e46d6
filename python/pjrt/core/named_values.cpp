#include "python/pjrt/core/named_values.hpp"

#include <utility>

namespace tandem::pjrt {

void NamedValues::add(std::string_view name, std::string_view value) {
  const std::string& kept = strings_.emplace_back(value);
  append(name, PJRT_NamedValue_kString, kept.size()).string_value = kept.data();
}

void NamedValues::add(std::string_view name, std::int64_t value) {
  append(name, PJRT_NamedValue_kInt64, 1).int64_value = value;
}

void NamedValues::add(std::string_view name, std::vector<std::int64_t> values) {
  const std::vector<std::int64_t>& kept = lists_.emplace_back(std::move(values));
  append(name, PJRT_NamedValue_kInt64List, kept.size()).int64_array_value = kept.data();
}

void NamedValues::add(std::string_view name, float value) {
  append(name, PJRT_NamedValue_kFloat, 1).float_value = value;
}

void NamedValues::add(std::string_view name, bool value) {
  append(name, PJRT_NamedValue_kBool, 1).bool_value = value;
}

PJRT_NamedValue& NamedValues::append(std::string_view name, PJRT_NamedValue_Type type,
                                     std::size_t size) {
  const std::string& kept = strings_.emplace_back(name);
  PJRT_NamedValue value{};
  value.struct_size = PJRT_NamedValue_STRUCT_SIZE;
  value.name = kept.data();
  value.name_size = kept.size();
  value.type = type;
  value.value_size = size;
  return values_.emplace_back(value);
}

}  // namespace tandem::pjrt
