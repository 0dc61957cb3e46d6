#include "tests/sim/trace_decoder.hpp"

#include <zlib.h>

#include <algorithm>
#include <stdexcept>

#include "perfetto_subset.pb.h"

namespace tandem::test {
namespace {

namespace pf = perfetto::protos;

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error("trace: " + what); }

void refuse_unknown_fields(const google::protobuf::Message& message) {
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  if (!reflection.GetUnknownFields(message).empty()) {
    fail("unknown field in " + message.GetTypeName());
  }
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const auto* field : fields) {
    if (field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      refuse_unknown_fields(reflection.GetMessage(message, field));
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
      refuse_unknown_fields(reflection.GetRepeatedMessage(message, field, i));
    }
  }
}

std::string inflated(const std::string& compressed) {
  std::string text(std::size_t{1} << 20U, '\0');
  uLongf size = text.size();
  const int status =
      uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                 reinterpret_cast<const Bytef*>(compressed.data()), compressed.size());
  if (status != Z_OK) fail("a block does not inflate");
  text.resize(size);
  return text;
}

// The state of one trusted_packet_sequence_id.
struct SequenceState {
  bool cleared = false;
  std::uint32_t clock_id = 0;
  std::uint64_t clock = 0;
  std::map<std::uint64_t, std::string> names;
  std::map<std::uint64_t, std::string> notes;
  std::map<std::uint64_t, pf::SourceLocation> sources;
};

class Decoder {
 public:
  DecodedTrace decode(const std::string& file) {
    read_packets(file);
    std::stable_sort(trace_.slices.begin(), trace_.slices.end(),
                     [](const DecodedEvent& a, const DecodedEvent& b) {
                       return a.track != b.track ? a.track < b.track : a.begin < b.begin;
                     });
    return std::move(trace_);
  }

 private:
  void read_packets(const std::string& bytes) {
    pf::Trace trace;
    if (!trace.ParseFromString(bytes)) fail("not a Trace message");
    refuse_unknown_fields(trace);
    for (const pf::TracePacket& packet : trace.packet()) read_packet(packet);
  }

  void read_packet(const pf::TracePacket& packet) {
    if (packet.has_compressed_packets()) {
      read_packets(inflated(packet.compressed_packets()));
      return;
    }
    if (packet.has_track_descriptor()) {
      const pf::TrackDescriptor& track = packet.track_descriptor();
      if (!trace_.tracks
               .try_emplace(track.uuid(),
                            DecodedTrack{track.name(), track.parent_uuid(), track.has_counter()})
               .second) {
        fail("track described twice");
      }
      return;
    }
    SequenceState& state = states_[packet.trusted_packet_sequence_id()];
    read_state(packet, state);
    if (packet.has_track_event()) read_event(packet, state);
  }

  static void read_state(const pf::TracePacket& packet, SequenceState& state) {
    if ((packet.sequence_flags() & pf::TracePacket::SEQ_INCREMENTAL_STATE_CLEARED) != 0) {
      state = {};
      state.cleared = true;
    }
    if (!state.cleared) fail("a sequence without a beginning");
    if (packet.has_trace_packet_defaults()) {
      state.clock_id = packet.trace_packet_defaults().timestamp_clock_id();
    }
    for (const auto& clock : packet.clock_snapshot().clocks()) {
      if (clock.clock_id() != state.clock_id) continue;
      if (!clock.is_incremental()) fail("the clock does not count on");
      state.clock = clock.timestamp();
    }
    const pf::InternedData& data = packet.interned_data();
    for (const auto& entry : data.event_names()) introduce(state.names, entry.iid(), entry.name());
    for (const auto& entry : data.debug_annotation_names()) {
      introduce(state.notes, entry.iid(), entry.name());
    }
    for (const auto& entry : data.source_locations()) {
      introduce(state.sources, entry.iid(), entry);
    }
  }

  template <typename Value>
  static void introduce(std::map<std::uint64_t, Value>& table, std::uint64_t id,
                        const Value& value) {
    if (id == 0 || !table.emplace(id, value).second) fail("an interned id of 0 or given twice");
  }

  void read_event(const pf::TracePacket& packet, SequenceState& state) {
    if (!packet.has_timestamp() || packet.has_timestamp_clock_id()) fail("no plain timestamp");
    state.clock += packet.timestamp();
    const pf::TrackEvent& event = packet.track_event();
    const std::uint64_t track = event.track_uuid();
    if (trace_.tracks.count(track) == 0) fail("event on an undescribed track");
    switch (event.type()) {
      case pf::TrackEvent::TYPE_SLICE_BEGIN: begin(named(event, state)); return;
      case pf::TrackEvent::TYPE_SLICE_END: end(track, state.clock); return;
      case pf::TrackEvent::TYPE_INSTANT:
        trace_.instants.push_back(named(event, state));
        trace_.instants.back().end = state.clock;
        return;
      case pf::TrackEvent::TYPE_COUNTER:
        if (!trace_.tracks.at(track).is_counter) fail("a value on no counter track");
        trace_.counters[track].emplace_back(state.clock, event.counter_value());
        return;
      default: fail("an event of unexpected type");
    }
  }

  static DecodedEvent named(const pf::TrackEvent& event, const SequenceState& state) {
    DecodedEvent decoded;
    decoded.track = event.track_uuid();
    decoded.begin = state.clock;
    decoded.end = ~std::uint64_t{0};
    decoded.name = state.names.at(event.name_iid());
    if (event.has_source_location_iid()) {
      const pf::SourceLocation& source = state.sources.at(event.source_location_iid());
      decoded.file = source.file_name();
      decoded.function = source.function_name();
      decoded.line = source.line_number();
    }
    decoded.terminating.assign(event.terminating_flow_ids().begin(),
                               event.terminating_flow_ids().end());
    decoded.flows = decoded.terminating;
    decoded.flows.insert(decoded.flows.end(), event.flow_ids().begin(), event.flow_ids().end());
    for (const pf::DebugAnnotation& note : event.debug_annotations()) {
      const std::string& name = state.notes.at(note.name_iid());
      if (note.has_uint_value()) decoded.numbers[name] = note.uint_value();
      if (note.has_string_value()) decoded.texts[name] = note.string_value();
    }
    return decoded;
  }

  void begin(DecodedEvent event) {
    const auto [open, added] = open_.try_emplace(event.track, trace_.slices.size());
    if (!added) fail("slices overlap on track " + trace_.tracks.at(event.track).name);
    const auto last = last_end_.find(event.track);
    if (last != last_end_.end() && event.begin < last->second) fail("time goes back");
    trace_.slices.push_back(std::move(event));
  }

  void end(std::uint64_t track, std::uint64_t cycle) {
    const auto open = open_.find(track);
    if (open == open_.end()) fail("an end without a beginning");
    DecodedEvent& slice = trace_.slices[open->second];
    if (cycle < slice.begin) fail("a slice ends before it begins");
    slice.end = cycle;
    last_end_[track] = cycle;
    open_.erase(open);
  }

  DecodedTrace trace_;
  std::map<std::uint32_t, SequenceState> states_;
  std::map<std::uint64_t, std::size_t> open_;
  std::map<std::uint64_t, std::uint64_t> last_end_;
};

}  // namespace

std::uint64_t DecodedTrace::track(const std::string& parent, const std::string& name) const {
  for (const auto& [uuid, row] : tracks) {
    const auto above = tracks.find(row.parent);
    if (row.name == name && above != tracks.end() && above->second.name == parent) return uuid;
  }
  fail("no track " + name + " in " + parent);
}

std::vector<DecodedEvent> DecodedTrace::slices_on(std::uint64_t track) const {
  std::vector<DecodedEvent> found;
  std::copy_if(slices.begin(), slices.end(), std::back_inserter(found),
               [track](const DecodedEvent& slice) { return slice.track == track; });
  return found;
}

std::uint64_t DecodedTrace::events() const {
  std::uint64_t count = slices.size() + instants.size();
  for (const auto& [track, values] : counters) count += values.size();
  return count;
}

std::string packets_of(const std::string& file) {
  pf::Trace trace;
  if (!trace.ParseFromString(file)) fail("not a trace");
  std::string packets;
  for (const pf::TracePacket& packet : trace.packet()) {
    if (!packet.has_compressed_packets()) fail("a packet outside of a block");
    packets += inflated(packet.compressed_packets());
  }
  return packets;
}

DecodedTrace decode_trace(const std::string& file) { return Decoder().decode(file); }

}  // namespace tandem::test
