// Small texts that ask for much, or lie about what they name: the answer always comes within
// seconds and within a gigabyte.
#include <fmt/format.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>

#include "tests/assembler/support.hpp"

namespace tandem::test {
namespace {

#if defined(__has_feature)
constexpr bool sanitized = __has_feature(address_sanitizer);
#else
constexpr bool sanitized = false;
#endif
constexpr double most_seconds = sanitized ? 60 : 5;
constexpr std::uint64_t most_kilobytes = std::uint64_t{1} << (sanitized ? 23U : 20U);

std::string repeated(std::size_t count, const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

std::string numbered(std::size_t count, const std::function<std::string(std::string)>& line) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += line(std::to_string(i));
  return result;
}

// Largest resident size since the last reset, which Linux counts for us.
std::uint64_t peak_kilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6));
  }
  return 0;
}
void reset_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

// Everything that `tandem asm` does with a text, and its output.
std::string answer(const std::string& text) {
  const SourceText source{"test.s", text};
  const LinkResult result = build({&source, 1});
  if (result.ok()) return fmt::format("{} bytes", write_elf(result.program).size());
  return diagnostics_text(result.diagnostics);
}

void check_cost(const std::string& name, const std::string& text) {
  INFO(name);
  REQUIRE(text.size() <= 1'100'000);
  reset_peak();
  const std::clock_t start = std::clock();
  const std::string said = answer(text);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  INFO(said.substr(0, 500));
  CHECK(!said.empty());
  CHECK(seconds < most_seconds);
  CHECK(peak_kilobytes() < most_kilobytes);
}

// A folder that is gone afterwards.
struct Folder {
  Folder() { REQUIRE(mkdtemp(path.data()) != nullptr); }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path + "/" + name, std::ios::binary) << bytes;
    return path + "/" + name;
  }
  std::string path = "/tmp/tandem-hostile-XXXXXX";
};

}  // namespace

TEST_CASE("an error at the end of a long line is shown with its end") {
  const std::string said = errors_of("s1 = # " + std::string(300, '0') + "\n");
  CHECK(said.find("expected a mnemonic, found the end of the line") != std::string::npos);
  CHECK(said.size() < 1000);
  CHECK(errors_of("s1 = " + std::string(300, ' ') + "\r\n").size() < 1000);
}

TEST_CASE("deep nesting is refused") {
  for (const std::string& text :
       {".equ x, " + repeated(60'000, "1?") + "1" + repeated(60'000, ":0") + "\n",
        ".equ x, " + repeated(60'000, "0?1:") + "1\n", ".equ x, " + repeated(60'000, "(") + "1\n",
        ".equ x, " + repeated(60'000, "-") + "1\n",
        ".equ x, " + repeated(60'000, "min(") + "1\n"}) {
    CHECK(errors_of(text).find("error[E006]") != std::string::npos);
  }
  CHECK(answer(".equ x, 0 ? 1 : 0 ? 2 : 3\ns1 = mov x\n").find("bytes") != std::string::npos);
}

TEST_CASE("repetitions cost what they are allowed at most") {
  const std::string million = ".rept 16000000\n";
  check_cost("bundles", ".rept 16777216\n{}\n.endr\n");
  check_cost("nested", million + million + million + " s1 = mov 1\n" + repeated(3, ".endr\n"));
  check_cost("nested, empty", million + million + million + repeated(3, ".endr\n"));
  check_cost("nested often", repeated(60, ".rept 2\n") + " s1 = mov 1\n" + repeated(60, ".endr\n"));
  check_cost("changing", million + "\\\n.endr\n");
  check_cost("linear", ".linear\n" + million + " s1 = add s1, 1\n.endr\n.endlinear\n");
  check_cost("words", ".data\nx:\n" + million + ".u64 x,x,x,x,x,x,x,x\n.endr\n");
}

TEST_CASE("errors in repetitions come to an end") {
  const std::string million = ".rept 16000000\n";
  check_cost("an error", million + " nonsense\n.endr\n");
  check_cost("open macro", million + ".macro b\n.endr\n");
  check_cost("changing", ".rept 16000000, i\n nonsense\\i\n.endr\n");
}

TEST_CASE("blocks that are not closed are found at once") {
  check_cost("macro", ".macro a\n" + repeated(90'000, " s1 = mov 1\n"));
  check_cost("macros", numbered(60'000, [](auto i) { return ".macro a" + i + " x\n"; }));
  check_cost("rept", repeated(100'000, ".rept 2\n"));
  check_cost("if", repeated(150'000, ".if 1\n"));
  check_cost("if 0", repeated(150'000, ".if 0\n"));
}

TEST_CASE("macros that double are stopped") {
  check_cost("calls", ".macro d x\n.if \\x\nd \\x-1\nd \\x-1\n.endif\n.endm\nd 60\n");
  check_cost("arguments", numbered(60, [](auto i) {
                            return ".macro d" + i + " x\n d" + std::to_string(std::stoi(i) + 1) +
                                   " \\x\\x\n.endm\n";
                          }) + "d0 1\n");
}

TEST_CASE("very many names cost little") {
  check_cost("global", ".global x" + numbered(50'000, [](auto i) { return ", name_" + i; }) + "\n");
  check_cost("used", numbered(30'000, [](auto i) { return " s1 = mov name_" + i + "\n"; }));
  check_cost("macros", numbered(30'000, [](auto i) { return ".macro m_" + i + "\n.endm\n"; }) +
                           repeated(1000, " nonsense\n"));
  check_cost("linear labels", ".linear\n" + numbered(100'000, [](auto i) {
                                return "l" + i + ":\n";
                              }) + " halt\n.endlinear\n");
  check_cost("unwritten", ".linear\n" + numbered(40'000, [](auto i) {
                            return " sst [0], %a" + i + "\n";
                          }) + ".endlinear\n");
}

TEST_CASE("a file that includes itself twice is stopped") {
  const Folder folder;
  const std::string path = folder.write("self.s", "");
  const std::string text = ".include \"" + path + "\"\n.include \"" + path + "\"\n";
  (void)folder.write("self.s", text);
  check_cost("self", text);
}

TEST_CASE("bytes of a file are read as far as they are wanted") {
  const Folder folder;
  const std::string path = folder.write("big.bin", "start");
  REQUIRE(truncate(path.c_str(), off_t{1} << 40U) == 0);
  const std::string incbin = ".data\n.incbin \"" + path + "\"";
  check_cost("four bytes", incbin + ", 0, 4\n.text\n{}\n");
  CHECK(built(incbin + ", 0, 4\n.text\n{}\n").data ==
        std::vector<std::uint8_t>{'s', 't', 'a', 'r'});
  check_cost("all of it", incbin + "\n.text\n{}\n");
  CHECK(errors_of(incbin + "\n").find("error[E007]") != std::string::npos);
  check_cost("as a text", ".include \"" + path + "\"\n");
  CHECK(errors_of(".include \"" + path + "\"\n").find("it is larger than 256 MiB") !=
        std::string::npos);
  REQUIRE(truncate(path.c_str(), 1'000'000) == 0);
  check_cost("often", ".data\n.rept 100000\n.incbin \"" + path + "\"\n.endr\n");
  check_cost("often a little", ".data\n.rept 1000000\n.incbin \"" + path + "\", 0, 1\n.endr\n");
}

TEST_CASE("files that cannot be read say why") {
  for (const std::string directive : {".include", ".data\n.incbin"}) {
    const auto said = [&](const std::string& path) {
      return errors_of(directive + " \"" + path + "\"\n");
    };
    CHECK(said("/dev/zero").find("it is a device, not a file") != std::string::npos);
    CHECK(said("/").find("it is a directory") != std::string::npos);
    CHECK(said("/proc/self/mem").find("cannot read: Input/output error") != std::string::npos);
    CHECK(said("nowhere").find("looked in .") != std::string::npos);
    CHECK(said("a\\0b").find("zero byte") != std::string::npos);
  }
}

TEST_CASE("a block begins behind a label too") {
  const std::string nested = ".rept 2\n s1 = mov 1\n.endr\n.endr\n";
  CHECK(built(".rept 2\ny\\@: .rept 2\n s1 = mov 1\n.endr\n.endr\n").text.size() == 4);
  CHECK(
      built(".rept 2, i\nb\\i: y\\i\\()z: " + nested.substr(0, 8) + " s1 = mov \\i\n.endr\n.endr\n")
          .text.size() == 4);
  CHECK(built(".if 0\ny\\i: .if 1\n s1 = mov 1\n.endif\n.endif\n s1 = mov 1\n").text.size() == 1);
}

TEST_CASE("numbers that are too large are not taken for smaller ones") {
  CHECK(errors_of("v1 = vmov 1e999\n").find("error[E003]") != std::string::npos);
  CHECK(errors_of("v1 = vmov 1e-999\n").find("error[E003]") != std::string::npos);
  CHECK(errors_of("s1 = mov 0x10000000000000000\n").find("it is too large") != std::string::npos);
}

TEST_CASE("what was forgotten left of an operation is named") {
  const auto says = [](const std::string& text, const std::string& wanted) {
    INFO(text);
    const std::string said = errors_of(text);
    INFO(said);
    CHECK(said.find(wanted) != std::string::npos);
  };
  says("s1 mov 5\n", "expected `=`, found `mov`");
  says("v1 vadd.f32 v2, v3\n", "the form is `vd = vadd.f32 x, y`");
  says(".reg ptr, s3\nptr mov 5\n", "expected `=`, found `mov`");
  says(".reg ptr, s3\ns1 = ptr\n", "`ptr` is register s3: `mov` copies it");
  says(".reg acc, v3\nv1 = acc\n", "`acc` is register v3: `vmov` copies it");
  says("p1 = p2\n", "`p2` is a register: `por` with itself copies it");
  says(".equ five, 5\ns1 = five\n", "`mov` loads a constant");
  says("[s1] = v1\n", "a store is one: `vst [s3], v1`");
}

TEST_CASE("labels of another object do not stand in addresses of another memory either") {
  const Object main = assembled(".extern table\n v1 = vld [table]\n halt\n");
  const Object other = assembled(".global table\n .smem\ntable: .space 4\n");
  const LinkInput inputs[] = {{"main.o", main}, {"other.o", other}};
  const LinkResult result = link(inputs);
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics[0].message ==
        "`table` is in .smem; expected an address in VMEM in bundle 0 (test.s:2)");
}

}  // namespace tandem::test
