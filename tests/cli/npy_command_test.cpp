// `tandem npy` and inputs that are not arrays.
#include "tests/cli/folder.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

// A file with this header followed by `bytes` zeros.
std::string array_file(const std::string& type, const std::string& shape, std::size_t bytes) {
  std::string header =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }\n";
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size());
  file += '\0';
  return file + header + std::string(bytes, '\0');
}

constexpr const char* takes_x =
    "        .target nano\n        .tensor x, f32, [n], in\n        halt\n";

}  // namespace

TEST_CASE("elements without bytes are refused") {
  const Folder folder;
  for (const std::string type : {"|V0", "<f0"}) {
    folder.write("x.npy", array_file(type, "3,", 0));
    folder.write("k.s", takes_x);
    for (const std::string command :
         {"npy show x.npy", "npy diff x.npy x.npy", "run k.s --in x=x.npy"}) {
      check_refused(folder.run(command), 2, "have no bytes");
    }
  }
}

TEST_CASE("inputs that never end and sparse ones are refused unread") {
  const Folder folder;
  folder.write("k.s", takes_x);
  folder.write("halt.s", "        .target nano\n        halt\n");
  folder.write("x.npy", array_file("<f4", "3,", 12));
  folder.write("big.npy", array_file("<f4", "274877906944,", 0));
  folder.shell("truncate -s 1T x.npy; truncate -s 1T k.bin");
  folder.shell("truncate -s $((1099511627776 + $(stat -c %s big.npy))) big.npy");
  const std::string limited = "--version > /dev/null; ulimit -v 4000000; timeout 60 ";
  const std::string tandem = TANDEM_EXECUTABLE;
  for (const std::string command :
       {"npy show /dev/zero", "run k.s --in x=/dev/zero", "run /dev/zero", "diff /dev/zero k.s",
        "dis /dev/zero", "asm /dev/zero", "regress /dev/zero", "coverage /dev/zero",
        "run halt.s --restore /dev/zero", "debug halt.s -x /dev/zero",
        "report halt.s -o p.html --compare /dev/zero", "lockstep --random 1 --knobs /dev/zero"}) {
    check_refused(folder.run(limited + tandem + " " + command), 2, "is a device");
  }
  for (const std::string command : {"npy show x.npy", "run k.s --in x=x.npy"}) {
    check_refused(folder.run(limited + tandem + " " + command), 2, "announces 3 elements");
  }
  for (const std::string command :
       {"npy show big.npy", "run k.s --in x=big.npy", "run k.bin", "diff k.bin k.bin",
        "report halt.s -o p.html --compare k.bin", "llama --checkpoint k.bin --tokenizer k.bin"}) {
    check_refused(folder.run(limited + tandem + " " + command), 2, "is larger than");
  }
}

TEST_CASE("arrays are made of the numbers that were asked for or not at all") {
  const Folder folder;
  const auto make = [&](const std::string& options) {
    return folder.run("npy make y.npy --shape 2 " + options);
  };
  check_refused(make("--type i4 --values nan"), 2, "nan is no integer");
  check_refused(make("--type i4 --values 2147483648"), 2, "outside -2147483648 .. 2147483647");
  check_refused(make("--type i1 --values 1e30"), 2, "outside -128 .. 127");
  check_refused(make("--type i4 --values 2.5"), 2, "2.5 is no integer");
  check_refused(make("--type u4 --values=-1"), 2, "outside 0 .. 4294967295");
  check_refused(make("--type b1 --values 2"), 2, "outside 0 .. 1");
  check_refused(make("--type f4 --values 1e39"), 2, "too large");
  check_refused(make("--type f4 --values abc"), 2, "'abc' is not a number");
  check_refused(make("--type V0"), 2, "there are f4");
  CHECK(folder.read("y.npy").empty());
  for (const auto& [options, shown] :
       {std::pair{"--type i8 --values 9007199254740993,-1", "9007199254740993 -1"},
        std::pair{"--type u8 --values 18446744073709551615,0", "18446744073709551615 0"},
        std::pair{"--type i4 --values 123456789,-987654321", "123456789 -987654321"},
        std::pair{"--type f8 --values 0.1,123456789.123456789", "0.1 123456789.12345679"},
        std::pair{"--type f4 --values inf,nan", "inf nan"}}) {
    CHECK(make(options).status == 0);
    CHECK(contains(folder.run("npy show y.npy").text, shown));
  }
}

TEST_CASE("arrays are compared without rounding") {
  const Folder folder;
  folder.shell(std::string(TANDEM_EXECUTABLE) +
               " npy make a.npy --type i8 --shape 1 --values 9007199254740993 && " +
               TANDEM_EXECUTABLE + " npy make b.npy --type i8 --shape 1 --values 9007199254740992");
  check_refused(folder.run("npy diff a.npy b.npy"), 1, "9007199254740993 and 9007199254740992");
  CHECK(folder.run("npy diff a.npy a.npy").status == 0);
}
