#include "isa/golden/lifetimes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "isa/analysis/effects.hpp"
#include "isa/golden/marks/mask_rows.hpp"

namespace tandem::golden {
namespace {

bool overlap(const PlacedTensor& a, const PlacedTensor& b) {
  return a.address < b.address + b.bytes && b.address < a.address + a.bytes;
}

const PlacedTensor* find_tensor(const Launch& launch, const std::string& name) {
  const auto found =
      std::find_if(launch.tensors.begin(), launch.tensors.end(),
                   [&name](const PlacedTensor& placed) { return placed.tensor.name == name; });
  return found == launch.tensors.end() ? nullptr : &*found;
}

bool in_scalar_slot(std::uint32_t slot) {
  return slot == static_cast<std::uint32_t>(Slot::sa) ||
         slot == static_cast<std::uint32_t>(Slot::sb);
}

// To another chip: its destination is not in this one's memory (never SMEM).
bool is_sent(const Core& core) { return core.copy.remote && core.copy.chip != core.chip; }

bool is_enabled(const Core& core, const MicroOp& op) {
  return (core.state.predicates[op.predicate] ^ op.negate) != 0;
}

std::string place_text(MemorySpace space, std::uint64_t word, std::uint32_t lanes) {
  if (space == MemorySpace::hbm) return fmt::format("byte {:#x} of HBM", word * 4);
  if (space == MemorySpace::smem) return fmt::format("SMEM word {}", word);
  return fmt::format("VMEM row {}, lane {}", word / lanes, word % lanes);
}

}  // namespace

void Lifetimes::start(const Launch& launch) {
  image_ = launch.image;
  if (launch.program == 0 || launch.program != program_) {  // perhaps not the same image
    program_ = launch.program;
    plans_.assign(image_->text.size(), {});
  }
  launch_ = &launch;
  std::fill(vmem_.begin(), vmem_.end(), Writer{});
  foreign_.clear();
  stale_.clear();
  stale_hbm_.clear();
  last_.reset();
  hbm_.clear();
  tensors_.clear();
  same_.assign(image_->buffers.buffers.size() + 1, no_buffer);
  in_hbm_.assign(same_.size(), {});
  std::vector<std::pair<BufferId, const PlacedTensor*>> placed;
  for (BufferId id = 1; id < same_.size(); ++id) {
    const PlannedBuffer& buffer = image_->buffers.buffers[id - 1];
    same_[id] = id;
    in_hbm_[id] = {buffer.first, buffer.first + buffer.words};
    if (buffer.kind != BufferKind::tensor) continue;
    in_hbm_[id] = {};
    const PlacedTensor* tensor = find_tensor(launch, buffer.name);
    if (tensor == nullptr || tensor->bytes == 0) continue;
    for (const auto& [other, memory] : placed) {
      if (overlap(*tensor, *memory)) same_[id] = same_[other];
    }
    placed.emplace_back(id, tensor);
    in_hbm_[id] = {tensor->address / 4, (tensor->address + tensor->bytes + 3) / 4};
    tensors_.push_back({in_hbm_[id], same_[id]});
  }
  start_copies(launch);
  const std::vector<BufferTouch>& touches = image_->buffers.touches;
  const auto scalar = std::find_if(touches.begin(), touches.end(), [this](const BufferTouch& item) {
    return in_scalar_slot(item.slot) && is_scratch(item.writes);
  });
  kernels_smem_ = scalar == touches.end() ? no_buffer : scalar->writes;
}

// What they write belongs to the buffers that they name.
void Lifetimes::start_copies(const Launch& launch) {
  for (std::size_t i = 0; i < launch.start_copies.size(); ++i) {
    const BufferId buffer =
        i < image_->start_copies.size() ? image_->start_copies[i].buffer : no_buffer;
    const Writer writer{buffer == no_buffer ? anyone : same_[buffer], 0, false};
    Copy copy;
    copy.words = launch.start_copies[i];
    parse_descriptor(copy, 0, 0);
    const std::uint64_t bytes = vmem_.size() * 4;
    if (copy.moves_nothing() || RaceDetector::covers_itself(copy, bytes)) continue;
    for_each_run(copy, [&](std::uint64_t /*from*/, std::uint64_t to) {
      std::fill_n(vmem_.begin() + static_cast<std::ptrdiff_t>(to / 4), copy.length / 4, writer);
    });
  }
}

std::vector<BufferTouch> Lifetimes::touches_of(std::uint32_t pc, std::uint32_t slot) const {
  const std::vector<BufferTouch>& touches = image_->buffers.touches;
  const auto place = [](const BufferTouch& item) { return std::pair(item.pc, item.slot); };
  auto next = std::lower_bound(
      touches.begin(), touches.end(), std::pair(pc, slot),
      [&](const BufferTouch& item, const auto& wanted) { return place(item) < wanted; });
  std::vector<BufferTouch> found;
  for (; next != touches.end() && place(*next) == std::pair(pc, slot); ++next) {
    found.push_back(*next);
  }
  if (found.empty()) found.push_back({pc, slot, no_buffer, no_buffer});
  return found;
}

const Lifetimes::BundleAccesses& Lifetimes::accesses_of(std::uint32_t pc) {
  BundleAccesses& plan = plans_[pc];
  if (plan.known) return plan;
  plan.known = true;
  for (const Slot slot : {Slot::sa, Slot::sb, Slot::ld, Slot::st, Slot::dma}) {
    const SlotBits bits = slot_bits(image_->text[pc], slot);
    if (is_empty(bits)) continue;
    const auto operation = decode(slot, bits);
    if (!operation) continue;
    const Effects effects = effects_of(*operation);
    std::vector<BufferTouch> touches = touches_of(pc, static_cast<std::uint32_t>(slot));
    const BufferTouch touch = touches.front();
    touches.erase(touches.begin());
    const bool in_smem = effects.memory.space == LocalMemory::smem && is_scratch(touch.writes);
    if (!effects.copies() && effects.memory.space != LocalMemory::vmem && !in_smem) continue;
    plan.accesses.push_back({lower(slot, *operation), touch, std::move(touches),
                             effects.memory.writes, effects.copies(), effects.memory.in_words,
                             in_smem});
  }
  return plan;
}

// Loads read before stores write, and a copy starts after both.
void Lifetimes::check(Core& core) {
  foreign_.clear();
  for (const Access& access : accesses_of(core.pc).accesses) {
    if (!is_enabled(core, access.op)) continue;
    if (access.in_smem) {
      const std::uint32_t word = core.captured[static_cast<std::size_t>(access.op.slot)];
      hold(core, access.touch.writes, MemorySpace::smem, word, access.writes);
    } else {
      access.is_copy ? copy(core, access) : local(core, access);
    }
  }
}

// As in load_store.cpp, once operands are captured.
void Lifetimes::local(Core& core, const Access& access) {
  const MicroOp& op = access.op;
  const std::uint32_t lanes = core.lanes();
  const std::uint32_t at = core.captured[static_cast<std::size_t>(op.slot)];
  const bool unmasked = op.mx == 0 && !op.mx_not;
  for (std::uint32_t r = 0; r < op.rows; ++r) {
    if (op.indexed && (core.indexed_by(op).taken >> r & 1U) == 0) continue;
    const RowMarks mask =
        unmasked ? all_lanes(lanes) : mask_row(core.mask(op.mx), op.mx_not, r, lanes);
    if (mask == 0) continue;
    const auto stride = static_cast<std::uint32_t>(std::int32_t{op.stride});
    const std::uint32_t row = op.indexed ? core.indexed_by(op).row[r] : at + r * stride;
    if (!access.writes) {
      load(core, access, r, access.in_words ? at + r : row * lanes, mask);
      continue;
    }
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      if (lane_set(mask, lane)) write(core, access, MemorySpace::vmem, row * lanes + lane);
    }
  }
}

// A row of the register: from a row of VMEM, or from one word in all its lanes.
void Lifetimes::load(Core& core, const Access& access, std::uint32_t r, std::uint32_t word,
                     RowMarks lanes) {
  Foreign found{&access, r, 0, MemorySpace::vmem, 0, {}};
  for (std::uint32_t lane = 0; lane < core.lanes(); ++lane) {
    if (access.in_words || lane_set(lanes, lane)) {
      hold(core, access.touch.reads, MemorySpace::vmem, access.in_words ? word : word + lane,
           false);
    }
  }
  if (access.in_words) {
    const auto stale = read(core, access, MemorySpace::vmem, word);
    if (!stale) return;
    found.lanes = lanes;
    found.stale = *stale;
  }
  for (std::uint32_t lane = 0; lane < core.lanes() && !access.in_words; ++lane) {
    if (!lane_set(lanes, lane)) continue;
    const auto stale = read(core, access, MemorySpace::vmem, word + lane);
    if (!stale) continue;
    found.lanes |= RowMarks{1} << lane;
    found.stale = *stale;
  }
  if (found.lanes != 0) foreign_.push_back(found);
}

// The descriptor, and moves from and to SMEM: words that were given to the kernels.
void Lifetimes::kernel_copy(Core& core, const Access& access) const {
  const auto hold_words = [&](std::uint64_t first, std::uint32_t count, bool writes) {
    for (std::uint32_t i = 0; i < count; ++i) {
      hold(core, kernels_smem_, MemorySpace::smem, first + i, writes);
    }
  };
  hold_words(core.address(access.op), descriptor_words, false);
  if (core.copy.moves_nothing()) return;
  const std::uint32_t words = core.copy.length / 4;
  for_each_run(core.copy, [&](std::uint64_t from, std::uint64_t to) {
    if (core.copy.source.space == MemorySpace::smem) hold_words(from / 4, words, false);
    if (core.copy.destination.space == MemorySpace::smem) hold_words(to / 4, words, true);
  });
}

void Lifetimes::copy(Core& core, const Access& access) {
  if (is_scratch(access.touch.writes)) kernel_copy(core, access);
  if (core.copy.moves_nothing()) return;
  const std::uint32_t words = core.copy.length / 4;
  const MemorySpace source = core.copy.source.space;
  const MemorySpace destination = core.copy.destination.space;
  const bool is_local = destination != MemorySpace::smem && !is_sent(core);
  for_each_run(core.copy, [&](std::uint64_t from, std::uint64_t to) {
    for (std::uint32_t i = 0; i < words; ++i) {
      if (source == MemorySpace::vmem) hold(core, access.touch.reads, source, from / 4 + i, false);
      if (source == MemorySpace::hbm) hold_in_hbm(core, access, from / 4 + i, false);
      if (source != MemorySpace::smem) {
        const auto stale = read(core, access, source, from / 4 + i);
        if (stale && !is_sent(core))
          foreign_.push_back({&access, 0, 0, destination, to / 4 + i, *stale});
      }
      if (is_local && destination == MemorySpace::hbm) {
        hold_in_hbm(core, access, to / 4 + i, true);
      }
      if (is_local) write(core, access, destination, to / 4 + i);
    }
  });
}

Lifetimes::Writer Lifetimes::writer_of(MemorySpace space, std::uint64_t word) const {
  if (space == MemorySpace::vmem) return vmem_[word];
  const auto page = hbm_.find(word / page_words);
  if (page != hbm_.end()) {
    const Writer& writer = (*page->second)[word % page_words];
    if (writer.by_program) return writer;
  }
  for (const TensorMemory& tensor : tensors_) {
    if (tensor.words.contains(word)) return {tensor.buffer, 0, false};
  }
  return {};
}

bool Lifetimes::is_scratch(BufferId id) const {
  return id != no_buffer && id != spill_buffer &&
         image_->buffers.buffers[id - 1].kind == BufferKind::scratch;
}

void Lifetimes::hold(Core& core, BufferId id, MemorySpace space, std::uint64_t word,
                     bool writes) const {
  if (core.finding || (id != no_buffer && !is_scratch(id))) return;
  const PlannedBuffer* own = id == no_buffer ? nullptr : &image_->buffers.buffers[id - 1];
  if (own != nullptr && word - own->first < own->words) return;
  if (own == nullptr && space != MemorySpace::smem) return;  // not declared
  Finding finding;
  finding.kind = FindingKind::outside;
  finding.pc = core.pc;
  const std::string given = own == nullptr || own->words == 0 ? "no words" : buffer_text(id);
  finding.message =
      fmt::format("{} is {} by a kernel that has been given {}",
                  place_text(space, word, core.lanes()), writes ? "written" : "read", given);
  core.report(finding);
}

void Lifetimes::hold_in_hbm(Core& core, const Access& access, std::uint64_t word,
                            bool writes) const {
  if (core.finding || access.given.empty()) return;
  std::string given;
  for (const BufferTouch& touch : access.given) {
    const BufferId id = writes ? touch.writes : touch.reads;
    if (id == no_buffer || id == spill_buffer) continue;
    if (in_hbm_[id].contains(word)) return;
    given += (given.empty() ? "" : ", ") + buffer_text(id);
  }
  Finding finding;
  finding.kind = FindingKind::outside;
  finding.pc = core.pc;
  finding.message = fmt::format("{} is {} by a kernel that has been given {}",
                                place_text(MemorySpace::hbm, word, core.lanes()),
                                writes ? "written" : "read", given.empty() ? "no words" : given);
  core.report(finding);
}

void Lifetimes::write(Core& core, const Access& access, MemorySpace space, std::uint64_t word) {
  // Of HBM a kernel may write several tensors.
  const bool may_be_several = space == MemorySpace::hbm && is_scratch(access.touch.writes);
  const BufferId id = may_be_several ? no_buffer : access.touch.writes;
  if (space == MemorySpace::vmem) hold(core, id, space, word, true);
  const BufferId written = id == no_buffer ? anyone : id == spill_buffer ? id : same_[id];
  const Writer writer{written, core.pc, true};
  if (space == MemorySpace::vmem) {
    vmem_[word] = writer;
    return;
  }
  std::unique_ptr<Page>& page = hbm_[word / page_words];
  if (!page) page = std::make_unique<Page>();
  (*page)[word % page_words] = writer;
  if (!stale_hbm_.empty()) stale_hbm_.erase(word);
}

std::optional<Lifetimes::Stale> Lifetimes::read(const Core& core, const Access& access,
                                                MemorySpace space, std::uint64_t word) const {
  const BufferId id = access.touch.reads;
  if (id == no_buffer || (space == MemorySpace::hbm && is_scratch(id))) return std::nullopt;
  // Other chips write to HBM and to memory given to kernels, about which nothing is known here.
  if (core.chips > 1 && (space == MemorySpace::hbm || is_scratch(id))) return std::nullopt;
  const Writer writer = writer_of(space, word);
  if (writer.buffer == anyone) return std::nullopt;
  const bool is_constant =
      id != spill_buffer && image_->buffers.buffers[id - 1].kind == BufferKind::constant;
  const BufferId wanted = is_constant ? no_buffer : id == spill_buffer ? id : same_[id];
  if (writer.buffer == wanted) return std::nullopt;
  return Stale{core.pc, space, word, id, writer};
}

// The bundle has executed: the data that it has read from other buffers counts as never written.
void Lifetimes::spread(Core& core) {
  for (const Foreign& item : foreign_) {
    last_ = item.stale;
    stale_[core.pc] = item.stale;
    if (!item.access->is_copy) {
      VectorMarks marks = core.marks.vector(item.access->op.d);
      if (!core.marks.vector_unwritten(item.access->op.d)) marks.fill(0);
      marks[item.row] |= item.lanes;
      core.marks.set_vector(item.access->op.d, marks, core.pc);
    } else if (item.space == MemorySpace::vmem) {
      const RowMarks lane = RowMarks{1} << (item.word % core.lanes());
      core.marks.store_row(static_cast<std::uint32_t>(item.word / core.lanes()), lane, lane);
    } else if (item.space == MemorySpace::hbm) {
      core.marks.hbm().mark(item.word, 1);
      stale_hbm_[item.word] = item.stale;
    } else {
      core.report(finding_of(core, item.stale));  // SMEM has no marks
    }
  }
  foreign_.clear();
}

// A word of another buffer in an element of an output.
const Lifetimes::Stale* Lifetimes::in_an_output(const Core& core) const {
  for (const auto& [word, stale] : stale_hbm_) {
    if (!core.marks.hbm().unwritten(word)) continue;
    for (const PlacedTensor& placed : launch_->tensors) {
      const std::uint64_t at = word * 4 - placed.address;
      if (!placed.tensor.output || word * 4 < placed.address || at >= placed.bytes) continue;
      const auto& sizes = placed.tensor.dimensions;
      const std::uint64_t columns = sizes.empty() ? 1 : static_cast<std::uint64_t>(sizes.back());
      if (at % placed.pitch < columns * element_bytes(placed.tensor.type)) return &stale;
    }
  }
  return nullptr;
}

// Findings of the marks, also those in an output, are reported as what they really are.
void Lifetimes::explain(Core& core) {
  if (!core.finding) {
    const Stale* stale = in_an_output(core);
    if (stale != nullptr) core.report(finding_of(core, *stale));
    return;
  }
  if (core.finding->kind != FindingKind::uninitialised || !last_) return;
  const auto origin = stale_.find(core.finding->origin_pc.value_or(core.pc));
  Finding finding = finding_of(core, origin == stale_.end() ? *last_ : origin->second);
  finding.message += "; " + core.finding->message;
  core.finding = std::move(finding);
}

std::string Lifetimes::buffer_text(BufferId id) const {
  if (id == spill_buffer) return "the frame of the registers";
  const PlannedBuffer& buffer = image_->buffers.buffers[id - 1];
  if (buffer.kind == BufferKind::tensor) return fmt::format("tensor {}", buffer.name);
  const std::string made = buffer.name.empty() ? "" : " of " + buffer.name;
  return fmt::format("buffer {} ({} words {} to {}){}", id, buffer_kind_name(buffer.kind),
                     buffer.first, buffer.first + buffer.words - 1, made);
}

Finding Lifetimes::finding_of(const Core& core, const Stale& stale) const {
  Finding finding;
  finding.kind = FindingKind::lifetime;
  finding.pc = stale.pc;
  finding.message =
      fmt::format("{} is read as {}, ", place_text(stale.space, stale.word, core.lanes()),
                  buffer_text(stale.wanted));
  if (stale.writer.buffer == no_buffer) {
    finding.message += "which has not written this word";
    return finding;
  }
  finding.message += fmt::format("and holds {}", buffer_text(stale.writer.buffer));
  if (stale.writer.by_program) finding.origin_pc = stale.writer.pc;
  return finding;
}

}  // namespace tandem::golden
