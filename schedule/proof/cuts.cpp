// The values that the machine has to hold at each cut, and the check that every path to it ensures
// this.
#include <fmt/format.h>

#include "schedule/proof/validator.hpp"

namespace tandem::schedule::proof {

void Validator::settle() {
  find_written();
  for (const Path& path : paths_) {
    for (const auto& [key, text] : path.undefined) {
      if (may_be_written(path.from, key)) return fail(text);
    }
    if (path.to == at_end) {
      for (const Key key : named_) {
        demand(path, {key, key});
        if (!good()) return;
      }
    }
  }
  for (bool changed = true; changed && good();) {
    changed = false;
    for (const Path& path : paths_) {
      if (path.to == at_end) continue;
      const std::set<Demand> wanted = demands_[path.to];
      const std::size_t before = demands_[path.from].size();
      for (const Demand& item : wanted) demand(path, item);
      changed = changed || demands_[path.from].size() != before;
    }
  }
}

void Validator::demand(const Path& path, const Demand& item) {
  require(path, linear(path, item.first), get(path.machine, item.second), item);
}

void Validator::require(const Path& path, Value wanted, Value got, const Demand& item) {
  const auto text = [&] {
    return fmt::format("from operation {} to {}: register {} does not hold {}",
                       result_.cuts[path.from].operation,
                       path.to == at_end ? std::string("the end")
                                         : fmt::format("{}", result_.cuts[path.to].operation),
                       item.second, name_of(item.first));
  };
  if (is_constant(wanted) && got < 0 && path.from != 0) {
    demands_[path.from].insert({static_cast<Key>(wanted - first_constant), key_of_initial(got)});
  } else if (wanted >= 0) {
    if (wanted != got) return fail(text());
    const auto kept = path.kept.find(wanted);
    if (kept != path.kept.end()) require(path, kept->second.first, kept->second.second, item);
  } else if (got < 0) {
    demands_[path.from].insert({key_of_initial(wanted), key_of_initial(got)});
    // At the very beginning a physical register is itself, and a virtual one has no value yet.
    const Key key = key_of_initial(wanted);
    const bool named = key < machine_registers;
    if (path.from == 0 && named && key != key_of_initial(got)) fail(text());
  } else if (may_be_written(path.from, key_of_initial(wanted))) {
    fail(text());
  }
}

std::string Validator::name_of(Key key) const {
  if (key >= machine_registers) return "%" + block_.virtuals[key - machine_registers].name;
  return fmt::format("{}{}", file_letter(static_cast<File>(key / registers_of_file)),
                     key % registers_of_file);
}

void Validator::find_written() {
  written_.resize(result_.cuts.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (const Path& path : paths_) {
      if (path.to == at_end) continue;
      std::set<Key>& to = written_[path.to];
      const std::size_t before = to.size();
      to.insert(written_[path.from].begin(), written_[path.from].end());
      for (const auto& [key, value] : path.linear) to.insert(key);
      changed = changed || to.size() != before;
    }
  }
}

}  // namespace tandem::schedule::proof
