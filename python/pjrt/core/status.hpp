// The outcome of a call, or of work that a call started; and its form on the other side of the
// interface.
#pragma once

#include <string>

#include "python/pjrt/core/pjrt_header.hpp"

namespace tandem::pjrt {

struct Status {
  PJRT_Error_Code code = PJRT_Error_Code_OK;
  std::string message;
  [[nodiscard]] bool ok() const { return code == PJRT_Error_Code_OK; }
};

// Handlers and tasks throw this to end in an error.
struct Failure {
  Status status;
};

[[noreturn]] void fail(PJRT_Error_Code code, std::string message);
// The status of the exception being handled: a Failure, an error of the runtime, anything else.
Status status_of_current_exception();

// PJRT_Error as the framework holds it, which frees it by PJRT_Error_Destroy.
class Error : public PJRT_Error {
 public:
  explicit Error(Status status);
  [[nodiscard]] const Status& status() const { return status_; }

 private:
  Status status_;
};

// nullptr for a status that is ok. Never throws: without memory for the error it gives one that
// says so.
PJRT_Error* make_error(const Status& status) noexcept;
void destroy_error(PJRT_Error* error);
const Status& status_of(const PJRT_Error* error);

}  // namespace tandem::pjrt
