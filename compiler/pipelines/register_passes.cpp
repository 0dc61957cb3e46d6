#include "compiler/contract/levels.hpp"
#include "compiler/contract/passes.hpp"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace tandem::compiler {

void register_passes(const std::function<const Parameters&()>& machine) {
#define GIVEN_nothing
#define GIVEN_machine machine()
#define GIVEN_room compiled_reach
#define GIVEN_log default_log_bytes
#define PASS(NAME, SCOPE, GIVEN, LEVEL, SENTENCE) \
  mlir::registerPass([machine] { return make_##NAME##_pass(GIVEN_##GIVEN); });
#include "compiler/contract/passes.def"
#undef PASS
#undef GIVEN_nothing
#undef GIVEN_machine
#undef GIVEN_room
#undef GIVEN_log
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerInlinerPass();
  mlir::registerSymbolDCEPass();
  mlir::bufferization::registerEmptyTensorEliminationPass();
  mlir::bufferization::registerOneShotBufferizePass();
}

}  // namespace tandem::compiler
