// The debugger as an editor's debug adapter: requests of the Debug Adapter Protocol in, the
// commands of the shell carried out, responses and events out.
#pragma once

#include <functional>
#include <istream>
#include <memory>
#include <string>
#include <vector>

#include "cli/debug/shell.hpp"

namespace tandem::debug::dap {

// A session on what `tandem debug` would be given on the command line. Throws what loading throws.
using Launcher = std::function<std::unique_ptr<Shell>(const std::vector<std::string>& arguments)>;

// Serves one editor until it disconnects or `in` ends; returns the exit status. Throws UserError
// for what is no message.
int serve(std::istream& in, const Launcher& launcher);

}  // namespace tandem::debug::dap
