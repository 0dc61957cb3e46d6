// The work of validate(): follows the block in sequence and as bundles from cut to cut, and
// compares the two. sequence: validate.cpp; places of memory: addresses.cpp; bundles: bundles.cpp;
// demands between cuts: cuts.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "schedule/proof/bounds.hpp"
#include "schedule/proof/constants.hpp"
#include "schedule/proof/trace.hpp"

namespace tandem::schedule::proof {

inline constexpr std::uint32_t registers_of_file = 64;
inline constexpr std::uint32_t at_end = ~0U;

inline std::uint32_t anchor_of(const LinearOperation& item) {
  return item.anchor == number_anchor ? 0 : item.anchor;
}

inline Key machine_key(const RegisterUse& use) {
  return static_cast<Key>(use.file) * registers_of_file + use.index;
}

using Registers = std::map<Key, Value>;  // those not in it hold what they held at the cut
// Places in the frame hold values as registers do: words, then slots of eight rows.
inline constexpr Key frame_words = registers_of_file * file_count;
inline constexpr Key frame_slots = frame_words + (1U << 20U);
// A register that is written once, by a constant of its instruction, has one value throughout.
inline constexpr Value first_constant = Value{1} << 58U;
inline constexpr Value last_constant = first_constant + (Value{1} << 32U);

inline bool is_constant(Value value) { return value >= first_constant && value < last_constant; }

inline Value get(const Registers& registers, Key key) {
  const auto found = registers.find(key);
  return found == registers.end() ? initial(key) : found->second;
}

// A predicate's value, and which way round: operations of one guard are all done or none.
struct Guard {
  Value predicate = 0;
  bool negate = false;
  bool operator==(const Guard&) const = default;
};

// From one cut to the next, or to the exit of the block.
struct Path {
  std::uint32_t from = 0;     // cut
  std::uint32_t to = at_end;  // cut
  Registers linear;           // at its end
  Registers machine;
  std::vector<std::pair<Key, std::string>> undefined;  // valid if nothing can have written these
  // The earlier value that a predicated operation's result may keep: in sequence and on the
  // machine. The two have to be equal only where the result is wanted, and only if the operation
  // may have been skipped.
  std::map<Value, std::pair<Value, Value>> kept;
  std::map<Value, Guard> guards;  // of these results
};

using Demand = std::pair<Key, Key>;  // a linear register and the machine's that holds its value

class Validator {
 public:
  Validator(const LinearBlock& block, const Result& result, std::uint32_t lanes);
  std::string run();

 private:
  [[nodiscard]] bool good() const { return trouble_.empty(); }
  void fail(std::string text) {
    if (good()) trouble_ = std::move(text);
  }
  [[nodiscard]] Key linear_key(const LinearOperation& item, const RegisterUse& use) const;
  static constexpr Key machine_registers = registers_of_file * file_count;
  void note_names(const LinearOperation& item, const Effects& effects);

  // Registers whose constant an added operation rematerializes.
  void find_remade();
  [[nodiscard]] VirtualId written_by(std::uint32_t operation) const;
  [[nodiscard]] bool is_remade(Key key) const {
    return key >= machine_registers && remade_[key - machine_registers];
  }
  // The value of a register of the sequence.
  [[nodiscard]] Value linear(const Path& path, Key key) const {
    return is_remade(key) ? first_constant + key : get(path.linear, key);
  }

  // ---- the sequence ---------------------------------------------------------------------------

  void follow(std::uint32_t cut);
  void check_traps(std::uint32_t first);
  [[nodiscard]] bool passes_control(std::uint32_t operation) const {
    return ends_block(effects_[operation].control);
  }

  // `rounds` times the operations first .. end - 1, whose last branches back each time but the
  // last, and then according to `taken`.
  void walk(std::uint32_t cut, std::uint32_t first, std::uint32_t end, std::uint32_t rounds,
            bool taken);

  // Both sides return with registers that only the callee knows.
  void clobber();
  void execute(std::uint32_t operation);
  [[nodiscard]] std::optional<Guard> guard_of(const Instance& instance) const;

  // ---- addresses ------------------------------------------------------------------------------

  [[nodiscard]] Number number_of(Value value) const;
  [[nodiscard]] Number scalar(const LinearOperation& item, std::uint8_t place) const;
  [[nodiscard]] Number number_written(const LinearOperation& item, bool partial, Value value) const;
  [[nodiscard]] std::optional<Number> address(const LinearOperation& item,
                                              std::uint8_t place) const;
  [[nodiscard]] MaybeBound rows_of(const MaybeBound& words) const;
  void note_places(const LinearOperation& item, const Effects& effects, Instance& instance);
  void add_place(const LinearOperation& item, Instance& instance, Touched touched,
                 std::uint8_t place);

  // ---- the bundles ----------------------------------------------------------------------------

  void run_bundles(std::uint32_t first, std::uint32_t end);

  // The next bundle, or none if the block is left.
  std::optional<std::uint32_t> issue_bundle(std::uint32_t pc, std::uint32_t time);

  // The place of the frame that an operation accesses as a whole, if it is one of the block's own.
  [[nodiscard]] std::optional<Key> frame_place(const Operation& operation,
                                               const MemoryUse& use) const;
  static bool takes_part(const Operation& operation);
  Value frame_access(const Issue& issue, const Effects& effects,
                     std::vector<std::pair<Key, Value>>& writes);

  // A jump, a move that passes a value on, an access of the frame, or a rematerialized constant.
  Value added(const Issue& issue, const Effects& effects, std::optional<std::uint32_t>& next,
              std::vector<std::pair<Key, Value>>& writes);
  Value matched(const Issue& issue, const Effects& effects, std::uint32_t time,
                std::optional<std::uint32_t>& next);

  // Executed for an iteration that does not exist, it only writes a register, with a value that
  // nothing in the sequence has.
  [[nodiscard]] bool is_harmless(std::uint32_t operation) const;
  static bool same_operation(const LinearOperation& item, const Operation& issued, bool branches);
  void check_reads(const Instance& instance, const Issue& issue, const Effects& effects);

  // The values in the sequence and on the machine must be equal there, for a reader under this
  // guard: it never reads what a result of the same guard may have kept.
  template <typename Text>
  void match(Value wanted, Value got, const std::optional<Guard>& reader, const Text& text);
  void control(const Issue& issue, std::uint32_t occurrence, std::optional<std::uint32_t>& next);

  // ---- from cut to cut ------------------------------------------------------------------------

  void settle();
  void demand(const Path& path, const Demand& item);
  void require(const Path& path, Value wanted, Value got, const Demand& item);
  [[nodiscard]] std::string name_of(Key key) const;

  // The virtual registers that some path to each cut may have written.
  void find_written();
  [[nodiscard]] bool may_be_written(std::uint32_t cut, Key key) const {
    return key < machine_registers || written_[cut].count(key) != 0;
  }
  const LinearBlock& block_;
  const Result& result_;
  std::uint32_t lanes_;
  proof::Constants constants_;
  proof::Bounds bounds_;
  std::vector<Effects> effects_;
  std::vector<bool> remade_;                       // see find_remade()
  std::set<Key> named_;                            // registers that the block names by number
  std::map<std::uint32_t, std::uint32_t> cut_at_;  // operation: cut
  std::vector<std::uint32_t> first_issue_;         // by bundle
  std::vector<std::uint32_t> issues_;              // of each operation, one per issue
  std::string trouble_;

  // The current path.
  Path path_;
  std::vector<Instance> trace_;
  std::map<Value, Number> numbers_;  // of scalar results
  // The places where the bundles trap because a promised number of iterations is broken; and, by
  // number of iterations of the current loop, the bundle of the last branch that continued, and
  // whether a trap came after it.
  bool trapped_ = false;
  std::uint32_t decided_at_ = 0;
  std::vector<std::pair<std::uint32_t, bool>> rounds_;
  std::vector<bool> decisions_;  // of the last operation, round by round
  bool leaves_ = false;
  std::uint32_t first_ = 0, length_ = 0;
  std::vector<std::uint32_t> next_instance_;
  std::size_t issued_ = 0;
  Value nobodys_value_ = Value{1} << 60U;
  std::vector<Path> paths_;
  std::map<std::uint32_t, std::set<Demand>> demands_;  // by cut
  std::vector<std::set<Key>> written_;                 // by cut
};

}  // namespace tandem::schedule::proof
