// Whole files, and folders that go away.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace tandem::pjrt {

// In the system's folder for temporary files; removed with its contents.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Nothing when it cannot be read.
std::optional<std::string> read_file(const std::string& path);
// The pieces one after the other. Throws Failure, which names the file and the reason.
void write_file(const std::string& path, std::initializer_list<std::string_view> pieces);

}  // namespace tandem::pjrt
