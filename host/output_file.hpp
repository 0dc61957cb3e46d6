// Files that a command writes. A new version is written in the same folder as the old one and
// replaces it when it is complete: a full disk, a crash or an interruption leaves the old one
// unchanged. Links keep their targets, a file with several names stays one file; devices and pipes
// are written through.
#pragma once

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>

namespace tandem {

// An input of this command: no output may be the same file.
void note_input(const std::string& path);
// Throws UserError when this is an input, or an output that was claimed before, under any name, or
// cannot be an output at all. Before a long run, commands claim the files that they write after it;
// "-" is standard output and may be claimed once too. Programs go to claimed programs only:
// otherwise text, pages or tensors under the name of a program (.elf, .o) would only be noticed
// when it is run.
void claim_output(const std::string& path);
void claim_program(const std::string& path);
// For a process that executes several commands.
void forget_files();

void write_bytes(const std::string& path, std::span<const std::uint8_t> bytes);
void write_text(const std::string& path, std::string_view text);

// Where a file is written until it is complete. For callers that open files themselves.
class NewFile {
 public:
  // `plain`: devices and pipes are refused, because the output cannot be written there.
  explicit NewFile(const std::string& path, bool plain = false);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  // The path to write to; the file itself if its folder cannot hold another.
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool beside() const { return !final_.empty(); }
  // Replaces the old file.
  void commit();

 private:
  std::string name_;  // as the user gave it
  std::string path_;
  std::string final_;    // the destination of path_; "" if it is written in place
  bool shared_ = false;  // the old file has other names, which must see the new version
};

// A file that is written piece by piece. Write errors are reported by close(), so that any thread
// may write.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  // The file is complete. Nothing may be written afterwards. Throws UserError.
  void close();

 private:
  std::string name_;
  NewFile place_;
  std::FILE* file_;
  int error_ = 0;  // errno of the first write that failed
};

}  // namespace tandem
