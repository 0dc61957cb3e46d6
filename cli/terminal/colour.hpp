// Adds terminal colours to finished text: none for files, or if NO_COLOR is set
// (https://no-color.org). CLICOLOR_FORCE, if not "0", requests colours in files, too.
#pragma once

#include <string>
#include <string_view>

namespace tandem {

enum class Colour { none, error, warning, note, mark, hint, strong };

// Whether output to standard error, or standard output, is coloured.
bool stderr_in_colour();
bool stdout_in_colour();

// The text in that colour, if colours are on.
std::string coloured(std::string_view text, Colour colour, bool on);

// Diagnostics, or a page about a mismatch, to standard error, in colour if enabled.
void print_diagnostics(const std::string& text);
void print_mismatch(const std::string& text);

// An answer of the debugger, to standard output.
void print_answer(const std::string& text);

// An answer as cli/debug/print.hpp lays it out: where the program is bright, its next bundle in
// green, a breakpoint's number in cyan, a trap or finding in red, a new value in magenta.
std::string answer_in_colour(const std::string& answer);

// Diagnostics as isa/object/diagnostic.hpp lays them out: the place and `error[E040]` bright, what
// is underlined and the line below it in green, hints in cyan.
std::string diagnostics_in_colour(const std::string& diagnostics);

// A page in the layout of cosim/reports/mismatch_report.hpp: the headline in red, the expected
// values in green, the actual ones in red with differing digits bright, the bundle concerned
// bright.
std::string mismatch_in_colour(const std::string& page);

}  // namespace tandem
