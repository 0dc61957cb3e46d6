// A run put into a folder, so that it can be repeated without Python.
#pragma once

#include <span>
#include <string>

#include "python/pjrt/programs/compiled_program.hpp"
#include "runtime/device/device.hpp"

namespace tandem::pjrt {

// The inputs of one chip, on its device.
struct ChipArguments {
  std::span<const runtime::TensorHandle> arguments;
  runtime::Device* device = nullptr;
};

// A new folder in `parent`, which is created if it is missing. Throws Failure.
std::string folder_for_run(const std::string& parent);

// Writes program.elf and an .npy file for each argument into the folder, which need not exist; in a
// group one for each chip. Returns the command that runs them on the same model. Throws Failure
// when that is impossible.
std::string save_run(const std::string& folder, const CompiledProgram& program,
                     std::span<const ChipArguments> chips);

}  // namespace tandem::pjrt
