#include "compiler/contract/links.hpp"

#include "compiler/contract/places.hpp"
#include "llvm/ADT/StringSwitch.h"

namespace tandem::compiler {

// A partitioner makes collectives for which there is no line.
std::string missing_links(mlir::Operation* op) {
  const llvm::StringRef name = op->getName().getStringRef();
  const bool is_collective = llvm::StringSwitch<bool>(name.drop_front(name.find('.') + 1))
                                 .Cases({"all_gather", "all_reduce", "all_to_all"}, true)
                                 .Cases({"collective_broadcast", "collective_permute"}, true)
                                 .Cases({"reduce_scatter", "recv", "send"}, true)
                                 .Default(false);
  if (!is_collective) return "";
  const std::string links = ": there are no links between devices yet";
  if (source_place(op->getLoc())) return links;
  return links +
         "; an argument or a result is to lie otherwise than it does (in_shardings, "
         "out_shardings)";
}

}  // namespace tandem::compiler
