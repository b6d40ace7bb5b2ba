// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/stablehlo/Foreign.h"
#include "mercator/frontends/stablehlo/Mhlo.h"
#include "mercator/frontends/stablehlo/Shape.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mercator;
using llvm::StringRef;

void stablehlo::loadConvertedDialects(StringRef text,
                                      mlir::MLIRContext &context) {
  if (text.contains("mhlo"))
    loadMhlo(context);
  if (text.contains("shape."))
    loadShape(context);
}

bool stablehlo::namesForeign(StringRef text,
                             const mlir::DialectRegistry &registry) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  llvm::StringSet<> known;
  for (StringRef name : registry.getDialectNames())
    known.insert(name);
  for (StringRef converted : {"mhlo.", "shape."})
    for (size_t at = text.find(converted); at != StringRef::npos;
         at = text.find(converted, at + 1))
      if (at == 0 || !isWord(text[at - 1]))
        return true;
  for (size_t at = text.find_first_of("#!"); at != StringRef::npos;
       at = text.find_first_of("#!", at + 1)) {
    StringRef name = text.substr(at + 1).take_while(isWord);
    StringRef behind = text.substr(at + 1 + name.size());
    if ((behind.starts_with(".") || behind.starts_with("<")) && !name.empty() &&
        !known.contains(name))
      return true;
  }
  return false;
}

llvm::LogicalResult stablehlo::convertForeign(mlir::Operation *root) {
  mlir::MLIRContext *context = root->getContext();
  if (context->getLoadedDialect("mhlo") && failed(convertMhlo(root)))
    return llvm::failure();
  if (context->getLoadedDialect("shape"))
    return convertShape(root);
  return llvm::success();
}

//===--- Messages ---------------------------------------------------------===//

static constexpr StringRef kOfDialect = " of the dialect ";

static std::string foreign(StringRef what, StringRef expected, StringRef name,
                           StringRef dialect) {
  return ("expected " + what + " of " + expected + ", got '" + name + "'" +
          kOfDialect + "'" + dialect + "'")
      .str();
}

static std::string foreignOperation(StringRef name) {
  return foreign("operations", "StableHLO or linalg", name,
                 name.split('.').first);
}

/// Dialects whose operations are not programs on tensors, or that another tool
/// converts.
static StringRef converterOf(StringRef dialect) {
  struct Row {
    StringRef dialects; ///< separated by spaces
    StringRef help;
  };
  static constexpr Row kRows[] = {
      {"mhlo lmhlo thlo",
       "XLA's `mlir-hlo-opt --hlo-legalize-to-stablehlo FILE` writes StableHLO"},
      {"vhlo", "`stablehlo-opt --vhlo-to-version=target=current "
               "--vhlo-legalize-to-stablehlo FILE` writes StableHLO"},
      {"shape", "`mlir-opt --remove-shape-constraints --canonicalize "
                "--convert-shape-to-std FILE` removes operations of shape"},
      {"torch torch_c tm_tensor",
       "`torch-mlir-opt --torch-backend-to-stablehlo-backend-pipeline FILE` "
       "writes StableHLO"},
      {"tf tf_executor tf_device tf_saved_model tfl tf_type",
       "TensorFlow writes HLO: `tf.function(f, jit_compile=True)"
       ".experimental_get_compiler_ir(x)(stage='hlo')`"},
      {"tosa", "`mlir-opt --tosa-to-linalg-pipeline FILE` writes linalg"},
      {"onnx krnl", "`onnx-mlir-opt --convert-onnx-to-stablehlo FILE` writes "
                    "StableHLO"},
      {"iree_input iree_linalg_ext iree_encoding iree_vector_ext iree_gpu "
       "iree_cpu iree_codegen stream vm vmvx",
       "`iree-compile --compile-to=input FILE` writes what IREE has before it "
       "forms dispatches"},
      {"memref bufferization affine_parallel vector gpu nvgpu nvvm rocdl llvm "
       "spirv spv emitc async omp acc amdgpu x86vector arm_sve arm_neon arm_sme "
       "tt ttg ttng triton_gpu",
       "Mercator reads programs on tensors: take the text from before it was "
       "lowered to buffers or threads"},
      {"ttir ttnn ttmetal ttkernel d2m ttcore tt_core",
       "tt-mlir lowers StableHLO to this dialect: take its input"},
      {"xla xla_gpu xla_cpu mpmd",
       "take the StableHLO that this text was made from"},
      {"transform pdl pdl_interp irdl",
       "take the program without the scripts that transform it"},
  };
  for (const Row &row : kRows) {
    llvm::SmallVector<StringRef> names;
    row.dialects.split(names, ' ');
    if (llvm::is_contained(names, dialect))
      return row.help;
  }
  return {};
}

std::optional<std::string>
stablehlo::messageOfForeign(StringRef message, mlir::MLIRContext &context) {
  // Dialect `d' not found for custom op 'd.op'
  if (message.starts_with("Dialect `") && message.contains("custom op '"))
    return foreignOperation(
        message.split("custom op '").second.split('\'').first);
  // custom op 'd.op' is unknown, of a dialect that is converted
  if (StringRef rest = message; rest.consume_front("custom op '")) {
    auto [name, why] = rest.split('\'');
    StringRef dialect = name.split('.').first;
    if (why.starts_with(" is unknown") &&
        (dialect == "mhlo" || dialect == "shape"))
      return foreignOperation(name);
  }
  return std::nullopt;
}

std::optional<std::string> stablehlo::hintForForeign(StringRef message) {
  size_t at = message.find(kOfDialect);
  if (at == StringRef::npos)
    return std::nullopt;
  StringRef help =
      converterOf(message.substr(at + kOfDialect.size()).trim('\''));
  return help.empty() ? std::nullopt : std::optional(help.str());
}

//===--- Refusals ---------------------------------------------------------===//

namespace {
class Refusal {
public:
  explicit Refusal(mlir::Operation *root) : root(root) {
    types.addWalk([&](mlir::OpaqueType type) {
      opaque = type;
      return mlir::WalkResult::interrupt();
    });
  }
  llvm::LogicalResult run();

private:
  void refuse(mlir::Operation *op, StringRef dialect, const std::string &text) {
    if (told.insert(dialect).second)
      op->emitError(text);
  }
  void checkType(mlir::Operation *op, mlir::Type type);

  mlir::Operation *root;
  mlir::AttrTypeWalker types;
  mlir::OpaqueType opaque;
  llvm::DenseSet<mlir::Type> known;
  llvm::StringSet<> told;
};
} // namespace

void Refusal::checkType(mlir::Operation *op, mlir::Type type) {
  if (!known.insert(type).second)
    return;
  opaque = {};
  types.walk(type);
  if (!opaque)
    return;
  StringRef dialect = opaque.getDialectNamespace().strref();
  refuse(op, dialect,
         foreign("types", "tensors of numbers",
                 ("!" + dialect + "." + opaque.getTypeData()).str(), dialect));
}

llvm::LogicalResult Refusal::run() {
  root->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    bool isUnknown = !op->isRegistered() && !op->getDialect() &&
                     !op->getContext()->allowsUnregisteredDialects();
    if (isUnknown || dialect == "mhlo" || dialect == "shape")
      refuse(op, dialect, foreignOperation(op->getName().getStringRef()));
    for (mlir::Type type : op->getResultTypes())
      checkType(op, type);
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        for (mlir::Type type : block.getArgumentTypes())
          checkType(op, type);
  });
  return llvm::success(told.empty());
}

llvm::LogicalResult stablehlo::refuseForeign(mlir::Operation *root) {
  return Refusal(root).run();
}
