// tandem_emit_editors <directory>: writes the generated files of editors/ below the directory,
// under their paths in the repository.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "assembler/editors/vocabulary.hpp"

namespace {

bool write_file(const std::filesystem::path& path, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file) fmt::print(stderr, "tandem_emit_editors: cannot write {}\n", path.string());
  return static_cast<bool>(file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || *argv[1] == '-') {
    fmt::print(stderr, "usage: tandem_emit_editors <directory>   (the repository's root)\n");
    return 2;
  }
  const std::filesystem::path root = std::filesystem::path(argv[1]) / "editors";
  const tandem::assembly::Vocabulary words = tandem::assembly::vocabulary();
  const bool good = write_file(root / "vscode/syntaxes/tandem.tmLanguage.json",
                               tandem::assembly::textmate_grammar(words)) &&
                    write_file(root / "vim/syntax/tandem.vim", tandem::assembly::vim_syntax(words));
  return good ? 0 : 2;
}
