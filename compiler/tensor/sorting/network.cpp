#include "compiler/tensor/sorting/network.hpp"

#include "llvm/Support/MathExtras.h"

namespace tandem::compiler {
namespace {

constexpr int group_levels = 3;  // a group of the table is eight rows
constexpr int levels_at_once = 3;

using Pairs = llvm::SmallVector<std::pair<unsigned, unsigned>>;

// Sorts `count` elements: Batcher's merges of odd and even ones.
Pairs sorting_pairs(unsigned count) {
  Pairs pairs;
  for (unsigned p = 1; p < count; p *= 2) {
    for (unsigned k = p; k >= 1; k /= 2) {
      for (unsigned j = k % p; j + k < count; j += 2 * k) {
        for (unsigned i = 0; i < k && i + j + k < count; ++i) {
          if ((i + j) / (2 * p) == (i + j + k) / (2 * p)) pairs.emplace_back(i + j, i + j + k);
        }
      }
    }
  }
  return pairs;
}

// Sorts blocks of 2^levels elements that are bitonic, or, if `turned`, whose halves are sorted.
Pairs merging_pairs(unsigned count, int levels, bool turned) {
  Pairs pairs;
  for (int level = levels; level-- > 0;) {
    const unsigned apart = 1U << static_cast<unsigned>(level);
    const bool first = turned && level + 1 == levels;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned other = first ? i ^ (2 * apart - 1) : i ^ apart;
      if (i < other) pairs.emplace_back(i, other);
    }
  }
  return pairs;
}

}  // namespace

int levels_of(std::int64_t count) {
  return static_cast<int>(llvm::Log2_64_Ceil(static_cast<std::uint64_t>(count)));
}

void Network::exchanged(llvm::ArrayRef<llvm::SmallVector<mlir::Value>> views,
                        llvm::ArrayRef<mlir::AffineMap> maps, const Pairs& pairs) {
  const std::size_t fields = table_.fields().size();
  Values outputs;
  llvm::SmallVector<mlir::AffineMap> all;
  for (const auto [element, map] : llvm::zip(views, maps)) {
    outputs.append(element);
    all.append(fields, map);
  }
  on_buffers(builder_, loc_, {}, outputs, all,
             [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange arguments) {
               Elements elements;
               for (std::size_t i = 0; i < views.size(); ++i) {
                 elements.emplace_back(arguments.slice(i * fields, fields));
               }
               for (const auto& [one, other] : pairs) {
                 exchange_(b, at, elements[one], elements[other]);
               }
               Values results;
               for (const auto& element : elements) results.append(element);
               return results;
             });
}

void Network::within_groups(const Pairs& pairs) {
  const std::int64_t size = std::min<std::int64_t>(table_.rows(), 8);
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> views(size);
  for (std::int64_t i = 0; i < size; ++i) {
    for (std::size_t field = 0; field < table_.fields().size(); ++field) {
      views[i].push_back(table_.element(field, 0, table_.rows() < 8 ? 1 : blocks(group_levels), i));
    }
  }
  const llvm::SmallVector<mlir::AffineMap> maps(size, builder_.getMultiDimIdentityMap(3));
  exchanged(views, maps, pairs);
}

// Comparisons of rows that are 2^lowest and up to 2^(lowest + levels - 1) apart.
void Network::between_groups(int lowest, int levels, bool turned) {
  const std::int64_t of = std::int64_t{1} << levels;
  const std::int64_t groups = std::int64_t{1} << (lowest - group_levels);
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> views(of);
  llvm::SmallVector<mlir::AffineMap> maps;
  const auto loop = [&](unsigned number) { return builder_.getAffineDimExpr(number); };
  for (std::int64_t i = 0; i < of; ++i) {
    for (std::size_t field = 0; field < table_.fields().size(); ++field) {
      views[i].push_back(table_.part(field, {0, blocks(lowest + levels), i, of, groups}));
    }
    const bool reversed = turned && i >= of / 2;
    maps.push_back(
        mlir::AffineMap::get(5, 0,
                             {loop(0), loop(1), reversed ? groups - 1 - loop(2) : loop(2),
                              reversed ? 7 - loop(3) : loop(3), loop(4)},
                             builder_.getContext()));
  }
  exchanged(views, maps, merging_pairs(static_cast<unsigned>(of), levels, turned));
}

// The levels of a merge that compare rows of different groups; the first operation has the
// remainder of several levels at once.
void Network::levels_between(int levels, bool turned) {
  int left = levels - group_levels;
  while (left > 0) {
    const int now = left % levels_at_once != 0 ? left % levels_at_once : levels_at_once;
    left -= now;
    between_groups(group_levels + left, now, turned);
    turned = false;
  }
}

void Network::merge_bitonic(int levels) {
  levels_between(levels, false);
  within_groups(merging_pairs(8, std::min(levels, group_levels), false));
}

void Network::merge_sorted(int levels) {
  levels_between(levels, true);
  within_groups(merging_pairs(8, std::min(levels, group_levels), levels <= group_levels));
}

void Network::sort(int levels) {
  within_groups(sorting_pairs(static_cast<unsigned>(std::min<std::int64_t>(table_.rows(), 8))));
  for (int level = group_levels + 1; level <= levels; ++level) merge_sorted(level);
}

void Network::keep_first(int levels) {
  const std::int64_t groups = std::int64_t{1} << (levels - group_levels);
  const std::size_t fields = table_.fields().size();
  const auto loop = [&](unsigned number) { return builder_.getAffineDimExpr(number); };
  const auto turned = mlir::AffineMap::get(
      5, 0, {loop(0), loop(1), groups - 1 - loop(2), 7 - loop(3), loop(4)}, builder_.getContext());
  for (std::int64_t count = blocks(levels); count > 1; count = blocks(levels)) {
    const std::int64_t half = (count + 1) / 2;
    Values inputs;
    Values outputs;
    for (std::size_t field = 0; field < fields; ++field) {
      inputs.push_back(table_.part(field, {half, count - half, 0, 1, groups}));
      outputs.push_back(table_.part(field, {0, count - half, 0, 1, groups}));
    }
    llvm::SmallVector<mlir::AffineMap> maps(fields, turned);
    maps.append(fields, builder_.getMultiDimIdentityMap(5));
    on_buffers(builder_, loc_, inputs, outputs, maps,
               [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange arguments) {
                 llvm::SmallVector<mlir::Value> kept(arguments.drop_front(fields));
                 llvm::SmallVector<mlir::Value> gone(arguments.take_front(fields));
                 exchange_(b, at, kept, gone);
                 return kept;
               });
    used_ = half << levels;
    merge_bitonic(levels);
  }
}

}  // namespace tandem::compiler
