// The waveform, which Verilator's writer opens, maps into memory and fills itself: beside the old
// file until it is whole.
#pragma once

#include <string>

#include "host/output_file.hpp"

namespace tandem {

class WaveFile {
 public:
  // Throws UserError where no file can be. From now on a full disk, which the writer meets as
  // SIGBUS, ends the process with a word and exit status 2, and the old file is left as it was.
  explicit WaveFile(const std::string& path);
  ~WaveFile();
  WaveFile(const WaveFile&) = delete;
  WaveFile& operator=(const WaveFile&) = delete;

  // What the writer is to open.
  [[nodiscard]] const std::string& path() const { return file_.path(); }
  // Once the writer has closed it. Throws UserError.
  void commit();

 private:
  std::string name_;
  NewFile file_;
};

}  // namespace tandem
