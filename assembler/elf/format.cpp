#include "assembler/elf/format.hpp"

#include <fmt/format.h>

#include "isa/version.hpp"

namespace tandem::assembly {

std::uint64_t place_unit(Place place, const Parameters& preset) {
  switch (place) {
    case Place::text: return bundle_bytes;
    case Place::vmem: return preset.row_bytes();
    case Place::smem: return 4;
    case Place::data:
    case Place::bss:
    case Place::tensor:
    case Place::undefined:
    case Place::absolute: return 1;
  }
  return 1;
}

std::uint16_t place_section(Place place) {
  switch (place) {
    case Place::undefined: return SHN_UNDEF;
    case Place::absolute: return SHN_ABS;
    case Place::text: return static_cast<std::uint16_t>(SectionId::text);
    case Place::data: return static_cast<std::uint16_t>(SectionId::data);
    case Place::bss: return static_cast<std::uint16_t>(SectionId::bss);
    case Place::vmem: return static_cast<std::uint16_t>(SectionId::vmem);
    case Place::smem: return static_cast<std::uint16_t>(SectionId::smem);
    case Place::tensor: return static_cast<std::uint16_t>(SectionId::tensors);
  }
  return SHN_UNDEF;
}

std::string target_text(const Object& object) {
  const Parameters& preset = *object.preset;
  std::string text = fmt::format("preset={}", preset.name);
  const auto add = [&text](std::string_view name, std::uint64_t value) {
    text += '\0';
    text += fmt::format("{}={}", name, value);
  };
  add("lanes", preset.lanes);
  add("sublanes", sublanes);
  add("vmem_bytes", preset.vmem_bytes);
  add("smem_bytes", preset.smem_bytes);
  add("icache_bundles", preset.icache_bundles);
  if (!object.linked && object.entry_pc) add("entry", *object.entry_pc);
  text += '\0';
  text += fmt::format("isa={:08x}", encoding_digest());
  text += '\0';
  if (!object.producer.empty()) {
    text += "producer=" + object.producer;
    text += '\0';
  }
  return text;
}

std::string tensor_text(const Tensor& tensor) {
  std::string text = fmt::format("{}: {} [", tensor.name, element_name(tensor.type));
  for (std::size_t i = 0; i < tensor.dimensions.size(); ++i) {
    if (i != 0) text += ", ";
    const std::string& name = tensor.dimension_names[i];
    if (tensor.dimensions[i] != dimension_from_data) {
      text += std::to_string(tensor.dimensions[i]);
    } else {
      text += name.empty() ? "?" : name;
    }
  }
  const std::string_view direction = tensor.input ? (tensor.output ? "inout" : "in") : "out";
  text += fmt::format("] {}", direction);
  return tensor.shares.empty() ? text : text + " shares " + tensor.shares;
}

std::string tensors_text(const Object& object) {
  std::string text;
  for (const Tensor& tensor : object.tensors) {
    text += tensor_text(tensor);
    text += '\0';
  }
  return text;
}

}  // namespace tandem::assembly
