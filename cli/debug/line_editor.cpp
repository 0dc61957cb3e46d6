#include "cli/debug/line_editor.hpp"

#include <histedit.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "cli/files/standard_streams.hpp"

namespace tandem::debug {
namespace {

constexpr int lines_remembered = 1000;

std::string common_beginning(const std::vector<std::string>& words) {
  std::string common = words.front();
  for (const std::string& word : words) {
    const auto differ = std::mismatch(common.begin(), common.end(), word.begin(), word.end());
    common.erase(differ.first, common.end());
  }
  return common;
}

void print_choices(const std::vector<std::string>& words) {
  std::fputc('\n', stdout);
  for (const std::string& word : words) std::fprintf(stdout, "%s  ", word.c_str());
  std::fputc('\n', stdout);
}

}  // namespace

struct LineEditor::Library {
  std::string prompt;
  Complete complete;
  EditLine* editor = nullptr;
  History* past = nullptr;

  static Library& of(EditLine* editor) {
    void* data = nullptr;
    el_get(editor, EL_CLIENTDATA, &data);
    return *static_cast<Library*>(data);
  }

  static char* prompt_of(EditLine* editor) { return of(editor).prompt.data(); }

  static unsigned char complete_word(EditLine* editor, int /*key*/) {
    const LineInfo* const info = el_line(editor);
    const std::string_view line(info->buffer,
                                static_cast<std::size_t>(info->cursor - info->buffer));
    const std::vector<std::string> words = of(editor).complete(line);
    if (words.empty()) return CC_REFRESH_BEEP;
    const std::string common = common_beginning(words);
    // The typed part is the longest suffix of the line that is a prefix of the words.
    std::size_t typed = std::min(common.size(), line.size());
    while (!line.ends_with(std::string_view(common).substr(0, typed))) --typed;
    const std::string rest = common.substr(typed) + (words.size() == 1 ? " " : "");
    if (rest.empty()) {
      print_choices(words);
      return CC_REDISPLAY;
    }
    return el_insertstr(editor, rest.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
  }
};

LineEditor::LineEditor(std::string prompt, Complete complete)
    : library_(std::make_unique<Library>()) {
  Library& library = *library_;
  library.prompt = std::move(prompt);
  library.complete = std::move(complete);
  library.editor = el_init("tandem", stdin, plain_stdout(), plain_stderr());
  library.past = history_init();
  HistEvent event;
  history(library.past, &event, H_SETSIZE, lines_remembered);
  el_set(library.editor, EL_CLIENTDATA, &library);
  el_set(library.editor, EL_PROMPT, &Library::prompt_of);
  el_set(library.editor, EL_EDITOR, "emacs");
  el_set(library.editor, EL_HIST, history, library.past);
  el_set(library.editor, EL_ADDFN, "tandem-complete", "Complete a word", &Library::complete_word);
  el_set(library.editor, EL_BIND, "^I", "tandem-complete", nullptr);
  el_set(library.editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  el_source(library.editor, nullptr);  // ~/.editrc
}

LineEditor::~LineEditor() {
  history_end(library_->past);
  el_end(library_->editor);
}

std::optional<std::string> LineEditor::read() {
  std::fflush(stdout);  // the library writes to the terminal itself
  int length = 0;
  errno = 0;
  const char* const text = el_gets(library_->editor, &length);
  if (text == nullptr || length <= 0) {
    if (errno != EINTR) return std::nullopt;
    el_set(library_->editor, EL_PREP_TERM, 0);
    std::fputs("^C\n", stdout);
    return std::string();
  }
  std::string line(text, static_cast<std::size_t>(length));
  if (line.find_first_not_of(" \t\r\n") != std::string::npos) {
    HistEvent event;
    history(library_->past, &event, H_ENTER, line.c_str());
  }
  return line;
}

}  // namespace tandem::debug
