#include "isa/builder/object_builder.hpp"

#include <catch2/catch.hpp>

#include "isa/golden/golden_model.hpp"
#include "isa/launch/launch.hpp"
#include "isa/object/link.hpp"
#include "isa/text/source_place.hpp"
#include "isa/text/text.hpp"

using namespace tandem::builder;  // NOLINT: a test file

namespace tandem {
namespace {

template <const auto& make, typename... Given>
constexpr bool takes = std::is_invocable_v<decltype(make), Given...>;

std::string text_of(const Placed& placed) { return operation_text(placed.operation); }

Image linked(Object object) {
  const LinkInput input{"built", std::move(object)};
  const LinkResult result = link(std::span(&input, 1));
  INFO(diagnostics_text(result.diagnostics));
  REQUIRE(result.ok());
  return make_image(result.program);
}

GoldenModel run(const Image& image, const std::map<std::string, TensorData>& tensors = {}) {
  static Launch launch;
  launch = make_launch(image, tensors, 1U << 24U, 1);
  GoldenModel model(launch);
  model.run(100'000);
  return model;
}

}  // namespace

// Operands of another kind do not compile.
static_assert(takes<op::add, Scalar, Scalar, int>);
static_assert(takes<op::add, Scalar, Scalar, Scalar>);
static_assert(!takes<op::add, Scalar, Scalar>);
static_assert(!takes<op::add, Scalar, Scalar, int, int>);
static_assert(!takes<op::add, Vector, Scalar, int>);
static_assert(!takes<op::add, Scalar, int, Scalar>);
static_assert(!takes<op::lt_s32, Scalar, Scalar, int>);
static_assert(takes<op::lt_s32, Predicate, Scalar, int>);
static_assert(!takes<op::lt_s32, NegatedPredicate, Scalar, int>);
static_assert(takes<op::pand, Predicate, NegatedPredicate, Predicate>);
static_assert(takes<op::vadd_f32, Vector, VectorForm, float>);
static_assert(!takes<op::vadd_f32, Vector, float, Vector>);
static_assert(!takes<op::vadd_f32, VectorForm, Vector, Vector>);
static_assert(takes<op::vld, Vector, Vmem, Rows, Stride>);
static_assert(takes<op::vld, Vector, Vmem, Stride, MaskedBy, Rows>);
static_assert(!takes<op::vld, Vector, Vmem, Rows, Rows>);
static_assert(!takes<op::vld, Vector, Smem>);
static_assert(!takes<op::vld, Vector, Vmem, AddFlag>);
static_assert(takes<op::mxmul_bf16, Accumulator, FloatPart, Rows, AddFlag, SwapFlag>);
static_assert(!takes<op::mxmul_bf16, Accumulator, BytePart>);
static_assert(takes<op::mxmul_s8, Accumulator, BytePart>);
static_assert(!takes<op::copy, Smem, Scalar, Scalar>);
static_assert(takes<op::halt>);

TEST_CASE("a typed operation is what its text says") {
  CHECK(text_of(op::add(s(1), s(2), -5)) == "s1 = add s2, -5");
  CHECK(text_of(op::br(7U).when(!p(1))) == "@!p1 br 7");
  CHECK(text_of(op::pand(p(1), !p(2), p(3))) == "p1 = pand !p2, p3");
  CHECK(text_of(op::vadd_f32(v(3), v(4).hi(), s(2))) == "v3 = vadd.f32 v4.hi, s2");
  CHECK(text_of(op::vld(v(3), Vmem(s(4), 8), rows(2), masked(!m(1)))) ==
        text_of(op::vld(v(3), Vmem(s(4), 8), masked(!m(1)), rows(2))));
  CHECK(text_of(op::wait(f(3, s(5)), 12)) == "wait f[s5 + 3], 12");
}

TEST_CASE("values that a field cannot hold are refused") {
  CHECK_THROWS_AS(op::vld(v(3), Vmem(s(4), 40'000)), BuildError);
  CHECK_THROWS_AS(op::vld(v(64), Vmem(0)), BuildError);
  CHECK_THROWS_AS(op::vld(v(3), Vmem(0), rows(9)), BuildError);
  CHECK_THROWS_AS(op::add(s(1), s(2), 3).in(Slot::va), BuildError);
  CHECK_THROWS_AS(make_operation(Op::halt, std::vector<OperandValue>(1)), BuildError);
}

TEST_CASE("operations find their slots, and a bundle that is full says so") {
  ObjectBuilder object(*find_preset("nano"));
  CHECK(object.bundle({op::mov(s(1), 1), op::mov(s(2), 2), op::vmov(v(1), s(1))}) == 0);
  CHECK(object.bundle({op::mov(s(1), 1).in(Slot::sb), op::mov(s(2), 2)}) == 1);
  CHECK_THROWS_AS(object.bundle({op::mov(s(1), 1), op::mov(s(2), 2), op::mov(s(3), 3)}),
                  BuildError);
  CHECK_THROWS_AS(object.bundle({op::halt(), op::mov(s(1), 1).in(Slot::sa)}), BuildError);
}

TEST_CASE("a loop with labels forwards and backwards runs") {
  ObjectBuilder object(*find_preset("nano"));
  const SymbolValue end = object.label("end");
  object.bundle({op::mov(s(1), 0)});
  const SymbolValue loop = object.here("loop");
  object.bundle({op::add(s(1), s(1), 1), op::eq(p(1), s(1), 9)});
  object.bundle({op::br(end).when(p(1))});
  object.bundle({op::br(loop)});
  object.place(end);
  object.bundle({op::halt()});
  CHECK_THROWS_AS(object.place(end), BuildError);
  const Image image = linked(object.finish());
  const GoldenModel model = run(image);
  CHECK(model.status() == RunStatus::halted);
  CHECK(model.state().scalars[1] == 10);
}

TEST_CASE("a label that is nowhere placed is refused") {
  ObjectBuilder object(*find_preset("nano"));
  object.bundle({op::br(object.label("nowhere"))});
  CHECK_THROWS_AS(object.finish(), BuildError);
}

TEST_CASE("objects built apart are linked by their names, one after the other") {
  ObjectBuilder first(*find_preset("nano"));
  first.entry();
  first.bundle({op::call(s(30), first.external("seven"))});
  first.bundle({op::halt()});
  ObjectBuilder second(*find_preset("nano"));
  const SymbolValue word = second.smem(4, 2, "word");
  second.make_global(second.here("seven"));
  second.bundle({op::mov(s(2), 7)});
  second.bundle({op::sst(Smem(word + 1), s(2)), op::mov(s(3), word)});
  second.bundle({op::ret(s(30))});
  const std::array<LinkInput, 2> inputs{{{"a", first.finish()}, {"b", second.finish()}}};
  const LinkResult result = link(inputs);
  REQUIRE(result.ok());
  const Image image = make_image(result.program);
  const GoldenModel model = run(image);
  CHECK(model.status() == RunStatus::halted);
  CHECK(model.state().smem[model.state().scalars[3] + 1] == 7);
}

TEST_CASE("a descriptor in .data moves what it says") {
  ObjectBuilder object(*find_preset("nano"));
  const std::vector<DataWord> values{11U, 22U, 33U, 44U};
  const SymbolValue data = object.words(values, 4096, "values");
  const SymbolValue room = object.vmem(1);
  CopyDescriptor copy;
  copy.flag = 3;
  copy.length = 16;
  DescriptorWords numbers = copy.words();
  std::vector<DataWord> words(numbers.begin(), numbers.end());
  words[descriptor_field::source.word] = low_word(data);
  words[descriptor_field::source_high.word] = high_word(data);
  const SymbolValue in_data = object.words(words, 64);
  const SymbolValue at = object.smem(descriptor_words, descriptor_words);
  CHECK(object.descriptor(copy).symbol != in_data.symbol);
  // Only stores can write the first descriptor to SMEM.
  for (std::uint32_t word = 0; word < descriptor_words; ++word) {
    if (const auto* linked_word = std::get_if<SymbolWord>(&words[word])) {
      if (linked_word->kind == RelocationKind::word32_hi) continue;  // below 4 GiB
      object.bundle({op::mov(s(4), data)});
    } else {
      object.bundle({op::mov(s(4), std::get<std::uint32_t>(words[word]))});
    }
    object.bundle({op::sst(Smem(at + word), s(4))});
  }
  object.bundle({op::copy(Descriptor(at), s(0), s(0))});
  object.bundle({op::wait(f(3), 1)});
  object.bundle({op::vld(v(1), Vmem(room), rows(1))});
  object.bundle({op::halt()});
  const Image image = linked(object.finish());
  const GoldenModel model = run(image);
  REQUIRE(model.status() == RunStatus::halted);
  CHECK(model.state().vmem[0] == 11);
  CHECK(model.state().vmem[3] == 44);
}

TEST_CASE("descriptors survive the way to words and back") {
  CopyDescriptor copy;
  copy.source_space = MemorySpace::smem;
  copy.destination_space = MemorySpace::hbm;
  copy.flag = 31;
  copy.amount = 1000;
  copy.source = 0x1234'5678'9abc;
  copy.destination = 0xfedc'ba98;
  copy.length = 1 << 20;
  copy.dimensions = {{{2, -4, 8}, {3, 16, -32}, {4, 0, 1024}}};
  CHECK(descriptor_of(copy.words()) == copy);
  CHECK(copy.words()[0] == (2U << 8U | 31U << 16U));
}

TEST_CASE("tensors, sources and entries reach the image") {
  ObjectBuilder object(*find_preset("nano"));
  Tensor x;
  x.name = "x";
  x.dimensions = {4, 8};
  x.input = true;
  object.tensor(x);
  object.bundle({op::trap(1U)});
  object.entry();
  object.source("made.cpp", 12);
  object.bundle({op::halt()});
  const Image image = linked(object.finish());
  REQUIRE(image.tensors.size() == 1);
  CHECK(image.entry_pc == 1);
  CHECK(source_line(image, 1) == "made.cpp:12");
  CHECK(source_line(image, 0).empty());
}

}  // namespace tandem
