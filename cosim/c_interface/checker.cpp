// The C interface: creation and destruction of checkers, the initial state of a core, and the
// verdict.
#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "cosim/c_interface/guard.hpp"
#include "cosim/foreign/part_words.hpp"

using namespace tandem;  // NOLINT(google-build-using-namespace): these functions are C's

namespace {

CorePart part_named(std::uint32_t part) {
  if (part >= core_part_count || static_cast<CorePart>(part) == CorePart::timing) {
    throw BadArgument{std::to_string(part) + " is no part of a core"};
  }
  return static_cast<CorePart>(part);
}

void copy_text(const std::string& text, char* message, std::size_t message_bytes) {
  if (message == nullptr || message_bytes == 0) return;
  const std::size_t count = std::min(text.size(), message_bytes - 1);
  std::memcpy(message, text.data(), count);
  message[count] = '\0';
}

void read_initial_hbm(const SparseMemory& hbm, std::uint64_t first,
                      std::span<std::uint32_t> words) {
  const std::uint64_t size = hbm.size() / 4;
  if (first > size || words.size() > size - first) throw BadArgument{"HBM has not so many words"};
  hbm.read_words(4 * first, words);
}

void read_initial(const CoreCheck& check, CorePart part, std::uint64_t first,
                  std::span<std::uint32_t> words) {
  if (part == CorePart::hbm) return read_initial_hbm(check.initial_hbm(), first, words);
  const std::vector<std::uint32_t> all = check.initial(part);
  if (first > all.size() || words.size() > all.size() - first) {
    throw BadArgument{"the part has not so many words"};
  }
  std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(first), words.size(), words.begin());
}

}  // namespace

std::uint32_t tandem_checker_version() { return TANDEM_CHECKER_VERSION; }

tandem_result tandem_checker_create(const tandem_checker_options* options, tandem_checker** checker,
                                    char* message, std::size_t message_bytes) {
  std::string error;
  const tandem_result result = caught(error, [&] {
    refuse_null(options, "options");
    refuse_null(static_cast<const void*>(checker), "checker");
    *checker = nullptr;
    auto made = std::make_unique<tandem_checker>();
    made->check = make_check(*options);
    *checker = made.release();
  });
  copy_text(error, message, message_bytes);
  return result;
}

void tandem_checker_destroy(tandem_checker* checker) {
  if (checker == nullptr || is_busy(*checker)) return;
  delete checker;
}

const char* tandem_checker_error(const tandem_checker* checker) {
  return checker == nullptr ? "checker is NULL" : checker->error.c_str();
}

// ---- initial state ----

std::uint32_t tandem_checker_lanes(const tandem_checker* checker) {
  return checker == nullptr ? 0 : checker->check->parameters().lanes;
}

tandem_result tandem_checker_start(tandem_checker* checker, tandem_start* start) {
  return guarded(checker, [&](const CoreCheck& check) {
    refuse_null(start, "start");
    const Launch& launch = check.launch();
    *start = {launch.text_address, static_cast<std::uint32_t>(launch.image->text.size()),
              launch.argument_words, launch.argument_pointer, launch.hbm_bytes};
  });
}

std::uint32_t tandem_checker_entry(const tandem_checker* checker) {
  return checker == nullptr ? 0 : checker->check->image().entry_pc;
}

std::uint32_t tandem_checker_start_copies(const tandem_checker* checker) {
  return checker == nullptr
             ? 0
             : static_cast<std::uint32_t>(checker->check->launch().start_copies.size());
}

tandem_result tandem_checker_start_copy(tandem_checker* checker, std::uint32_t number,
                                        std::uint32_t* words) {
  return guarded(checker, [&](const CoreCheck& check) {
    refuse_null(words, "words");
    const std::vector<DescriptorWords>& copies = check.launch().start_copies;
    if (number >= copies.size()) {
      throw BadArgument{"the start does not begin so many copies"};
    }
    std::copy(copies[number].begin(), copies[number].end(), words);
  });
}

std::size_t tandem_checker_part_words(const tandem_checker* checker, tandem_part part) {
  if (checker == nullptr || static_cast<std::uint32_t>(part) >= core_part_count) return 0;
  return part_words(static_cast<CorePart>(part), checker->check->parameters());
}

tandem_result tandem_checker_initial(tandem_checker* checker, tandem_part part, std::uint64_t first,
                                     std::size_t count, std::uint32_t* words) {
  return guarded(checker, [&](const CoreCheck& check) {
    refuse_null(words, "words");
    read_initial(check, part_named(part), first, {words, count});
  });
}

tandem_result tandem_checker_holds(tandem_checker* checker, tandem_part part, std::size_t count,
                                   const std::uint32_t* words) {
  return told(checker, [&](CoreCheck& check) {
    refuse_null(words, "words");
    check.holds(part_named(part), {words, count});
  });
}

// ---- final state ----

tandem_result tandem_checker_set_reader(tandem_checker* checker, tandem_reader reader, void* user) {
  return told(checker, [&](CoreCheck& check) {
    refuse_null(reinterpret_cast<const void*>(reader), "reader");
    check.set_reader([checker, reader, user](CorePart part, std::uint64_t first,
                                             std::span<std::uint32_t> words) {
      checker->in_reader = true;
      const int refused =
          reader(user, static_cast<tandem_part>(part), first, words.size(), words.data());
      checker->in_reader = false;
      return refused == 0;
    });
  });
}

tandem_result tandem_checker_tell(tandem_checker* checker, tandem_part part, std::uint64_t first,
                                  std::size_t count, const std::uint32_t* words) {
  return told(checker, [&](CoreCheck& check) {
    refuse_null(words, "words");
    check.tell(part_named(part), first, {words, count});
  });
}

tandem_result tandem_checker_rest_of_hbm_unchanged(tandem_checker* checker) {
  return told(checker, [](CoreCheck& check) { check.rest_of_hbm_is_unchanged(); });
}

// ---- the verdict ----

tandem_result tandem_checker_finish(tandem_checker* checker) {
  const tandem_result result = told(checker, [](CoreCheck& check) { check.finish(); });
  return result == TANDEM_OVER ? TANDEM_OK : result;
}

tandem_result tandem_checker_look(tandem_checker* checker) {
  return told(checker, [](CoreCheck& check) { check.look(); });
}

tandem_verdict tandem_checker_verdict(tandem_checker* checker) {
  return checker == nullptr ? TANDEM_VERDICT_NONE : verdict_of(*checker->check);
}

const char* tandem_checker_report(tandem_checker* checker) {
  if (checker == nullptr || is_busy(*checker)) return "";
  checker->report.clear();
  guarded(checker, [&](const CoreCheck& check) { checker->report = report_of(check); });
  return checker->report.c_str();
}

const char* tandem_checker_report_json(tandem_checker* checker) {
  if (checker == nullptr || is_busy(*checker)) return "";
  checker->report_json.clear();
  guarded(checker, [&](const CoreCheck& check) {
    checker->report_json = check.runner().explanation_json();
  });
  return checker->report_json.c_str();
}

const char* tandem_checker_field(tandem_checker* checker) {
  if (checker == nullptr || is_busy(*checker)) return "";
  checker->field.clear();
  guarded(checker, [&](const CoreCheck& check) {
    const std::string page = check.runner().explanation_json();
    if (!page.empty()) checker->field = nlohmann::json::parse(page).at("field");
  });
  return checker->field.c_str();
}

const char* tandem_checker_not_compared(tandem_checker* checker, std::size_t n) {
  if (checker == nullptr || is_busy(*checker)) return nullptr;
  guarded(checker, [&](const CoreCheck& check) {
    checker->not_compared = tandem::not_compared(check.terms());
  });
  return n < checker->not_compared.size() ? checker->not_compared[n].c_str() : nullptr;
}

std::uint64_t tandem_checker_events(const tandem_checker* checker) {
  return checker == nullptr ? 0 : checker->check->runner().events();
}
