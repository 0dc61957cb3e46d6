// Knobs of random programs: their notation, and that each has its described effect.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <vector>

#include "cosim/random/knobs.hpp"
#include "cosim/random/program.hpp"
#include "cosim/random/weights.hpp"
#include "isa/analysis/effects.hpp"
#include "isa/descriptor.hpp"
#include "isa/encoding.hpp"
#include "runtime/error.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

const Parameters& nano = *find_preset("nano");

std::string complaint(const std::string& text) {
  KnobChoices choices;
  try {
    choose_knobs(choices, text, "file");
  } catch (const runtime::Error& error) {
    return error.message;
  }
  return {};
}

template <typename Look>
void for_each_operation(const Object& program, Look look) {
  for (const Bundle& bundle : program.text) {
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
      const auto which = static_cast<Slot>(slot);
      const SlotBits bits = slot_bits(bundle, which);
      if (is_empty(bits)) continue;
      if (const auto operation = decode(which, bits)) look(which, *operation);
    }
  }
}

// Words that represent one program: of text and data.
std::uint64_t fingerprint(const Object& program) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  const auto add = [&hash](std::uint64_t word) { hash = (hash ^ word) * 0x100000001b3ULL; };
  for (const Bundle& bundle : program.text) {
    for (const std::uint32_t word : bundle) add(word);
  }
  for (const std::uint8_t byte : program.data) add(byte);
  return hash;
}

}  // namespace

TEST_CASE("knobs are numbers or ranges, of a file or one by one") {
  KnobChoices choices;
  choose_knobs(choices, "# of a soak\ndensity = 60\nnear=\"10..20\"  # few\n\n", "file");
  choose_knob(choices, "density=70");
  CHECK(choices == KnobChoices{{"density", {70, 70}}, {"near", {10, 20}}});
  CHECK(knob_options(choices) == " --knob density=70 --knob near=10..20");
}

TEST_CASE("what is no knob is refused with its line and what there is") {
  CHECK(complaint("density = 60\ndensty = 3\n").find("file:2: no knob is called 'densty'") == 0);
  CHECK(complaint("density 60").find("NAME=VALUE") != std::string::npos);
  for (const char* value : {"101", "-1", "", "6O", "90..10", "1..", "99999999999999999999"}) {
    CHECK(complaint("density = " + std::string(value)).find("0 to 100") != std::string::npos);
  }
}

TEST_CASE("weights are knobs by the name of an instruction or its beginning") {
  KnobChoices choices;
  choose_knobs(choices, "weight.* = 0\nweight.vadd.* = 5\nweight.vadd.f32 = 7\n", "file");
  const RandomKnobs knobs = random_knobs(1, choices);
  CHECK(knobs.weights.at("vadd.f32") == 7);
  CHECK(knobs.weights.at("vadd.s32") == 5);
  CHECK(knobs.weights.at("vmul.f32") == 0);
  CHECK(knobs.weights.count("br") == 0);
  CHECK(random_knobs(1).weights.empty());
  CHECK(knob_options(choices) ==
        " --knob 'weight.*=0' --knob 'weight.vadd.*=5' --knob weight.vadd.f32=7");
  CHECK(complaint("weight.vadd.f3 = 1").find("file:1: knob weight.vadd.f3: no instruction") == 0);
  CHECK(complaint("weight.br = 1").find("not drawn by weight") != std::string::npos);
  CHECK(complaint("weight.* = 1001").find("0 to 1000") != std::string::npos);
}

// Shares of the operations of slots va and vb; the prologue's are a few.
TEST_CASE("instructions come as often as their weights say") {
  KnobChoices choices;
  choose_knobs(choices, "weight.v* = 1\nweight.vadd.f32 = 40\nweight.vmax.f32 = 0\n", "file");
  RandomKnobs knobs = random_knobs(1, choices);
  knobs.bundles = 3000;
  std::map<Op, double> seen;
  double all = 0;
  for_each_operation(random_object(nano, 3, knobs), [&](Slot slot, const Operation& operation) {
    if (slot != Slot::va && slot != Slot::vb) return;
    ++seen[operation.op];
    ++all;
  });
  std::size_t drawn = 0;
  for (const Instruction& row : instructions) {
    drawn += slot_accepts(Slot::va, row.group) && may_stand_anywhere(row) ? 1 : 0;
  }
  const double expected = 40.0 / (static_cast<double>(drawn) - 2 + 40);
  const double share = seen[find_instruction("vadd.f32")->op] / all;
  CHECK(share > 0.85 * expected);
  CHECK(share < 1.15 * expected);
  CHECK(seen[find_instruction("vmax.f32")->op] == 0);
}

TEST_CASE("weights do not change what is drawn without them") {
  RandomKnobs knobs = random_knobs(9);
  const std::uint64_t before = fingerprint(random_object(nano, 9, knobs));
  CHECK(fingerprint(random_object(nano, 9, random_knobs(9, {{"weight.*", {1, 1}}}))) == before);
}

TEST_CASE("a knob that is chosen leaves the others as the seed draws them") {
  for (std::uint64_t seed = 1; seed < 50; ++seed) {
    RandomKnobs free = random_knobs(seed);
    const RandomKnobs chosen = random_knobs(seed, {{"near", {11, 13}}});
    CHECK(chosen.near >= 11);
    CHECK(chosen.near <= 13);
    free.near = chosen.near;
    CHECK(free == chosen);
  }
}

TEST_CASE("what the seed draws lies within what a user may choose") {
  for (const KnobRow& row : random_knob_table()) {
    INFO(row.name);
    CHECK(row.standard == RandomKnobs{}.*row.place);
    CHECK(row.drawn.size() != 0);
    for (const std::uint32_t value : row.drawn) {
      CHECK(value >= row.lowest);
      CHECK(value <= row.highest);
    }
  }
}

TEST_CASE("a seed gives the same random program on every host") {
  RandomKnobs knobs;
  knobs.burst = 2;
  knobs.illegal = 1;
  CHECK(fingerprint(random_object(nano, 7, knobs)) == 0xc4c636d8a899f712ULL);
}

TEST_CASE("a random program is as long as asked for") {
  RandomKnobs knobs;
  knobs.bundles = 10'000;
  CHECK(random_object(nano, 1, knobs).text.size() >= 10'000);
  knobs.bundles = 100;
  knobs.padding = 66'000;
  const Object padded = random_object(nano, 1, knobs);
  CHECK(padded.text.size() > 66'100);
  CHECK(padded.text[65'535] == Bundle{});
}

TEST_CASE("random programs put every predicate, negated and not, on every slot") {
  std::array<std::array<int, 16>, slot_count> seen{};
  RandomKnobs knobs;
  knobs.bundles = 12'000;
  knobs.predicated = 60;
  knobs.copies = 40;
  for_each_operation(random_object(nano, 3, knobs), [&seen](Slot slot, const Operation& operation) {
    const unsigned which = operation.predicate * 2U + (operation.negate ? 1U : 0U);
    ++seen[static_cast<std::size_t>(slot)][which];
  });
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    for (std::size_t which = 0; which < 16; ++which) {
      INFO("slot " << slot << ", predicate " << which / 2 << ", negated " << which % 2);
      CHECK(seen[slot][which] > 0);
    }
  }
}

TEST_CASE("random programs idle for as long as a register says") {
  RandomKnobs knobs;
  knobs.idle = 50;
  int by_register = 0;
  for_each_operation(random_object(nano, 1, knobs), [&](Slot, const Operation& operation) {
    if (effects_of(operation).control != Control::idle) return;
    by_register += operation.operands[0].extra == 0 ? 1 : 0;
  });
  CHECK(by_register > 10);
}

TEST_CASE("copies go where the knob says, and far descriptors come back by their offsets") {
  const std::uint64_t gib = std::uint64_t{1} << 30U;
  const auto targets = [](std::uint32_t place, std::uint32_t far) {
    RandomKnobs knobs;
    knobs.hbm_place = place;
    knobs.far_offsets = far;
    knobs.channels = 4;
    knobs.text_end = 0;
    const Object program = random_object(nano, 5, knobs);
    std::vector<std::uint64_t> found;
    for (std::size_t number = 0; number < 24; ++number) {
      DescriptorWords words;
      std::memcpy(words.data(), program.data.data() + number * sizeof(words), sizeof(words));
      const CopyDescriptor copy = descriptor_of(words);
      if (copy.destination_space == MemorySpace::hbm) found.push_back(copy.destination);
    }
    return found;
  };
  for (const std::uint64_t address : targets(1, 0)) CHECK(address > gib / 64);
  for (const std::uint64_t address : targets(3, 0)) CHECK(address > 4 * gib);
  const std::vector<std::uint64_t> across = targets(2, 0);
  CHECK(std::any_of(across.begin(), across.end(), [&](auto a) { return a < 4 * gib; }));
  CHECK(std::any_of(across.begin(), across.end(), [&](auto a) { return a >= 4 * gib; }));
  const std::vector<std::uint64_t> far = targets(0, 100);
  CHECK(std::any_of(far.begin(), far.end(), [&](auto a) { return a > std::uint64_t{1} << 60U; }));
}
