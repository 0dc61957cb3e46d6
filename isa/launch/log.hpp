// The log of a program: its messages to the host while it runs (compiler/stablehlo/log_calls.cpp).
//
// A tensor of words that the program declares as its last output and fills as it runs:
//
//   word 0       how many words are used, including these two
//   word 1       how many records did not fit
//   from 2 on    consecutive records: the number of the call, the words of the record
//                including these two, then the elements of the call's arguments, a word each (for
//                complex numbers all real parts, then all imaginary ones)
#pragma once

#include <cstdint>
#include <string_view>

namespace tandem {

inline constexpr std::string_view log_tensor = "debug_log";
inline constexpr std::int32_t log_state_words = 2;
inline constexpr std::int32_t log_header_words = 2;
// The detail code of the trap that ends a program which needs the result of a call to the host.
inline constexpr std::int32_t log_stop_code = 0xd17;

}  // namespace tandem
