// The layout of SMEM, in words. The program-dependent part comes after it.
#pragma once

#include <cstdint>

#include "isa/launch/argument.hpp"

namespace tandem::compiler {

struct SmemLayout {
  std::int64_t scratch = 0;  // a scalar in transit between memories
  // Word addresses in HBM of the temporaries and of the constants.
  std::int64_t temporaries = 0;
  std::int64_t constants = 0;
  std::int64_t descriptors = 0;  // of copies: there from the first bundle on

  // After the argument block, which is there from the first bundle on too.
  explicit SmemLayout(std::int64_t tensors)
      : scratch(std::int64_t{argument_words} * tensors),
        temporaries(scratch + 1),
        constants(scratch + 2),
        descriptors(scratch + 16) {}

  // The word that holds the word address of a tensor in HBM.
  static std::int64_t base_of(std::int64_t tensor) {
    return std::int64_t{argument_words} * tensor + argument_field::word_address.word;
  }
};

}  // namespace tandem::compiler
