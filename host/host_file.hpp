// A file of the host's, read as a whole or in part. Whatever it is (a device that never ends, a
// sparse file of a terabyte, a pipe that nobody writes to, a disk that fails), reading it ends, and
// in an error text at worst. All input is opened here (tests/input_files.py).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tandem {

class HostFile {
 public:
  // A pipe with a name in a folder may have no writer, ever, and is refused. One without is of a
  // shell (`a | b`, `<(a)`), which has started its writer: it is read, unless a text names it.
  enum class Pipes : std::uint8_t { unnamed, refuse };

  // "-" is standard input. What cannot be read says so in error().
  explicit HostFile(const std::string& path, Pipes pipes = Pipes::unnamed);
  ~HostFile();
  HostFile(const HostFile&) = delete;
  HostFile& operator=(const HostFile&) = delete;

  [[nodiscard]] bool ok() const { return error_.empty(); }
  [[nodiscard]] bool missing() const { return missing_; }  // there is no file of this name
  // "cannot open: No such file or directory", "is a directory"; "" while all is well.
  [[nodiscard]] const std::string& error() const { return error_; }
  // Nothing for a pipe, which tells its size only by ending.
  [[nodiscard]] std::optional<std::uint64_t> size() const { return size_; }

  // Appends all that is left, or refuses when that is more than `most` bytes. A file that tells its
  // size is refused before anything is read.
  bool read_rest(std::uint64_t most, std::string& bytes);
  // Appends up to `length` bytes from where reading has got to; fewer only at the end.
  bool read(std::uint64_t length, std::string& bytes);
  // Goes on at `offset`. Only for files that tell their size.
  bool seek(std::uint64_t offset);

 private:
  void look(Pipes pipes);
  bool fail(const std::string& what);

  int descriptor_ = -1;
  bool owned_ = false;
  bool missing_ = false;
  std::optional<std::uint64_t> size_;
  std::uint64_t at_ = 0;
  std::string error_;
};

// The whole of a file, up to 4 GiB. Not standard input.
bool read_file(const std::string& path, std::string& bytes);

// "256 MiB", "5 bytes".
std::string size_text(std::uint64_t bytes);

}  // namespace tandem
