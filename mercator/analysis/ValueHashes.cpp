// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/ValueHashes.h"
#include "mercator/analysis/Computations.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace mercator;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::Attribute;
using mlir::Block;
using mlir::NamedAttribute;
using mlir::Operation;
using mlir::Type;
using mlir::Value;
using Hash = ValueHashes::Hash;

Hash ValueHashes::mix(Hash a, Hash b) {
  // The finalizer of splitmix64, over an asymmetric sum.
  Hash x = a * 0x9E3779B97F4A7C15u + b + 0x7F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

Hash ValueHashes::ofText(llvm::StringRef text) {
  return llvm::xxh3_64bits(text);
}

static Hash ofBytes(ArrayRef<char> bytes) {
  return ValueHashes::ofText(llvm::StringRef(bytes.data(), bytes.size()));
}

template <typename T> static std::string printed(T thing) {
  std::string text;
  llvm::raw_string_ostream(text) << thing;
  return text;
}

/// `name, attributes, types, regions` of an operation, without its operands.
Hash ValueHashes::own(Operation *op) {
  auto [it, isNew] = owns.try_emplace(op);
  if (!isNew)
    return it->second;
  Hash hash = label(op);
  for (NamedAttribute attribute : op->getAttrs())
    if (!namesComputation(op, attribute))
      hash = mix(mix(hash, ofText(attribute.getName().getValue())),
                 content(attribute.getValue()));
  for (Block *block : blocksOf(op))
    hash = mix(hash, body(*block));
  return owns[op] = hash;
}

/// The kind of an operation, and the types of its results.
Hash ValueHashes::label(Operation *op) {
  Hash hash = ofText(op->getName().getStringRef());
  for (Type type : op->getResultTypes())
    hash = mix(hash, content(type));
  return hash;
}

Hash ValueHashes::types(Operation *op) {
  Hash hash = 1;
  for (Type type : op->getResultTypes())
    hash = mix(hash, content(type));
  return hash;
}

/// An operation and everything it is computed from.
Hash ValueHashes::up(Operation *op) {
  auto found = ups.find(op);
  if (found != ups.end())
    return found->second;
  // A block that calls itself has no hashes yet.
  if (!visited.insert(op->getBlock()).second)
    return 0;
  // The whole block at once: operands come before their users.
  for (Operation &each : *op->getBlock()) {
    Hash hash = own(&each);
    for (Value operand : each.getOperands())
      hash = mix(hash, up(operand));
    ups[&each] = hash;
  }
  return ups.lookup(op);
}

Hash ValueHashes::up(Value value) {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
    return mix(mix(depthOf(argument.getOwner()), argument.getArgNumber()),
               content(argument.getType()));
  Operation *op = value.getDefiningOp();
  return mix(up(op), llvm::cast<mlir::OpResult>(value).getResultNumber());
}

/// What is computed from each operation of a block.
llvm::DenseMap<Operation *, Hash> ValueHashes::down(Block &block) {
  llvm::DenseMap<Operation *, Hash> downs;
  SmallVector<Hash> uses;
  for (Operation &op : llvm::reverse(block)) {
    uses.clear();
    for (mlir::OpOperand &use : op.getUses()) {
      Operation *user = block.findAncestorOpInBlock(*use.getOwner());
      unsigned result = llvm::cast<mlir::OpResult>(use.get()).getResultNumber();
      unsigned place = user == use.getOwner() ? use.getOperandNumber() : ~0u;
      uses.push_back(
          mix(mix(mix(own(user), downs.lookup(user)), place), result));
    }
    llvm::sort(uses);
    Hash hash = 2;
    for (Hash use : uses)
      hash = mix(hash, use);
    downs[&op] = hash;
  }
  return downs;
}

/// The blocks that an operation enters: those of its regions and of the
/// computation that it calls.
SmallVector<Block *> ValueHashes::blocksOf(Operation *op) {
  SmallVector<Block *> blocks;
  for (mlir::Region &region : op->getRegions())
    for (Block &block : region)
      blocks.push_back(&block);
  if (blocks.empty())
    if (Block *block = maps::computationOf(op, &symbols).block)
      blocks.push_back(block);
  return blocks;
}

/// True for an attribute that is the name of a computation in blocksOf.
bool ValueHashes::namesComputation(Operation *op, NamedAttribute attribute) {
  return llvm::isa<mlir::FlatSymbolRefAttr, mlir::StringAttr>(
             attribute.getValue()) &&
         op->getNumRegions() == 0 &&
         (attribute.getName() == "callee" ||
          attribute.getName() == "decomposition") &&
         maps::computationOf(op, &symbols).block;
}

Hash ValueHashes::content(Attribute attribute) {
  auto [it, isNew] = contents.try_emplace(attribute.getAsOpaquePointer());
  if (!isNew)
    return it->second;
  Hash hash;
  if (auto dense = llvm::dyn_cast<mlir::DenseIntOrFPElementsAttr>(attribute))
    hash = mix(content(Type(dense.getType())), ofBytes(dense.getRawData()));
  else if (auto resource =
               llvm::dyn_cast<mlir::DenseResourceElementsAttr>(attribute);
           resource && resource.getRawHandle().getBlob())
    hash = mix(content(Type(resource.getType())),
               ofBytes(resource.getRawHandle().getBlob()->getData()));
  else
    hash = ofText(printed(attribute));
  // The map may have grown.
  return contents[attribute.getAsOpaquePointer()] = hash;
}

Hash ValueHashes::content(Type type) {
  auto [it, isNew] = contents.try_emplace(type.getAsOpaquePointer());
  if (isNew)
    it->second = ofText(printed(type));
  return it->second;
}

/// What a block returns and does, in terms of its arguments.
Hash ValueHashes::body(Block &block) {
  auto [it, isNew] = bodies.try_emplace(&block);
  if (!isNew)
    return it->second; // 0 in a recursion
  Hash hash = 3;
  for (mlir::BlockArgument argument : block.getArguments())
    hash = mix(hash, content(argument.getType()));
  if (!block.empty())
    hash = mix(hash, up(&block.back()));
  for (Operation &op : block) // without results, so reached by no operand
    if (op.getNumResults() == 0)
      hash = mix(hash, up(&op));
  return bodies[&block] = hash;
}

/// So that an argument of a region differs from one of the function around.
Hash ValueHashes::depthOf(Block *block) {
  auto [it, isNew] = depths.try_emplace(block, 0);
  if (!isNew)
    return it->second;
  Hash depth = 0;
  for (Operation *op = block->getParentOp();
       op && !op->hasTrait<mlir::OpTrait::IsIsolatedFromAbove>();
       op = op->getParentOp())
    ++depth;
  return depths[block] = depth;
}
