// Colours of a terminal, in what was laid out without them: a text that goes to a file, or to
// somebody who set NO_COLOR (https://no-color.org), has none. CLICOLOR_FORCE, where it is not "0",
// asks for colours in files, too.
#pragma once

#include <string>
#include <string_view>

namespace tandem {

enum class Colour { none, error, warning, note, mark, hint, strong };

// Whether what goes to standard error, or standard output, is coloured.
bool stderr_in_colour();
bool stdout_in_colour();

// The text in that colour, where colours are on.
std::string coloured(std::string_view text, Colour colour, bool on);

// Diagnostics, or a page about a mismatch, to standard error, in colour where that is wanted.
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

// A page as cosim/reports/mismatch_report.hpp lays it out: the headline in red, what was expected
// in green, what came in red with the digits that differ bright, the bundle concerned bright.
std::string mismatch_in_colour(const std::string& page);

}  // namespace tandem
