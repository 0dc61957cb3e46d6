// The scenarios themselves, in rooms; host_scenarios() gives them names. Each throws its error.
#pragma once

namespace tandem::host {

// starts.cpp
void registers_are_zero_out_of_reset();
void registers_keep_what_is_written();
void a_stopped_machine_starts_clean();
void a_stop_comes_in_any_cycle();
void a_start_while_running_is_refused();
void ends_raise_their_interrupts();
void units_are_free_at_a_start();
// resets.cpp
void any_reset_gives_the_same_run();
void what_is_read_is_not_written();
void a_first_prefetch_waits_its_turn();
void a_start_forgets_what_was_passed();
// counters.cpp
void counters_carry_into_their_upper_words();
// reset_in_run.cpp
void a_reset_in_any_cycle_gives_a_new_machine();
// places.cpp
void bus_errors_are_machine_checks();
void texts_lie_anywhere_and_keep_copies_out();
void every_bit_of_an_address_counts();
void a_stop_before_a_bad_entry_is_no_trap();
void arguments_fill_smem_or_do_not_come();
void an_entry_outside_the_text_traps();
// start_copies.cpp
void start_copies_come_before_the_program();
void start_copies_are_for_one_start();
void a_start_copy_that_would_trap_is_refused();
void the_queue_keeps_a_place_and_a_running_machine_takes_none();

}  // namespace tandem::host
