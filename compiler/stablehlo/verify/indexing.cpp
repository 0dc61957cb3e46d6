// Gathers and scatters: which dimensions of operand, indices and the third tensor belong together.
#include <fmt/format.h>

#include "compiler/stablehlo/verify/facts.hpp"

namespace tandem::compiler::verify {
namespace {

using Extents = llvm::ArrayRef<std::int64_t>;

// The names of corresponding attributes in both operations.
struct Names {
  const char* index_map;
  const char* gone;  // dimensions of the operand that are missing in the third tensor
  const char* batching;
  const char* index_batching;
};
constexpr Names gather_names{"start_index_map", "collapsed_slice_dims", "operand_batching_dims",
                             "start_indices_batching_dims"};
constexpr Names scatter_names{"scatter_dims_to_operand_dims", "inserted_window_dims",
                              "input_batching_dims", "scatter_indices_batching_dims"};

bool sorted(Facts& facts, const char* name, const Numbers& given) {
  return facts.want(llvm::is_sorted(given),
                    fmt::format("`{}` is {}, not ascending", name, text(given)));
}

struct Indexing {
  std::int64_t vector = 0;  // the dimension of the indices that holds one index
  Numbers gone;
  Numbers batching;
  Shape scattered;  // the indices' shape without that dimension

  [[nodiscard]] bool keeps(std::size_t dimension) const {
    const auto number = static_cast<std::int64_t>(dimension);
    return !llvm::is_contained(gone, number) && !llvm::is_contained(batching, number);
  }
};

bool batches(Facts& facts, const Names& names, Extents operand, Extents indices, Indexing& found) {
  const Numbers in_indices = facts.numbers(names.index_batching);
  if (facts.failed() || !facts.dimensions(names.index_batching, in_indices, indices.size()) ||
      !facts.different(names.index_batching, in_indices) ||
      !facts.want(in_indices.size() == found.batching.size(),
                  "operand and indices have as many batching dimensions")) {
    return false;
  }
  for (std::size_t i = 0; i < in_indices.size(); ++i) {
    const bool is_alike =
        in_indices[i] != found.vector && indices[in_indices[i]] == operand[found.batching[i]];
    if (!facts.want(is_alike, fmt::format("batching dimension {} of the indices does not fit {}",
                                          in_indices[i], found.batching[i]))) {
      return false;
    }
  }
  return true;
}

bool indexing(Facts& facts, const Names& names, Extents operand, Extents indices, Indexing& found) {
  found.vector = facts.number("index_vector_dim", 0);
  const Numbers map = facts.numbers(names.index_map);
  found.gone = facts.numbers(names.gone);
  found.batching = facts.numbers(names.batching);
  Numbers without = found.gone;
  without.append(found.batching);
  if (facts.failed() || !facts.dimensions("index_vector_dim", found.vector, indices.size() + 1) ||
      !facts.dimensions(names.index_map, map, operand.size()) ||
      !facts.different(names.index_map, map) ||
      !facts.dimensions(names.gone, without, operand.size()) ||
      !facts.different(names.gone, without) || !sorted(facts, names.gone, found.gone) ||
      !sorted(facts, names.batching, found.batching)) {
    return false;
  }
  const bool is_explicit = found.vector < static_cast<std::int64_t>(indices.size());
  const std::int64_t length = is_explicit ? indices[found.vector] : 1;
  if (!facts.want(length == static_cast<std::int64_t>(map.size()),
                  fmt::format("`{}` has {} numbers, an index has {}", names.index_map, map.size(),
                              length))) {
    return false;
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (static_cast<std::int64_t>(i) != found.vector) found.scattered.push_back(indices[i]);
  }
  return batches(facts, names, operand, indices, found);
}

// The dimensions `window` of a tensor of this rank, and the others in order.
bool split(Facts& facts, const char* name, const Numbers& window, const Indexing& found,
           std::size_t operand_rank, std::size_t rank) {
  const std::size_t kept = operand_rank - found.gone.size() - found.batching.size();
  return facts.dimensions(name, window, rank) && facts.different(name, window) &&
         sorted(facts, name, window) &&
         facts.want(window.size() == kept && rank == kept + found.scattered.size(),
                    fmt::format("`{}` has {} numbers, {} dimensions of the operand are there, and "
                                "{} of the indices, in rank {}",
                                name, window.size(), kept, found.scattered.size(), rank));
}

bool gather(Facts& facts) {
  if (!facts.counts(2, 1)) return false;
  const Extents operand = facts.operand(0);
  Indexing found;
  if (!indexing(facts, gather_names, operand, facts.operand(1), found)) return false;
  const Numbers sizes = facts.list("slice_sizes", operand.size(), -1);
  const Numbers offsets = facts.numbers("offset_dims");
  const std::size_t rank = facts.result().size();
  if (facts.failed() || !split(facts, "offset_dims", offsets, found, operand.size(), rank)) {
    return false;
  }
  Shape kept;
  for (std::size_t i = 0; i < operand.size(); ++i) {
    const std::int64_t most = found.keeps(i) ? operand[i] : std::min<std::int64_t>(operand[i], 1);
    if (sizes[i] < 0 || sizes[i] > most) {
      return facts.fail(fmt::format("`slice_sizes` has {} for dimension {}, at most {} is possible",
                                    sizes[i], i, most));
    }
    if (found.keeps(i)) kept.push_back(sizes[i]);
  }
  Shape shape;
  std::size_t next = 0;
  std::size_t next_kept = 0;
  for (std::size_t i = 0; i < rank; ++i) {
    const bool is_offset = llvm::is_contained(offsets, static_cast<std::int64_t>(i));
    shape.push_back(is_offset ? kept[next_kept++] : found.scattered[next++]);
  }
  return facts.shape(shape);
}

bool updates_fit(Facts& facts, const Numbers& window, const Indexing& found, Extents operand,
                 Extents updates) {
  Numbers kept;
  for (std::size_t i = 0; i < operand.size(); ++i) {
    if (found.keeps(i)) kept.push_back(operand[i]);
  }
  std::size_t next = 0;
  std::size_t next_kept = 0;
  for (std::size_t i = 0; i < updates.size(); ++i) {
    const bool is_window = llvm::is_contained(window, static_cast<std::int64_t>(i));
    const bool fits =
        is_window ? updates[i] <= kept[next_kept++] : found.scattered[next++] == updates[i];
    if (!fits) {
      return facts.fail(fmt::format("updates of the shape {} do not go into {} with indices of {}",
                                    text(updates), text(operand), text(found.scattered)));
    }
  }
  return true;
}

bool scatter(Facts& facts) {
  const std::size_t count = facts.op()->getNumResults();
  if (!facts.want(count > 0, "it has no results") || !facts.counts(2 * count + 1, count)) {
    return false;
  }
  const Extents operand = facts.operand(0);
  Indexing found;
  if (!indexing(facts, scatter_names, operand, facts.operand(count), found)) return false;
  const Numbers window = facts.numbers("update_window_dims");
  for (std::size_t i = 0; i < count; ++i) {
    const Extents updates = facts.operand(count + 1 + i);
    if (facts.failed() ||
        !split(facts, "update_window_dims", window, found, operand.size(), updates.size()) ||
        !facts.want(facts.operand(i) == operand, "its operands are of one shape") ||
        !updates_fit(facts, window, found, operand, updates) ||
        !facts.shape(shape_of(operand), i)) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool verify_indexing(Facts& facts, llvm::StringRef name) {
  if (name == "gather") return gather(facts);
  if (name == "scatter") return scatter(facts);
  return true;
}

}  // namespace tandem::compiler::verify
