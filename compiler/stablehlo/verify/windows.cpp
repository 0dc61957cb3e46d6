// Operations on windows: reductions, pooling, convolutions.
#include <fmt/format.h>

#include "compiler/stablehlo/verify/facts.hpp"

namespace tandem::compiler::verify {
namespace {

bool all_alike(Facts& facts, std::size_t first, std::size_t end) {
  for (std::size_t i = first + 1; i < end; ++i) {
    if (facts.operand(i) == facts.operand(first)) continue;
    return facts.fail(fmt::format("operand {} is of the shape {}, operand {} of {}", i,
                                  text(facts.operand(i)), first, text(facts.operand(first))));
  }
  return true;
}

// As many initial values, of rank 0, as tensors; as many results.
bool reduces(Facts& facts) {
  const std::size_t count = facts.op()->getNumOperands() / 2;
  if (!facts.want(count > 0, "it has no operands") || !facts.counts(2 * count, count)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (!facts.want(facts.operand(count + i).empty(), "what it begins with is of rank 0"))
      return false;
  }
  return all_alike(facts, 0, count);
}

bool all_results(Facts& facts, const Shape& shape) {
  for (std::size_t i = 0; i < facts.op()->getNumResults(); ++i) {
    if (!facts.shape(shape, i)) return false;
  }
  return true;
}

bool reduce(Facts& facts) {
  if (!reduces(facts)) return false;
  const auto extents = facts.operand(0);
  const Numbers gone = facts.numbers("dimensions");
  if (facts.failed() || !facts.dimensions("dimensions", gone, extents.size()) ||
      !facts.different("dimensions", gone)) {
    return false;
  }
  Shape shape;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (!llvm::is_contained(gone, static_cast<std::int64_t>(i))) shape.push_back(extents[i]);
  }
  return all_results(facts, shape);
}

Window window_of(Facts& facts, std::size_t rank) {
  return {facts.list("window_dimensions", rank, 1), facts.list("window_strides", rank, 1),
          facts.list("padding", 2 * rank, 0), facts.list("base_dilations", rank, 1),
          facts.list("window_dilations", rank, 1)};
}

bool reduce_window(Facts& facts) {
  if (!reduces(facts)) return false;
  const auto extents = facts.operand(0);
  const Window window = window_of(facts, extents.size());
  Shape shape;
  return !facts.failed() && windows(facts, window, extents, shape) && all_results(facts, shape);
}

bool select_and_scatter(Facts& facts) {
  if (!facts.counts(3, 1)) return false;
  const auto extents = facts.operand(0);
  const Window window = window_of(facts, extents.size());
  Shape shape;
  if (facts.failed() || !windows(facts, window, extents, shape)) return false;
  return facts.want(facts.operand(2).empty(), "what it begins with is of rank 0") &&
         facts.want(llvm::equal(facts.operand(1), shape),
                    fmt::format("its windows are of the shape {}, what it scatters of {}",
                                text(shape), text(facts.operand(1)))) &&
         facts.shape(shape_of(extents));
}

// The dimensions of one of the three tensors: two with a meaning, and the spatial ones.
struct Roles {
  std::int64_t first;
  std::int64_t second;
  Numbers space;
};

bool roles(Facts& facts, std::size_t rank, const char* first, const char* second, const char* space,
           Roles& found) {
  if (!facts.want(rank >= 2, "its tensors have at least rank 2")) return false;
  found = {facts.number(first, -1), facts.number(second, -1), facts.list(space, rank - 2, -1)};
  Numbers all = found.space;
  all.append({found.first, found.second});
  return !facts.failed() && facts.dimensions(space, all, rank) && facts.different(space, all);
}

bool convolution(Facts& facts) {
  if (!facts.counts(2, 1)) return false;
  const auto input = facts.operand(0);
  const auto kernel = facts.operand(1);
  const std::size_t rank = input.size();
  if (!facts.want(kernel.size() == rank && facts.result().size() == rank,
                  "its tensors are of one rank")) {
    return false;
  }
  Roles in;
  Roles weights;
  Roles out;
  if (!roles(facts, rank, "input_batch_dimension", "input_feature_dimension",
             "input_spatial_dimensions", in) ||
      !roles(facts, rank, "kernel_input_feature_dimension", "kernel_output_feature_dimension",
             "kernel_spatial_dimensions", weights) ||
      !roles(facts, rank, "output_batch_dimension", "output_feature_dimension",
             "output_spatial_dimensions", out)) {
    return false;
  }
  Window window{{},
                facts.list("window_strides", rank - 2, 1),
                facts.list("padding", 2 * (rank - 2), 0),
                facts.list("lhs_dilation", rank - 2, 1),
                facts.list("rhs_dilation", rank - 2, 1)};
  Numbers space;
  for (const std::int64_t i : in.space) space.push_back(input[i]);
  for (const std::int64_t i : weights.space) window.sizes.push_back(kernel[i]);
  const std::int64_t groups = facts.number("feature_group_count", 1);
  const std::int64_t batches = facts.number("batch_group_count", 1);
  if (facts.failed() || !facts.at_least("feature_group_count", groups, 1) ||
      !facts.at_least("batch_group_count", batches, 1)) {
    return false;
  }
  const std::int64_t features = kernel[weights.second];
  const bool divides = input[in.second] % groups == 0 && features % groups == 0 &&
                       input[in.first] % batches == 0 && features % batches == 0 &&
                       input[in.second] / groups == kernel[weights.first];
  if (!facts.want(divides, "features and groups of its operands do not go with each other")) {
    return false;
  }
  Shape spatial;
  if (!windows(facts, window, space, spatial)) return false;
  Shape shape(rank, 0);
  shape[out.first] = input[in.first] / batches;
  shape[out.second] = features;
  for (std::size_t i = 0; i < spatial.size(); ++i) shape[out.space[i]] = spatial[i];
  return facts.shape(shape);
}

}  // namespace

bool windows(Facts& facts, const Window& window, llvm::ArrayRef<std::int64_t> extents,
             Shape& shape) {
  const bool positive = facts.at_least("window_strides", window.strides, 1) &&
                        facts.at_least("dilations of what is under the window", window.base, 1) &&
                        facts.at_least("dilations of the window", window.dilation, 1) &&
                        facts.at_least("sizes of the window", window.sizes, 0);
  if (!positive) return false;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const Wide spread = extents[i] == 0 ? 0 : (Wide{extents[i]} - 1) * window.base[i] + 1;
    const Wide padded = spread + window.padding[2 * i] + window.padding[2 * i + 1];
    const Wide reach =
        window.sizes[i] == 0 ? 0 : (Wide{window.sizes[i]} - 1) * window.dilation[i] + 1;
    const bool has_room = padded > 0 && reach <= padded;
    shape.push_back(has_room ? (padded - reach) / window.strides[i] + 1 : Wide{0});
  }
  return true;
}

bool verify_windows(Facts& facts, llvm::StringRef name) {
  if (name == "reduce") return reduce(facts);
  if (name == "reduce_window") return reduce_window(facts);
  if (name == "select_and_scatter") return select_and_scatter(facts);
  if (name == "convolution") return convolution(facts);
  return true;
}

}  // namespace tandem::compiler::verify
