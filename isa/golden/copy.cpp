#include "isa/golden/copy.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "isa/golden/core.hpp"
#include "isa/numerics/flush_scope.hpp"

namespace tandem::golden {
namespace {

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 63U;
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return product > limit ? limit : static_cast<std::uint64_t>(product);
}

// Only descriptors that pass the check get here; past the end a copy would never end.
std::span<const std::uint8_t> bytes_of(const std::vector<std::uint32_t>& words,
                                       std::uint64_t address) {
  if (address >= words.size() * 4) {
    std::fprintf(stderr, "golden: a copy reaches byte %llu after the end of a memory\n",
                 static_cast<unsigned long long>(address));
    std::abort();
  }
  return std::span(reinterpret_cast<const std::uint8_t*>(words.data()), words.size() * 4)
      .subspan(address);
}

// The bytes from an address on, as far as they are contiguous.
std::span<const std::uint8_t> readable(const Core& core, MemorySpace space, std::uint64_t address) {
  switch (space) {
    case MemorySpace::hbm: return core.hbm.readable(address);
    case MemorySpace::vmem: return bytes_of(core.state.vmem, address);
    case MemorySpace::smem: return bytes_of(core.state.smem, address);
  }
  return {};
}

std::span<std::uint8_t> writable(Core& core, MemorySpace space, std::uint64_t address) {
  if (space == MemorySpace::hbm) return core.hbm.writable(address);
  const auto bytes = readable(core, space, address);
  return {const_cast<std::uint8_t*>(bytes.data()), bytes.size()};
}

void copy_bytes(Core& core, Core& to_core, std::uint64_t from, std::uint64_t to,
                std::uint64_t length) {
  while (length != 0) {
    const auto target = writable(to_core, core.copy.destination.space, to);
    const auto source = readable(core, core.copy.source.space, from);
    const std::uint64_t count = std::min({source.size(), target.size(), length});
    std::memmove(target.data(), source.data(), count);
    from += count;
    to += count;
    length -= count;
  }
}

// The same for HBM of a platform, in pieces that its port takes in one access.
void copy_through_port(Core& core, std::uint64_t from, std::uint64_t to, std::uint64_t length) {
  MemoryPort& port = *core.options.memory;
  const MemorySpace source = core.copy.source.space;
  const MemorySpace destination = core.copy.destination.space;
  const auto rest_of_page = [](std::uint64_t address) {
    return burst_limit_bytes - address % burst_limit_bytes;
  };
  std::array<std::uint8_t, burst_limit_bytes> piece;
  const numerics::DefaultScope others_run;
  while (length != 0) {
    const std::uint64_t count = std::min({rest_of_page(from), rest_of_page(to), length});
    if (source != MemorySpace::hbm) {
      std::memcpy(piece.data(), readable(core, source, from).data(), count);
    } else if (!port.read(from, piece.data(), count)) {
      piece.fill(0);
    }
    if (destination == MemorySpace::hbm) {
      port.write(to, piece.data(), count);
    } else {
      std::memcpy(writable(core, destination, to).data(), piece.data(), count);
    }
    from += count;
    to += count;
    length -= count;
  }
}

bool goes_through_port(const Core& core) {
  return core.options.memory != nullptr && (core.copy.source.space == MemorySpace::hbm ||
                                            core.copy.destination.space == MemorySpace::hbm);
}

void copy_marks(Core& core, std::uint64_t from, std::uint64_t to, std::uint32_t length) {
  const auto to_word = static_cast<std::uint32_t>(to / 4);
  const auto from_word = static_cast<std::uint32_t>(from / 4);
  const std::uint32_t words = length / 4;
  switch (core.copy.destination.space) {
    case MemorySpace::smem: return;  // always counts as written
    case MemorySpace::vmem:
      switch (core.copy.source.space) {
        case MemorySpace::vmem: return core.marks.move_vmem(to_word, from_word, words);
        case MemorySpace::smem: return core.marks.define_vmem(to_word, words);
        case MemorySpace::hbm: return core.marks.copy_from_hbm(to_word, from / 4, words);
      }
      return;
    case MemorySpace::hbm:
      switch (core.copy.source.space) {
        case MemorySpace::vmem: return core.marks.copy_to_hbm(to / 4, from_word, words);
        case MemorySpace::smem: return core.marks.hbm().define(to / 4, words);
        case MemorySpace::hbm: return core.marks.copy_within_hbm(to / 4, from / 4, words);
      }
  }
}

// The same to another chip.
void send_marks(const Core& core, Core& to_core, std::uint64_t from, std::uint64_t to,
                std::uint32_t length) {
  const std::uint32_t words = length / 4;
  for (std::uint32_t done = 0; done < words; done += HbmMarks::piece_words) {
    const std::uint32_t here = std::min(words - done, HbmMarks::piece_words);
    const std::uint64_t first = from / 4 + done;
    std::uint64_t marks = 0;
    switch (core.copy.source.space) {
      case MemorySpace::hbm: marks = core.marks.hbm().read(first, here); break;
      case MemorySpace::vmem:
        marks = core.marks.vmem_words(static_cast<std::uint32_t>(first), here);
        break;
      case MemorySpace::smem: break;  // always counts as written
    }
    if (core.copy.destination.space == MemorySpace::hbm) {
      to_core.marks.hbm().write(to / 4 + done, here, marks);
    } else {
      to_core.marks.write_vmem(static_cast<std::uint32_t>(to / 4) + done, here, marks);
    }
  }
}

}  // namespace

std::string_view memory_name(MemorySpace space) {
  switch (space) {
    case MemorySpace::hbm: return "HBM";
    case MemorySpace::vmem: return "VMEM";
    case MemorySpace::smem: return "SMEM";
  }
  return "";
}

std::uint64_t Copy::runs() const {
  return saturating_product(saturating_product(counts[0], counts[1]), counts[2]);
}

BoundingBox bounding_box(const Copy& copy, const CopySide& side) {
  return tandem::bounding_box(side.address, copy.length, copy.counts, side.strides);
}

void parse_descriptor(Copy& copy, std::uint32_t source_offset, std::uint32_t destination_offset) {
  const CopyDescriptor fields = descriptor_of(copy.words);
  copy.flag = fields.flag;
  copy.amount = fields.amount;
  copy.remote = fields.remote.has_value();
  const CopyDescriptor::Remote remote = fields.remote.value_or(CopyDescriptor::Remote{});
  copy.chip = remote.chip;
  copy.flag_here = remote.flag_here;
  copy.amount_here = remote.amount_here;
  copy.length = fields.length;
  copy.source.space = fields.source_space;
  copy.destination.space = fields.destination_space;
  copy.source.address = fields.source + std::uint64_t{source_offset} * 4;
  copy.destination.address = fields.destination + std::uint64_t{destination_offset} * 4;
  for (std::size_t i = 0; i < copy.counts.size(); ++i) {
    copy.counts[i] = fields.dimensions[i].count;
    copy.source.strides[i] = fields.dimensions[i].source_stride;
    copy.destination.strides[i] = fields.dimensions[i].destination_stride;
  }
}

Copy issued_copy(const CopyIssue& issue) {
  Copy copy;
  copy.words = issue.descriptor;
  parse_descriptor(copy, 0, 0);
  copy.source.address = issue.source;
  copy.destination.address = issue.destination;
  return copy;
}

DescriptorFault check_descriptor(const Copy& copy, const std::array<std::uint64_t, 3>& sizes,
                                 const TextRange& text, std::uint32_t chips) {
  if (const auto number = bad_word(copy.words, chips)) return {TrapCause::bad_descriptor, *number};
  if (copy.moves_nothing()) return {};
  const auto size_of = [&sizes](const CopySide& side) {
    return sizes[static_cast<std::size_t>(side.space)];
  };
  if (!bounding_box(copy, copy.source).is_within(size_of(copy.source))) {
    return {TrapCause::address_range, descriptor_field::source.word};
  }
  const BoundingBox to = bounding_box(copy, copy.destination);
  if (!to.is_within(size_of(copy.destination))) {
    return {TrapCause::address_range, descriptor_field::target.word};
  }
  const bool hits_text = to.begin < text.end && to.end > text.begin;
  if (copy.destination.space == MemorySpace::hbm && hits_text) {
    return {TrapCause::address_range, descriptor_field::target_high.word};
  }
  return {};
}

void perform_copy(Core& core, Core& to_core) {
  if (core.copy.moves_nothing()) return;
  const std::uint32_t length = core.copy.length;
  const bool own = &core == &to_core;
  const bool marks = core.marks.enabled();
  const bool through_port = goes_through_port(core);
  for_each_run(core.copy, [&](std::uint64_t from, std::uint64_t to) {
    through_port ? copy_through_port(core, from, to, length)
                 : copy_bytes(core, to_core, from, to, length);
    if (!marks) return;
    own ? copy_marks(core, from, to, length) : send_marks(core, to_core, from, to, length);
  });
}

namespace {

void begin_start_copy(Core& core) {
  constexpr std::uint32_t pc = RaceDetector::before_entry;
  core.state.flags[core.copy.flag] += core.copy.amount;
  std::optional<Finding> race;
  if (RaceDetector::covers_itself(core.copy, core.state.parameters->vmem_bytes)) {
    race = RaceDetector::self_overlap(pc);
  } else {
    race = core.races.start(core.copy, pc);
    perform_copy(core, core);
  }
  if (!race) return;
  race->pc = core.pc;
  core.report(std::move(*race));
}

}  // namespace

void load_arguments(Core& core) {
  const std::uint64_t bytes = std::uint64_t{core.argument_words} * 4;
  if (bytes == 0 || bytes > core.state.smem.size() * 4) return;
  const bool reaches =
      core.options.memory != nullptr ||
      (core.argument_pointer < core.hbm.size() && bytes <= core.hbm.size() - core.argument_pointer);
  if (!reaches) return;  // a bus error, which the host handles
  core.copy.source = {MemorySpace::hbm, core.argument_pointer, {}};
  core.copy.destination = {MemorySpace::smem, 0, {}};
  core.copy.length = static_cast<std::uint32_t>(bytes);
  core.copy.counts = {1, 1, 1};
  perform_copy(core, core);
  core.copy = Copy{};
}

void begin_start_copies(Core& core, const Launch& launch) {
  for (const DescriptorWords& words : launch.start_copies) {
    core.copy.words = words;
    parse_descriptor(core.copy, 0, 0);
    begin_start_copy(core);
    core.copy = Copy{};
  }
}

}  // namespace tandem::golden
