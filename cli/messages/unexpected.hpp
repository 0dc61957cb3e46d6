// Messages about arguments that a command does not take.
#pragma once

#include <string>
#include <vector>

#include "cli/options/command.hpp"

namespace tandem {

// "unknown subcommand 'lokstep': did you mean `lockstep`?", or the list of all.
std::string unknown_subcommand(Command application, const std::string& name);

// "run: there is no option --presett: did you mean `--preset`?". `path` is the path of the command,
// "npy make"; `arguments` the remaining ones, at least one.
std::string unexpected_arguments(const std::string& path, Command command,
                                 const std::vector<std::string>& arguments);

}  // namespace tandem
