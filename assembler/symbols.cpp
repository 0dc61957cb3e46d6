#include "assembler/symbols.hpp"

#include <functional>

namespace tandem::assembly {

SymbolTable::SymbolTable() : buckets_(1024, no_symbol) {}

// The bucket that holds the name, or the free one where it belongs.
std::size_t SymbolTable::bucket_of(std::string_view name) const {
  const std::size_t mask = buckets_.size() - 1;
  std::size_t bucket = std::hash<std::string_view>()(name) & mask;
  while (buckets_[bucket] != no_symbol && entries_[buckets_[bucket]].name != name) {
    bucket = (bucket + 1) & mask;
  }
  return bucket;
}

SymbolId SymbolTable::find(std::string_view name) const { return buckets_[bucket_of(name)]; }

SymbolId SymbolTable::intern(std::string_view name) {
  const std::size_t bucket = bucket_of(name);
  if (buckets_[bucket] != no_symbol) return buckets_[bucket];
  const auto id = static_cast<SymbolId>(entries_.size());
  buckets_[bucket] = id;
  entries_.emplace_back().name = name;
  if (entries_.size() * 2 > buckets_.size()) grow();
  return id;
}

void SymbolTable::grow() {
  buckets_.assign(buckets_.size() * 2, no_symbol);
  for (SymbolId id = 0; id < entries_.size(); ++id) buckets_[bucket_of(entries_[id].name)] = id;
}

}  // namespace tandem::assembly
