#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <system_error>
#include <vector>

#include "cli/commands.hpp"
#include "cli/files/numbers.hpp"
#include "cli/messages/unexpected.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "cli/run/options/model_options.hpp"
#include "cli/terminal/colour.hpp"
#include "host/host_file.hpp"
#include "host/installed.hpp"
#include "host/output_file.hpp"
#include "host/printable.hpp"
#include "isa/launch/launch.hpp"
#include "isa/version.hpp"
#include "runtime/error.hpp"

namespace tandem {
namespace {

int complain(const std::string& message) {
  fmt::print(stderr, "tandem: {}\n", printable(message));
  return exit_usage;
}

// CLI11 would only report a missing subcommand.
bool is_unknown_subcommand(Command application, int argc, const char* const* argv) {
  if (argc < 2 || argv[1][0] == '-') return false;
  const std::vector<Command> commands = application.subcommands();
  return std::none_of(commands.begin(), commands.end(),
                      [&](Command command) { return command.name() == argv[1]; });
}

// Information for bug reports. The commit is in a file, which a lone executable does not have
// (cmake/TandemCommit.cmake).
std::string version_text() {
  std::string commit;
  read_file(installed_file("commit"), commit);
  commit = commit.substr(0, commit.find('\n'));
  return fmt::format("tandem {}\ncommit: {}\ninstruction set: encoding {:08x}", version,
                     commit.empty() ? "unknown" : commit, encoding_digest());
}

int parse_and_run(Application& application, int argc, const char* const* argv) {
  try {
    return application.parse(argc, argv) ? exit_done : exit_usage;
  } catch (const Leftover& left) {
    return complain(unexpected_arguments(left.path, left.command, left.arguments));
  } catch (const UserError& error) {
    if (!error.diagnostics) return complain(error.message);
    print_diagnostics(printable(error.message) + "\n");
    return exit_usage;
  } catch (const LaunchError& error) {
    return complain(error.message);
  } catch (const runtime::Error& error) {
    return complain(error.message);
  } catch (const std::bad_alloc&) {
    return complain("not enough memory");
  } catch (const std::system_error& error) {
    return complain(error.what());
  }
}

}  // namespace

int run_application(int given_argc, const char* const* given_argv) {
  const std::vector<const char*> arguments = help_as_option(given_argc, given_argv);
  const int argc = static_cast<int>(arguments.size());
  const char* const* argv = arguments.data();
  Application application{
      "Tandem: a small TPU as golden model, RTL and cycle-exact model, side by side.\n"
      "Example: tandem lockstep kernel.s --in A=a.npy --out C=c.npy"};
  const Command root = application.command();
  root.require_subcommand(1);
  set_command_line(argc, argv);
  forget_files();
  int status = exit_done;
  add_asm_command(root, &status);
  add_dis_command(root, &status);
  add_compile_command(root, &status);
  add_run_command(root, &status);
  add_lockstep_command(root, &status);
  add_check_command(root, &status);
  add_random_command(root, &status);
  add_shrink_command(root, &status);
  add_regress_command(root, &status);
  add_sweep_command(root, &status);
  add_coverage_command(root, &status);
  add_report_command(root, &status);
  add_explain_command(root, &status);
  add_explore_command(root, &status);
  add_debug_command(root, &status);
  add_llama_command(root, &status);
  add_npy_command(root, &status);
  add_diff_command(root, &status);
  add_machine_command(root, &status);
  add_completion_command(root, &status);
  add_man_command(root, &status);
  add_help_command(root, &status);
  check_numbers(root);
  application.set_version_flag("--version", version_text);
  if (is_unknown_subcommand(root, argc, argv)) {
    return complain(unknown_subcommand(root, argv[1]));
  }
  const int parsed = parse_and_run(application, argc, argv);
  return parsed != exit_done ? parsed : status;
}

}  // namespace tandem
