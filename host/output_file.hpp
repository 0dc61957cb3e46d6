// Files that a command writes. A new version is written beside the old one and takes its place when
// it is whole: a disk that fills, a crash or an interruption leaves the old one as it was. Links
// keep pointing where they point, a file of several names stays one; devices and pipes are written
// through.
#pragma once

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>

namespace tandem {

// An input of this command: no output may be the same file.
void note_input(const std::string& path);
// Throws UserError when this is an input, or an output that was claimed before, under whatever
// name, or can be no output at all. Commands claim before a long run what they write after it;
// "-" is standard output and may be claimed once too. Programs go to claimed programs only: text,
// pages and tensors under the name of a program (.elf, .o) would be found out where it is run.
void claim_output(const std::string& path);
void claim_program(const std::string& path);
// For a process that carries out several commands.
void forget_files();

void write_bytes(const std::string& path, std::span<const std::uint8_t> bytes);
void write_text(const std::string& path, std::string_view text);

// Where a file is written until it is whole. For those who open files themselves.
class NewFile {
 public:
  // `plain`: devices and pipes are refused, as what is written cannot be written there.
  explicit NewFile(const std::string& path, bool plain = false);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  // To be written; the file itself where nothing can be beside it.
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool beside() const { return !final_.empty(); }
  // Takes the place of the old file.
  void commit();

 private:
  std::string name_;  // as the user gave it
  std::string path_;
  std::string final_;    // where path_ goes; "" when it is written in place
  bool shared_ = false;  // the old file has other names, which must see the new version
};

// A file that is written piece by piece. What goes wrong while it is written is said by close(), so
// that any thread may write.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  // The file is whole. Nothing may be written after. Throws UserError.
  void close();

 private:
  std::string name_;
  NewFile place_;
  std::FILE* file_;
  int error_ = 0;  // errno of the first write that failed
};

}  // namespace tandem
