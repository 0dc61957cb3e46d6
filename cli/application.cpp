#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <new>
#include <system_error>

#include "assembler/host/output_file.hpp"
#include "cli/commands.hpp"
#include "cli/files/numbers.hpp"
#include "cli/run/model_options.hpp"
#include "cli/user_error.hpp"
#include "isa/launch/launch.hpp"
#include "isa/version.hpp"
#include "runtime/error.hpp"

namespace tandem {
namespace {

int complain(const std::string& message) {
  fmt::print(stderr, "tandem: {}\n", message);
  return exit_usage;
}

// CLI11 would say only that a subcommand is missing.
bool is_unknown_subcommand(const CLI::App& application, int argc, const char* const* argv) {
  if (argc < 2 || argv[1][0] == '-') return false;
  const std::vector<const CLI::App*> commands =
      application.get_subcommands(std::function<bool(const CLI::App*)>{});
  return std::none_of(commands.begin(), commands.end(),
                      [&](const CLI::App* command) { return command->get_name() == argv[1]; });
}

std::string subcommand_names(const CLI::App& application) {
  std::string names;
  for (const CLI::App* command :
       application.get_subcommands(std::function<bool(const CLI::App*)>{})) {
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  return names;
}

int parse_and_run(CLI::App& application, int argc, const char* const* argv) {
  try {
    application.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return application.exit(error) == 0 ? exit_done : exit_usage;
  } catch (const UserError& error) {
    if (!error.diagnostics) return complain(error.message);
    fmt::print(stderr, "{}\n", error.message);
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
  return exit_done;
}

}  // namespace

int run_application(int argc, const char* const* argv) {
  CLI::App application{
      "Tandem: a small TPU as golden model and RTL, side by side.\n"
      "Example: tandem lockstep kernel.s --in A=a.npy --out C=c.npy"};
  application.require_subcommand(1);
  set_command_line(argc, argv);
  forget_files();
  int status = exit_done;
  add_asm_command(application, &status);
  add_dis_command(application, &status);
  add_compile_command(application, &status);
  add_run_command(application, &status);
  add_lockstep_command(application, &status);
  add_random_command(application, &status);
  add_shrink_command(application, &status);
  add_regress_command(application, &status);
  add_coverage_command(application, &status);
  add_report_command(application, &status);
  add_debug_command(application, &status);
  add_llama_command(application, &status);
  add_npy_command(application, &status);
  add_diff_command(application, &status);
  check_numbers(application);
  application.set_version_flag("--version", std::string("tandem ") + version);
  if (is_unknown_subcommand(application, argc, argv)) {
    return complain(fmt::format("unknown subcommand '{}'; there are {}", argv[1],
                                subcommand_names(application)));
  }
  const int parsed = parse_and_run(application, argc, argv);
  return parsed != exit_done ? parsed : status;
}

}  // namespace tandem
