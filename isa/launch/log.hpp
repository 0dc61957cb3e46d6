// The log of a program: what it tells the host while it runs (compiler/stablehlo/log_calls.cpp).
//
// A tensor of words that the program declares as its last output and writes as far as it gets:
//
//   word 0       how many words are used, these two with them
//   word 1       how many records found no room
//   from 2 on    records, one behind the other: the number of the call, the words of the record
//                with these two, then the elements of what the call was given, a word each
//                (of complex numbers all real parts, then all imaginary ones)
#pragma once

#include <cstdint>
#include <string_view>

namespace tandem {

inline constexpr std::string_view log_tensor = "debug_log";
inline constexpr std::int32_t log_state_words = 2;
inline constexpr std::int32_t log_header_words = 2;
// The detail code of the trap by which a program ends that needs what a call of the host gives.
inline constexpr std::int32_t log_stop_code = 0xd17;

}  // namespace tandem
