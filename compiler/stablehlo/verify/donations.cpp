#include "compiler/stablehlo/verify/donations.hpp"

#include <fmt/format.h>

#include <string>

#include "compiler/stablehlo/lines.hpp"
#include "llvm/ADT/SmallSet.h"

namespace tandem::compiler::verify {
namespace {

constexpr const char* name = "tf.aliasing_output";

}  // namespace

mlir::LogicalResult verify_donations(mlir::func::FuncOp function) {
  llvm::SmallSet<std::int64_t, 8> taken;
  for (const mlir::BlockArgument argument : function.getArguments()) {
    const mlir::Attribute given = function.getArgAttr(argument.getArgNumber(), name);
    if (!given) continue;
    const auto refuse = [&](const std::string& why) {
      return mlir::emitError(line_of(argument))
             << "`" << name << "` of argument " << argument.getArgNumber() << " " << why;
    };
    const auto integer = mlir::dyn_cast<mlir::IntegerAttr>(given);
    if (!integer || integer.getValue().getSignificantBits() > 64) {
      return refuse("is no 64-bit integer");
    }
    const std::int64_t result = integer.getValue().getSExtValue();
    const std::string which = fmt::format("is result {}", result);
    if (result < 0 || result >= function.getNumResults()) {
      return refuse(fmt::format("{} of {}", which, function.getNumResults()));
    }
    if (function.getResultTypes()[result] != argument.getType()) {
      return refuse(which + ", which is of another type");
    }
    if (!taken.insert(result).second) return refuse(which + ", as of another argument");
  }
  return mlir::success();
}

}  // namespace tandem::compiler::verify
