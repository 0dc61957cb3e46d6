#include "host/printable.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace tandem {
namespace {

TEST_CASE("what is text stays as it is") {
  for (const std::string text :
       {"", "a.mlir:3:6: error: no\n\tmore\n", "größer als π, \xF0\x9F\x98\x80"}) {
    CHECK(printable(text) == text);
  }
}

TEST_CASE("what is no character of a text is shown as its bytes") {
  CHECK(printable("\x1b[31m") == "\\x1b[31m");
  CHECK(printable(std::string("a\0b\r\x7f", 5)) == "a\\x00b\\x0d\\x7f");
  CHECK(printable("\xff\xc3") == "\\xff\\xc3");           // no UTF-8
  CHECK(printable("\xc2\x9b") == "\\xc2\\x9b");           // begins a control sequence, too
  CHECK(printable("\xe2\x80\xae") == "\\xe2\\x80\\xae");  // right to left from here on
  CHECK(printable("\xe2\x80\xa6") == "\xe2\x80\xa6");     // an ellipsis
}

TEST_CASE("long lines and long texts are cut") {
  const std::string cut = printable(std::string(10'000, 'x') + "\nnext\n");
  CHECK(cut.size() < 3'000);
  CHECK(cut.ends_with("x...\nnext\n"));
  std::string many;
  while (many.size() < 1'000'000) many += "a line\n";
  CHECK(printable(many).size() < 300'000);
}

}  // namespace
}  // namespace tandem
