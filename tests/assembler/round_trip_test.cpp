// Text -> binary -> text -> binary gives the same bytes, over random bundles made from the table.
#include <filesystem>
#include <random>

#include "isa/encoding.hpp"
#include "isa/registers/registers.hpp"
#include "isa/text/text.hpp"
#include "tests/assembler/support.hpp"

namespace tandem::test {
namespace {

class RandomBundles {
 public:
  explicit RandomBundles(std::uint64_t seed) : random_(seed) {}

  std::uint32_t below(std::uint32_t limit) {
    return std::uniform_int_distribution<std::uint32_t>(0, limit - 1)(random_);
  }
  std::uint32_t word() { return static_cast<std::uint32_t>(random_()); }

  // Any operand that fits its fields.
  OperandValue operand(const Operand& operand) {
    for (;;) {
      OperandValue value;
      value.extra = below(1U << operand.extra.width);
      if (operand.select.width != 0 && below(2) != 0) {
        value.extra = static_cast<std::uint32_t>(SourceForm::constant);
      }
      const bool constant = selects_constant(operand, value.extra);
      if (!constant) value.value = field(operand.value, operand.kind == OperandKind::stride);
      if (operand.kind == OperandKind::rows) ++value.value;
      if (operand.kind == OperandKind::csr) value.value = csr();
      if (constant || !register_or_constant(operand)) {
        value.imm = field(operand.imm, operand.imm_signed);
      }
      if (fits(operand, value)) return value;
    }
  }

  Operation operation(const Instruction& row) {
    Operation result{row.op, static_cast<std::uint8_t>(below(8)), below(2) != 0, {}};
    for (std::size_t i = 0; i < row.operands.count; ++i) {
      result.operands[i] = operand(*row.operands.items[i]);
    }
    return result;
  }

  // A legal bundle without write conflicts.
  Bundle bundle() {
    for (;;) {
      Bundle bundle{};
      DecodedBundle decoded;
      for (std::size_t index = 0; index < slot_count; ++index) {
        const auto slot = static_cast<Slot>(index);
        const Instruction& row =
            instructions[below(static_cast<std::uint32_t>(instructions.size()))];
        if (!slot_accepts(slot, row.group)) continue;
        decoded[index] = operation(row);
        set_slot_bits(bundle, slot, encode(*decoded[index]));
      }
      if (!find_write_conflict(decoded)) return bundle;
    }
  }

 private:
  std::int32_t field(BitField field, bool is_signed) {
    if (field.width == 0) return 0;
    // Corners often: all zeros, all ones, the sign bit.
    const std::uint32_t choice = below(8);
    std::uint32_t bits = choice == 0   ? 0
                         : choice == 1 ? ~0U
                         : choice == 2 ? 1U << (field.width - 1)
                                       : word();
    const unsigned shift = 32U - field.width;
    bits <<= shift;
    return is_signed ? static_cast<std::int32_t>(bits) >> shift
                     : static_cast<std::int32_t>(bits >> shift);
  }

  std::int32_t csr() {
    for (;;) {
      const Register& row = registers()[below(static_cast<std::uint32_t>(registers().size()))];
      if (row.program_readable) return static_cast<std::int32_t>(row.number);
    }
  }

  std::mt19937_64 random_;
};

Object program_of(std::vector<Bundle> bundles) {
  Object object;
  object.linked = true;
  object.preset = find_preset("small");
  object.text = std::move(bundles);
  object.entry_pc = 0;
  return object;
}

}  // namespace

TEST_CASE("every instruction survives as text in every slot that accepts it") {
  RandomBundles random(1);
  std::vector<Bundle> bundles;
  for (const Instruction& row : instructions) {
    for (std::size_t index = 0; index < slot_count; ++index) {
      const auto slot = static_cast<Slot>(index);
      if (!slot_accepts(slot, row.group)) continue;
      for (int i = 0; i < 50; ++i) {
        Bundle bundle{};
        set_slot_bits(bundle, slot, encode(random.operation(row)));
        bundles.push_back(bundle);
      }
    }
  }
  const Object program = program_of(bundles);
  const std::string text = disassemble(program);
  CHECK(text.find(".bundle") == std::string::npos);
  CHECK(built(text).text == bundles);
  require_round_trip(program);
}

TEST_CASE("random legal bundles survive as text") {
  RandomBundles random(2);
  std::vector<Bundle> bundles;
  for (int i = 0; i < 20000; ++i) bundles.push_back(random.bundle());
  const std::string text = disassemble(program_of(bundles));
  CHECK(text.find(".bundle") == std::string::npos);
  CHECK(built(text).text == bundles);
}

TEST_CASE("random bits survive as text") {
  RandomBundles random(3);
  std::vector<Bundle> bundles;
  for (int i = 0; i < 2000; ++i) {
    Bundle bundle = random.bundle();
    const std::uint32_t flips = random.below(4);
    for (std::uint32_t j = 0; j < flips; ++j) {
      bundle[random.below(bundle_words)] ^= 1U << random.below(32);
    }
    if (random.below(10) == 0) {
      for (std::uint32_t& word : bundle) word = random.word();
    }
    bundles.push_back(bundle);
  }
  const std::string text = disassemble(program_of(bundles));
  CHECK(text.find(".bundle") != std::string::npos);
  CHECK(built(text).text == bundles);
}

TEST_CASE("a flipped bit of a bundle changes the text") {
  RandomBundles random(4);
  for (int i = 0; i < 300; ++i) {
    const Bundle bundle = random.bundle();
    const std::string text = disassemble(program_of({bundle}));
    Bundle flipped = bundle;
    flipped[random.below(bundle_words)] ^= 1U << random.below(32);
    CHECK(disassemble(program_of({flipped})) != text);
  }
}

TEST_CASE("programs and objects with everything in them survive as text") {
  const std::string text =
      ".target nano\n.tensor x, f32, [rows, 3, ?], in\n.tensor y, s8, [], inout\n"
      ".global start, table, buffer, words, room, size\n.extern far, away\n.equ size, 77\n"
      ".entry start\nhalt\nstart: { s1 = mov lo(table + 4) ; s2 = mov hi(table + 4) }\n"
      "again: { @p1 br again ; v1 = vld [buffer + 8] ; s3 = sld [words] }\n"
      "s4 = mov x.entry\ns4 = mov y.entry + 8\ns5 = mov buffer*ROW_BYTES + 4\n"
      "s6 = mov 100 - words*4\ns6 = mov lo(-table)\ns6 = call far\ns7 = mov lo(away)\ncopy [words "
      "+ 16], s4, s5\n"
      ".data\n.align 64\n.u8 1, 2, 3\ntable: .f32 1.5, 2.5\n.u32 lo(table + 8), buffer << 5\n"
      ".u64 away - 8\n.space 200\n.u8 9\ntail:\n"
      ".bss\n.align 256\n.space 10\nroom: .space 20\n"
      ".vmem\n.align 8\n.space 4\nbuffer: .space 32\n.arguments\n.smem\n.align 16\nwords: .space "
      "64\nown: .u32 1, 0, 2\n.space 3\nend:\n";
  const Object object = assembled(text);
  require_round_trip(object);
  const Object other =
      assembled(".target nano\n.global far, away\nfar: halt\n.data\naway: .u8 1\n");
  const LinkInput inputs[] = {{"a.o", object}, {"b.o", other}};
  const LinkResult linked = link(inputs);
  REQUIRE(diagnostics_text(linked.diagnostics) == "");
  require_round_trip(linked.program);
}

TEST_CASE("every program in the repository survives as text for every preset") {
  std::size_t programs = 0;
  for (const std::string folder : {"benchmarks", "tests/programs"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".s") continue;
      for (const Parameters& preset : presets) {
        AssembleOptions options;
        options.preset = preset.name;
        const std::optional<SourceText> source = read_source(entry.path().string());
        REQUIRE(source);
        const LinkResult result = build({&*source, 1}, options);
        if (!result.ok()) continue;  // a part for .include, or not written for this preset
        INFO(source->name);
        require_round_trip(result.program);
        ++programs;
      }
    }
  }
  CHECK(programs >= 20);
}

TEST_CASE("a program without lines or with lines of several files survives as text") {
  AssembleOptions options;
  options.line_table = false;
  require_round_trip(built("halt\n", options));
  const SourceText sources[] = {{"dir/a \"quoted\\\".s", ".extern f\nbr f\n{}\nl: halt\n"},
                                {"b.s", ".global f\nf: halt\nl: halt\n"}};
  const LinkResult linked = build(sources);
  REQUIRE(linked.ok());
  CHECK(linked.program.source.files.size() == 2);
  require_round_trip(linked.program);
}

}  // namespace tandem::test
