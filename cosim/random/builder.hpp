// Builds one random program. Operations are kept decoded until the end, so that branch targets can
// be filled in once they are known.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "cosim/random/random_operands.hpp"
#include "isa/builder/operation.hpp"
#include "isa/descriptor.hpp"

namespace tandem {

// HBM as random programs use it: text from text_base, then these.
namespace random_map {
inline constexpr std::uint64_t descriptors = 0x80000;  // as many as SMEM holds, see below
inline constexpr std::uint64_t table = 0x81000;        // read-only data: special floats and noise
inline constexpr std::uint32_t table_bytes = 0x8000;
inline constexpr std::uint64_t channels = 0x90000;  // written by copies, 64 KiB a channel
inline constexpr std::uint64_t channel_bytes = 0x10000;
inline constexpr std::uint64_t end = 0xd0000;
inline constexpr std::uint32_t descriptor_count = 24;  // SMEM words 0 .. 383
inline constexpr std::uint32_t smem_channels = 1024;   // SMEM word of channel 0
inline constexpr std::uint32_t smem_channel_words = 256;
inline constexpr std::uint32_t most_channels = 4;
}  // namespace random_map

struct Draft {
  std::array<std::optional<Operation>, slot_count> slots;
  std::set<RegisterName> taken;

  [[nodiscard]] bool is_free(Slot slot) const { return !slots[static_cast<std::size_t>(slot)]; }
  void set(Slot slot, const Operation& operation) {
    slots[static_cast<std::size_t>(slot)] = operation;
    if (const auto name = destination(operation)) taken.insert(*name);
  }
  void set(Slot slot, const builder::Placed& placed) { set(slot, placed.operation); }
};

// A resource of copies: a flag and memory of its own. While it is busy, nobody touches the
// destination half of that memory and nobody writes the source half.
struct Channel {
  std::uint32_t number = 0;
  std::uint32_t flag = 0;
  std::vector<std::uint32_t> descriptors;  // numbers in the descriptor table
  bool busy = false;
};

class ProgramBuilder {
 public:
  ProgramBuilder(const Parameters& parameters, std::uint64_t seed, const RandomKnobs& knobs);
  Image build();

 private:
  using Target = std::size_t;  // a bundle number, filled in later

  // builder.cpp: bundles and control flow
  void emit(Draft draft);
  void fill(Draft& draft);
  void random_bundle();
  void plain(std::uint32_t count);
  void block(std::uint32_t budget, unsigned depth, bool copies);
  void loop(std::uint32_t budget, unsigned depth, bool copies);
  void skip(std::uint32_t budget, unsigned depth);
  void computed_jump(std::uint32_t budget, unsigned depth);
  void call();
  void subroutines();
  void end_program();
  void illegal_bundle();
  void add_bad_copy(Draft& draft);
  void patch_target(std::size_t bundle, Slot slot, std::size_t operand, std::uint32_t pc);
  [[nodiscard]] std::uint32_t here() const { return static_cast<std::uint32_t>(drafts_.size()); }

  // builder_copies.cpp: descriptors, channels, the prologue
  void prologue();
  void store_first_descriptor();
  void run_prologue_copy(std::uint32_t number, std::uint32_t count);
  void make_descriptors();
  DescriptorWords random_descriptor(const Channel& channel);
  std::array<std::int32_t, 3> disjoint_strides(std::int32_t length, std::int32_t room,
                                               std::array<std::uint32_t, 3>& counts);
  void copy_step();
  void start_copy(Channel& channel);
  builder::FlagArgument flag_operand(std::uint32_t flag);
  void set_flag(const Channel& channel);
  void wait_for(Channel& channel);
  void wait_all();
  void touch_channel(Draft& draft);
  std::vector<HbmSegment> data_segments();

  const Parameters& parameters_;
  RandomKnobs knobs_;
  Rng rng_;
  OperandChooser chooser_;
  SharedRegion region_;
  std::vector<Draft> drafts_;
  std::vector<Channel> channels_;
  std::vector<DescriptorWords> descriptors_;
  std::vector<std::size_t> calls_;  // bundles that call a subroutine not yet placed
};

}  // namespace tandem
