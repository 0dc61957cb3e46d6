// Streams of timing events made up at random, and a program for them to be about.
#pragma once

#include <cstdint>

#include "isa/image.hpp"
#include "sim/events/timing_recording.hpp"

namespace tandem::test {

// A program for nano with operations of every kind, labels and a line table.
const Image& timed_program();

// The timing of a run of the program: issues, stalls, copies and beats are arbitrary, but every
// cycle has one cause, copies complete after they start and a beat takes a cycle.
TimingRecording random_stream(std::uint32_t seed, std::uint32_t bundles);

// A run that loops: the same bundles after the same stalls again and again, copies only in every
// fourth round, and now and then a stall that is different.
TimingRecording looping_stream(std::uint32_t seed, std::uint32_t bundles);

// Gives the events to a sink, kinds interleaved at random by `seed`, with progress() now and then.
void play(const TimingRecording& stream, TimingSink& sink, std::uint32_t seed);

}  // namespace tandem::test
