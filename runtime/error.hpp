// The errors of the runtime, for callers that must distinguish kinds of errors.
#pragma once

#include <cstdint>
#include <string>

namespace tandem::runtime {

enum class ErrorCode : std::uint8_t {
  invalid_argument,     // invalid request: a wrong shape, a damaged program
  out_of_memory,        // HBM is full
  not_found,            // no such preset, model or tensor
  failed_precondition,  // an object of another device, a program of another preset
  unavailable,          // this installation lacks the RTL of the preset
};

// Thrown; the message is for the user.
struct Error {
  ErrorCode code{};
  std::string message;
};

}  // namespace tandem::runtime
