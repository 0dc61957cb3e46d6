// tandem coverage: adds up coverage files, reports coverage, writes the page, enforces floors.
#include <fmt/format.h>

#include <array>
#include <ctime>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/files/files.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "cosim/coverage/coverage_export.hpp"
#include "cosim/coverage/coverage_file.hpp"
#include "report/json/json_text.hpp"

namespace tandem {
namespace {

constexpr std::uint64_t largest_coverage = std::uint64_t{64} << 20U;

struct CoverageOptions {
  std::vector<std::string> inputs;
  std::string output;
  std::string page;
  std::string floors;
  std::string lcov;
  std::string ucis;
  bool missing = false;
  bool json = false;
};

nlohmann::json groups_json(const std::vector<GroupCoverage>& groups) {
  nlohmann::json json;
  for (const GroupCoverage& group : groups) {
    json[group.group] = {{"covered", group.covered},
                         {"bins", group.bins},
                         {"percent", group.percent()},
                         {"unreachable", group.unreachable.size()}};
  }
  return json;
}

// For genhtml, which wants to read the files that a tracefile names.
void write_lcov(const std::string& path, const BinCounts& counts) {
  namespace fs = std::filesystem;
  const std::string folder = path + ".bins";
  std::error_code error;
  fs::create_directories(folder, error);
  const LcovFiles files = lcov_files(counts, fs::absolute(folder).string());
  for (const auto& [name, text] : files.lists) write_text((fs::path(folder) / name).string(), text);
  write_text(path, files.tracefile);
}

std::string time_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &utc)};
}

int run_coverage(const CoverageOptions& options) {
  BinCounts counts;
  for (const std::string& input : options.inputs) {
    add_counts(counts, read_coverage(read_text(input, largest_coverage), input));
  }
  const std::string floors = options.floors.empty() ? "" : read_text(options.floors, 1U << 20U);
  for (const std::string& path : {options.output, options.page, options.lcov, options.ucis}) {
    if (!path.empty()) claim_output(path);
  }
  const std::vector<GroupCoverage> groups = summarise(counts);
  const std::string below =
      wrongly_unreachable(counts) +
      (options.floors.empty() ? "" : below_floors(groups, floors, options.floors));
  if (!options.output.empty()) write_text(options.output, json_text(coverage_json(counts)) + "\n");
  if (!options.page.empty()) write_text(options.page, coverage_page(groups, counts));
  if (!options.lcov.empty()) write_lcov(options.lcov, counts);
  if (!options.ucis.empty()) {
    write_text(options.ucis, ucis_xml(counts, options.inputs, time_now()));
  }
  if (options.json) {
    fmt::print("{}\n", json_text(groups_json(groups)));
  } else {
    fmt::print("{}", coverage_text(groups));
  }
  for (const GroupCoverage& group : groups) {
    for (const std::string& name : group.missing) {
      if (options.missing && !options.json) fmt::print("never hit: {}\n", name);
    }
  }
  fmt::print(stderr, "{}", below);
  return below.empty() ? exit_done : exit_failed;
}

}  // namespace

void add_coverage_command(Command application, int* status) {
  auto options = std::make_shared<CoverageOptions>();
  const Command command = application.add_subcommand(
      "coverage", "Merge and show coverage of random programs, and check its floors");
  command.footer(
      "Examples:\n"
      "  tandem lockstep --random 500 --preset nano --coverage a.json\n"
      "  tandem coverage a.json b.json -o all.json --html coverage.html\n"
      "  tandem coverage all.json --floors floors.json --missing\n"
      "  tandem coverage a.json b.json --lcov all.info --ucis all.xml\n"
      "Exit status: 1 when a group is below its floor, or what nothing can reach was hit.");
  command.add_option("files", options->inputs, "Files that lockstep --coverage wrote").required();
  command.add_option("-o,--output", options->output, "Write their sum to this file");
  command.add_option("--html", options->page, "A page with every bin");
  command.add_option("--lcov", options->lcov,
                     "A tracefile for lcov; FILE.bins gets the lists of bins that it names");
  command.add_option("--ucis", options->ucis,
                     "UCIS XML, for tools that merge simulators' coverage");
  command.add_option("--floors", options->floors, "JSON: percent that each group has to reach");
  command.add_flag("--missing", options->missing, "List the bins that were never hit");
  command.add_flag("--json", options->json, "The summary as JSON");
  command.callback([options, status] { *status = run_coverage(*options); });
}

}  // namespace tandem
