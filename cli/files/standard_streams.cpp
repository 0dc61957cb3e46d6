#include "cli/files/standard_streams.hpp"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>
#include <string>

#include "cli/messages/user_error.hpp"
#include "host/interruption.hpp"
#include "host/standard_files.hpp"

namespace tandem {
namespace {

std::FILE* original_stdout = nullptr;
std::FILE* original_stderr = nullptr;
int output_error = 0;  // errno of the first write that failed
bool output_to_terminal = false;

// Whether everything was written; errno holds the reason if not.
bool write_fully(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void write_to_output(std::string_view text) {
  if (write_fully(STDOUT_FILENO, text) || output_error != 0) return;
  output_error = errno;
  if (output_error == EPIPE) note_broken_pipe();
}

ssize_t write_output(void* /*cookie*/, const char* data, std::size_t size) {
  const std::string_view text(data, size);
  if (output_to_terminal) {
    write_to_output(without_controls(text));
  } else {
    write_to_output(text);
  }
  return static_cast<ssize_t>(size);
}

// There is nowhere to report that reporting failed.
ssize_t write_error(void* /*cookie*/, const char* data, std::size_t size) {
  (void)write_fully(STDERR_FILENO, without_controls({data, size}));
  return static_cast<ssize_t>(size);
}

std::FILE* stream(cookie_write_function_t* write, int buffering) {
  cookie_io_functions_t functions{};
  functions.write = write;
  std::FILE* file = fopencookie(nullptr, "w", functions);
  if (file != nullptr) std::setvbuf(file, nullptr, buffering, 1U << 16U);
  return file;
}

}  // namespace

// C0 and DEL, and C1 as UTF-8 spells it.
std::string without_controls(std::string_view text) {
  std::string result(text);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto c = static_cast<unsigned char>(result[i]);
    const bool c0 = (c < ' ' && c != '\n' && c != '\t') || c == 0x7f;
    const bool c1 = c >= 0x80 && c < 0xa0 && i > 0 && result[i - 1] == '\xc2';
    if (c0) result[i] = '?';
    if (c1) result[i - 1] = result[i] = '?';
  }
  return result;
}

void guard_standard_streams() {
  occupy_standard_files();
  std::signal(SIGPIPE, SIG_IGN);
  output_to_terminal = isatty(STDOUT_FILENO) == 1;
  original_stdout = stdout;
  original_stderr = stderr;
  std::FILE* const output = stream(write_output, output_to_terminal ? _IOLBF : _IOFBF);
  std::FILE* const error = stream(write_error, _IONBF);
  if (output != nullptr) stdout = output;
  if (error != nullptr) stderr = error;
}

int finish_standard_streams(int status) {
  std::fflush(stdout);
  std::cout.flush();
  std::fflush(original_stdout);
  if (std::ferror(original_stdout) != 0 && output_error == 0) output_error = errno;
  if (output_error == 0) return status;
  if (output_error == EPIPE) {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  const std::string text =
      std::string("tandem: standard output: cannot write: ") + std::strerror(output_error) + "\n";
  (void)write_fully(STDERR_FILENO, text);
  return exit_usage;
}

void show_output_unfiltered(std::string_view text) {
  std::fflush(stdout);
  write_to_output(text);
}

void show_unfiltered(std::string_view text) { (void)write_fully(STDERR_FILENO, text); }

std::FILE* plain_stdout() { return original_stdout == nullptr ? stdout : original_stdout; }
std::FILE* plain_stderr() { return original_stderr == nullptr ? stderr : original_stderr; }

}  // namespace tandem
