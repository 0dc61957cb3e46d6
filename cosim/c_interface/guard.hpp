// No exception leaves a call of the C interface.
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "cosim/c_interface/session.hpp"
#include "host/user_error.hpp"
#include "isa/launch/launch.hpp"

namespace tandem {

// Turns exceptions of f() into a result, with the text in *error.
template <typename F>
tandem_result caught(std::string& error, F f) {
  try {
    f();
    return TANDEM_OK;
  } catch (const BadArgument& bad) {
    error = bad.message;
    return TANDEM_BAD_ARGUMENT;
  } catch (const BadEvent& bad) {
    error = bad.message;
    return TANDEM_BAD_EVENT;
  } catch (const LaunchError& bad) {
    error = bad.message;
    return TANDEM_BAD_PROGRAM;
  } catch (const UserError& bad) {
    error = bad.message;
    return TANDEM_BAD_ARGUMENT;
  } catch (const runtime::Error& bad) {
    error = bad.message;
    return TANDEM_BAD_PROGRAM;
  } catch (const std::exception& bad) {
    error = bad.what();
    return TANDEM_FAILED;
  }
}

// Whether a call comes from within the checker's own reader.
inline bool is_busy(tandem_checker& checker) {
  if (checker.in_reader) checker.error = "a reader calls the checker that has called it";
  return checker.in_reader;
}

// For a call with a checker, which may be nullptr.
template <typename F>
tandem_result guarded(tandem_checker* checker, F f) {
  if (checker == nullptr || is_busy(*checker)) return TANDEM_BAD_ARGUMENT;
  return caught(checker->error, [&] { f(*checker->check); });
}

// For a call that reports something.
template <typename F>
tandem_result told(tandem_checker* checker, F f) {
  if (checker == nullptr || is_busy(*checker)) return TANDEM_BAD_ARGUMENT;
  if (checker->check->finished()) {
    checker->error = "the check is finished: nothing can follow";
    return TANDEM_FINISHED;
  }
  const tandem_result result = guarded(checker, std::move(f));
  return result == TANDEM_OK && checker->check->over() ? TANDEM_OVER : result;
}

inline void refuse_null(const void* pointer, const char* what) {
  if (pointer == nullptr) throw BadArgument{std::string(what) + " is NULL"};
}

}  // namespace tandem
