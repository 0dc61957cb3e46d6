// The waveform, which Verilator's writer opens, maps into memory and fills itself: next to the old
// file until it is complete.
#pragma once

#include <string>

#include "host/output_file.hpp"

namespace tandem {

class WaveFile {
 public:
  // Throws UserError if the file cannot be created. From now on a full disk, which the writer sees
  // as SIGBUS, ends the process with a message and exit status 2, and the old file is left
  // unchanged.
  explicit WaveFile(const std::string& path);
  ~WaveFile();
  WaveFile(const WaveFile&) = delete;
  WaveFile& operator=(const WaveFile&) = delete;

  // The path for the writer to open.
  [[nodiscard]] const std::string& path() const { return file_.path(); }
  // Once the writer has closed it. Throws UserError.
  void commit();

 private:
  std::string name_;
  NewFile file_;
};

}  // namespace tandem
