// The two ways to write the contents of a file: assembly text, or Python that creates it. The
// disassembler supplies the contents in order; a notation spells them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/encoding.hpp"
#include "isa/object/object.hpp"
#include "isa/text/text.hpp"

namespace tandem::assembly {

// A line of the line table.
struct PlaceNotation {
  std::string_view slot;          // "" for the bundle
  std::vector<SourceStep> chain;  // innermost first; the first may be without its file
  std::string_view operation;     // "" when it has no name
};

class Notation {
 public:
  Notation() = default;
  Notation(const Notation&) = delete;
  Notation& operator=(const Notation&) = delete;
  virtual ~Notation() = default;

  virtual void begin(std::string_view preset) = 0;
  virtual void tensor(const Tensor& tensor) = 0;
  virtual void arguments() = 0;
  virtual void start_copy(std::string_view tensor, const StartCopy& copy) = 0;
  virtual void producer(std::string_view text) = 0;
  virtual void imported(std::string_view name) = 0;
  virtual void exported(std::string_view name) = 0;
  virtual void constant(std::string_view name, std::uint64_t value) = 0;
  virtual void entry(std::uint32_t pc) = 0;
  virtual void section(std::string_view name) = 0;
  virtual void label(std::string_view name) = 0;
  virtual void space(std::uint64_t count) = 0;
  virtual void align(std::uint64_t to) = 0;
  virtual void location(const PlaceNotation& place) = 0;
  virtual void buffer(const PlannedBuffer& buffer) = 0;
  // `reads` and `writes`: "3", "0", "spill".
  virtual void touch(std::string_view slot, const std::string& reads,
                     const std::string& writes) = 0;
  virtual void relocation(std::string_view slot, const Object& object, const Relocation& item) = 0;
  virtual void relocated_word(const Object& object, const Relocation& item) = 0;
  virtual void bundle(const Bundle& bundle, const LabelName& label_of) = 0;
  virtual void raw_bundle(const Bundle& bundle) = 0;
  virtual void words(std::span<const std::uint32_t> words) = 0;
  virtual void bytes(std::span<const std::uint8_t> bytes) = 0;

  // The output so far; the notation is empty afterwards.
  virtual std::string take() = 0;
};

std::unique_ptr<Notation> text_notation();
std::unique_ptr<Notation> python_notation();

}  // namespace tandem::assembly
