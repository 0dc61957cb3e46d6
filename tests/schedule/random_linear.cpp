#include "tests/schedule/random_linear.hpp"

#include <fmt/format.h>

#include <array>
#include <random>
#include <string_view>
#include <vector>

namespace tandem::test {
namespace {

constexpr unsigned result_rows = 256;

// VMEM rows 0 .. 63 are for loads and stores, 64 .. 127 for copies, the results are from 256 on.
// SMEM words 0 .. 63 likewise, 64 .. 127 hold two descriptors, the results are from 256 on. From
// 160 on is the data reached through pointers in a word of SMEM: no other access goes there.
class Writer {
 public:
  Writer(std::uint64_t seed, const RandomLinearKnobs& knobs) : random_(seed), knobs_(knobs) {}

  std::string run() {
    if (knobs_.crowded) {
      line(fmt::format("s2 = mov {}", frame_words_end));
      line(fmt::format("s3 = mov {}", frame_rows_begin(knobs_)));
    }
    line(".linear");
    if (knobs_.crowded) {
      line(fmt::format(".frame {}, 800", frame_words_end - frame_words_begin));
    }
    begin();
    for (unsigned i = 0; i < knobs_.segments; ++i) segment(0);
    results();
    line("halt");
    line(".endlinear");
    return std::move(text_);
  }

 private:
  unsigned below(std::size_t n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <std::size_t N>
  std::string_view one_of(const std::array<std::string_view, N>& names) {
    return names[below(N)];
  }
  void line(const std::string& operation) { text_ += "        " + operation + "\n"; }

  std::string v() {
    return knobs_.pinned && chance(8) ? "v60" : fmt::format("%v{}", below(knobs_.vectors));
  }
  std::string s() {
    return knobs_.pinned && chance(8) ? "s20" : fmt::format("%s{}", below(knobs_.scalars));
  }
  std::string m() { return knobs_.pinned && chance(8) ? "m7" : fmt::format("%m{}", below(3)); }
  std::string p() { return knobs_.pinned && chance(8) ? "p7" : fmt::format("%p{}", below(3)); }
  std::string a() { return fmt::format("%a{}", below(3)); }
  std::string fresh() { return fmt::format("%t{}", next_++); }
  std::string guard() {
    return !bare_ && chance(15) ? fmt::format("@{}{} ", chance(50) ? "!" : "", p()) : "";
  }
  std::string not_or() { return chance(30) ? "!" : ""; }
  std::string vector_source() {
    if (chance(20)) return s();
    return v() + (chance(15) ? ".lo" : chance(15) ? ".hi" : "");
  }
  std::string scalar_or_constant() {
    return chance(50) ? s() : fmt::format("{}", static_cast<int>(below(200)) - 100);
  }

  void begin() {
    for (unsigned i = 0; i < knobs_.scalars; ++i)
      line(fmt::format("%s{} = mov {}", i, below(1000)));
    line("%lane = vlane");
    line("%sub = vsublane");
    for (unsigned i = 0; i < knobs_.vectors; ++i) {
      line(fmt::format("%v{} = v{}.s32 %lane, {}", i, chance(50) ? "add" : "mul",
                       chance(50) ? "%sub" : s_plain()));
    }
    for (unsigned i = 0; i < 3; ++i) {
      line(fmt::format("%m{} = vlt.s32 %v{}, %v{}", i, below(knobs_.vectors),
                       below(knobs_.vectors)));
      line(fmt::format("%p{} = lt.s32 %s{}, {}", i, below(knobs_.scalars), below(1000)));
    }
    if (knobs_.pinned) {
      line("s20 = mov 77");
      line("v60 = vadd.s32 %lane, %lane");
      line("m7 = mor %m0, %m1");
      line("p7 = eq %s0, %s0");
    }
    line("%far = mov 160");
    line("sst [250], %far");
    for (unsigned row = 160; row < 224; row += 8) line(fmt::format("vst [{}], {}", row, v_plain()));
    for (unsigned row = 0; row < 128; row += 8) line(fmt::format("vst [{}], {}", row, v_plain()));
    for (unsigned word = 0; word < 64; word += 8) line(fmt::format("sst [{}], %s0", word));
    if (knobs_.matrix) {
      push_all();
      for (unsigned i = 0; i < 3; ++i) {
        line(fmt::format("mxmul.bf16 %a{}, {}.f32{}", i, v_plain(), i == 0 ? ", swap" : ""));
      }
      push_all();
    }
  }
  std::string v_plain() { return fmt::format("%v{}", below(knobs_.vectors)); }
  std::string s_plain() { return fmt::format("%s{}", below(knobs_.scalars)); }

  void push_all() {
    line(".rept LANES / 8, row");
    line(fmt::format("mxpush 8 * \\row, {}.f32", v_plain()));
    line(".endr");
  }

  void segment(unsigned depth) {
    switch (below(7)) {
      case 0:
        if (knobs_.loops && depth < 2) return loop(depth);
        break;
      case 1:
        if (knobs_.branches) return skip(depth);
        break;
      case 2:
        if (knobs_.copies) return copies();
        break;
      case 3:
        if (knobs_.branches) return short_if();
        break;
      default: break;
    }
    operations(3 + below(25));
  }

  // Few operations that no predicate guards yet, perhaps with others for the opposite case. Values
  // of their own live within one part.
  void short_if() {
    const unsigned number = labels_++;
    const bool both = chance(50);
    line(fmt::format("@{}{} br {}_{}", not_or(), p(), both ? "other" : "past", number));
    const std::string past = fmt::format("past_{}", number);
    bare_ = true;
    part();
    if (both) {
      line("br " + past);
      text_ += fmt::format("other_{}:\n", number);
      part();
    }
    bare_ = false;
    text_ += past + ":\n";
  }
  void part() {
    const std::string own = fresh();
    const bool inside = chance(60);
    if (inside) line(fmt::format("{} = vadd.s32 {}, {}", own, v(), vector_source()));
    operations(1 + below(4));
    if (inside) line(fmt::format("{} = vxor {}, {}", v(), own, v()));
    if (inside && chance(40)) line(fmt::format("vst [{}], {}", below(50), own));
  }

  void operations(unsigned count) {
    for (unsigned i = 0; i < count; ++i) operation();
  }

  void loop(unsigned depth) {
    const unsigned number = labels_++;
    const std::string counter = fresh();
    const std::string again = "%q" + counter.substr(1);
    line(fmt::format("{} = mov 0", counter));
    const std::string pointer = fresh();
    const unsigned step = 1 + below(3);
    const bool late = chance(30);
    line(fmt::format("{} = mov {}", pointer, below(14)));
    walking_.push_back(counter);
    walking_.push_back(pointer);
    const std::string outside = far_;
    if (chance(40)) {
      far_ = fresh();
      line(fmt::format("{} = sld [250]", far_));
      line(fmt::format(".disjoint {}, {}", far_, pointer));
      line(fmt::format(".disjoint {}, {}", far_, counter));
    }
    text_ += fmt::format("loop_{}:\n", number);
    if (!late) line(fmt::format("{0} = add {0}, {1}", pointer, step));
    if (far_ != outside && chance(70)) line(fmt::format("{0} = add {0}, {1}", far_, step));
    const bool simple = chance(60);
    if (simple) {
      operations(2 + below(20));
      for (unsigned i = below(4); knobs_.branches && i > 1; --i) short_if();
    } else {
      for (unsigned i = 0; i < 2; ++i) segment(depth + 1);
    }
    line(fmt::format("{0} = add {0}, 1", counter));
    const unsigned rounds = 1 + below(6);
    line(fmt::format("{} = lt.s32 {}, {}", again, counter, rounds));
    if (simple && chance(40)) operations(below(6));
    const bool left_inside = knobs_.branches && chance(30);
    if (left_inside) leave(again, number);
    if (late) line(fmt::format("{0} = add {0}, {1}", pointer, step));
    line(fmt::format("{}br loop_{}", left_inside ? "" : fmt::format("@{} ", again), number));
    if (left_inside) text_ += fmt::format("left_{}:\n", number);
    walking_.resize(walking_.size() - 2);
    far_ = outside;
    hints(fmt::format("loop_{}", number), rounds);
  }

  // The loop is left in its middle, or nearly at its end; after that it always repeats.
  void leave(const std::string& again, unsigned number) {
    line(fmt::format("@!{} br left_{}", again, number));
    bare_ = true;
    operations(below(8));
    bare_ = false;
  }

  // Valid hints for a loop with this many iterations each time.
  void hints(const std::string& label, unsigned rounds) {
    if (chance(40)) {
      const unsigned fewest = 1 + below(rounds);
      const unsigned factor = rounds % 2 == 0 && chance(50) ? 2 : chance(30) ? rounds : 1;
      line(fmt::format(".trips {}, {}, {}, {}", label, fewest, rounds + below(20), factor));
    }
    if (chance(15)) line(fmt::format(".unroll {}, {}", label, 1 + below(8)));
    if (chance(15)) line(fmt::format("{} {}", chance(50) ? ".hot" : ".cold", label));
  }

  void skip(unsigned depth) {
    const unsigned number = labels_++;
    line(fmt::format("@{}{} br skip_{}", not_or(), p(), number));
    if (depth < 2 && chance(30)) {
      segment(depth + 1);
    } else {
      operations(1 + below(10));
    }
    text_ += fmt::format("skip_{}:\n", number);
  }

  // A row index below 38: one that only its mask bounds, or that walks with a loop.
  std::string base() {
    if (!walking_.empty() && chance(40)) return walking_[below(walking_.size())];
    const std::string name = fresh();
    line(fmt::format("{} = and {}, 31", name, s()));
    return name;
  }
  std::string place() {
    if (!far_.empty() && chance(30)) return fmt::format("[{} + {}]", far_, below(18));
    return near_place();
  }
  // Not where far_ points: counted in words of VMEM that is no longer far from the rows of others.
  std::string near_place() {
    if (chance(40)) return fmt::format("[{}]", below(50));
    if (!last_base_.empty() && chance(60)) return fmt::format("[{} + {}]", last_base_, below(18));
    return fmt::format("[{} + {}]", base(), below(18));
  }

  void operation() {
    last_base_ = "";
    if (chance(20)) last_base_ = base();
    const unsigned kinds = knobs_.matrix ? 13 : 10;
    switch (below(kinds)) {
      case 0:
      case 1: return scalar_operation();
      case 2:
      case 3: return vector_operation();
      case 4: return mask_operation();
      case 5: return load();
      case 6: return store();
      case 7: return smem();
      case 8: return cross();
      case 9:
        line(fmt::format("{}{} = {} {}, {}", guard(), p(),
                         one_of(std::array<std::string_view, 3>{"lt.s32", "ne", "ge.u32"}), s(),
                         scalar_or_constant()));
        return;
      default: return matrix();
    }
  }

  void scalar_operation() {
    constexpr std::array<std::string_view, 8> names{"add", "sub", "mul",     "xor",
                                                    "and", "shr", "max.s32", "add"};
    if (chance(15)) {
      line(fmt::format("{} = sel {}{}, {}, {}", s(), not_or(), p(), s(), scalar_or_constant()));
      return;
    }
    line(fmt::format("{}{} = {} {}, {}", guard(), s(), one_of(names), s(), scalar_or_constant()));
  }

  void vector_operation() {
    constexpr std::array<std::string_view, 8> names{"vadd.s32", "vsub.s32", "vmul.s32", "vxor",
                                                    "vadd.f32", "vmul.f32", "vmax.s32", "vshr"};
    if (chance(20)) {
      line(fmt::format("{}{} = vsel {}{}, {}, {}", guard(), v(), not_or(), m(), vector_source(),
                       vector_source()));
      return;
    }
    line(fmt::format("{}{} = {} {}, {}", guard(), v(), one_of(names), vector_source(),
                     vector_source()));
  }

  void mask_operation() {
    if (chance(40)) {
      line(fmt::format("{}{} = {} {}{}, {}{}", guard(), m(), chance(50) ? "mand" : "mxor", not_or(),
                       m(), not_or(), m()));
    } else if (chance(30)) {
      line(fmt::format("{}{} = {} {}", guard(), s(), chance(50) ? "mpop" : "mffs", m()));
    } else {
      line(fmt::format("{}{} = {} {}, {}", guard(), m(), chance(50) ? "vlt.s32" : "veq.s32",
                       vector_source(), vector_source()));
    }
  }

  std::string attributes() {
    std::string text;
    if (chance(15)) text += fmt::format(", stride={}", below(3));
    if (!text.empty()) return text + fmt::format(", rows={}", 1 + below(4));
    if (chance(15)) text += fmt::format(", rows={}", 1 + below(8));
    if (chance(15)) text += fmt::format(", mask={}{}", not_or(), m());
    return text;
  }
  void load() {
    if (chance(15)) {
      const std::string at = near_place();
      line(fmt::format("{}{} = vldc {}", guard(), v(), at));
      return;
    }
    const std::string at = place();
    line(fmt::format("{}{} = vld {}{}", guard(), v(), at, attributes()));
  }
  void store() {
    const std::string at = place();
    line(fmt::format("{}vst {}, {}{}", guard(), at, v(), attributes()));
  }
  void smem() {
    const std::string at = place();
    if (chance(50)) {
      line(fmt::format("{}{} = sld {}", guard(), s(), at));
    } else {
      line(fmt::format("{}sst {}, {}", guard(), at, s()));
    }
  }
  void cross() {
    switch (below(4)) {
      case 0: line(fmt::format("{}{} = lrot {}, {}", guard(), v(), v(), scalar_or_small())); return;
      case 1:
        line(fmt::format("{}{} = extract {}, {}", guard(), s(), v(), scalar_or_small()));
        return;
      case 2: line(fmt::format("{}{} = lsum.s32 {}", guard(), v(), v())); return;
      default: line(fmt::format("{}{} = exp2 {}", guard(), v(), v())); return;
    }
  }
  std::string scalar_or_small() { return chance(50) ? s() : fmt::format("{}", below(8)); }

  void matrix() {
    switch (below(6)) {
      case 0:
        line(fmt::format("{}mxpush {}, {}.{}", guard(), 0, v(), chance(50) ? "f32" : "b1"));
        return;
      case 1: push_all(); [[fallthrough]];
      case 2:
        line(fmt::format("{}mxmul.bf16 {}, {}.lo{}{}{}", guard(), a(), v(),
                         chance(30) ? ", rows=3" : "", chance(40) ? ", add" : "",
                         chance(40) ? ", swap" : ""));
        return;
      case 3: line(fmt::format("mxmul.s8 {}, {}.b2, add", a(), v())); return;
      case 4: line(fmt::format("mxpusht 0, {}.f32", v())); return;
      default: line(fmt::format("{}{} = mxread {}", guard(), v(), a())); return;
    }
  }

  // A copy of eight rows within VMEM, or to SMEM and back, and operations that may run beside it.
  void copies() {
    const unsigned descriptor = 64 + 16 * below(2);
    const unsigned to = 96 + 8 * below(3);
    const std::array<std::string, 16> words{"1 + (1 << 8) + (1 << 10) - 1 + (1 << 16)",
                                            "1",
                                            "64 * ROW_BYTES",
                                            "0",
                                            fmt::format("{} * ROW_BYTES", to),
                                            "0",
                                            "8 * ROW_BYTES",
                                            "1",
                                            "0",
                                            "0",
                                            "1",
                                            "0",
                                            "0",
                                            "1",
                                            "0",
                                            "0"};
    line("fset f1, 0");
    line(fmt::format("vst [{}], {}", 64, v()));
    for (unsigned w = 0; w < words.size(); ++w) {
      if (words[w] == "0" && chance(30)) {
        line(fmt::format("sst [{}], s0", descriptor + w));
        continue;
      }
      const std::string value = fresh();
      line(fmt::format("{} = mov {}", value, words[w]));
      line(fmt::format("sst [{}], {}", descriptor + w, value));
    }
    line(fmt::format("copy [{}], s0, s0", descriptor));
    if (chance(50)) line(fmt::format("sst [{}], s0", descriptor + 4));
    operations(below(8));
    line("wait f1, 1");
    line(fmt::format("{} = vld [{}]", v(), to));
    if (chance(50)) line(fmt::format("vst [{}], {}", to, v()));
    if (chance(50)) line(fmt::format("vst [64], {}", v()));
  }

  void results() {
    for (unsigned i = 0; i < knobs_.vectors; ++i) {
      line(fmt::format("vst [{}], %v{}", result_rows + 8 * i, i));
    }
    for (unsigned i = 0; i < knobs_.scalars; ++i) line(fmt::format("sst [{}], %s{}", 256 + i, i));
    for (unsigned i = 0; i < 3; ++i) {
      line(fmt::format("%r{} = sel %p{}, %s0, 12345", i, i));
      line(fmt::format("sst [{}], %r{}", 340 + i, i));
      line(fmt::format("%w{} = vsel %m{}, %lane, %sub", i, i));
      line(fmt::format("vst [{}], %w{}", result_rows + 8 * (knobs_.vectors + i), i));
      if (!knobs_.matrix) continue;
      line(fmt::format("%u{} = mxread %a{}", i, i));
      line(fmt::format("vst [{}], %u{}", result_rows + 8 * (knobs_.vectors + 3 + i), i));
    }
  }

  std::mt19937_64 random_;
  RandomLinearKnobs knobs_;
  std::string text_;
  std::string last_base_;
  std::string far_;
  std::vector<std::string> walking_;  // counters and pointers of the loops around
  bool bare_ = false;                 // no predicates before operations
  unsigned next_ = 0;
  unsigned labels_ = 0;
};

}  // namespace

unsigned frame_rows_begin(const RandomLinearKnobs& knobs) {
  return result_rows + 8 * knobs.vectors + 64;
}

RandomLinearKnobs random_linear_knobs(std::uint64_t seed) {
  std::mt19937_64 random(seed * 77 + 5);
  RandomLinearKnobs knobs;
  knobs.loops = random() % 4 != 0;
  knobs.branches = random() % 4 != 0;
  knobs.matrix = random() % 3 != 0;
  knobs.copies = random() % 2 != 0;
  knobs.pinned = random() % 2 != 0;
  knobs.segments = 1 + static_cast<unsigned>(random() % 8);
  knobs.vectors = 4 + static_cast<unsigned>(random() % 40);
  knobs.scalars = 3 + static_cast<unsigned>(random() % 10);
  knobs.crowded = random() % 8 == 0;
  if (knobs.crowded) {
    knobs.vectors += 30 + static_cast<unsigned>(random() % 20);
    knobs.scalars += 10 + static_cast<unsigned>(random() % 40);
  }
  return knobs;
}

std::string random_linear_program(std::uint64_t seed, const RandomLinearKnobs& knobs) {
  return Writer(seed, knobs).run();
}

}  // namespace tandem::test
