// tandem._core: what the Python package needs of the machine, as plain as can be. Types, defaults
// and documentation for users are in tandem/device.py.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "assembler/assembler.hpp"
#include "assembler/elf.hpp"
#include "assembler/named_machine.hpp"
#include "host/user_error.hpp"
#include "isa/launch/size_expression.hpp"
#include "python/core/tools.hpp"
#include "report/counters.hpp"
#include "runtime/device/device.hpp"

namespace py = pybind11;

namespace tandem::python {
namespace {

// Any object that is contiguous bytes in memory.
std::span<const std::uint8_t> bytes_of(const py::buffer_info& info) {
  return {static_cast<const std::uint8_t*>(info.ptr),
          static_cast<std::size_t>(info.size * info.itemsize)};
}

py::bytes to_bytes(const std::vector<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

runtime::Model model_named(const std::string& name) {
  if (const auto found = runtime::find_model(name)) return *found;
  throw py::value_error("model `" + name + "`: golden, cycle, rtl or lockstep is wanted");
}

ElementType element_named(const std::string& name) {
  if (const std::optional<ElementType> type = find_element(name)) return *type;
  throw py::value_error("the machine has no element type `" + name + "`");
}

schedule::Level level_named(const std::string& name) {
  if (const auto found = schedule::find_level(name)) return *found;
  throw py::value_error("schedule `" + name + "`: none, list or full is wanted");
}

FoundMachine machine_named(const std::string& text) {
  try {
    FoundMachine found = named_machine(text);
    if (found.machine != nullptr) return found;
    throw py::value_error(found.complaint);
  } catch (const UserError& error) {
    throw py::value_error(error.message);
  }
}

// In the order of tandem.assembly.machine.Preset.
py::tuple machine_sizes(const std::string& text) {
  const Parameters& machine = *machine_named(text).machine;
  return py::make_tuple(machine.lanes, machine.vmem_rows(), machine.smem_words(),
                        machine.icache_bundles);
}

std::string machine_name(const std::string& text) { return machine_named(text).name(); }

// As `.target` has it.
std::string machine_target(const std::string& text) {
  return target_operand(machine_named(text).machine->name);
}

// An object, or a program where `link` is set.
py::bytes assemble_text(const std::string& text, const std::string& name, const std::string& preset,
                        std::vector<std::string> include_paths, const std::string& schedule,
                        bool link) {
  AssembleOptions options;
  if (!preset.empty()) options.preset = machine_name(preset);
  options.include_paths = std::move(include_paths);
  options.schedule = level_named(schedule);
  const SourceText source{name, text};
  if (!link) {
    const AssembleResult result = assemble(source, options);
    if (!result.ok()) throw py::value_error(diagnostics_text(result.diagnostics));
    return to_bytes(write_elf(result.object));
  }
  const LinkResult result = build(std::span(&source, 1), options);
  if (!result.ok()) throw py::value_error(diagnostics_text(result.diagnostics));
  return to_bytes(write_elf(result.program));
}

// As the program declares them: (name, type, sizes, names of the sizes, is input, is output, name
// of the input whose memory it takes).
py::list tensors_of(const runtime::Program& program) {
  py::list list;
  for (const Tensor& tensor : program.image().tensors) {
    list.append(py::make_tuple(tensor.name, std::string(element_name(tensor.type)),
                               tensor.dimensions, tensor.dimension_names, tensor.input,
                               tensor.output, tensor.shares));
  }
  return list;
}

// A size that is made of others, of those that are known. Raises ValueError where it has no value.
std::int64_t size_of(const std::string& text, const std::map<std::string, std::int64_t>& known) {
  const SizeLookup lookup = sizes_in(known);
  const SizeExpression size = read_size(text, lookup);
  if (!size.good) throw py::value_error(fmt::format("`{}` is no size", text));
  if (!size.value) throw py::value_error(fmt::format("`{}`: {}", text, size.trouble));
  if (*size.value >= 0) return *size.value;
  throw py::value_error(fmt::format("`{}` is {} where {}, and a size is 0 or more", text,
                                    *size.value, known_sizes_text(size, lookup)));
}

// A device that several threads may call: one is in it at a time, and launches let go of the GIL.
class SharedDevice {
 public:
  explicit SharedDevice(const runtime::DeviceOptions& options) : device_(options) {}

  // The device for this thread, until the lock goes. While waiting for others, signals are checked.
  std::unique_lock<std::timed_mutex> take() {
    if (owner_.load() == std::this_thread::get_id()) {
      throw std::runtime_error("this device is in use by this thread: by a handler of signals?");
    }
    std::unique_lock lock(busy_, std::try_to_lock);
    while (!lock.owns_lock()) {
      if (taken_by_.load() != ::getpid()) {
        throw std::runtime_error(
            "this device was in use when this process was forked, by a thread that is not in it: "
            "make another one");
      }
      {
        const py::gil_scoped_release release;
        (void)lock.try_lock_for(std::chrono::milliseconds(20));
      }
      if (!lock.owns_lock() && PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
    taken_by_.store(::getpid());
    return lock;
  }
  runtime::Device& device() { return device_; }  // precondition: it is taken

  // While the thread that has taken it runs Python, where handlers of signals do.
  class Busy {
   public:
    explicit Busy(SharedDevice& device) : device_(&device) {
      device.owner_.store(std::this_thread::get_id());
    }
    ~Busy() { device_->owner_.store(std::thread::id()); }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

   private:
    SharedDevice* device_;
  };

 private:
  runtime::Device device_;
  std::timed_mutex busy_;
  std::atomic<std::thread::id> owner_;
  std::atomic<pid_t> taken_by_{::getpid()};  // the process that took it last
};

py::dict memory_of(SharedDevice& shared) {
  const auto lock = shared.take();
  const runtime::MemoryUse use = shared.device().memory();
  py::dict result;
  result["capacity"] = use.capacity;
  result["used"] = use.used;
  result["peak"] = use.peak;
  result["largest_free"] = use.largest_free;
  return result;
}

// Waits for the launch and checks signals: Ctrl-C ends it.
runtime::LaunchResult launched(runtime::Device& device, const runtime::Program& program,
                               const std::vector<runtime::TensorHandle>& tensors,
                               std::uint64_t limit) {
  std::atomic<bool> interrupt{false};
  runtime::LaunchOptions options;
  options.limit = limit;
  options.interrupt = &interrupt;
  auto result =
      std::async(std::launch::async, [&] { return device.launch(program, tensors, options); });
  bool signalled = false;
  const auto ended = [&] {
    const py::gil_scoped_release release;
    return result.wait_for(std::chrono::milliseconds(20)) == std::future_status::ready;
  };
  while (!ended()) {
    if (signalled || PyErr_CheckSignals() == 0) continue;
    signalled = true;
    interrupt.store(true);
  }
  if (signalled) throw py::error_already_set();
  return result.get();
}

py::dict launch(SharedDevice& shared, const runtime::Program& program,
                const std::vector<runtime::TensorHandle>& tensors, std::uint64_t limit) {
  const auto lock = shared.take();
  const SharedDevice::Busy busy(shared);
  runtime::Device& device = shared.device();
  const runtime::LaunchResult result = launched(device, program, tensors, limit);
  py::dict fields;
  fields["outcome"] = std::string(outcome_name(result.outcome));
  fields["bundles"] = result.bundles;
  fields["cycles"] = result.cycles;
  fields["seconds"] = result.seconds;
  fields["report"] = result.report;
  fields["report_json"] = result.report_json;
  fields["counters"] =
      result.counters ? counters_json(*result.counters, device.parameters()).dump() : "";
  return fields;
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): as pybind11 wants it
void translate(std::exception_ptr pointer) {
  try {
    if (pointer) std::rethrow_exception(pointer);
  } catch (const runtime::Error& error) {
    const bool memory = error.code == runtime::ErrorCode::out_of_memory;
    PyErr_SetString(memory ? PyExc_MemoryError : PyExc_RuntimeError, error.message.c_str());
  }
}

std::unique_ptr<SharedDevice> make_device(const std::string& preset, const std::string& model,
                                          std::uint64_t hbm, std::uint32_t seed) {
  runtime::DeviceOptions options;
  options.preset = preset;
  options.model = model_named(model);
  options.hbm_bytes = hbm;
  options.seed = seed;
  return std::make_unique<SharedDevice>(options);
}

std::shared_ptr<runtime::DeviceTensor> allocate(SharedDevice& shared, const std::string& type,
                                                std::vector<std::int64_t> sizes) {
  const auto lock = shared.take();
  return std::const_pointer_cast<runtime::DeviceTensor>(
      shared.device().allocate(element_named(type), std::move(sizes)));
}

void write(SharedDevice& shared, const runtime::DeviceTensor& tensor, const py::buffer& dense) {
  const py::buffer_info info = dense.request();
  const auto lock = shared.take();
  shared.device().write(tensor, bytes_of(info));
}

void read(SharedDevice& shared, const runtime::DeviceTensor& tensor, const py::buffer& dense) {
  const py::buffer_info info = dense.request(true);
  const auto lock = shared.take();
  shared.device().read(tensor, {static_cast<std::uint8_t*>(info.ptr), bytes_of(info).size()});
}

std::shared_ptr<runtime::Program> load(SharedDevice& shared, const py::bytes& elf) {
  const auto lock = shared.take();
  const std::string_view view = elf;
  return std::const_pointer_cast<runtime::Program>(
      shared.device().load({reinterpret_cast<const std::uint8_t*>(view.data()), view.size()}));
}

void add_device(py::module_& module) {
  py::class_<runtime::DeviceTensor, std::shared_ptr<runtime::DeviceTensor>>(module, "Tensor")
      .def_property_readonly(
          "address", [](const runtime::DeviceTensor& tensor) { return tensor.placed().address; });
  py::class_<runtime::Program, std::shared_ptr<runtime::Program>>(module, "Program")
      .def_property_readonly("tensors", &tensors_of);
  py::class_<SharedDevice>(module, "Device")
      .def(py::init(&make_device))
      .def("memory", &memory_of)
      .def("allocate", &allocate)
      .def("write", &write)
      .def("read", &read)
      .def("load", &load)
      .def("launch", &launch);
}

}  // namespace
}  // namespace tandem::python

PYBIND11_MODULE(_core, module) {
  py::register_exception_translator(tandem::python::translate);
  module.def("assemble", &tandem::python::assemble_text);
  module.def("is_size_expression", &tandem::is_size_expression);
  module.def("size_of", &tandem::python::size_of);
  module.def("machine_sizes", &tandem::python::machine_sizes);
  module.def("machine_name", &tandem::python::machine_name);
  module.def("machine_target", &tandem::python::machine_target);
  tandem::python::add_device(module);
  tandem::python::add_tools(module);
}
