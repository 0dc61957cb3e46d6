// The compiler's result for a program: the binary, its inputs and its outputs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "python/pjrt/arrays/element_types.hpp"

namespace tandem::pjrt {

struct Argument {
  std::string name;  // of the tensor in the binary
  Shape shape;
  bool donated = false;  // a result takes its memory, so it is gone after a run
};

struct Result {
  Shape shape;
  std::optional<std::size_t> shares;  // the argument whose memory it takes
};

struct CompiledProgram {
  std::string artifact;  // as the framework gave it
  std::vector<std::uint8_t> elf;
  std::string fingerprint;  // of the binary, hexadecimal digits
  std::vector<Argument> arguments;
  std::vector<Result> results;
  std::optional<Shape> log;           // its messages to the host, the tensor after the results
  std::uint64_t code_bytes = 0;       // text
  std::uint64_t temporary_bytes = 0;  // of HBM beside text, arguments and results
  std::uint64_t flops = 0;            // arithmetic operations, loops of unknown length once
  std::uint64_t transcendentals = 0;  // exp, tanh and the like
};

// Of all arguments, of all results: what they take without padding.
std::int64_t argument_bytes(const CompiledProgram& program);
std::int64_t result_bytes(const CompiledProgram& program);

using SharedProgram = std::shared_ptr<const CompiledProgram>;

// Throws Failure when the bytes are not a program of the compiler.
SharedProgram read_compiled_program(std::string artifact, std::vector<std::uint8_t> elf);

}  // namespace tandem::pjrt
