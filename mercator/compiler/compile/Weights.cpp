// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/compile/Weights.h"

#include "mercator/compiler/program/Folding.h"
#include "mercator/compiler/program/Inputs.h"
#include "mercator/compiler/program/NpyTensor.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/support/Suggest.h"
#include "mercator/targets/ascend/graph/InputNames.h"
#include "mercator/transforms/stablehlo/interface/BindWeights.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mercator;
using ascend::DataOp;
using ascend::GraphOp;
using llvm::StringRef;
using mlir::func::FuncOp;

namespace {
/// An input of a function or a graph.
struct Input {
  mlir::Location loc;
  mlir::Type type;
  llvm::SmallVector<mlir::StringAttr, 2> names;
  /// The elements of its array, which the file calls `array`.
  mlir::ElementsAttr value = {};
  std::string array = {};
};

class Binder {
public:
  Binder(mlir::Operation *callee, StringRef path,
         mercator::DiagnosticEngine &diagnostics);

  /// Fails after errors, one for each array that binds no input.
  llvm::LogicalResult read();
  void bind();

private:
  /// Null after an error.
  Input *inputOf(StringRef array);
  llvm::LogicalResult setValue(Input &input, NpzMember member);
  void unknown(StringRef array);
  [[nodiscard]] std::string listInputs() const;
  void bindIn(FuncOp function);
  void bindIn(GraphOp graph);

  [[nodiscard]] StringRef function() const {
    return mlir::SymbolTable::getSymbolName(callee).getValue();
  }
  /// The array with its file, for messages.
  [[nodiscard]] std::string inFile(StringRef array) const {
    return quote((path + "/" + array).str(), 400);
  }

  mlir::Operation *callee;
  StringRef path;
  mercator::DiagnosticEngine &diagnostics;
  std::vector<Input> inputs;
  llvm::StringMap<llvm::SmallVector<unsigned, 1>> byName;
  bool inputsAreListed = false;
};
} // namespace

Binder::Binder(mlir::Operation *callee, StringRef path,
               mercator::DiagnosticEngine &diagnostics)
    : callee(callee), path(path), diagnostics(diagnostics) {
  if (auto function = llvm::dyn_cast<FuncOp>(callee)) {
    for (mlir::BlockArgument argument : function.getArguments())
      inputs.push_back({argument.getLoc(), argument.getType(),
                        ascend::namesOf(function, argument.getArgNumber())});
  } else {
    for (DataOp data : ascend::inputsOf(llvm::cast<GraphOp>(callee)))
      inputs.push_back({data.getLoc(), data.getType(), ascend::namesOf(data)});
  }
  for (auto [i, input] : llvm::enumerate(inputs))
    for (mlir::StringAttr name : input.names)
      byName[name].push_back(i);
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// "the inputs of @main are arg0 (params['w']), arg1"
std::string Binder::listInputs() const {
  std::string function = ("@" + this->function()).str();
  if (inputs.empty())
    return function + " has no inputs";
  constexpr size_t kShown = 8;
  std::string list;
  for (const Input &input : llvm::ArrayRef(inputs).take_front(kShown)) {
    list += (list.empty() ? "" : ", ") + input.names.front().str();
    llvm::SmallVector<StringRef> others;
    for (mlir::StringAttr name : llvm::drop_begin(input.names))
      others.push_back(name);
    if (!others.empty())
      list += " (" + llvm::join(others, ", ") + ")";
  }
  if (inputs.size() > kShown)
    list += " and " + std::to_string(inputs.size() - kShown) + " others";
  return "the " + std::string(inputs.size() == 1 ? "input" : "inputs") +
         " of " + function + (inputs.size() == 1 ? " is " : " are ") + list;
}

void Binder::unknown(StringRef array) {
  (void)diagnostics.error({}, "expected arrays with the names of inputs of @" +
                                  function() + ", got " + inFile(array));
  if (!std::exchange(inputsAreListed, true))
    diagnostics.note({}, listInputs());
  llvm::SmallVector<StringRef> names;
  for (const Input &input : inputs)
    llvm::append_range(names, input.names);
  if (auto nearest = suggest(array, names))
    diagnostics.help("did you mean " + quote(*nearest, 400) + "?");
}

Input *Binder::inputOf(StringRef array) {
  auto found = byName.find(array);
  if (found == byName.end()) {
    unknown(array);
    return nullptr;
  }
  if (found->second.size() > 1) {
    (void)diagnostics.error({}, "expected the name of one input of @" +
                                    function() + ", got " + inFile(array) +
                                    ", the name of " +
                                    llvm::Twine(found->second.size()));
    return nullptr;
  }
  Input &input = inputs[found->second.front()];
  if (input.value) {
    (void)diagnostics.error(
        {}, "expected one array for the input " +
                quote(input.names.front(), 400) + " of @" + function() +
                ", got " + inFile(input.array) + " and " + inFile(array));
    return nullptr;
  }
  return &input;
}

llvm::LogicalResult Binder::setValue(Input &input, NpzMember member) {
  auto refuse = [&](const llvm::Twine &what) {
    return mlir::emitError(input.loc) << inFile(member.name) << ": " << what;
  };
  auto wanted = llvm::dyn_cast<mlir::RankedTensorType>(input.type);
  if (!wanted || !wanted.hasStaticShape())
    return refuse("expected an input with a type of a known shape, got ")
           << input.type;
  llvm::Expected<reference::Tensor> tensor = toTensor(member.array, wanted);
  if (!tensor)
    return refuse(llvm::toString(tensor.takeError()));
  member.array.elements = {};
  if (std::string why = whyNotParameter(tensor->type(), wanted); !why.empty())
    return refuse(why);
  input.value = elementsOf(tensor->withType(wanted));
  if (!input.value)
    return refuse("expected elements of whole bytes for a constant, got ")
           << wanted.getElementType();
  input.array = std::move(member.name);
  return mlir::success();
}

llvm::LogicalResult Binder::read() {
  llvm::Expected<std::vector<NpzMember>> members = readNpz(path);
  if (!members)
    return diagnostics.error({}, llvm::toString(members.takeError()));
  if (members->empty())
    return diagnostics.error({}, "cannot read " + quote(path, 400) +
                                     ": expected arrays, got none");
  bool failed = false;
  for (NpzMember &member : *members) {
    Input *input = inputOf(member.name);
    failed |= !input || llvm::failed(setValue(*input, std::move(member)));
  }
  return mlir::failure(failed);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

void Binder::bindIn(FuncOp function) {
  llvm::SmallVector<mlir::ElementsAttr> values;
  for (const Input &input : inputs)
    values.push_back(input.value);
  stablehlo::bindWeights(function, values);
}

void Binder::bindIn(GraphOp graph) {
  int64_t left = 0;
  for (auto [data, input] : llvm::zip_equal(ascend::inputsOf(graph), inputs)) {
    mlir::OpBuilder b(data);
    mlir::StringAttr name = input.names.front();
    if (!input.value) {
      if (int64_t(data.getIndex()) != left)
        data.setNameAttr(name);
      data.setIndex(left++);
      continue;
    }
    data.replaceAllUsesWith(
        ascend::ConstOp::create(b, mlir::NameLoc::get(name, input.loc),
                                input.type, input.value)
            .getResult());
    data.erase();
  }
}

void Binder::bind() {
  if (auto function = llvm::dyn_cast<FuncOp>(callee))
    bindIn(function);
  else
    bindIn(llvm::cast<GraphOp>(callee));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

ExitCode mercator::bindWeights(mlir::ModuleOp module, StringRef path,
                               mercator::DiagnosticEngine &diagnostics) {
  llvm::SmallVector<mlir::Operation *> callees;
  for (mlir::Operation &op : module.getOps()) {
    auto function = llvm::dyn_cast<FuncOp>(op);
    if (llvm::isa<GraphOp>(op) ||
        (function && function.isPublic() && !function.isExternal()))
      callees.push_back(&op);
  }
  if (callees.empty())
    return ExitCode::Done; // the conversion reports it
  if (callees.size() > 1) {
    auto name = [](mlir::Operation *op) {
      return mlir::SymbolTable::getSymbolName(op).str();
    };
    (void)diagnostics.error(
        {}, "expected one function with `--weights`, got " +
                llvm::join(llvm::map_range(callees, name), ", "));
    diagnostics.help("--function=" + name(callees.front()));
    return ExitCode::WrongUsage;
  }
  Binder binder(callees.front(), path, diagnostics);
  if (failed(binder.read()))
    return ExitCode::InputRejected;
  binder.bind();
  return ExitCode::Done;
}
