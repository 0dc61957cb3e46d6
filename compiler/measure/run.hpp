// Compiled programs on the cycle-exact model, by running `tandem`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "host/process.hpp"

namespace tandem::compiler {

// The inputs of a run: files that the user names; for the other tensors, numbers drawn with a fixed
// seed: reals in [-1, 1), integers from 0 to 7, truth values.
using InputFiles = std::map<std::string, std::string>;

struct Measured {
  std::string error;  // the reason for a failure, for the user; "" otherwise
  std::uint64_t cycles = 0;
  std::map<std::string, std::uint64_t> parts;  // cycles by the names that the line table gives
                                               // bundles
  // Parts that were cut off, because there are too many of them.
  bool is_cut = false;
};

class Measurer {
 public:
  // `machine`: with the timing to use; "": that of the program.
  explicit Measurer(InputFiles inputs, std::string machine)
      : given_(std::move(inputs)), machine_(std::move(machine)) {}

  // Cycles alone, or also those of each part. `limit`: cycles after which the run is abandoned; 0:
  // the limit of `tandem`.
  Measured run(const std::string& elf, bool by_part, std::uint64_t limit = 0);

 private:
  // Makes what is missing; returns an error, or "".
  std::string find_inputs(const std::string& elf);

  InputFiles given_;
  std::string machine_;
  std::optional<InputFiles> inputs_;
  WorkFolder folder_;
};

}  // namespace tandem::compiler
