// From the files of a command line to a program: assembly text is assembled, objects are linked, a
// linked program is used unchanged. The kind of a file is determined from its first bytes.
#pragma once

#include <string>
#include <vector>

#include "assembler/assembler.hpp"
#include "cli/messages/user_error.hpp"
#include "isa/object/diagnostic.hpp"
#include "isa/object/object.hpp"

namespace tandem {

class Command;

// The errors in a text, or in linking several.
struct DiagnosticsError : UserError {
  std::vector<Diagnostic> list;
};

// -D NAME=EXPRESSION.
void add_define_option(Command command, AssembleOptions& options);
// The option `--schedule`, for linear blocks.
void add_schedule_option(Command command, schedule::Level& level);

// A relocatable object or a linked program. All errors end in a UserError, which may hold several
// diagnostics.
Object load_object(const std::string& path, const AssembleOptions& options);
// Loads every file and links those not linked yet. `options.preset` retargets text; a binary that
// was built for another preset is refused.
Object load_program(const std::vector<std::string>& paths, const AssembleOptions& options);

// The preset of that name; throws UserError with the known ones.
const Parameters& preset_named(const std::string& name);

}  // namespace tandem
