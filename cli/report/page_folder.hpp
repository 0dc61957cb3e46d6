// A folder of report pages: each under the name of its program, and index.html about all of them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

namespace tandem {

// Whether a path given for a page means a folder: it is one, or ends with '/'.
bool is_page_folder(const std::string& path);

// The name of a program as the name of a file: "jit_train_step" for "jit(train_step)".
std::string page_stem(const std::string& program);

class PageFolder {
 public:
  // Makes the folder if it is not there; `earlier`: one with pages to compare with, or "". Throws
  // UserError.
  PageFolder(std::string folder, std::string earlier);

  // A trace of this folder, from the name of the program's file.
  [[nodiscard]] std::string trace_path(const std::string& file) const;
  // Writes the page; of several programs of one name the later ones get numbers.
  void write_page(const nlohmann::json& run);
  // Lists every page that is in the folder, earlier ones too.
  void write_index() const;

 private:
  std::string folder_;
  std::string earlier_;
  std::set<std::string> taken_;
};

}  // namespace tandem
