// Errors and events.
#include <memory>

#include "python/pjrt/api/handlers.hpp"
#include "python/pjrt/core/completion.hpp"
#include "python/pjrt/core/handles.hpp"

namespace tandem::pjrt {
namespace {

const PJRT_Error* present(const PJRT_Error* error) {
  if (error == nullptr) fail(PJRT_Error_Code_INVALID_ARGUMENT, "no error");
  return error;
}

}  // namespace

void handle(PJRT_Error_Destroy_Args& args) { destroy_error(args.error); }

void handle(PJRT_Error_Message_Args& args) {
  const std::string& message = status_of(present(args.error)).message;
  args.message = message.data();
  args.message_size = message.size();
}

void handle(PJRT_Error_GetCode_Args& args) { args.code = status_of(present(args.error)).code; }

void handle(PJRT_Error_ForEachPayload_Args&) {}  // there are none

void handle(PJRT_Event_Destroy_Args& args) { delete pointer_of(args.event); }

void handle(PJRT_Event_IsReady_Args& args) {
  args.is_ready = object_of(args.event).completion().is_ready();
}

void handle(PJRT_Event_Error_Args& args) {
  const Completion& completion = object_of(args.event).completion();
  if (!completion.is_ready()) fail(PJRT_Error_Code_FAILED_PRECONDITION, "the event is not ready");
  if (!completion.wait().ok()) throw Failure{completion.wait()};
}

void handle(PJRT_Event_Await_Args& args) {
  const Status& status = object_of(args.event).completion().wait();
  if (!status.ok()) throw Failure{status};
}

void handle(PJRT_Event_OnReady_Args& args) {
  if (args.callback == nullptr) fail(PJRT_Error_Code_INVALID_ARGUMENT, "no callback");
  object_of(args.event)
      .completion()
      .then([callback = args.callback, user = args.user_arg](const Status& status) {
        callback(make_error(status), user);
      });
}

void handle(PJRT_Event_Create_Args& args) {
  args.event = handle_of(*new Event(std::make_shared<Completion>()));
}

void handle(PJRT_Event_Set_Args& args) {
  Completion& completion = object_of(args.event).completion();
  if (completion.is_ready()) fail(PJRT_Error_Code_FAILED_PRECONDITION, "the event has been set");
  completion.finish({args.error_code, {args.error_message, args.error_message_size}});
}

}  // namespace tandem::pjrt
