// A run put into a folder, so that it can be repeated without Python.
#pragma once

#include <span>
#include <string>

#include "python/pjrt/programs/compiled_program.hpp"
#include "runtime/device/device.hpp"

namespace tandem::pjrt {

// Writes program.elf and an .npy file for each argument into a new folder below `folder`; returns
// the command that runs them on the same model. Throws Failure when they cannot be written.
std::string save_run(const std::string& folder, const CompiledProgram& program,
                     std::span<const runtime::TensorHandle> arguments, runtime::Device& device);

}  // namespace tandem::pjrt
