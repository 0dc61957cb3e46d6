// Sections, data, tensors, and the debug directives.
#include <cstring>
#include <filesystem>
#include <fstream>

#include "isa/descriptor.hpp"
#include "isa/text/text.hpp"
#include "tests/assembler/support.hpp"

namespace tandem::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes data(const std::string& text) { return assembled("        .data\n" + text + "\n").data; }

const Symbol& symbol(const Object& object, const std::string& name) {
  for (const Symbol& item : object.symbols) {
    if (item.name == name) return item;
  }
  FAIL("no symbol " + name);
  return object.symbols.front();
}

}  // namespace

TEST_CASE("typed data is little endian and packed") {
  CHECK(data(".f32 1.0, -2") == Bytes{0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0});
  CHECK(data(".bf16 1.0, -2") == Bytes{0x80, 0x3f, 0, 0xc0});
  CHECK(data(".s8 -1, 127, -128") == Bytes{0xff, 0x7f, 0x80});
  CHECK(data(".u8 255, 0") == Bytes{0xff, 0});
  CHECK(data(".s16 -2\n.u16 0xfffe") == Bytes{0xfe, 0xff, 0xfe, 0xff});
  CHECK(data(".s32 -2, 0xfffffffe") == Bytes{0xfe, 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff});
  CHECK(data(".u32 258") == Bytes{2, 1, 0, 0});
  CHECK(data(".u64 -2") == Bytes{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff});
  CHECK(data(".s64 1") == Bytes{1, 0, 0, 0, 0, 0, 0, 0});
  CHECK(data(".ascii \"a\\n\\\"\\\\\"") == Bytes{'a', '\n', '"', '\\'});
  CHECK(data(R"(.ascii "\x41\101\012\08\0\xfg\377")") ==
        Bytes{'A', 'A', 10, 0, '8', 0, 15, 'g', 255});
  CHECK(data(R"(.ascii "\t\r\a\b\f\v\'")") == Bytes{9, 13, 7, 8, 12, 11, '\''});
  CHECK(data(".asciz \"a\", \"\"") == Bytes{'a', 0, 0});
  CHECK(data(".u8 1\n.align 4\n.u8 2") == Bytes{1, 0, 0, 0, 2});
  CHECK(data(".space 2\n.space 3, 7") == Bytes{0, 0, 7, 7, 7});
}

TEST_CASE("a backslash before anything else is an error where it is") {
  const auto said = [](const std::string& text) { return errors_of(".data\n.ascii " + text); };
  CHECK(said(R"("ab\q")").find("test.s:2:11: error[E002]: unexpected character `\\q`") == 0);
  for (const char* escape :
       {R"(\8)", R"(\400)", R"(\x)", R"(\xg)", R"(\x041)", "\\\u00e9", R"(\N)"}) {
    INFO(escape);
    CHECK(said("\"a" + std::string(escape) + "z\"").find("E002") != std::string::npos);
    CHECK(errors_of("s1 = mov '" + std::string(escape) + "'\n").find("E002") != std::string::npos);
  }
  CHECK(said("\"ab\\").find("E004") != std::string::npos);
  CHECK(errors_of(R"(.error "\q")").find("E002") != std::string::npos);
}

TEST_CASE("sections count in their own units and continue where they were left") {
  const Object object = assembled(
      ".vmem\na: .space 8\n.smem\nb: .space 3\n.align 16\nc: .space 16\n.vmem\nd: .space 4\n"
      ".bss\n.space 100\n.align 64\ne: .space 1\n.text\nf: halt\n.data\n.u8 1\ng:\n");
  CHECK(object.vmem_rows == 12);
  CHECK(object.smem_words == 32);
  CHECK(object.bss_bytes == 129);
  CHECK(symbol(object, "a").value == 0);
  CHECK(symbol(object, "d").value == 8);
  CHECK(symbol(object, "c").value == 16);
  CHECK(symbol(object, "e").value == 128);
  CHECK(symbol(object, "f").place == Place::text);
  CHECK(symbol(object, "g").value == 1);
}

TEST_CASE("words of .smem have contents up to the last that has any") {
  using Words = std::vector<std::uint32_t>;
  const Object object =
      assembled(".smem\n.u32 1, -1\n.space 2\nc: .f32 1.0\n.s32 -2\n.align 8\nd: .space 5\n");
  CHECK(object.smem_contents == Words{1, ~0U, 0, 0, 0x3f800000, ~1U});
  CHECK(object.smem_words == 13);
  CHECK(symbol(object, "c").value == 4);
  CHECK(symbol(object, "d").value == 8);
  const std::string copy = ".descriptor source_space=vmem, source=4*LANES, length=8, flag=3\n";
  const Bytes in_data = assembled(".data\n" + copy).data;
  Words words(16);
  std::memcpy(words.data(), in_data.data(), 64);
  CHECK(assembled(".smem\n" + copy).smem_contents == words);
  CHECK(assembled(".smem\n" + copy).data.empty());
}

TEST_CASE("words of .smem are numbers that fit") {
  CHECK(errors_of(".smem\n.u32 l\n.text\nl: halt\n").find("E010") != std::string::npos);
  CHECK(errors_of(".smem\n.descriptor source=l\n.text\nl: halt\n").find("E010") !=
        std::string::npos);
  CHECK(errors_of(".smem\n.u8 1\n").find("E061") != std::string::npos);
  CHECK(errors_of(".target nano\n.smem\n.space SMEM_WORDS\n.u32 1\n").find("E007") !=
        std::string::npos);
  CHECK(errors_of(".target nano\n.smem\n.space SMEM_WORDS-15\n.descriptor flag=1\n").find("E007") !=
        std::string::npos);
}

TEST_CASE("a program lies in HBM as the manual says") {
  const Object program = built("halt\n.data\nd: .space 5000\n.bss\nb: .space 10\n");
  CHECK(symbol(program, "d").value == 0x11000);
  CHECK(symbol(program, "b").value == 0x13000);
  const Image image = make_image(program);
  REQUIRE(image.data.size() == 1);
  CHECK(image.data[0].address == 0x11000);
  CHECK(image.data[0].bytes.size() == 5000);
  CHECK(image.hbm_end == 0x1300a);
  CHECK(make_image(built("halt\n")).hbm_end == text_base + 64);
}

TEST_CASE("tensors are declared with their sizes and names") {
  const Object object = built(
      ".equ n, 5\n.tensor x, f32, [rows, 2*LANES, ?, n], in\n.tensor y, s8, [rows], inout\n"
      ".tensor z, bf16, [], out\ns1 = mov y.entry + 4\ns2 = mov z.entry\n");
  REQUIRE(object.tensors.size() == 3);
  const Tensor& x = object.tensors[0];
  CHECK(x.type == ElementType::f32);
  CHECK(x.dimensions == std::vector<std::int64_t>{-1, 32, -1, 5});
  CHECK(x.dimension_names == std::vector<std::string>{"rows", "", "", ""});
  CHECK((x.input && !x.output));
  CHECK((object.tensors[1].input && object.tensors[1].output));
  CHECK((object.tensors[2].output && object.tensors[2].dimensions.empty()));
  CHECK(bundle_text(object.text[0]) == "{ sa: s1 = mov 68 }");
  CHECK(bundle_text(object.text[1]) == "{ sa: s2 = mov 128 }");
}

TEST_CASE("sizes are made of other sizes") {
  const Object object = built(
      ".target nano\n.equ border, 2\n.tensor y, f32, [n - 2*border, (m+7)/8 * LANES, -n % 3], out\n"
      ".tensor x, f32, [n, m], in\nhalt\n");
  const Tensor& y = object.tensors[0];
  CHECK(y.dimensions == std::vector<std::int64_t>{-1, -1, -1});
  CHECK(y.dimension_names == std::vector<std::string>{"n - 2 * 2", "(m + 7) / 8 * 8", "-n % 3"});
  require_round_trip(object);
}

TEST_CASE("sizes made of what is no size are refused in their line") {
  const std::string x = ".tensor x, f32, [n], in\n";
  const auto refused = [&x](const std::string& size, const std::string& why) {
    const std::string errors = errors_of(x + ".tensor y, f32, [" + size + "], out\nhalt\n");
    INFO(size << "\n" << errors);
    CHECK(errors.find("test.s:2:") != std::string::npos);
    CHECK(errors.find(why) != std::string::npos);
  };
  refused("rows - 4", "`rows` is not defined");
  refused("rows + n", "`rows` is not defined");
  refused("3 - 4", "`size` of -1 is outside 0");
  for (const char* size :
       {"n +", "n 4", "(n", "n - 1.5", "log2(n)", "max(n, 2)", "n << 2", "-n -"}) {
    refused(size, "expected");
  }
  refused(std::string(40, '(') + "n" + std::string(40, ')'), "expected a size");
  CHECK(errors_of("f: ret s1\n.parameter f, x, f32, [2 * n], in\n").find("test.s:2:24") !=
        std::string::npos);
}

TEST_CASE("the entry is the first bundle unless it is given") {
  CHECK(make_image(built("halt\nmain: halt\n")).entry_pc == 0);
  CHECK(make_image(built(".entry main\nhalt\nmain: halt\n")).entry_pc == 1);
  CHECK(make_image(built(".entry main + 1\nhalt\nmain: halt\nhalt\n")).entry_pc == 2);
}

TEST_CASE("labels are in the image for listings") {
  const Image image = make_image(built("a: halt\nb: c: halt\n.vmem\nd: .space 1\n"));
  REQUIRE(image.labels.size() == 3);
  CHECK(image.labels[0].name == "a");
  CHECK(image.labels[2].pc == 1);
}

TEST_CASE("files are included and their bytes taken") {
  const auto folder = std::filesystem::temp_directory_path() / "tandem_test_include";
  std::filesystem::create_directories(folder / "library");
  std::ofstream(folder / "inner.s") << "s2 = mov 2\n.data\n.incbin \"bytes.bin\", 1, 2\n.text\n";
  std::ofstream(folder / "bytes.bin") << "abcdef";
  std::ofstream(folder / "library" / "other.s") << "s3 = mov 3\n";
  AssembleOptions options;
  options.include_paths = {(folder / "library").string()};
  const std::string name = (folder / "main.s").string();
  const AssembleResult result = assemble(
      {name,
       "s1 = mov 1\n.include \"inner.s\"\n.include \"other.s\"\n.data\n.incbin \"bytes.bin\"\n"},
      options);
  CHECK(diagnostics_text(result.diagnostics) == "");
  CHECK(result.object.text.size() == 3);
  CHECK(result.object.data == Bytes{'b', 'c', 'a', 'b', 'c', 'd', 'e', 'f'});
  CHECK(result.object.source.files.size() == 3);
  std::ofstream(folder / "inner.s") << "nonsense\n";
  const std::string said =
      diagnostics_text(assemble({name, ".include \"inner.s\"\n"}, options).diagnostics);
  CHECK(said.find("inner.s:1:1: error[E040]") != std::string::npos);
  CHECK(said.find("main.s:1:1: note: included here") != std::string::npos);
  std::ofstream(folder / "inner.s") << ".include \"inner.s\"\n";
  CHECK(assemble({name, ".include \"inner.s\"\n"}, options).diagnostics.size() == 1);
  std::filesystem::remove_all(folder);
}

TEST_CASE("a descriptor in data has the words of its fields") {
  const Object object = built(
      ".target nano\n.data\n.space 4096\ntable: .u32 7\n.align 64\nfetch: .descriptor "
      "source_space=hbm, source=table + 4, destination_space=vmem, target=0x100000040, length=64, "
      "inner=8, inner_source_stride=-4096, inner_target_stride=64, flag=3, amount=2\n"
      ".text\nhalt\n");
  CopyDescriptor wanted;
  wanted.flag = 3;
  wanted.amount = 2;
  wanted.source = data_address(object) + 4096 + 4;
  wanted.destination = 0x1'0000'0040;
  wanted.length = 64;
  wanted.dimensions[0] = {8, -4096, 64};
  DescriptorWords words{};
  REQUIRE(object.data.size() == 4160 + sizeof words);
  std::memcpy(words.data(), object.data.data() + 4160, sizeof words);
  CHECK(words == wanted.words());
}

TEST_CASE("a descriptor with a field of version 1 is of that version") {
  const Object object = built(
      ".target nano\n.data\n.align 64\n"
      ".descriptor source_space=vmem, destination_space=vmem, source=64, target=128, length=64, "
      "chip=3, flag=4, amount_there=500, flag_here=5, amount_here=6\n"
      ".descriptor chip=0, length=0\n"
      ".descriptor flag_here=7\n.text\nhalt\n");
  const auto at = [&object](std::size_t number) {
    DescriptorWords words{};
    std::memcpy(words.data(), object.data.data() + number * sizeof words, sizeof words);
    return words;
  };
  CopyDescriptor wanted;
  wanted.source_space = MemorySpace::vmem;
  wanted.flag = 4;
  wanted.amount = 500;
  wanted.remote = {3, 5, 6};
  wanted.source = 64;
  wanted.destination = 128;
  wanted.length = 64;
  CHECK(at(0) == wanted.words());
  CHECK(at(0)[0] == 0x03040501);
  CHECK(at(0)[1] == 0x060501f4);
  CHECK(descriptor_of(at(0)) == wanted);
  CHECK(at(1)[0] == 1);
  CHECK(at(1)[1] == 1);
  CHECK(at(2)[1] == 0x01070001);
}

TEST_CASE("fields of both versions do not go together") {
  const auto said = [](const std::string& fields) {
    return errors_of(".data\n.descriptor " + fields + "\n");
  };
  CHECK(said("chip=1, amount=1").find("E090") != std::string::npos);
  CHECK(said("amount_here=256").find("E012") != std::string::npos);
  CHECK(said("amount_there=65536").find("E012") != std::string::npos);
  CHECK(said("amount_there=0").find("E012") != std::string::npos);
  CHECK(said("chip=64").find("E012") != std::string::npos);
  CHECK(said("chip=1, destination_space=smem").find("its HBM or its VMEM") != std::string::npos);
}

TEST_CASE("a descriptor that would trap is refused") {
  const auto said = [](const std::string& fields) {
    return errors_of(".data\n.descriptor " + fields + "\n");
  };
  CHECK(said("flag=32").find("E012") != std::string::npos);
  CHECK(said("length=6").find("E013") != std::string::npos);
  CHECK(said("source=2").find("E013") != std::string::npos);
  CHECK(said("amount=0").find("E012") != std::string::npos);
  CHECK(said("source_space=3").find("E012") != std::string::npos);
  CHECK(said("flag=1, flag=2").find("E047") != std::string::npos);
  CHECK(said("version=0").find("source_space, destination_space") != std::string::npos);
  CHECK(said("length=1.5").find("error[") != std::string::npos);
  CHECK(said("").find("a field of a copy descriptor") != std::string::npos);
  CHECK(errors_of(".descriptor flag=1\n").find("write `.data` first") != std::string::npos);
}

TEST_CASE("debug directives say what the source would have said") {
  const Object object = built(
      ".lines off\n.loc 7, \"far.s\"\nhalt\nhalt\n.loc 9\n{}\n.lines on\n"
      ".bundle 0x46, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xffffffff\n");
  CHECK(places_of(object) == std::vector<std::string>{"0 far.s:7", "2 far.s:9", "3 test.s:8"});
  CHECK(object.source.files == std::vector<std::string>{"far.s", "test.s"});
  CHECK(object.text[3][0] == 0x46);
  CHECK(object.text[3][15] == 0xffffffff);
}

TEST_CASE("a text says what its functions take, and its bytes stay the same") {
  const std::string code = "f: ret s1\n.linear g\nret s1\n.endlinear\n.global f\n";
  const Object object = assembled(
      ".equ most, 40\n"
      ".parameter f, x, bf16, [n, 2 * most, ?, ...], in\n.parameter f, y, any, [], inout\n"
      ".parameter f, at, s32\n.scratch g, 8, 16\n.scratch f, VMEM_ROWS / 2, 512\n" +
      code);
  REQUIRE(object.functions.size() == 2);
  const Function& f = object.functions.front();
  CHECK(f.name == "f");
  REQUIRE(f.parameters.size() == 3);
  CHECK(parameter_text(f.parameters[0]) == "x bf16 [n, 80, ?, ...]");
  CHECK(parameter_text(f.parameters[1]) == "y any []");
  CHECK((f.parameters[1].tensor.input && f.parameters[1].tensor.output));
  CHECK(parameter_text(f.parameters[2]) == "at s32");
  CHECK(f.parameters[2].number);
  CHECK(f.vmem_rows == 8192);
  CHECK(f.smem_words == 512);
  CHECK(object.functions.back().vmem_rows == 8);
  CHECK(symbol(object, "g").global);
  CHECK(write_elf(assembled(code + ".global g\n", {.line_table = false})) ==
        write_elf(assembled(".parameter f, x, s32\n" + code + ".scratch g, 1, 1\n",
                            {.line_table = false})));
}

TEST_CASE("what a function cannot take is refused") {
  const auto refused = [](const std::string& line) { return errors_of(line + "\nf: ret s1\n"); };
  CHECK(refused(".parameter f, x, f33, [n], in").find("f32, bf16") != std::string::npos);
  CHECK(refused(".scratch f, 8, 1\n.scratch f, 16, 1").find("given twice") != std::string::npos);
  CHECK(refused(".parameter f, x, s8").find("f32, s32 or u32") != std::string::npos);
  CHECK(refused(".parameter f, x, any").find("f32, s32 or u32") != std::string::npos);
  CHECK(refused(".parameter f, x, f32, [n]").find("expected `,`") != std::string::npos);
  CHECK(refused(".parameter f, x, f32, [n], over").find("in, out or inout") != std::string::npos);
  CHECK(refused(".parameter f, x, f32, [..., n, ...], in").find("E047") != std::string::npos);
  CHECK(refused(".parameter f, x, s32\n.parameter f, x, s32").find("E047") != std::string::npos);
  CHECK(refused(".parameter f").find("expected `,`") != std::string::npos);
  CHECK(refused(".parameter 5, x, s32").find("name of a function") != std::string::npos);
  CHECK(refused(".scratch f, 1 << 20, 0").find("rows of VMEM") != std::string::npos);
  CHECK(refused(".scratch f, 0, 1 << 20").find("words of SMEM") != std::string::npos);
  CHECK(refused(".scratch g, 0, 0").find("`g` is not defined") != std::string::npos);
}

TEST_CASE(".touch speaks of buffers that are there, of a slot or in a linear block") {
  const std::string buffers = ".buffer vmem, 0, 64, \"f.py:1\"\n.buffer hbm, 16, 8\n";
  const Object object = assembled(buffers +
                                  ".touch dma, 2, 1\ncopy [s4], s5, s6\n"
                                  ".linear\n.touch 1, 0\n%v = vld [0]\nvst [8], %v\n"
                                  ".endlinear\nhalt\n");
  REQUIRE(object.buffers.buffers.size() == 2);
  CHECK(object.buffers.buffers[0].name == "f.py:1");
  CHECK(object.buffers.buffers[1].first == 16);
  REQUIRE(object.buffers.touches.size() == 2);
  CHECK(object.buffers.touches[0].pc == 0);
  CHECK(object.buffers.touches[0].reads == 2);
  CHECK(object.buffers.touches[0].writes == 1);
  CHECK(object.buffers.touches[1].reads == 1);
  require_round_trip(object);
  CHECK(errors_of(buffers + ".touch ld, 3, 0\nhalt\n").find("outside") != std::string::npos);
  CHECK(errors_of(buffers + ".touch 1, 0\nhalt\n").find("linear block") != std::string::npos);
  CHECK(errors_of(".buffer cache, 0, 1\n").find("vmem, hbm") != std::string::npos);
}

TEST_CASE(".touches speaks for all operations of a linear block that touch memory") {
  const std::string buffers =
      ".buffer vmem, 0, 64\n.buffer scratch, 0, 16\n.buffer scratch, 32, 8\n";
  const Object object =
      assembled(buffers +
                ".linear\n.touches 2, 3\n%v = vld [0]\na: b: vst [8], %v\nssti [32], 1\n"
                "copy [0], s1, s2\n.touch 0, 1\nvst [8], %v\n%x = mov 1\n.touches 0, 0\n"
                "vst [16], %v\nsst [33], %x\n.endlinear\nhalt\n");
  std::map<std::pair<std::uint32_t, BufferId>, int> seen;  // of each slot: what is written
  for (const BufferTouch& touch : object.buffers.touches) ++seen[{touch.slot, touch.writes}];
  const auto slot = [](Slot which) { return static_cast<std::uint32_t>(which); };
  CHECK(seen[{slot(Slot::ld), 2}] == 1);
  CHECK(seen[{slot(Slot::st), 2}] == 1);
  CHECK(seen[{slot(Slot::st), 1}] == 1);
  CHECK(seen[{slot(Slot::dma), 2}] == 1);
  CHECK(seen[{slot(Slot::sa), 3}] + seen[{slot(Slot::sb), 3}] == 1);
  CHECK(object.buffers.touches.size() == 5);
  CHECK(errors_of(buffers + ".touches 1, 2\nhalt\n").find("linear block") != std::string::npos);
  CHECK(errors_of(buffers + ".linear\n.touches 4, 0\n.endlinear\n").find("outside") !=
        std::string::npos);
}

TEST_CASE("a copy may touch several buffers of HBM") {
  const std::string buffers =
      ".buffer scratch, 0, 16\n.buffer scratch, 32, 8\n.buffer hbm, 4, 8\n.buffer constant, 2, 4\n";
  const Object object = assembled(
      ".data\n.space 8\n.bss\n.space 64\n.text\n" + buffers +
      ".linear\n.touches 1, 2, 4, 0, 3, 3\n%v = vld [0]\ncopy [32], s1, s2\n.touches 1, 2\n"
      "copy [32], s1, s2\n.touches 0, 0\ncopy [32], s1, s2\n.endlinear\nhalt\n");
  const auto dma = static_cast<std::uint32_t>(Slot::dma);
  std::vector<std::pair<BufferId, BufferId>> seen;
  for (const BufferTouch& touch : object.buffers.touches) {
    if (touch.slot == dma) seen.emplace_back(touch.reads, touch.writes);
  }
  CHECK(seen == std::vector<std::pair<BufferId, BufferId>>{{1, 1}, {4, 0}, {3, 3}, {1, 1}});
  require_round_trip(object);
  const Image image = make_image(object);
  CHECK(image.buffers.buffers[2].first == bss_address(object) / 4 + 4);
  CHECK(image.buffers.buffers[3].first == data_address(object) / 4 + 2);
  for (const std::string more : {", 3", ", 3, 9", ", 9, 3", ","}) {
    CAPTURE(more);
    CHECK(!errors_of(buffers + ".linear\n.touches 1, 2" + more + "\n.endlinear\n").empty());
  }
}

TEST_CASE(".loc takes a chain of calls, the name of an operation, and a slot") {
  const Object object = built(
      ".lines off\n"
      ".loc 7, \"a\", 9, \"b\", 11, \"c\", operation \"jit(f)/add\"\n"
      ".loc va, 8, \"a\", operation \"jit(f)/mul\"\n"
      "{ s1 = mov 1 ; v1 = vmov v2 }\nhalt\n");
  CHECK(places_of(object) == std::vector<std::string>{"0 a:7 [jit(f)/add] (called at b:9, c:11)",
                                                      "0.va a:8 [jit(f)/mul]"});
  CHECK(errors_of(".loc 7, \"a\", 9\nhalt\n").find("the file of the call") != std::string::npos);
  CHECK(errors_of(".loc nowhere, 9\nhalt\n").find("E0") != std::string::npos);
  CHECK(errors_of(".linear\n.loc va, 9\n.endlinear\n").find("`va`") != std::string::npos);
}

}  // namespace tandem::test
