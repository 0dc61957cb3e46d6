// Compiled programs on the cycle-exact model, which `tandem` is asked for.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "host/process.hpp"

namespace tandem::compiler {

// What programs are run with: files that the user names, for the other tensors numbers drawn with a
// seed of ours: reals in [-1, 1), integers from 0 to 7, truth values.
using InputFiles = std::map<std::string, std::string>;

struct Measured {
  std::string error;  // why there is nothing, for the user; "" otherwise
  std::uint64_t cycles = 0;
  std::map<std::string, std::uint64_t> parts;  // cycles by what the line table calls bundles
  // What parts were cut off, because there are too many of them.
  bool is_cut = false;
};

class Measurer {
 public:
  // `machine`: with the timing that it is to have; "": that of the program.
  explicit Measurer(InputFiles inputs, std::string machine)
      : given_(std::move(inputs)), machine_(std::move(machine)) {}

  // Cycles alone, or those of each part too. `limit`: cycles after which a run is not worth more;
  // 0: that of `tandem`.
  Measured run(const std::string& elf, bool by_part, std::uint64_t limit = 0);

 private:
  // Makes what is missing; an error, or "".
  std::string find_inputs(const std::string& elf);

  InputFiles given_;
  std::string machine_;
  std::optional<InputFiles> inputs_;
  WorkFolder folder_;
};

}  // namespace tandem::compiler
