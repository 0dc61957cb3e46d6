// Objects laid end to end, and what the linker refuses.
#include "isa/text/text.hpp"
#include "tests/assembler/support.hpp"

namespace tandem::test {
namespace {

LinkResult linked(const std::vector<std::string>& texts) {
  std::vector<LinkInput> inputs;
  for (const std::string& text : texts) {
    const std::string name(1, static_cast<char>('a' + inputs.size()));
    AssembleResult result = assemble({name + ".s", text});
    REQUIRE(diagnostics_text(result.diagnostics) == "");
    inputs.push_back({name + ".o", std::move(result.object)});
  }
  return link(inputs);
}

Object program(const std::vector<std::string>& texts) {
  LinkResult result = linked(texts);
  REQUIRE(diagnostics_text(result.diagnostics) == "");
  return std::move(result.program);
}

std::string complaint(const std::vector<std::string>& texts) {
  return diagnostics_text(linked(texts).diagnostics);
}

}  // namespace

TEST_CASE("contents of .smem follow the argument block, and only come with it") {
  using Words = std::vector<std::uint32_t>;
  const std::string first = ".tensor x, f32, [4], in\n.arguments\nhalt\n.smem\n.u32 1\n.space 2\n";
  const std::string second = ".smem\n.align 4\n.global w\n.space 1\nw: .u32 2, 3\n.space 4\n";
  const Object object = program({first, second});
  CHECK(object.smem_contents == Words{1, 0, 0, 0, 0, 2, 3});
  CHECK(object.smem_words == 16 + 4 + 7);
  CHECK(make_image(object).smem_contents == object.smem_contents);
  CHECK(complaint({"halt\n", second}).find("error[E091]: words of `.smem` have contents") !=
        std::string::npos);
}

TEST_CASE("references of every kind are settled across objects") {
  const Object object = program(
      {".extern f, t, b, w, r, n\ns1 = call f\ns1 = mov lo(t + 4)\ns1 = mov hi(t)\n"
       "v1 = vld [b + 1]\nv1 = vldc [b*LANES]\ns1 = sld [w + 2]\ncopy [w], s0, s0\n"
       "s1 = mov r - 4\ns1 = mov n\nl: br l\n.data\n.u32 lo(t), b, w << 2\n.u64 t + 1\n.space 3\n"
       ".vmem\n.space 3\n.smem\n.space 1\n.bss\n.space 1\n",
       ".global f, t, b, w, r, n\n.equ n, -5\n{}\nf: l: br l\n.data\n.align 16\n.u8 1\nt: .u8 2\n"
       ".vmem\n.align 4\nb: .space 1\n.smem\n.align 16\nw: .space 3\n.bss\n.align 8\nr: .space "
       "1\n"});
  const auto text = [&](std::size_t pc) { return bundle_text(object.text[pc]); };
  CHECK(text(0) == "{ sa: s1 = call 11 }");
  CHECK(text(1) == "{ sa: s1 = mov 69669 }");  // 0x11000 + 32 + 1 + 4
  CHECK(text(2) == "{ sa: s1 = mov 0 }");
  CHECK(text(3) == "{ ld: v1 = vld [5] }");
  CHECK(text(4) == "{ ld: v1 = vldc [64] }");
  CHECK(text(5) == "{ sb: s1 = sld [18] }");
  CHECK(text(6) == "{ dma: copy [16], s0, s0 }");
  CHECK(text(7) == "{ sa: s1 = mov 73732 }");  // 0x12000 + 8 - 4
  CHECK(text(8) == "{ sa: s1 = mov -5 }");
  CHECK(text(9) == "{ sa: br 9 }");
  CHECK(text(11) == "{ sa: br 11 }");
  CHECK(object.data[0] == 0x21);
  CHECK(object.data[4] == 4);
  CHECK(object.data[8] == 64);
  CHECK(object.data[12] == 0x22);
  CHECK(object.data[14] == 0x01);
  CHECK(object.vmem_rows == 5);
  CHECK(object.smem_words == 19);
  CHECK(object.bss_bytes == 9);
}

TEST_CASE("local names may be the same in two objects") {
  const Object object = program({"l: br l\n", "l: br l\n", "l: br l\n"});
  std::vector<std::string> names;
  for (const Symbol& symbol : object.symbols) names.push_back(symbol.name);
  CHECK(names == std::vector<std::string>{"l", "l.2", "l.3"});
}

TEST_CASE("a tensor may be declared alike in two objects and used in a third") {
  const Object object =
      program({".tensor x, f32, [n], in\nhalt\n",
               ".tensor y, f32, [n], out\n.tensor x, f32, [n], in\ns1 = mov y.entry\n"
               "s1 = mov x.entry\n",
               ".extern y.entry\ns1 = mov y.entry + 4\n"});
  REQUIRE(object.tensors.size() == 2);
  CHECK(bundle_text(object.text[1]) == "{ sa: s1 = mov 64 }");
  CHECK(bundle_text(object.text[2]) == "{ sa: s1 = mov 0 }");
  CHECK(bundle_text(object.text[3]) == "{ sa: s1 = mov 68 }");
}

TEST_CASE("the entry may be in any object but only in one") {
  CHECK(program({"halt\n", ".entry l\n{}\nl: halt\n"}).entry_pc == 2U);
  CHECK(complaint({".entry l\nl: halt\n", ".entry l\nl: halt\n"}) ==
        "b.o: error[E087]: an entry is given here and in a.o\n");
}

TEST_CASE("lines and files are merged") {
  const Object object = program({"halt\n", "\nhalt\n"});
  CHECK(object.source.files == std::vector<std::string>{"a.s", "b.s"});
  CHECK(places_of(object) == std::vector<std::string>{"0 a.s:1", "1 b.s:2"});
}

TEST_CASE("linking refuses what cannot be linked") {
  CHECK(complaint({".extern f, g\nbr f\nbr f\n"}) ==
        "a.o: error[E082]: `f` is not defined in any object\n"
        "      = hint: define it with `.global` in one of the objects\n"
        "a.o: error[E082]: `g` is not defined in any object\n"
        "      = hint: define it with `.global` in one of the objects\n");
  CHECK(complaint({".global f\nf: halt\n", ".global f\nf: halt\n"}) ==
        "b.o: error[E083]: `f` is defined here and in a.o\n");
  CHECK(complaint({".tensor x, f32, [n], in\nhalt\n", ".tensor x, f32, [m], in\nhalt\n"}) ==
        "b.o: error[E084]: tensor `x` is declared differently in a.o\n");
  CHECK(complaint({".target nano\nhalt\n", ".target edge\nhalt\n"}) ==
        "b.o: error[E081]: built for preset `edge` (lanes 64), this machine is `nano` (lanes 8)\n");
  CHECK(
      complaint({".target nano\nhalt\n.vmem\n.space 2000\n", ".target nano\n.vmem\n.space 49\n"}) ==
      "b.o: error[E085]: 2049 of VMEM rows do not fit: nano has 2048\n");
  CHECK(
      complaint({".target nano\nhalt\n.smem\n.space 4096\n", ".target nano\n.smem\n.space 1\n"}) ==
      "b.o: error[E085]: 4097 of SMEM words do not fit: nano has 4096\n");
  CHECK(complaint({"# nothing\n"}) == "a.o: error[E088]: there is no bundle to run\n");
  CHECK(diagnostics_text(link({}).diagnostics) == "link: error[E088]: there is no bundle to run\n");
  const Object whole = built("halt\n");
  const LinkInput inputs[] = {{"x.elf", whole}};
  CHECK(diagnostics_text(link(inputs).diagnostics) ==
        "x.elf: error[E080]: this is a linked program, not an object\n"
        "      = hint: link its objects instead\n");
}

TEST_CASE("values that do not fit are refused where they are used") {
  CHECK(complaint(
            {".extern n\nv1 = vld [n]\n.data\n.u8 0\n.u32 n\n", ".global n\n.equ n, 1 << 40\n"}) ==
        "a.o: error[E086]: `n` is 1099511627776, which does not fit in bundle 0 (a.s:2): "
        "`address` of `vld` takes -32768 .. 32767\n"
        "a.o: error[E086]: `n` is 1099511627776, which does not fit at byte 1 of .data: "
        "a word takes 32 bits; lo() and hi() give the halves of an address\n");
}

TEST_CASE("objects that were written and read link to the same program") {
  const std::vector<std::string> texts{
      ".extern f\n.tensor x, f32, [n], in\nbr f\ns1 = mov x.entry\n",
      ".global f\n.entry f\nf: halt\n.data\nd: .u64 d\n"};
  std::vector<LinkInput> direct;
  std::vector<LinkInput> through_files;
  for (const std::string& text : texts) {
    direct.push_back({"x.o", assembled(text)});
    const ElfResult read = read_elf(write_elf(direct.back().object));
    REQUIRE(read.ok());
    through_files.push_back({"x.o", read.object});
  }
  CHECK(write_elf(link(direct).program) == write_elf(link(through_files).program));
}

}  // namespace tandem::test
