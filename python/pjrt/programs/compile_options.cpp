#include "python/pjrt/programs/compile_options.hpp"

#include <algorithm>
#include <functional>
#include <string>

#include "python/pjrt/core/status.hpp"

namespace tandem::pjrt {
namespace {

// Field numbers of xla/pjrt/proto/compile_options.proto and xla/xla_data.proto.
constexpr std::uint64_t options_build = 3;
constexpr std::uint64_t options_named = 7;  // of jax.jit(compiler_options=...)
constexpr std::uint64_t named_name = 1;
constexpr std::uint64_t build_device_ordinal = 1;
constexpr std::uint64_t build_replicas = 4;
constexpr std::uint64_t build_partitions = 5;
constexpr std::uint64_t build_assignment = 9;
constexpr std::uint64_t build_free_results = 12;
constexpr std::uint64_t assignment_computation = 3;
constexpr std::uint64_t computation_devices = 1;

// One field at a time of a message in protocol buffers' wire format.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  // False at the end; else the field's number is known, and its value or its bytes.
  bool next() {
    if (bytes_.empty()) return false;
    const std::uint64_t key = varint();
    field_ = key >> 3U;
    value_ = 0;
    content_ = {};
    switch (key & 7U) {
      case 0: value_ = varint(); return true;
      case 1: take(8); return true;
      case 2: content_ = take(varint()); return true;
      case 5: take(4); return true;
      default: refuse();
    }
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1).front());
      value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
      if ((byte & 0x80U) == 0) return value;
    }
    refuse();
  }
  [[nodiscard]] bool at_end() const { return bytes_.empty(); }
  [[nodiscard]] std::uint64_t field() const { return field_; }
  [[nodiscard]] std::uint64_t value() const { return value_; }
  [[nodiscard]] std::string_view content() const { return content_; }

 private:
  [[noreturn]] static void refuse() {
    fail(PJRT_Error_Code_INVALID_ARGUMENT, "compile options that are no CompileOptionsProto");
  }
  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size()) refuse();
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }

  std::string_view bytes_;
  std::uint64_t field_ = 0;
  std::uint64_t value_ = 0;
  std::string_view content_;
};

// Numbers are packed in one field, or one per field.
void read_devices(std::string_view proto, CompileOptions& options) {
  Reader reader(proto);
  while (reader.next()) {
    if (reader.field() != computation_devices) continue;
    if (reader.content().empty()) {
      options.devices.push_back(static_cast<std::int64_t>(reader.value()));
    }
    Reader packed(reader.content());
    while (!packed.at_end()) {
      options.devices.push_back(static_cast<std::int64_t>(packed.varint()));
    }
  }
}

void read_assignment(std::string_view proto, CompileOptions& options) {
  Reader reader(proto);
  options.devices.clear();
  while (reader.next()) {
    if (reader.field() == assignment_computation) read_devices(reader.content(), options);
  }
}

// One boolean per field, or all packed in one.
void read_free_results(const Reader& field, CompileOptions& options) {
  if (field.content().empty()) options.free_results.push_back(field.value() != 0);
  Reader packed(field.content());
  while (!packed.at_end()) options.free_results.push_back(packed.varint() != 0);
}

// 0 means that the field is not set.
std::uint64_t at_least_one(std::uint64_t number) { return std::max<std::uint64_t>(number, 1); }

void read_build_options(std::string_view proto, CompileOptions& options) {
  Reader reader(proto);
  while (reader.next()) {
    if (reader.field() == build_replicas) options.replicas = at_least_one(reader.value());
    if (reader.field() == build_partitions) options.partitions = at_least_one(reader.value());
    if (reader.field() == build_assignment) read_assignment(reader.content(), options);
    if (reader.field() == build_free_results) read_free_results(reader, options);
    const auto ordinal = static_cast<std::int64_t>(reader.value());
    if (reader.field() == build_device_ordinal && ordinal >= 0 && options.devices.empty()) {
      options.devices.push_back(ordinal);
    }
  }
}

// There are none, so an option is a typo or meant for another compiler. The words are XLA's.
[[noreturn]] void refuse_named_option(std::string_view proto) {
  std::string name;
  Reader reader(proto);
  while (reader.next()) {
    if (reader.field() == named_name) name = reader.content();
  }
  fail(PJRT_Error_Code_INVALID_ARGUMENT,
       "No such compile option: '" + name +
           "'; Tandem's compiler takes none from compiler_options, see docs/jax_reference.md for "
           "the options of the platform");
}

}  // namespace

CompileOptions read_compile_options(std::string_view proto) {
  CompileOptions options;
  Reader reader(proto);
  while (reader.next()) {
    if (reader.field() == options_named) refuse_named_option(reader.content());
    if (reader.field() == options_build) read_build_options(reader.content(), options);
  }
  return options;
}

// replica_count 1, computation_count, and of each computation_devices { replica_device_ids }; both
// numbers are at most 64, one byte.
std::string device_assignment_of(std::span<const std::int64_t> devices) {
  std::string proto = {0x08, 0x01, 0x10, static_cast<char>(devices.size())};
  for (const std::int64_t device : devices) {
    proto += {0x1A, 0x03, 0x0A, 0x01, static_cast<char>(device)};
  }
  return proto;
}

}  // namespace tandem::pjrt
