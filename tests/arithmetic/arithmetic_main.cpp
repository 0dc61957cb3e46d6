// Exhaustive and billion-vector comparisons of arithmetic, with progress and resume.
//
//   arithmetic [--state FILE] [--only NAME]... [--sample N] [--plant]
//
// A line of the state file is a piece that is done: name, piece, vectors, differences. A piece that
// is there is not run again; a torn last line is. Without a file nothing is kept. --sample runs
// N pieces of each sweep, evenly spread. Exit status 1: something differs.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "tests/arithmetic/sweeps.hpp"

namespace {

using tandem::arithmetic::Finding;
using tandem::arithmetic::Sweep;

struct Total {
  std::set<std::uint64_t> pieces;
  std::uint64_t vectors = 0;
  std::uint64_t differences = 0;

  void add(std::uint64_t piece, std::uint64_t more, std::uint64_t different) {
    if (!pieces.insert(piece).second) return;
    vectors += more;
    differences += different;
  }
};
using Totals = std::map<std::string, Total>;

// A line ends with a word of its own, so that half of one is not taken for a whole.
Totals read_state(const std::string& path) {
  Totals totals;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    std::string end;
    std::uint64_t piece = 0;
    std::uint64_t vectors = 0;
    std::uint64_t differences = 0;
    if (words >> name >> piece >> vectors >> differences >> end && end == "done") {
      totals[name].add(piece, vectors, differences);
    }
  }
  return totals;
}

void note(const std::string& path, const std::string& name, std::uint64_t piece,
          const Finding& finding) {
  if (path.empty()) return;
  std::ofstream file(path, std::ios::app);
  file << fmt::format("\n{} {} {} {} done", name, piece, finding.vectors, finding.differences)
       << std::flush;
  if (!file) throw std::runtime_error(path + ": cannot write");
}

void run_sweep(const Sweep& sweep, std::uint64_t sample, const std::string& path, Total& total) {
  const std::uint64_t count = sample == 0 ? sweep.pieces : std::min(sample, sweep.pieces);
  for (std::uint64_t i = 0; i < count; ++i) {
    // In the middle of its share: the first piece of all is the least interesting one.
    const std::uint64_t piece = (2 * i + 1) * sweep.pieces / (2 * count);
    if (total.pieces.count(piece) != 0) continue;
    const Finding finding = sweep.run(piece);
    if (finding.differences != 0) fmt::print("{}: {}\n", sweep.name, finding.first);
    note(path, sweep.name, piece, finding);
    total.add(piece, finding.vectors, finding.differences);
    if (isatty(STDERR_FILENO) == 1) {
      fmt::print(stderr, "\r\x1b[K{}: {} of {} pieces", sweep.name, i + 1, count);
    }
  }
}

int run(const std::string& path, const std::vector<std::string>& only, std::uint64_t sample) {
  Totals totals = path.empty() ? Totals() : read_state(path);
  std::uint64_t differences = 0;
  for (const Sweep& sweep : tandem::arithmetic::sweeps()) {
    if (!only.empty() && std::find(only.begin(), only.end(), sweep.name) == only.end()) continue;
    const auto begin = std::chrono::steady_clock::now();
    Total& total = totals[sweep.name];
    run_sweep(sweep, sample, path, total);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (isatty(STDERR_FILENO) == 1) fmt::print(stderr, "\r\x1b[K");
    fmt::print("{:14} {:11} vectors, {} differences; {} of {} pieces; {}; {:.1f} s now\n",
               sweep.name, total.vectors, total.differences, total.pieces.size(), sweep.pieces,
               sweep.what, seconds);
    std::fflush(stdout);
    differences += total.differences;
  }
  return differences == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App application{"Arithmetic compared exhaustively, piece by piece"};
  std::string path;
  std::vector<std::string> only;
  std::uint64_t sample = 0;
  application.add_option("--state", path, "What is done already; grows");
  application.add_option("--only", only, "Only these sweeps");
  application.add_option("--sample", sample, "This many pieces of each");
  bool plant = false;
  application.add_flag("--plant", plant, "Change a result of each piece: it must be reported");
  CLI11_PARSE(application, argc, argv);
  if (plant) tandem::arithmetic::plant_difference();
  try {
    return run(path, only, sample);
  } catch (const std::exception& error) {
    fmt::print(stderr, "arithmetic: {}\n", error.what());
    return 2;
  }
}
