// Sizes of outputs and constants of the program from the command line.
#include "tests/cli/folder.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

constexpr const char* program = R"(
        .target nano
        .tensor x, f32, [n], in
        .tensor y, f32, [rows, ?], out
        { halt }
)";
constexpr const char* made_of_others = R"(
        .target nano
        .tensor y, f32, [n - 4, 2 * n / m], out
        .tensor x, f32, [n, m], in
        { halt }
)";
constexpr const char* counting = R"(
        .target nano
        .equ rounds, 3
        { s1 = mov rounds }
loop:   { s1 = sub s1, 1 ; p1 = ne s1, 1 }
        { @p1 br loop }
        { halt }
)";

}  // namespace

TEST_CASE("sizes that no input brings are given by --size") {
  const Folder folder;
  folder.write("k.s", program);
  folder.write_floats("x.npy", {4});
  const std::string run = "run k.s --no-uninitialised-check --in x=x.npy --out y=y.npy ";
  check_refused(folder.run(run), 2, "not known from any bound tensor");
  check_refused(folder.run(run + "--size rows=2"), 2, "not known from any bound tensor");
  for (const std::string sizes : {"--size y=2,3", "--size rows=2 --size y=?,3"}) {
    CHECK(folder.run(run + sizes).status == 0);
    CHECK(contains(folder.run("npy show y.npy").text, "2 x 3"));
  }
  check_refused(folder.run(run + "--size y=2"), 2, "has 2 dimensions");
  check_refused(folder.run(run + "--size z=2"), 2, "no tensor and no dimension");
  check_refused(folder.run(run + "--size rows=2,3"), 2, "one size");
  check_refused(folder.run(run + "--size y=2,-3"), 2, "is not a size");
  check_refused(folder.run(run + "--size y"), 2, "TENSOR=SIZE");
  check_refused(folder.run(run + "--size rows=2 --size y=3,3"), 2, "is declared as 2");
  check_refused(folder.run(run + "--size n=5 --size y=2,3"), 2, "its data has 4");
}

TEST_CASE("sizes are worked out of those that data bring") {
  const Folder folder;
  folder.write("k.s", made_of_others);
  const std::string run = "run k.s --no-uninitialised-check --out y=y.npy --in x=x.npy ";
  folder.write_floats("x.npy", {6, 2});
  CHECK(folder.run(run).status == 0);
  CHECK(contains(folder.run("npy show y.npy").text, "2 x 6"));
  CHECK(folder.run(run + "--size y=2,6").status == 0);
  check_refused(folder.run(run + "--size y=3,6"), 2,
                "'n - 4' (n = 6) is declared as 2, its data has 3");
  folder.write_floats("x.npy", {3, 2});
  check_refused(folder.run(run), 2, "tensor 'y': dimension 'n - 4' (n = 3) is -1");
  folder.write_floats("x.npy", {6, 0});
  check_refused(folder.run(run), 2,
                "'2 * n / m' (n = 6, m = 0) cannot be worked out: it divides by 0");
}

TEST_CASE("constants are defined where a text is run, too") {
  const Folder folder;
  folder.write("k.s", counting);
  CHECK(contains(folder.run("run k.s").text, "8 bundles"));
  CHECK(contains(folder.run("run k.s -D rounds=5").text, "12 bundles"));
  CHECK(contains(folder.run("run --on cycle -Drounds=2+3 k.s").text, "12 bundles"));
  CHECK(folder.run("report k.s -D rounds=5 -o page.html").status == 0);
  check_refused(folder.run("run k.s -D =5"), 2, "names nothing");
  check_refused(folder.run("run k.s -D 'rounds=('"), 2, "<command line>");
  CHECK(folder.run("asm k.s").status == 0);
  check_refused(folder.run("run k.elf -D rounds=5"), 2, "is assembled already");
}

TEST_CASE("the debugger's help lists what it takes") {
  const Folder folder;
  folder.write("k.s", counting);
  const std::string help = folder.run("debug --help").text;
  for (const std::string option : {"--limit", "--listing", "--counters", "--out"}) {
    CHECK(!contains(help, option + " "));  // beside --outstanding
    check_refused(folder.run("debug k.s " + option + (option == "--limit" ? " 5" : "") +
                             (option == "--out" ? " y=y.npy" : "")),
                  2, "the debugger");
  }
}

TEST_CASE("a trap tells what may be reached") {
  const Folder folder;
  const auto trap = [&folder](const std::string& text) {
    folder.write("t.s", "        .target nano\n" + text + "halt\n");
    const Output output = folder.run("run t.s");
    CHECK(output.status == 1);
    return output.text;
  };
  CHECK(contains(trap("s1 = mov 5000\ns2 = sld [s1]\n"),
                 "`address` of `sld` is 5000; there are 0 to 4095, the words of SMEM"));
  CHECK(contains(trap("v1 = vld [2047]\n"), "is 2048; there are 0 to 2047, the rows of VMEM"));
  CHECK(contains(trap("s1 = mov 64\nv1 = mxread a[s1]\n"), "there are 0 to 63, the accumulators"));
  CHECK(contains(trap("s1 = mov 4096\ncopy [s1], s0, s0\n"), "the descriptor's address is 4096"));
  const std::string copy = trap(
      "s1 = mov 0\ns2 = mov (3 << 16) | (1 << 10)\nsst [0], s2\ns2 = mov 1\nsst [1], s2\n"
      "sst [7], s2\nsst [10], s2\nsst [13], s2\ns2 = mov 65536\nsst [4], s2\ns2 = mov 64\n"
      "sst [6], s2\ncopy [s1], s0, s0\n");
  CHECK(contains(copy, "descriptor at SMEM word 0: runs of 64 bytes; f3 += 1"));
  CHECK(contains(copy, "from HBM at 0x0, bytes 0x0 to 0x40"));
  CHECK(contains(copy, "to VMEM at 0x10000, bytes 0x10000 to 0x10040; VMEM has 0x10000"));
}
