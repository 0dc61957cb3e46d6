#include "python/pjrt/core/status.hpp"

#include <exception>
#include <new>
#include <utility>

#include "runtime/error.hpp"

namespace tandem::pjrt {
namespace {

PJRT_Error_Code code_of(runtime::ErrorCode code) {
  switch (code) {
    case runtime::ErrorCode::invalid_argument: return PJRT_Error_Code_INVALID_ARGUMENT;
    case runtime::ErrorCode::out_of_memory: return PJRT_Error_Code_RESOURCE_EXHAUSTED;
    case runtime::ErrorCode::not_found: return PJRT_Error_Code_NOT_FOUND;
    case runtime::ErrorCode::failed_precondition: return PJRT_Error_Code_FAILED_PRECONDITION;
    case runtime::ErrorCode::unavailable: return PJRT_Error_Code_UNAVAILABLE;
  }
  return PJRT_Error_Code_UNKNOWN;
}

// Newer frameworks may call these instead of the slots of the table.
const PJRT_Error_FunctionTable error_functions = {
    .struct_size = PJRT_Error_FunctionTable_STRUCT_SIZE,
    .instance_size = PJRT_Error_STRUCT_SIZE,
    .extension_start = nullptr,
    .destroy = destroy_error,
    .message =
        [](const PJRT_Error* error, const char** message, size_t* size) {
          *message = status_of(error).message.data();
          *size = status_of(error).message.size();
        },
    .get_code = [](const PJRT_Error* error) { return status_of(error).code; },
    .for_each_payload = [](const PJRT_Error*, PJRT_Error_PayloadVisitor, void*) {},
};

// Allocated in advance.
Error& no_memory() {
  static Error error({PJRT_Error_Code_RESOURCE_EXHAUSTED, "no memory on the host"});
  return error;
}

}  // namespace

void fail(PJRT_Error_Code code, std::string message) { throw Failure{{code, std::move(message)}}; }

Status status_of_current_exception() {
  try {
    throw;
  } catch (const Failure& failure) {
    return failure.status;
  } catch (const runtime::Error& error) {
    return {code_of(error.code), error.message};
  } catch (const std::bad_alloc&) {
    return no_memory().status();
  } catch (const std::exception& exception) {
    return {PJRT_Error_Code_INTERNAL, std::string("internal: ") + exception.what()};
  } catch (...) {
    return {PJRT_Error_Code_INTERNAL, "internal: an exception of unknown type"};
  }
}

Error::Error(Status status) : PJRT_Error{&error_functions}, status_(std::move(status)) {}

PJRT_Error* make_error(const Status& status) noexcept {
  if (status.ok()) return nullptr;
  try {
    return new Error(status);
  } catch (const std::bad_alloc&) {
    return &no_memory();
  }
}

void destroy_error(PJRT_Error* error) {
  if (error != &no_memory()) delete static_cast<Error*>(error);
}

const Status& status_of(const PJRT_Error* error) {
  return static_cast<const Error*>(error)->status();
}

}  // namespace tandem::pjrt
