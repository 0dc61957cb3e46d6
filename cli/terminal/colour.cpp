#include "cli/terminal/colour.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "cli/files/files.hpp"
#include "cli/files/standard_streams.hpp"

namespace tandem {
namespace {

bool is_set(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): never set here
  return value != nullptr && *value != '\0';
}

bool wants_colour(bool terminal) {
  if (is_set("NO_COLOR")) return false;
  const char* forced = std::getenv("CLICOLOR_FORCE");  // NOLINT(concurrency-mt-unsafe)
  if (forced != nullptr && *forced != '\0' && std::string_view(forced) != "0") return true;
  const char* kind = std::getenv("TERM");  // NOLINT(concurrency-mt-unsafe)
  return terminal && kind != nullptr && std::string_view(kind) != "dumb";
}

// The ANSI code: the digits of "\x1b[1;31m".
std::string_view digits(Colour colour) {
  switch (colour) {
    case Colour::none: break;
    case Colour::error: return "1;31";
    case Colour::warning: return "1;35";
    case Colour::note: return "1;36";
    case Colour::mark: return "1;32";
    case Colour::hint: return "36";
    case Colour::strong: return "1";
  }
  return "0";
}

struct Kind {
  std::string_view begin;
  Colour colour;
};
constexpr std::array kinds{Kind{": error[", Colour::error}, Kind{": warning[", Colour::warning},
                           Kind{": note:", Colour::note}};

bool begins_excerpt(std::string_view line) {
  const std::size_t bar = line.find('|');
  return bar != std::string_view::npos && bar >= 6 &&
         line.substr(0, bar).find_first_not_of(" 0123456789") == std::string_view::npos;
}

// "loop.s:3:14: error[E040]: unknown mnemonic": up to the message.
std::string head_line(std::string_view line) {
  for (const Kind& kind : kinds) {
    const std::size_t at = line.find(kind.begin);
    if (at == std::string_view::npos) continue;
    const std::size_t word = at + 2;
    const std::size_t end = std::min(line.find(':', word), line.size());
    return coloured(line.substr(0, word), Colour::strong, true) +
           coloured(line.substr(word, end - word), kind.colour, true) +
           std::string(line.substr(end));
  }
  return std::string(line);
}

std::string line_in_colour(std::string_view line) {
  constexpr std::string_view margin = "      | ";
  constexpr std::string_view hint = "      = ";
  if (line.starts_with(margin)) {
    return std::string(margin) + coloured(line.substr(margin.size()), Colour::mark, true);
  }
  if (line.starts_with(hint)) return coloured(line, Colour::hint, true);
  return begins_excerpt(line) ? std::string(line) : head_line(line);
}

// Both lines begin alike; the differences up to the first two blanks are the digits of a word.
std::string differing_marked(std::string_view expected, std::string_view got) {
  constexpr std::size_t margin = 13;
  const std::size_t end = std::min(got.find("  ", margin), got.size());
  std::string out(got.substr(0, margin));
  for (std::size_t i = margin; i < end; ++i) {
    const bool differs = i >= expected.size() || expected[i] != got[i];
    out += coloured(got.substr(i, 1), differs ? Colour::error : Colour::none, true);
  }
  return out + std::string(got.substr(end));
}

template <typename Change>
std::string by_lines(const std::string& text, Change change) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += change(std::string_view(text).substr(begin, end - begin));
    if (end != text.size()) out += '\n';
    begin = end + 1;
  }
  return out;
}

void print(const std::string& text, std::string (*change)(const std::string&)) {
  if (stderr_in_colour()) {
    show_unfiltered(change(without_controls(text)));
  } else {
    fmt::print(stderr, "{}", text);
  }
}

// Words before a colon that say why a program stopped: "watchpoint 2", "trap".
constexpr std::array stops{
    Kind{"breakpoint ", Colour::note},      Kind{"watchpoint ", Colour::note},
    Kind{"condition ", Colour::note},       Kind{"trap:", Colour::error},
    Kind{"race:", Colour::error},           Kind{"never-written data:", Colour::error},
    Kind{"ended lifetime:", Colour::error}, Kind{"foreign memory:", Colour::error}};

std::string answer_line(std::string_view line) {
  constexpr std::string_view arrow = " -> ";
  const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
  if (line.starts_with("bundle ")) return coloured(line, Colour::strong, true);
  if (line.substr(first).starts_with("=>")) return coloured(line, Colour::mark, true);
  for (const Kind& stop : stops) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with(stop.begin) || colon == std::string_view::npos) continue;
    return coloured(line.substr(0, colon), stop.colour, true) + std::string(line.substr(colon));
  }
  const std::size_t change = line.find(arrow);
  if (first != 2 || change == std::string_view::npos) return std::string(line);
  const std::size_t value = change + arrow.size();
  return std::string(line.substr(0, value)) + coloured(line.substr(value), Colour::warning, true);
}

}  // namespace

bool stderr_in_colour() { return wants_colour(stderr_is_terminal()); }
bool stdout_in_colour() { return wants_colour(stdout_is_terminal()); }

std::string coloured(std::string_view text, Colour colour, bool on) {
  if (!on || colour == Colour::none || text.empty()) return std::string(text);
  std::string out = "\x1b[";
  out += digits(colour);
  out += 'm';
  out += text;
  return out + "\x1b[0m";
}

void print_diagnostics(const std::string& text) { print(text, diagnostics_in_colour); }
void print_mismatch(const std::string& text) { print(text, mismatch_in_colour); }

void print_answer(const std::string& text) {
  if (stdout_in_colour()) {
    show_output_unfiltered(answer_in_colour(without_controls(text)));
  } else {
    fmt::print("{}", text);
  }
}

std::string answer_in_colour(const std::string& answer) { return by_lines(answer, answer_line); }

std::string diagnostics_in_colour(const std::string& diagnostics) {
  return by_lines(diagnostics, line_in_colour);
}

std::string mismatch_in_colour(const std::string& page) {
  std::string expected;
  return by_lines(page, [&expected](std::string_view line) {
    if (line.starts_with("MISMATCH") || line.starts_with("NO RETIREMENT")) {
      return coloured(line, Colour::error, true);
    }
    if (line.starts_with("    expected ")) {
      expected = line;
      return coloured(line, Colour::mark, true);
    }
    if (line.starts_with("    got      ")) return differing_marked(expected, line);
    if (line.starts_with("> ")) return coloured(line, Colour::strong, true);
    return std::string(line);
  });
}

}  // namespace tandem
