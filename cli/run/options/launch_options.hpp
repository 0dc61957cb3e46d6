// Shared by `run` and `lockstep`: the program, its tensors, the memory, and the limit.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/run/program/program.hpp"
#include "cli/run/program/tensors.hpp"

namespace tandem {

class Command;
class Option;

struct LaunchOptions {
  std::vector<std::string> inputs;
  std::vector<std::string> tensors_in;
  std::vector<std::string> tensors_out;
  std::string preset;
  std::vector<std::string> include_paths;
  AssembleOptions text;                                // its defines, its on_report
  std::vector<std::string> sizes;                      // bind_sizes()
  schedule::Level schedule = schedule::default_level;  // of linear blocks
  std::string hbm = "4G";
  std::uint32_t seed = 1;
  std::uint64_t limit = 0;  // bundles or cycles; 0: the default of the model
  bool json = false;
  bool listing = false;
  bool counters = false;
  bool draw_inputs = false;  // inputs without a file hold drawn numbers (isa/launch/drawn.hpp)
  bool race_check = true;
  bool uninitialised_check = true;
};

// Returns the positional option of the programs.
Option add_launch_options(Command command, LaunchOptions& options);

// The option `--draw-inputs`.
void add_draw_option(Command command, LaunchOptions& options);

// The options for assembling texts among the inputs.
AssembleOptions assemble_options(const LaunchOptions& options);

// A program with the data of its inputs, to be loaded on devices.
struct PreparedLaunch {
  explicit PreparedLaunch(const LaunchOptions& options);

  std::vector<TensorFile> outputs;
  Image image;
  std::map<std::string, TensorData> inputs;
};

// "64K", "4G", "123": bytes; K, M, G and T are powers of 1024. Throws UserError.
std::uint64_t parse_size(const std::string& text);

}  // namespace tandem
