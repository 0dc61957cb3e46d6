// What the runtime refuses, for callers that must tell kinds of errors apart.
#pragma once

#include <cstdint>
#include <string>

namespace tandem::runtime {

enum class ErrorCode : std::uint8_t {
  invalid_argument,     // what was asked makes no sense: a wrong shape, a damaged program
  out_of_memory,        // HBM is full
  not_found,            // no such preset, model or tensor
  failed_precondition,  // a thing of another device, a program of another preset
  unavailable,          // this installation lacks the RTL of the preset
};

// Thrown; the message is for the user.
struct Error {
  ErrorCode code{};
  std::string message;
};

}  // namespace tandem::runtime
