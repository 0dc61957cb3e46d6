#include "compiler/functions/ring_text.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <map>
#include <optional>
#include <utility>

#include "compiler/functions/copy_words.hpp"
#include "compiler/functions/ring_neighbours.hpp"
#include "isa/descriptor.hpp"
#include "isa/parameters.hpp"

namespace tandem::compiler {
namespace {

namespace field = descriptor_field;

// SMEM: the descriptors of a copy to another chip, of a signal, of a copy within the chip; the
// table's word. A signal is where exchange_text.cpp has it, so most of it need not be written
// again.
constexpr std::uint32_t far = 0 * descriptor_words;
constexpr std::uint32_t signal = 1 * descriptor_words;
constexpr std::uint32_t near = 2 * descriptor_words;
constexpr std::uint32_t table_word = 3 * descriptor_words;

enum class Way : std::uint8_t { right, left };
constexpr std::array<Way, 2> ways{Way::right, Way::left};
enum class Half : std::uint8_t { first, second };
constexpr std::array<Half, 2> halves{Half::first, Half::second};

const char* name_of(Way way) { return way == Way::right ? "right" : "left"; }
Way against(Way way) { return way == Way::right ? Way::left : Way::right; }

class RingText {
 public:
  explicit RingText(const Ring& ring)
      : ring_(ring), hops_(ring.places / 2), even_(ring.places % 2 == 0) {}

  std::string make() {
    text_ += ring_neighbours(ring_.places, ring_.has_table ? "arg1" : "", near, table_word);
    descriptor(signal, remote_amounts(0));
    text_ += store(signal + field::inner.word, 0);
    line("%block = mov 0");
    if (!reduces()) {
      lengths_of_whole();
      start();
      gather();
      end();
      return std::move(text_);
    }
    line("%vmem_words = shl %vmem, {}", lane_bits());
    line("%words_left = mov {}", ring_.part_words);
    label("block_next");
    lengths_of_block();
    start();
    reduce();
    ring_.gathers ? gather() : store_sum();
    end();
    line("%whole = add %half, %half");
    line("%block = add %block, %whole");
    line("%words_left = sub %words_left, %whole");
    line("%more = ne %words_left, 0");
    line("@%more br block_next");
    return std::move(text_);
  }

 private:
  template <typename... Parts>
  void line(fmt::format_string<Parts...> format, Parts&&... parts) {
    text_ += "        " + fmt::format(format, std::forward<Parts>(parts)...) + "\n";
  }
  void label(std::string_view name) { text_ += fmt::format("{}:\n", name); }
  std::string fresh() { return fmt::format("%t{}", names_++); }

  [[nodiscard]] bool reduces() const { return !ring_.combine.empty(); }
  [[nodiscard]] std::uint32_t lane_bits() const {
    return static_cast<std::uint32_t>(std::countr_zero(ring_.lanes));
  }
  [[nodiscard]] std::uint32_t flag(Way way) const {
    return way == Way::right ? ring_.right_flag : ring_.left_flag;
  }

  // ---- once

  void descriptor(std::uint32_t at, std::uint32_t amounts) {
    text_ += empty_descriptor(at, amounts);
  }

  void lengths_of_whole() {
    const std::uint32_t half = (ring_.part_words + 1) / 2;
    line("%half = mov {}", half);
    line("%bytes_first = mov {}", 4 * half);
    line("%bytes_second = mov {}", 4 * (ring_.part_words - half));
    line("%bytes_both = mov {}", 4 * ring_.part_words);
  }
  void lengths_of_block() {
    line("%half = min.u32 %words_left, {}", ring_.block_words);
    line("%half = shr %half, 1");
    line("%half_rows = shr %half, {}", lane_bits());
    line("%bytes_first = shl %half, 2");
    line("%bytes_second = shl %half, 2");
    line("%bytes_both = shl %half, 3");
  }

  // ---- places

  // Word of the block, or of its second half, of the part that is `distance` places to the right of
  // this device, or to the left; from %`base` on.
  std::string part(std::string_view base, Way side, std::uint32_t distance, Half half) {
    const std::string at = fresh();
    const std::uint32_t ahead = side == Way::right ? distance : ring_.places - distance;
    line("{} = add %place, {}", at, ahead % ring_.places);
    if (distance != 0) {
      line("%wraps = ge.u32 {}, {}", at, ring_.places);
      line("@%wraps {0} = sub {0}, {1}", at, ring_.places);
    }
    line("{0} = mul {0}, {1}", at, ring_.part_words);
    line("{0} = add {0}, %{1}", at, base);
    line("{0} = add {0}, %block", at);
    if (half == Half::second) line("{0} = add {0}, %half", at);
    return at;
  }

  // Blocks in VMEM: the own part; those that this device adds to before they go to the right or
  // left, by their distance; and what arrives in each step, from each side.
  [[nodiscard]] std::uint32_t added(Way way, std::uint32_t distance) const {
    return way == Way::right ? distance : hops_ - 1 + distance;
  }
  [[nodiscard]] std::uint32_t landing(Way way, std::uint32_t step) const {
    return 2 * hops_ - 2 + (way == Way::right ? 0 : hops_) + step;
  }
  std::string in_vmem(std::uint32_t block, Half half) {
    const std::string at = fresh();
    line("{} = add %vmem_words, {}", at, block * ring_.block_words);
    if (half == Half::second) line("{0} = add {0}, %half", at);
    return at;
  }

  // ---- copies

  void send(Way way, Half half, MemorySpace from, MemorySpace to, const std::string& source,
            const std::string& target) {
    const std::string word = fresh();
    line("{} = mov {}", word, remote_word(from, to, flag(way), 0));
    line("{0} = add {0}, %{1}", word, name_of(way));
    line("sst [%smem + {}], {}", far, word);
    line("sst [%smem + {}], %bytes_{}", far + field::length.word, bytes(half));
    line("copy [%smem + {}], {}, {}", far, source, target);
    ++sent_;
  }
  void copy_here(MemorySpace from, MemorySpace to, const std::string& source,
                 const std::string& target, std::string_view length) {
    text_ += store(near, local_word(from, to, ring_.local_flag));
    line("sst [%smem + {}], %bytes_{}", near + field::length.word, length);
    line("copy [%smem + {}], {}, {}", near, source, target);
    ++local_;
  }
  void wait(std::uint32_t flag, std::uint32_t count) { line("wait f{}, {}", flag, count); }

  // ---- a block

  void start() {
    come_ = sent_ = local_ = 0;
    for (const Way way : ways) {
      const std::string word = fresh();
      line("{} = mov {}", word,
           remote_word(MemorySpace::hbm, MemorySpace::hbm, ring_.ready_flag, 0));
      line("{0} = add {0}, %{1}", word, name_of(way));
      line("sst [%smem + {}], {}", signal, word);
      line("copy [%smem + {}], s0, s0", signal);
    }
    // Runs while these are on the way. A copy within HBM holds up those after it.
    descriptor(near, 1);
    descriptor(far, remote_amounts(1));
    if (reduces()) {
      load_first(Way::right);
    } else {
      copy_here(MemorySpace::hbm, MemorySpace::hbm, "%arg0",
                part("out0", Way::right, 0, Half::first), "both");
    }
    wait(ring_.ready_flag, 2);
    line("fset f{}, 0", ring_.ready_flag);
  }

  void load(std::uint32_t block, Way side, std::uint32_t distance, Half half,
            std::string_view length) {
    const std::string from = part("arg0", side, distance, half);
    copy_here(MemorySpace::hbm, MemorySpace::vmem, from, in_vmem(block, half), length);
    loads_[block] = local_;
  }
  // The part that is added to in step 2: for an even number half of it, as the other half begins
  // there.
  void load_first(Way way) {
    if (hops_ == 1) return;
    const Half half = even_ ? half_of(way, 1) : Half::first;
    load(added(way, hops_ - 1), way, hops_ - 1, half, even_ ? bytes(half) : "both");
  }
  void load_rest() {
    for (std::uint32_t distance = hops_ - 1; distance > 1; --distance) {
      for (const Way way : ways) {
        load(added(way, distance - 1), way, distance - 1, Half::first, "both");
      }
    }
    load(0, Way::right, 0, Half::first, "both");
  }
  static std::string_view bytes(Half half) { return half == Half::first ? "first" : "second"; }

  // Half of the sums that go to the right in their first and second message of a step. To the left
  // it is the other half, so the part half way round comes by one half from each side.
  [[nodiscard]] static Half half_of(Way way, std::uint32_t message) {
    return (message == 0) == (way == Way::right) ? Half::second : Half::first;
  }
  // Messages each way up to this one: the first step of an even number has only the second of its
  // two.
  [[nodiscard]] std::uint32_t number_of(std::uint32_t step, std::uint32_t message) const {
    return 2 * (step - 1) + message + (even_ ? 0 : 1);
  }

  // In step s the sum goes on for the part that is hops - s + 1 places ahead.
  void reduce() {
    const auto begin = [&](Way way, std::uint32_t step, std::uint32_t message) {
      const Half half = half_of(way, message);
      const std::string from = part("arg0", way, hops_ - step + 1, half);
      send(way, half, MemorySpace::hbm, MemorySpace::vmem, from, in_vmem(landing(way, step), half));
    };
    // Copies start in order: the most urgent one goes first.
    for (const Way way : ways) begin(way, 1, even_ ? 1 : 0);
    load_first(Way::left);
    if (!even_ || hops_ > 1) {
      for (const Way way : ways) even_ ? begin(way, 2, 0) : begin(way, 1, 1);
    }
    load_rest();
    for (std::uint32_t step = 2; step <= hops_; ++step) {
      for (const std::uint32_t message : {0U, 1U}) {
        if (even_ && step == 2 && message == 0) continue;
        for (const Way way : ways) go_on(way, step, message);
      }
    }
    come_ = number_of(hops_, 1);
    for (const Way way : ways) wait(flag(way), come_);
    wait(ring_.local_flag, local_);
  }

  void go_on(Way way, std::uint32_t step, std::uint32_t message) {
    const std::uint32_t distance = hops_ - step + 1;
    const Half half = half_of(way, message);
    wait(flag(way), number_of(step - 1, message));
    const std::uint32_t block = added(way, distance);
    wait(ring_.local_flag, loads_.at(block));
    add_up(block, half, landing(way, step - 1), {});
    const std::string from = in_vmem(block, half);
    send(way, half, MemorySpace::vmem, MemorySpace::vmem, from, in_vmem(landing(way, step), half));
  }

  // The block := the arrived block + the block, and then + the block from the other side.
  void add_up(std::uint32_t block, Half half, std::uint32_t come,
              std::optional<std::uint32_t> other) {
    const std::uint32_t rows = ring_.block_words / ring_.lanes;
    const std::string row = fresh();
    const std::string behind = fresh();
    const std::string loop = fmt::format("add{}", names_);
    line("{} = mov %vmem", row);
    if (half == Half::second) line("{0} = add {0}, %half_rows", row);
    line("{} = add {}, %half_rows", behind, row);
    label(loop);
    line("%own = vld [{} + {}]", row, block * rows);
    line("%come = vld [{} + {}]", row, come * rows);
    line("%sum = {} %come, %own", ring_.combine);
    if (other) {
      line("%other = vld [{} + {}]", row, *other * rows);
      line("%sum = {} %sum, %other", ring_.combine);
    }
    line("vst [{} + {}], %sum", row, block * rows);
    line("{0} = add {0}, {1}", row, sublanes);
    line("%rest = lt.u32 {}, {}", row, behind);
    line("@%rest br {}", loop);
  }
  void finish(Half half) { add_up(0, half, landing(Way::right, hops_), landing(Way::left, hops_)); }

  void store_sum() {
    for (const Half half : halves) {
      finish(half);
      const std::string to = fresh();
      line("{} = add %out0, %block", to);
      if (half == Half::second) line("{0} = add {0}, %half", to);
      copy_here(MemorySpace::vmem, MemorySpace::hbm, in_vmem(0, half), to, bytes(half));
    }
  }

  void gather() {
    const MemorySpace from = reduces() ? MemorySpace::vmem : MemorySpace::hbm;
    const auto own = [&](Half half) {
      if (reduces()) return in_vmem(0, half);
      if (half == Half::first) return std::string("%arg0");
      const std::string at = fresh();
      line("{} = add %arg0, %half", at);
      return at;
    };
    const auto send_own = [&](Way way, Half half) {
      const std::string to = part("out0", Way::right, 0, half);
      send(way, half, from, MemorySpace::hbm, own(half), to);
    };
    for (const Way way : ways) {
      if (reduces()) finish(first_to(way));
      send_own(way, first_to(way));
    }
    for (const Way way : ways) send_own(way, first_to(against(way)));
    if (reduces()) {
      copy_here(from, MemorySpace::hbm, own(Half::first), part("out0", Way::right, 0, Half::first),
                "both");
    }
    for (std::uint32_t step = 2; step <= hops_; ++step) {
      for (const std::uint32_t message : {0U, 1U}) {
        for (const Way way : ways) pass_on(way, step, message);
      }
    }
    come_ += 2 * hops_ - (even_ ? 1 : 0);
  }

  // Each way a different half goes first: that one alone goes half way round.
  [[nodiscard]] static Half first_to(Way way) {
    return way == Way::right ? Half::first : Half::second;
  }

  // The block from `step` - 1 places to the left.
  void pass_on(Way way, std::uint32_t step, std::uint32_t message) {
    if (even_ && step == hops_ && message == 1) return;
    const Half half = first_to(message == 0 ? way : against(way));
    wait(flag(way), come_ + 2 * (step - 2) + message + 1);
    const std::string at = part("out0", against(way), step - 1, half);
    send(way, half, MemorySpace::hbm, MemorySpace::hbm, at, at);
  }

  void end() {
    for (const Way way : ways) wait(flag(way), come_);
    wait(own_flag, sent_);
    wait(ring_.local_flag, local_);
    for (const std::uint32_t each :
         {ring_.right_flag, ring_.left_flag, own_flag, ring_.local_flag}) {
      line("fset f{}, 0", each);
    }
  }

  const Ring& ring_;
  std::uint32_t hops_;
  bool even_;
  std::string text_;
  std::uint32_t names_ = 0;
  // Counts for a block up to here: messages received each way, messages sent, and copies within.
  std::uint32_t come_ = 0;
  std::uint32_t sent_ = 0;
  std::uint32_t local_ = 0;
  std::map<std::uint32_t, std::uint32_t> loads_;  // of a block: which of these brings it
};

}  // namespace

std::string ring_text(const Ring& ring) { return RingText(ring).make(); }

std::uint32_t ring_smem_words() { return table_word + 1; }

std::uint32_t ring_vmem_words(const Ring& ring) {
  return ring.combine.empty() ? 0 : ring_blocks(ring.places) * ring.block_words;
}

std::uint32_t ring_blocks(std::uint32_t places) { return 4 * (places / 2) - 1; }

}  // namespace tandem::compiler
