// Builds one random program. Operations are kept decoded until the end, so that branch targets can
// be filled in once they are known.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "cosim/random/random_map.hpp"
#include "cosim/random/random_operands.hpp"
#include "isa/builder/operation.hpp"
#include "isa/descriptor.hpp"

namespace tandem {

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

// A descriptor whose addresses in HBM wait for the text to be complete.
struct PlannedCopy {
  CopyDescriptor copy;
  HbmBase source_base = HbmBase::none;
  HbmBase target_base = HbmBase::none;
  // Below its place by this many words, which the copy's scalars add again.
  std::uint32_t far_source = 0;
  std::uint32_t far_target = 0;
  std::uint32_t stripe = 0;  // of its channel

  [[nodiscard]] bool is_far() const { return far_source != 0 || far_target != 0; }
  [[nodiscard]] DescriptorWords words(const HbmPlaces& places) const;
};

// A resource of copies: its own flag and memory, in as many stripes as copies may be in flight at
// the same time. While a stripe is busy, nothing touches its destination and nothing writes the
// sources of the channel's copies.
struct Channel {
  std::uint32_t number = 0;
  std::uint32_t flag = 0;
  std::vector<std::uint32_t> descriptors;  // numbers in the descriptor table
  std::uint32_t busy = 0;                  // bit per stripe
};

class ProgramBuilder {
 public:
  ProgramBuilder(const Parameters& parameters, std::uint64_t seed, const RandomKnobs& knobs);
  Object build();

 private:
  // builder.cpp: bundles and control flow
  void emit(Draft draft);
  void fill(Draft& draft);
  bool keeps(Slot slot);
  void random_bundle();
  void add_idle(Draft& draft);
  void plain(std::uint32_t count);
  void block(std::uint32_t budget, unsigned depth, bool copies);
  void step(std::uint32_t budget, unsigned depth, bool copies);
  void loop(std::uint32_t budget, unsigned depth, bool copies);
  void skip(std::uint32_t budget, unsigned depth);
  void computed_jump(std::uint32_t budget, unsigned depth);
  void call();
  void subroutines();
  void padding();
  void end_program();
  void end_of_text();
  Object finish();
  void patch_target(std::size_t bundle, Slot slot, std::size_t operand, std::uint32_t pc);
  [[nodiscard]] std::uint32_t here() const { return static_cast<std::uint32_t>(drafts_.size()); }

  // illegal.cpp: the bundle that ends a program in a trap
  void illegal_bundle();
  bool add_reason(Draft& draft, std::uint32_t kind, builder::Scalar scratch);
  bool add_bad_matrix(Draft& draft, std::uint32_t kind, builder::Scalar scratch);
  bool add_bad_copy(Draft& draft, builder::Scalar scratch);
  void break_descriptor(std::uint32_t number, builder::Scalar scratch);
  void break_box(std::uint32_t number, builder::Scalar scratch);
  void store_word(std::uint32_t word, std::uint32_t value, builder::Scalar scratch);
  bool put(Draft& draft, Slot slot, const Operation& operation);
  void set_scalar(builder::Scalar number, std::uint32_t value);
  void flip_bit(Bundle& bundle);

  // builder_descriptors.cpp
  void make_descriptors();
  PlannedCopy random_descriptor(const Channel& channel, std::uint32_t stripe);
  std::int32_t random_length(std::uint32_t room);
  std::array<std::int32_t, 3> source_strides(std::int32_t length, std::uint32_t words,
                                             const std::array<std::uint32_t, 3>& counts);
  std::uint64_t random_place(const MemoryRegion& region, const std::array<std::int32_t, 3>& strides,
                             const std::array<std::uint32_t, 3>& counts, std::int32_t length);
  MemoryRegion random_source(const Channel& channel, std::uint32_t half);
  MemoryRegion random_target(const Channel& channel, std::uint32_t half);
  std::array<std::int32_t, 3> disjoint_strides(std::int32_t length, std::int32_t room,
                                               std::array<std::uint32_t, 3>& counts);
  CopyDescriptor random_move(const MemoryRegion& from, const MemoryRegion& to);
  std::uint32_t far_offset();
  std::vector<std::uint8_t> data_bytes(const HbmPlaces& places);

  // builder_start.cpp
  void make_start_copies();
  void wait_for_start_copies();
  [[nodiscard]] static Tensor start_tensor();

  // builder_copies.cpp: channels, the prologue
  void prologue();
  void store_first_descriptor();
  void patch_first_descriptor(const HbmPlaces& places);
  void run_prologue_copy(std::uint32_t number, std::uint32_t count);
  void copy_step();
  void start_copy(Channel& channel, std::uint32_t number);
  std::array<builder::Scalar, 2> copy_offsets(const PlannedCopy& planned);
  builder::FlagArgument flag_operand(std::uint32_t flag);
  void set_flag(const Channel& channel);
  void wait_for(Channel& channel);
  void wait_all();
  void touch_channel(Draft& draft);
  void touch_channel_smem(Draft& draft, const Channel& channel);

  const Parameters& parameters_;
  RandomKnobs knobs_;
  Rng rng_;
  OperandChooser chooser_;
  SharedRegion region_;
  std::vector<Draft> drafts_;
  std::vector<Channel> channels_;
  std::vector<PlannedCopy> descriptors_;
  Rng start_rng_;  // of start copies, so that the rest of a program does not depend on them
  std::vector<StartCopy> start_copies_;
  std::uint32_t prologue_copies_ = 0;  // the first of descriptors_, of which number 0 fetches all
  std::size_t first_descriptor_at_ = 0;
  std::optional<std::uint32_t> flipped_;  // a bundle with a bit that may belong to no operation
  std::vector<std::size_t> calls_;        // bundles that call a subroutine not yet placed
};

}  // namespace tandem
