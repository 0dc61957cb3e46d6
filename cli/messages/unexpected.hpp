// What is said of arguments that a command does not take.
#pragma once

#include <string>
#include <vector>

#include "cli/options/command.hpp"

namespace tandem {

// "unknown subcommand 'lokstep': did you mean `lockstep`?", or all that there are.
std::string unknown_subcommand(Command application, const std::string& name);

// "run: there is no option --presett: did you mean `--preset`?". `path` is what leads to the
// command, "npy make"; `arguments` what it left over, at least one.
std::string unexpected_arguments(const std::string& path, Command command,
                                 const std::vector<std::string>& arguments);

}  // namespace tandem
