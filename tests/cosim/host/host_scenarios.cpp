#include "tests/cosim/host/host_scenarios.hpp"

#include <stdexcept>

#include "tests/cosim/host/scenarios.hpp"

namespace tandem {
namespace {

template <void (*scenario)()>
std::string told() {
  try {
    scenario();
    return {};
  } catch (const std::exception& difference) {
    return difference.what();
  }
}

}  // namespace

const std::vector<HostScenario>& host_scenarios() {
  static const std::vector<HostScenario> all{
      {"registers are zero out of reset", told<host::registers_are_zero_out_of_reset>},
      {"registers keep what is written", told<host::registers_keep_what_is_written>},
      {"a stopped machine starts clean", told<host::a_stopped_machine_starts_clean>},
      {"a stop comes in any cycle", told<host::a_stop_comes_in_any_cycle>},
      {"a start while running is refused", told<host::a_start_while_running_is_refused>},
      {"ends raise their interrupts", told<host::ends_raise_their_interrupts>},
      {"bus errors are machine checks", told<host::bus_errors_are_machine_checks>},
      {"texts lie anywhere and keep copies out",
       told<host::texts_lie_anywhere_and_keep_copies_out>},
      {"every bit of an address counts", told<host::every_bit_of_an_address_counts>},
      {"a stop before a bad entry is no trap", told<host::a_stop_before_a_bad_entry_is_no_trap>},
      {"arguments fill SMEM or do not come", told<host::arguments_fill_smem_or_do_not_come>},
      {"an entry outside the text traps", told<host::an_entry_outside_the_text_traps>},
      {"start copies come before the program", told<host::start_copies_come_before_the_program>},
      {"start copies are for one start", told<host::start_copies_are_for_one_start>},
      {"a start copy that would trap is refused",
       told<host::a_start_copy_that_would_trap_is_refused>},
      {"the queue keeps a place, and a running machine takes none",
       told<host::the_queue_keeps_a_place_and_a_running_machine_takes_none>},
      {"units are free at a start", told<host::units_are_free_at_a_start>},
      {"any reset gives the same run", told<host::any_reset_gives_the_same_run>},
      {"what is read is not written", told<host::what_is_read_is_not_written>},
      {"counters carry into their upper words", told<host::counters_carry_into_their_upper_words>},
      {"a first prefetch waits its turn", told<host::a_first_prefetch_waits_its_turn>},
      {"a start forgets what was passed", told<host::a_start_forgets_what_was_passed>},
      {"a reset in any cycle gives a new machine",
       told<host::a_reset_in_any_cycle_gives_a_new_machine>},
  };
  return all;
}

}  // namespace tandem
