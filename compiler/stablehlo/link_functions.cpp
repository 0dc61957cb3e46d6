// Calls of functions in linear assembly: `custom_call @tandem.kernel` with the name of a function
// of the kernels' folder, or with a file and the name of a function in it.
//
// The function's parameters are declared in its own text (`.parameter`); the tensors of the call
// are compared with them here, while they still have the user's types. The data for later levels is
// noted at the call as `tandem.call`: the text itself, too, so that each level can be read again
// without the file.
#include <filesystem>

#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/functions/element.hpp"
#include "compiler/functions/kernel_contract.hpp"
#include "compiler/functions/library.hpp"
#include "compiler/functions/signature.hpp"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tandem::compiler {
namespace {

using mlir::DictionaryAttr;
using mlir::Operation;
using mlir::StringAttr;

DictionaryAttr configuration(Operation* op) {
  const auto target = op->getAttrOfType<StringAttr>("call_target_name");
  if (!target || target.getValue() != "tandem.kernel") return {};
  auto config = op->getAttrOfType<DictionaryAttr>("backend_config");
  // JAX writes it this way for versions of StableHLO that had only strings.
  return config ? config : op->getAttrOfType<DictionaryAttr>("mhlo.backend_config");
}

std::string text_of(DictionaryAttr config, llvm::StringRef name) {
  const auto value = config.getAs<StringAttr>(name);
  return value ? value.getValue().str() : "";
}

Given given(mlir::Type type, const char* kind, unsigned number) {
  const auto tensor = mlir::cast<mlir::RankedTensorType>(type);
  Given result;
  result.what = kind + (" " + std::to_string(number));
  result.type = element_of(tensor.getElementType());
  result.dimensions.assign(tensor.getShape().begin(), tensor.getShape().end());
  if (result.type) {
    result.type_text = element_name(*result.type);
  } else {
    llvm::raw_string_ostream stream(result.type_text);
    stream << tensor.getElementType();
  }
  return result;
}

// Functions read row-major order; callers may state their layout.
bool is_row_major(mlir::Attribute layout) {
  const auto order = mlir::dyn_cast<mlir::DenseIntElementsAttr>(layout);
  if (!order) return false;
  std::int64_t next = order.getNumElements();
  return llvm::all_of(order.getValues<llvm::APInt>(),
                      [&](const llvm::APInt& dimension) { return dimension == --next; });
}

mlir::LogicalResult check_layouts(Operation* op, const std::string& name) {
  for (const auto& [attribute, kind] :
       {std::pair("operand_layouts", "operand "), {"result_layouts", "result "}}) {
    const auto layouts = op->getAttrOfType<mlir::ArrayAttr>(attribute);
    if (!layouts) continue;
    for (const auto [number, layout] : llvm::enumerate(layouts)) {
      if (is_row_major(layout)) continue;
      return op->emitError("kernel ") << name << ": its tensors are row-major, " << kind << number
                                      << " has the layout " << layout;
    }
  }
  return mlir::success();
}

// Compares the call's tensors with the parameters; returns the kinds of these, as later levels read
// them.
mlir::FailureOr<llvm::SmallVector<mlir::Attribute>> checked(Operation* op,
                                                            const Function& function) {
  mlir::Builder builder(op->getContext());
  unsigned operands = 0;
  unsigned results = 0;
  for (const Parameter& parameter : function.parameters) {
    operands += parameter.tensor.input ? 1 : 0;
    results += parameter.tensor.output ? 1 : 0;
  }
  if (operands != op->getNumOperands() || results != op->getNumResults()) {
    return op->emitError("kernel ")
           << function.name << " has " << operands << " operands and " << results
           << " results, this call " << op->getNumOperands() << " and " << op->getNumResults();
  }
  Signature signature;
  llvm::SmallVector<mlir::Attribute> kinds;
  operands = results = 0;
  for (const Parameter& parameter : function.parameters) {
    llvm::SmallVector<Given, 2> tensors;
    const Tensor& tensor = parameter.tensor;
    if (tensor.input) {
      tensors.push_back(given(op->getOperand(operands).getType(), "operand", operands));
      ++operands;
    }
    if (tensor.output) {
      tensors.push_back(given(op->getResult(results).getType(), "result", results));
      ++results;
    }
    for (const Given& one : tensors) {
      const std::string trouble = signature.misfit(parameter, one);
      if (!trouble.empty()) {
        return op->emitError("kernel ") << function.name << ": " << trouble;
      }
    }
    if (tensors.size() == 2 && tensors[0].dimensions != tensors[1].dimensions) {
      return op->emitError("kernel ")
             << function.name << ": " << tensor.name << " goes in and out, with the same sizes";
    }
    const char* direction = parameter.number ? "number"
                            : tensor.input   ? (tensor.output ? "inout" : "in")
                                             : "out";
    kinds.push_back(builder.getStringAttr(direction));
  }
  return kinds;
}

struct LinkFunctions : ModulePass<LinkFunctions, PassName::link_functions> {
  explicit LinkFunctions(const Parameters& given_machine) : machine(given_machine) {}
  void run() {
    const auto walked = getOperation().walk([this](Operation* op) {
      const DictionaryAttr config = configuration(op);
      const bool failed = config && mlir::failed(config.get("function") ? link(op, config)
                                                                        : check_text(op, config));
      return failed ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
    });
    if (walked.wasInterrupted()) signalPassFailure();
  }

  const Parameters& machine;

 private:
  // A kernel whose lines become part of the program.
  mlir::LogicalResult check_text(Operation* op, DictionaryAttr config) {
    const Breach breach =
        kernel_breach(text_of(config, "text"), op->getNumOperands(), op->getNumResults(), machine);
    if (breach.what.empty()) return mlir::success();
    return op->emitError("this kernel breaks its contract: ") << breach.place << breach.what;
  }

  mlir::LogicalResult link(Operation* op, DictionaryAttr config) {
    const std::string name = text_of(config, "function");
    const auto source = find_source(op, config, name);
    if (mlir::failed(source)) return mlir::failure();
    const Declared declared = declared_function(*source, name, machine);
    if (!declared.trouble.empty()) {
      return op->emitError("kernel ") << name << ": " << declared.trouble;
    }
    if (mlir::failed(check_layouts(op, name))) return mlir::failure();
    const auto kinds = checked(op, declared.function);
    if (mlir::failed(kinds)) return mlir::failure();
    mlir::Builder builder(op->getContext());
    const std::int64_t vmem_words = std::int64_t{declared.function.vmem_rows} * machine.lanes;
    attribute::call.set(
        op, builder.getDictionaryAttr(
                {builder.getNamedAttr("function", builder.getStringAttr(name)),
                 builder.getNamedAttr("file", builder.getStringAttr(source->name)),
                 builder.getNamedAttr("text", builder.getStringAttr(source->text)),
                 builder.getNamedAttr("kinds", builder.getArrayAttr(*kinds)),
                 builder.getNamedAttr("preset", builder.getStringAttr(machine.name)),
                 builder.getNamedAttr("vmem_words", builder.getI64IntegerAttr(vmem_words)),
                 builder.getNamedAttr("smem_words",
                                      builder.getI64IntegerAttr(declared.function.smem_words))}));
    return mlir::success();
  }

  mlir::FailureOr<SourceText> find_source(Operation* op, DictionaryAttr config,
                                          const std::string& name) {
    std::string file = text_of(config, "file");
    if (config.get("text")) {
      // An include in a text without a folder is not searched for in the current one.
      return SourceText{file.empty() ? kernels_folder() + "/" + name : file,
                        text_of(config, "text")};
    }
    if (file.empty()) {
      if (library_.empty()) library_ = library_functions();
      const auto found = library_.find(name);
      if (found == library_.end()) return unknown(op, name);
      file = found->second;
    }
    if (std::error_code error; file != "-" && std::filesystem::exists(file, error) &&
                               !std::filesystem::is_regular_file(file, error)) {
      return op->emitError("kernel ") << name << ": " << file << " is no regular file";
    }
    // Not the compiler's own input.
    if (auto source = file == "-" ? std::nullopt : read_source(file)) return *source;
    return op->emitError("kernel ") << name << ": cannot read " << file;
  }

  mlir::LogicalResult unknown(Operation* op, const std::string& name) {
    std::string names;
    for (const auto& entry : library_) names += (names.empty() ? "" : ", ") + entry.first;
    return op->emitError("there is no kernel ")
           << name << " in " << kernels_folder() << (names.empty() ? "" : "; there are ") << names;
  }

  std::map<std::string, std::string> library_;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_link_functions_pass(const Parameters& machine) {
  return std::make_unique<LinkFunctions>(machine);
}

}  // namespace tandem::compiler
