// The syntax of numbers on the command line. CLI11 takes -1 for 2^64 - 1, 010 for 8, and anything
// too long for the largest number there is.
#pragma once

#include <string>

namespace tandem {

class Command;

// Makes every option of an integer type take decimal digits, or 0x and hexadecimal ones, that fit
// in 64 bits; also those of all subcommands.
void check_numbers(Command application);
// For an option for which 0 is invalid: an ArgumentCheck.
std::string at_least_one(const std::string& argument);

}  // namespace tandem
