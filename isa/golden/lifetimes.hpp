// Checks that every load and copy finds the data last written to its own buffer: no word that
// another buffer has written since (docs/reference.md, section 5).
//
// A hook of the engine's loop, so that a run without it is compiled without it. The program
// declares the buffer of each access (isa/source/buffer_table.hpp); here each word records its last
// writer. Addresses are those that the machine uses: the plan is not trusted.
//
// A handwritten kernel accesses VMEM and SMEM as the buffer that it was given (`scratch`): a word
// outside it is reported immediately. Kernels run one after the other and share their words of
// SMEM, so there is one such buffer, named by scalar loads and stores. In HBM its copies have what
// their further touches name: the tensors that it was given. Without any they are believed.
//
// A load may read more than is used, so a word of another buffer is not an error yet: its copy
// counts as never written (marks/marks.hpp), which is reported once it is used or left in an
// output. Such a report becomes one of this check.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "isa/golden/core.hpp"
#include "isa/golden/decode.hpp"
#include "isa/source/buffer_table.hpp"

namespace tandem::golden {

class Lifetimes {
 public:
  explicit Lifetimes(const Parameters& parameters) : vmem_(parameters.vmem_words()) {}

  // Only the launch has written anything.
  void start(const Launch& launch);

  // Of the loop (isa/golden/engine.hpp).
  static bool arrive(const Core&, const BundlePlan&, const EnabledSlots&) { return true; }
  void begin(Core& core, bool executes) {
    if (executes) check(core);
  }
  void end(Core& core) {
    if (!foreign_.empty()) spread(core);
    if (core.finding || core.halting) explain(core);
  }

 private:
  // The last writer of a word, and where.
  struct Writer {
    BufferId buffer = no_buffer;  // or `anyone`
    std::uint32_t pc = 0;
    bool by_program = false;  // and not by the launch
  };
  // By an operation that declares no buffers: a function in assembly.
  static constexpr BufferId anyone = 0xffff'fffe;
  static constexpr std::uint64_t page_words = 16384;
  using Page = std::array<Writer, page_words>;

  // An operation that touches memory.
  struct Access {
    MicroOp op;
    BufferTouch touch;
    std::vector<BufferTouch> given;  // in HBM, to the copy of a kernel
    bool writes = false;             // a store
    bool is_copy = false;
    bool in_words = false;  // its address counts words
    bool in_smem = false;   // a scalar load or store of a kernel
  };
  struct BundleAccesses {
    bool known = false;
    std::vector<Access> accesses;  // loads, stores, copy
  };
  struct Words {
    std::uint64_t first = 0;
    std::uint64_t end = 0;

    [[nodiscard]] bool contains(std::uint64_t word) const { return first <= word && word < end; }
  };
  struct TensorMemory {
    Words words;
    BufferId buffer = no_buffer;
  };
  // A word of another buffer, as it was read.
  struct Stale {
    std::uint32_t pc = 0;
    MemorySpace space = MemorySpace::vmem;
    std::uint64_t word = 0;
    BufferId wanted = no_buffer;
    Writer writer;
  };
  // Such words read by this bundle: to lanes of its register, or by its copy.
  struct Foreign {
    const Access* access = nullptr;
    std::uint32_t row = 0;  // of the register
    RowMarks lanes = 0;
    MemorySpace space = MemorySpace::vmem;  // of a copy's destination
    std::uint64_t word = 0;
    Stale stale;
  };

  void start_copies(const Launch& launch);
  void check(Core& core);
  const BundleAccesses& accesses_of(std::uint32_t pc);
  // Of an operation: the first is its own, or none.
  [[nodiscard]] std::vector<BufferTouch> touches_of(std::uint32_t pc, std::uint32_t slot) const;
  void local(Core& core, const Access& access);
  void load(Core& core, const Access& access, std::uint32_t r, std::uint32_t word, RowMarks lanes);
  void copy(Core& core, const Access& access);
  void kernel_copy(Core& core, const Access& access) const;
  // Reports a word that a kernel was not given; `id` is the buffer that it has in this memory.
  void hold(Core& core, BufferId id, MemorySpace space, std::uint64_t word, bool writes) const;
  // Reports a word of HBM that the kernel of a copy was not given to read, or to write.
  void hold_in_hbm(Core& core, const Access& access, std::uint64_t word, bool writes) const;
  [[nodiscard]] bool is_scratch(BufferId id) const;
  // One word; the address counts words of the space.
  [[nodiscard]] std::optional<Stale> read(const Core& core, const Access& access, MemorySpace space,
                                          std::uint64_t word) const;
  void write(Core& core, const Access& access, MemorySpace space, std::uint64_t word);
  [[nodiscard]] Writer writer_of(MemorySpace space, std::uint64_t word) const;
  void spread(Core& core);
  void explain(Core& core);
  [[nodiscard]] const Stale* in_an_output(const Core& core) const;
  [[nodiscard]] Finding finding_of(const Core& core, const Stale& stale) const;
  [[nodiscard]] std::string buffer_text(BufferId id) const;

  std::uint64_t program_ = 0;  // the image of the plans; 0: none
  const Image* image_ = nullptr;
  const Launch* launch_ = nullptr;
  BufferId kernels_smem_ = no_buffer;
  std::vector<BufferId> same_;  // by buffer: the first one of the same memory
  std::vector<Words> in_hbm_;   // by buffer, if it is in HBM
  std::vector<TensorMemory> tensors_;
  std::vector<BundleAccesses> plans_;  // by PC
  std::vector<Writer> vmem_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> hbm_;
  std::vector<Foreign> foreign_;
  std::map<std::uint32_t, Stale> stale_;      // by the bundle that read it, the last one
  std::map<std::uint64_t, Stale> stale_hbm_;  // by word of HBM that it was copied to
  std::optional<Stale> last_;
};

}  // namespace tandem::golden
