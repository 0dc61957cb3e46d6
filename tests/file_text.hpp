// The text of a file, for tests that run in the project's folder.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

namespace tandem {

// Empty if there is no file.
inline std::string file_text(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace tandem
