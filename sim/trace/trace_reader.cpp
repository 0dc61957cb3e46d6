#include "sim/trace/trace_reader.hpp"

#include <fmt/format.h>
#include <libdeflate.h>

#include <memory>
#include <new>
#include <unordered_map>

#include "sim/trace/protobuf_reader.hpp"
#include "sim/trace/trace_format.hpp"

namespace tandem::trace {
namespace {

using protobuf::Reader;

// Blocks of the writer are far smaller.
constexpr std::size_t largest_block = std::size_t{64} << 20U;

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* decompressor) const {
    libdeflate_free_decompressor(decompressor);
  }
};

class Inflater {
 public:
  Inflater() : decompressor_(libdeflate_alloc_decompressor()) {
    if (!decompressor_) throw std::bad_alloc();
  }

  // The bytes are valid until the next call.
  std::string_view inflate(std::string_view compressed) {
    while (true) {
      std::size_t size = 0;
      const libdeflate_result result =
          libdeflate_zlib_decompress(decompressor_.get(), compressed.data(), compressed.size(),
                                     buffer_.data(), buffer_.size(), &size);
      if (result == LIBDEFLATE_SUCCESS) return std::string_view(buffer_).substr(0, size);
      const bool small = result == LIBDEFLATE_INSUFFICIENT_SPACE;
      if (!small || buffer_.size() >= largest_block) {
        throw ReadError{"a block of packets cannot be decompressed"};
      }
      buffer_.resize(buffer_.size() * 4);
    }
  }

 private:
  std::unique_ptr<libdeflate_decompressor, FreeDecompressor> decompressor_;
  std::string buffer_ = std::string(std::size_t{1} << 20U, '\0');
};

struct Event {
  EventType type{};
  Track track = Track::none;
  std::uint64_t name = 0;
  std::uint64_t location = 0;
  std::vector<std::string_view> notes;
};

class TimelineReader {
 public:
  Timeline read(std::string_view file) {
    read_packets(file);
    if (!is_ours_) throw ReadError{"not a trace that tandem wrote"};
    if (stall_open_) throw ReadError{"the last stall has no end"};
    check_spans();
    return std::move(timeline_);
  }

 private:
  // Every cycle is a bundle's or lost, so a missing block leaves a gap.
  void check_spans() const {
    const std::vector<Span>& spans = timeline_.spans;
    if (spans.empty()) return;
    std::uint64_t end = spans.front().first;
    for (const Span& span : spans) {
      check_adjacent(end, span.first);
      end = span.first + span.count;
    }
    if (timeline_.ended) check_adjacent(end, timeline_.cycles);
  }

  static void check_adjacent(std::uint64_t end, std::uint64_t next) {
    if (end != next) throw ReadError{fmt::format("cycles {} to {} are missing", end, next)};
  }

  void read_packets(std::string_view bytes) {
    for (Reader reader(bytes); reader.next();) {
      if (reader.field() == field::packet) read_packet(reader.bytes());
    }
  }

  void read_packet(std::string_view packet) {
    std::uint64_t delta = 0;
    std::uint64_t sequence = 0;
    std::string_view event;
    std::string_view interned;
    std::string_view compressed;
    for (Reader reader(packet); reader.next();) {
      if (reader.field() == field::timestamp) delta = reader.number();
      if (reader.field() == field::sequence_id) sequence = reader.number();
      if (reader.field() == field::track_event) event = reader.bytes();
      if (reader.field() == field::interned_data) interned = reader.bytes();
      if (reader.field() == field::compressed_packets) compressed = reader.bytes();
    }
    if (!compressed.empty()) return read_block(compressed);
    if (sequence != bundle_sequence) return;
    if (!interned.empty()) read_interned(interned);
    clock_ += delta;
    if (!event.empty()) read_event(event);
  }

  void read_block(std::string_view compressed) {
    if (in_block_) throw ReadError{"a compressed block inside another"};
    in_block_ = true;
    read_packets(inflater_.inflate(compressed));
    in_block_ = false;
  }

  void read_interned(std::string_view data) {
    for (Reader reader(data); reader.next();) {
      if (reader.field() == field::event_names) read_name(reader.bytes());
      if (reader.field() == field::source_locations) read_place(reader.bytes());
    }
  }

  void read_name(std::string_view entry) {
    std::uint64_t id = 0;
    std::string_view name;
    for (Reader reader(entry); reader.next();) {
      if (reader.field() == field::interned_id) id = reader.number();
      if (reader.field() == field::interned_name) name = reader.bytes();
    }
    names_[id] = static_cast<std::uint32_t>(timeline_.names.size());
    timeline_.names.emplace_back(name);
  }

  void read_place(std::string_view entry) {
    std::uint64_t id = 0;
    Place place;
    for (Reader reader(entry); reader.next();) {
      if (reader.field() == field::interned_id) id = reader.number();
      if (reader.field() == field::file_name) place.file = reader.bytes();
      if (reader.field() == field::function_name) place.label = reader.bytes();
      if (reader.field() == field::line_number) {
        place.line = static_cast<std::uint32_t>(reader.number());
      }
    }
    places_[id] = static_cast<std::uint32_t>(timeline_.places.size());
    timeline_.places.push_back(std::move(place));
  }

  void read_event(std::string_view bytes) {
    Event event;
    for (Reader reader(bytes); reader.next();) {
      if (reader.field() == field::type) event.type = static_cast<EventType>(reader.number());
      if (reader.field() == field::track_uuid) event.track = static_cast<Track>(reader.number());
      if (reader.field() == field::name_iid) event.name = reader.number();
      if (reader.field() == field::source_location_iid) event.location = reader.number();
      if (reader.field() == field::annotations) event.notes.push_back(reader.bytes());
    }
    if (event.type == EventType::instant) return read_instant(event);
    if (event.track == Track::issue && event.type == EventType::slice_begin) {
      timeline_.spans.push_back(span(event, 1, true));
    }
    if (event.track == Track::stalls) read_stall(event);
  }

  void read_stall(const Event& event) {
    if (stall_open_ != (event.type == EventType::slice_end)) {
      throw ReadError{"stalls do not begin and end in turn"};
    }
    stall_open_ = !stall_open_;
    if (stall_open_) {
      timeline_.spans.push_back(span(event, 0, false));
    } else {
      timeline_.spans.back().count = clock_ - timeline_.spans.back().first;
    }
  }

  Span span(const Event& event, std::uint64_t count, bool issued) {
    const auto name = names_.find(event.name);
    if (name == names_.end()) throw ReadError{"a slice without a name"};
    const auto place = places_.find(event.location);
    // Only a run without any bundle has stalls without a place.
    if (place == places_.end()) return {clock_, count, issued, name->second, nowhere()};
    return {clock_, count, issued, name->second, place->second};
  }

  std::uint32_t nowhere() {
    if (places_.count(0) == 0) {
      places_[0] = static_cast<std::uint32_t>(timeline_.places.size());
      timeline_.places.emplace_back();
    }
    return places_[0];
  }

  void read_instant(const Event& event) {
    for (const std::string_view note : event.notes) read_note(note);
  }

  void read_note(std::string_view bytes) {
    auto note = Note{};
    std::uint64_t number = 0;
    std::string_view text;
    for (Reader reader(bytes); reader.next();) {
      if (reader.field() == field::note_name_iid) note = static_cast<Note>(reader.number());
      if (reader.field() == field::note_number) number = reader.number();
      if (reader.field() == field::note_text) text = reader.bytes();
    }
    if (note == Note::format) check_format(number);
    if (note == Note::preset) timeline_.preset = text;
    if (note == Note::window) timeline_.window = text;
    if (note == Note::cycles) {
      timeline_.cycles = number;
      timeline_.ended = true;
    }
  }

  void check_format(std::uint64_t version) {
    if (version != format_version) {
      throw ReadError{fmt::format("its format is version {}, this tandem reads version {}", version,
                                  format_version)};
    }
    is_ours_ = true;
  }

  Timeline timeline_;
  Inflater inflater_;
  std::unordered_map<std::uint64_t, std::uint32_t> names_;
  std::unordered_map<std::uint64_t, std::uint32_t> places_;
  std::uint64_t clock_ = 0;
  bool in_block_ = false;
  bool stall_open_ = false;
  bool is_ours_ = false;
};

}  // namespace

Timeline read_timeline(std::string_view file) {
  try {
    return TimelineReader().read(file);
  } catch (const protobuf::Malformed& malformed) {
    throw ReadError{fmt::format("not a Perfetto trace, or damaged (at byte {} of a message)",
                                malformed.offset)};
  }
}

}  // namespace tandem::trace
