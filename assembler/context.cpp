#include "assembler/context.hpp"

namespace tandem::assembly {

const Parameters& Context::parameters() {
  if (preset == nullptr) preset = find_preset(default_preset);
  return *preset;
}

std::uint32_t Context::file_index(std::string_view name) {
  if (name == last_file_ && !object.files.empty()) return last_index_;
  const auto found = file_indices_.find(name);
  last_file_ = name;
  if (found != file_indices_.end()) return last_index_ = found->second;
  last_index_ = static_cast<std::uint32_t>(object.files.size());
  object.files.emplace_back(name);
  return file_indices_[name] = last_index_;
}

}  // namespace tandem::assembly
