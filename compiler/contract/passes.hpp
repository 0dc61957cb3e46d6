// The compiler's own passes: passes.def has a row for each, from which make_..._pass() and the
// options of tandem-opt come.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "isa/parameters.hpp"

namespace mlir {
class Pass;
}

namespace tandem::compiler {

// The parameters of a pass.
#define GIVEN_nothing
#define GIVEN_machine const Parameters& machine
#define GIVEN_room std::uint64_t room
#define GIVEN_log std::uint64_t most_bytes
#define PASS(NAME, SCOPE, GIVEN, LEVEL, SENTENCE) \
  std::unique_ptr<mlir::Pass> make_##NAME##_pass(GIVEN_##GIVEN);
#include "compiler/contract/passes.def"
#undef PASS
#undef GIVEN_nothing
#undef GIVEN_machine
#undef GIVEN_room
#undef GIVEN_log

// Registers all of them and the upstream passes of the pipelines by name, for tandem-opt; the
// machine is queried when a pass is made.
void register_passes(const std::function<const Parameters&()>& machine);

}  // namespace tandem::compiler
