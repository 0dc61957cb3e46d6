#include "host/installed.hpp"

#include <catch2/catch.hpp>

using namespace tandem;

TEST_CASE("libraries for one kind of processor are installed beside those for all") {
  CHECK(library_folder("/usr/lib/libtandem_runtime.so") == "/usr/lib");
  CHECK(library_folder("/a/lib/glibc-hwcaps/x86-64-v4/libtandem_runtime.so") == "/a/lib");
  CHECK(library_folder("/glibc-hwcaps/lib/x86-64-v4/libtandem_runtime.so") ==
        "/glibc-hwcaps/lib/x86-64-v4");
}
