// A file of the host, read as a whole or in part. Whatever it is (an endless device, a sparse file
// of a terabyte, a pipe without a writer, a failing disk), reading it ends, at worst with an error
// text. All input is opened here (tests/input_files.py).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tandem {

class HostFile {
 public:
  // A pipe with a name in a folder may never have a writer, and is refused. One without a name is
  // from a shell (`a | b`, `<(a)`), which has started its writer: it is read, unless a text names
  // it.
  enum class Pipes : std::uint8_t { unnamed, refuse };

  // "-" is standard input. If it cannot be read, error() holds the reason.
  explicit HostFile(const std::string& path, Pipes pipes = Pipes::unnamed);
  ~HostFile();
  HostFile(const HostFile&) = delete;
  HostFile& operator=(const HostFile&) = delete;

  [[nodiscard]] bool ok() const { return error_.empty(); }
  [[nodiscard]] bool missing() const { return missing_; }  // no file has this name
  // "cannot open: No such file or directory", "is a directory"; "" if there is no error.
  [[nodiscard]] const std::string& error() const { return error_; }
  // Nothing for a pipe, whose size is only known at its end.
  [[nodiscard]] std::optional<std::uint64_t> size() const { return size_; }

  // Appends all the rest, or refuses if that is more than `most` bytes. A file of known size is
  // refused before anything is read.
  bool read_rest(std::uint64_t most, std::string& bytes);
  // Appends up to `length` bytes from the current position; fewer only at the end.
  bool read(std::uint64_t length, std::string& bytes);
  // Continues at `offset`. Only for files of known size.
  bool seek(std::uint64_t offset);

 private:
  void look(Pipes pipes);
  bool fail(const std::string& what);

  int descriptor_ = -1;
  bool owned_ = false;
  bool is_regular_ = false;  // a file of a folder that we have opened
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
