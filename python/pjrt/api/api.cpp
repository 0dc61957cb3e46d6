// The table of functions that a framework gets, and the layer between it and the handlers:
// exceptions, missing slots and too short structures stop here.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "python/pjrt/api/extensions.hpp"
#include "python/pjrt/api/handlers.hpp"
#include "python/pjrt/core/fork_guard.hpp"
#include "python/pjrt/core/pjrt_header.hpp"
#include "python/pjrt/core/status.hpp"

namespace tandem::pjrt {
namespace {

// The name of a slot as a template argument.
template <std::size_t size>
struct Name {
  char text[size]{};
  // NOLINTNEXTLINE(google-explicit-constructor): made from a literal
  constexpr Name(const char (&literal)[size]) { std::copy_n(literal, size, text); }
  [[nodiscard]] constexpr std::string_view view() const { return {text, size - 1}; }
};

template <typename Args>
concept Handled = requires(Args& args) {
  handle(args);
};

// Everything begins with its size and a list of extensions.
constexpr std::size_t least_size = sizeof(std::size_t) + sizeof(PJRT_Extension_Base*);

template <typename Args>
void call_handler(Args* args) {
  Args copy{};
  const std::size_t size = std::min(args->struct_size, sizeof(Args));
  std::memcpy(&copy, args, size);
  handle(copy);
  std::memcpy(args, &copy, size);
}

template <Name name, typename Args>
void call(Args* args) {
  if (args == nullptr || args->struct_size < least_size) {
    fail(PJRT_Error_Code_INVALID_ARGUMENT,
         fmt::format("{}: arguments without a valid struct_size", name.view()));
  }
  constexpr bool frees = name.view().ends_with("_Destroy");
  if (frees && is_forked_child()) return;
  if constexpr (Handled<Args>) {
    call_handler(args);
  } else {
    fail(PJRT_Error_Code_UNIMPLEMENTED, fmt::format("unimplemented: {}", name.view()));
  }
}

template <Name name, typename Args>
PJRT_Error* entry(Args* args) noexcept {
  try {
    call<name>(args);
    return nullptr;
  } catch (...) {
    return make_error(status_of_current_exception());
  }
}

template <Name name, typename Args>
void entry_without_error(Args* args) noexcept {
  try {
    call<name>(args);
  } catch (...) {
    return;  // cannot be reported
  }
}

template <Name name, typename Args>
void fill(PJRT_Error* (*&slot)(Args*)) {
  slot = &entry<name, Args>;
}

template <Name name, typename Args>
void fill(void (*&slot)(Args*)) {
  slot = &entry_without_error<name, Args>;
}

// Frameworks call it also for programs on one device.
PJRT_Shardings_Extension make_shardings() {
  PJRT_Shardings_Extension extension{};
  extension.base.struct_size = PJRT_Shardings_Extension_STRUCT_SIZE;
  extension.base.type = PJRT_Extension_Type_Shardings;
  fill<"PJRT_Shardings_PJRT_Executable_ParameterShardings">(
      extension.PJRT_Shardings_PJRT_Executable_ParameterShardings);
  fill<"PJRT_Shardings_PJRT_Executable_OutputShardings">(
      extension.PJRT_Shardings_PJRT_Executable_OutputShardings);
  return extension;
}

PJRT_Api make_api() {
  static PJRT_Shardings_Extension shardings = make_shardings();
  PJRT_Api api{};
  api.struct_size = PJRT_Api_STRUCT_SIZE;
  api.extension_start = &shardings.base;
  api.pjrt_api_version.struct_size = PJRT_Api_Version_STRUCT_SIZE;
  api.pjrt_api_version.major_version = PJRT_API_MAJOR;
  api.pjrt_api_version.minor_version = PJRT_API_MINOR;
// Every slot that the header has, by name: read from it when the build was configured.
#define PJRT_SLOT(NAME) fill<#NAME>(api.NAME);
#include "pjrt_slots.def"
#undef PJRT_SLOT
  return api;
}

}  // namespace
}  // namespace tandem::pjrt

// NOLINTNEXTLINE(readability-identifier-naming): the interface's name
extern "C" __attribute__((visibility("default"))) const PJRT_Api* GetPjrtApi() {
  static const PJRT_Api api = tandem::pjrt::make_api();
  return &api;
}
