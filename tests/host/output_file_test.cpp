// Files that are written: under their own names only.
#include "host/output_file.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "host/host_file.hpp"
#include "host/user_error.hpp"

namespace tandem {

TEST_CASE("a name with a zero byte is no name of an output, and the file before it stays") {
  std::string folder = (std::filesystem::temp_directory_path() / "output-file-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  const std::string path = folder + "/kept";
  write_text(path, "kept");
  const std::string other = path + std::string("\0.html", 6);
  CHECK_THROWS_AS(write_text(other, "lost"), UserError);
  CHECK_THROWS_AS(OutputFile(other), UserError);
  CHECK_THROWS_AS(claim_program(other), UserError);
  CHECK_THROWS_AS(claim_output(other), UserError);
  std::string bytes;
  CHECK(read_file(path, bytes));
  CHECK(bytes == "kept");
  std::filesystem::remove_all(folder);
}

}  // namespace tandem
