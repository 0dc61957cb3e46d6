// Whole files in and out; "-" is standard input or output. All throw UserError.
#pragma once

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tandem {

std::vector<std::uint8_t> read_bytes(const std::string& path);
std::string read_text(const std::string& path);
void write_bytes(const std::string& path, std::span<const std::uint8_t> bytes);

// A file that is written piece by piece.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  // Nothing may be written after.
  void close();

 private:
  std::string path_;
  std::FILE* file_;
};

// Whether standard output or standard error is a terminal.
bool stdout_is_terminal();
bool stderr_is_terminal();

}  // namespace tandem
