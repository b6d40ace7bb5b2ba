// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/Pipeline.h"

#include "mercator/dialects/flow/Flow.h"
#include "mercator/targets/cpu/kernels/CellLoops.h"
#include "mercator/targets/cpu/kernels/CellSchedule.h"
#include "mercator/targets/cpu/kernels/ContractionCode.h"
#include "mercator/targets/cpu/kernels/ContractionSchedule.h"
#include "mercator/targets/cpu/kernels/CopiedParts.h"
#include "mercator/targets/cpu/kernels/FlatLoops.h"
#include "mercator/targets/cpu/kernels/Kernels.h"
#include "mercator/targets/cpu/kernels/NarrowProducts.h"
#include "mercator/targets/cpu/kernels/RowLoops.h"
#include "mercator/targets/cpu/kernels/RowSchedule.h"
#include "mercator/targets/cpu/kernels/Scratch.h"
#include "mercator/targets/cpu/kernels/SiblingSums.h"
#include "mercator/targets/cpu/kernels/SumCode.h"
#include "mercator/targets/cpu/kernels/TransposeCode.h"
#include "mercator/targets/cpu/kernels/TransposedReads.h"
#include "mercator/targets/cpu/kernels/Windows.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Threading.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

/// Removes what the steps have said to each other.
static void removeSchedules(func::FuncOp function) {
  function.walk([](linalg::LinalgOp op) {
    for (StringRef name :
         {kSchedule, kCells, kGroup, kProducts, kRows, kNumber})
      op->removeAttr(name);
  });
}

/// Without vectors that are multiplied and added, products are loops like others.
static LogicalResult refuseProducts(func::FuncOp function) {
  auto found =
      function.walk(
          [](linalg::LinalgOp op) {
            if (!op->hasAttr(kSchedule) && !op->hasAttr(kGroup))
              return WalkResult::advance();
            op->emitOpError()
                << "has a schedule of a product: expected a CPU with vectors "
                   "that are multiplied and added, such as x86-64-v3";
            return WalkResult::interrupt();
          });
  return failure(found.wasInterrupted());
}

FailureOr<Kernel> cpu::makeKernel(func::FuncOp function,
                                  const Machine &machine) {
  if (failed(bufferizeKernel(function)))
    return failure();
  unrollWindows(function);
  readCopiedParts(function);
  ScheduleNotes notes;
  if (machine.vectorBytes() != 0) {
    if (failed(joinCells(function, machine, notes)))
      return failure();
    rewriteNarrowProducts(function, machine);
    if (failed(emitContractions(function, machine, notes)))
      return failure();
    emitTransposes(function, machine.vectorBytes());
    tileTransposedReads(function, machine);
  } else if (failed(refuseProducts(function))) {
    return failure();
  }
  joinSiblingSums(function);
  if (failed(joinRows(function, machine, notes)))
    return failure();
  removeSchedules(function);
  flattenColumns(function);
  emitSums(function, machine);
  flattenLoops(function);
  return Kernel{function, std::move(notes), takeScratch(function)};
}

/// The function that a dispatch runs; null if there is none.
static func::FuncOp functionOf(ModuleOp module, flow::DispatchOp op) {
  SymbolRefAttr name = op.getEntryPoint();
  auto executable =
      module.lookupSymbol<flow::ExecutableOp>(name.getRootReference());
  auto exported = executable
                      ? executable.lookupSymbol<flow::ExecutableExportOp>(
                            name.getLeafReference())
                      : flow::ExecutableExportOp();
  ModuleOp inner = executable ? executable.getInnerModule() : ModuleOp();
  return inner && exported ? inner.lookupSymbol<func::FuncOp>(
                                 exported.getFunctionRefAttr().getAttr())
                           : func::FuncOp();
}

std::string cpu::kernelName(size_t number, func::FuncOp function) {
  return ("kernel_" + Twine(number) + "_" + function.getName()).str();
}

DispatchedFunctions cpu::dispatchedBy(ModuleOp module, func::FuncOp source) {
  DispatchedFunctions functions;
  source.walk([&](flow::DispatchOp op) {
    functions.try_emplace(op.getEntryPoint(), functionOf(module, op));
  });
  return functions;
}

namespace {
/// A kernel that is made apart from the others.
struct Workplace {
  Attribute entry;
  /// Has the function, and gets the constants that it reads.
  OwningOpRef<ModuleOp> module;
  Kernel kernel;
};
} // namespace

using KnownConstants =
    DenseMap<std::tuple<Attribute, Type, Attribute>, StringAttr>;

/// Moves the constants of a kernel to the module. Equal ones are one.
static void moveConstants(Workplace &place, SymbolTable &symbols,
                          KnownConstants &known) {
  DenseMap<StringAttr, StringAttr> names;
  for (auto global :
       llvm::make_early_inc_range(place.module->getOps<memref::GlobalOp>())) {
    StringAttr before = global.getSymNameAttr();
    auto [found, isNew] =
        known.try_emplace({global.getInitialValueAttr(), global.getType(),
                           global.getAlignmentAttr()});
    if (isNew) {
      global->remove();
      found->second = symbols.insert(global);
    }
    names[before] = found->second;
  }
  place.kernel.function.walk([&](memref::GetGlobalOp op) {
    op.setName(names.lookup(op.getNameAttr().getAttr()));
  });
}

FailureOr<Kernels> cpu::makeKernels(ModuleOp module, func::FuncOp source,
                                    const Machine &machine) {
  std::vector<Workplace> places;
  for (auto [entry, function] : dispatchedBy(module, source)) {
    if (!function) {
      source.walk([&, entry = entry](flow::DispatchOp op) {
        if (op.getEntryPoint() != entry)
          return WalkResult::advance();
        op.emitOpError() << "has no function to compile";
        return WalkResult::interrupt();
      });
      return failure();
    }
    auto own = function.clone();
    own.setName(kernelName(places.size(), function));
    own.setPrivate();
    OwningOpRef<ModuleOp> apart = ModuleOp::create(module.getLoc());
    apart->push_back(own);
    places.push_back({entry, std::move(apart), Kernel{own, {}, {}}});
  }
  auto make = [&](Workplace &place) -> LogicalResult {
    FailureOr<Kernel> kernel = makeKernel(place.kernel.function, machine);
    if (succeeded(kernel))
      place.kernel = std::move(*kernel);
    return kernel;
  };
  if (failed(failableParallelForEach(module.getContext(), places, make)))
    return failure();
  Kernels kernels;
  SymbolTable symbols(module);
  DenseMap<std::tuple<Attribute, Type, Attribute>, StringAttr> known;
  for (Workplace &place : places) {
    moveConstants(place, symbols, known);
    place.kernel.function->remove();
    module.push_back(place.kernel.function);
    kernels[place.entry] = std::move(place.kernel);
  }
  return kernels;
}
