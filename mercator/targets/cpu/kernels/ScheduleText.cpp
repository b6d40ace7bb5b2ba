// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/ScheduleText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace mercator;

llvm::Error cpu::readNumbers(llvm::StringRef text,
                             llvm::ArrayRef<ScheduleNumber> numbers) {
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words) {
    auto [name, value] = word.split('=');
    const auto *found = llvm::find_if(
        numbers, [&](const ScheduleNumber &n) { return n.name == name; });
    if (found == numbers.end()) {
      std::string names;
      for (const ScheduleNumber &n : numbers)
        names += (names.empty()                     ? ""
                  : n.value == numbers.back().value ? " or "
                                                    : ", ") +
                 n.name.str();
      return llvm::createStringError("'" + word + "': expected " + names);
    }
    if (value.getAsInteger(10, *found->value))
      return llvm::createStringError("'" + word + "': expected a number");
  }
  return llvm::Error::success();
}

mlir::InFlightDiagnostic
cpu::refuseSchedule(mlir::Operation *op, mlir::Attribute given,
                    const llvm::Twine &problem, const llvm::Twine &why,
                    llvm::StringRef name, const llvm::Twine &possible) {
  mlir::InFlightDiagnostic error = op->emitOpError();
  error << "cannot be computed by its schedule " << given << ", as "
        << problem.str() << ": " << why.str();
  error.attachNote() << "help: " << name << " = \"" << possible.str() << '"';
  return error;
}
