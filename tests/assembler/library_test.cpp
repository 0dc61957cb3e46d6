// The macro library that `.include "tandem.inc"` finds without a path.
#include "assembler/text/library.hpp"

#include <filesystem>

#include "tests/assembler/support.hpp"

namespace tandem::test {

TEST_CASE("the library is found from a text that is no file, and is that of the benchmarks") {
  const std::string body =
      "        .tensor x, f32, [n], in\n        .smem\nblock:  .space 32\ncopies: .space 16\n"
      "        .text\n        fetch_arguments copies, block, 1\n"
      "        tensor_address copies, copy_source, block, 0\n        { halt }\n";
  const Object from_library = built("        .include \"tandem.inc\"\n" + body);
  AssembleOptions options;
  options.include_paths = {"benchmarks/common"};
  const Object from_file = built("        .include \"common.inc\"\n" + body, options);
  CHECK(from_library.text == from_file.text);
  CHECK(from_library.text.size() > 20);
}

TEST_CASE("linear blocks have a library that names no registers") {
  const Object object = built(
      "        .include \"tandem_linear.inc\"\n        .smem\ncopies: .space 16\n        .text\n"
      "        .linear\n        descriptor copies, in_hbm, in_vmem, 0\n"
      "        store_word copies + copy_length, 64\n        .endlinear\n        { halt }\n");
  CHECK(object.text.size() > 3);
}

TEST_CASE("a file of the same name beside the text comes before the library's") {
  AssembleOptions options;
  options.include_paths = {"kernels"};
  CHECK(errors_of("        .include \"machine.inc\"\n", options).empty());
  CHECK(assembly::library_text("other.inc") == std::nullopt);
  CHECK(errors_of("        .include \"other.inc\"\n").find("cannot read `other.inc`") !=
        std::string::npos);
}

}  // namespace tandem::test
