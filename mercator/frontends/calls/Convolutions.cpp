// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Convolutions: cuDNN. `window=` and `dim_labels=` describe the forward
// convolution, also in the calls of its gradients:
//
//   y[b, o, p] = sum over i, k of x[b, i, p * stride + k * dilation - low] *
//                                 w[o, i, k]
//
//   convForward          x, w  -> y
//   convBackwardInput    dy, w -> dx
//   convBackwardFilter   x, dy -> dw
//
// Each is a convolution of StableHLO with other numbers.

#include "mercator/frontends/calls/Body.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::calls;
using llvm::StringRef;

using Side = ConvolutionText::Side;

/// A dimension of the forward convolution.
namespace {
struct Window {
  int64_t size, stride = 1, low = 0, high = 0, inputDilation = 1,
                filterDilation = 1;
  bool isReversed = false;
};
} // namespace

static llvm::SmallVector<Window> windowsOf(const ConvolutionText &text) {
  llvm::SmallVector<Window> windows;
  for (size_t i = 0; i < text.sizes.size(); ++i)
    windows.push_back({text.sizes[i], text.strides[i], text.padding[2 * i],
                       text.padding[2 * i + 1], text.inputDilation[i],
                       text.filterDilation[i], bool(text.reversal[i])});
  return windows;
}

/// Whether the roles of the dimensions fit the shapes.
static bool fits(const Side &side, RankedTensorType type) {
  return side.rank == type.getRank() &&
         side.rank == int64_t(side.spatial.size()) + 2;
}

/// Whether the three tensors are those of a forward convolution. The products of
/// window sizes stay far from the limits of integers.
static bool checkForward(Reader &call, RankedTensorType input,
                         RankedTensorType filter, RankedTensorType output) {
  if (!call.call.convolution)
    return call.unknown("it has no dim_labels");
  const ConvolutionText &text = *call.call.convolution;
  if (!fits(text.input, input) || !fits(text.filter, filter) ||
      !fits(text.output, output))
    return call.unknown("its dim_labels do not fit its shapes");
  if (text.sizes.size() != text.input.spatial.size())
    return call.unknown("its window does not fit its shapes");
  constexpr int64_t kMost = int64_t(1) << 30;
  for (auto [i, w] : llvm::enumerate(windowsOf(text)))
    if (w.size != filter.getDimSize(unsigned(text.filter.spatial[i])) ||
        w.stride < 1 || w.inputDilation < 1 || w.filterDilation < 1 ||
        w.size > kMost || w.stride > kMost || w.inputDilation > kMost ||
        w.filterDilation > kMost || std::abs(w.low) > kMost ||
        std::abs(w.high) > kMost ||
        input.getDimSize(unsigned(text.input.spatial[i])) > kMost ||
        output.getDimSize(unsigned(text.output.spatial[i])) > kMost)
      return call.unknown("its window does not fit its shapes");
  int64_t features = filter.getDimSize(unsigned(text.filter.batch));
  if (text.batchGroups != 1 || text.featureGroups < 1 ||
      features % text.featureGroups != 0)
    return call.unknown("its groups do not fit its shapes");
  return true;
}

static Value convolve(Body &body, Value lhs, Value rhs, const Side &lhsSide,
                      const Side &rhsSide, const Side &resultSide,
                      llvm::ArrayRef<Window> windows, int64_t featureGroups,
                      int64_t batchGroups, RankedTensorType type) {
  auto numbers = stablehlo::ConvDimensionNumbersAttr::get(
      body.b.getContext(), lhsSide.batch, lhsSide.feature, lhsSide.spatial,
      rhsSide.feature, rhsSide.batch, rhsSide.spatial, resultSide.batch,
      resultSide.feature, resultSide.spatial);
  llvm::SmallVector<int64_t> strides, padding, lhsDilation, rhsDilation;
  llvm::SmallVector<bool> reversal;
  for (const Window &w : windows) {
    strides.push_back(w.stride);
    padding.append({w.low, w.high});
    lhsDilation.push_back(w.inputDilation);
    rhsDilation.push_back(w.filterDilation);
    reversal.push_back(w.isReversed);
  }
  auto unlessAll = [&](llvm::ArrayRef<int64_t> list, int64_t usual) {
    return llvm::all_of(list, [&](int64_t it) { return it == usual; })
               ? DenseI64ArrayAttr()
               : body.b.getDenseI64ArrayAttr(list);
  };
  DenseIntElementsAttr pads;
  if (llvm::any_of(padding, [](int64_t it) { return it != 0; }))
    pads = DenseIntElementsAttr::get(
        RankedTensorType::get({int64_t(padding.size() / 2), 2},
                              body.b.getI64Type()),
        padding);
  if (elementOf(lhs) != elementOf(rhs)) {
    Type wide = Float32Type::get(body.b.getContext());
    lhs = body.cast(lhs, wide);
    rhs = body.cast(rhs, wide);
  }
  return stablehlo::ConvolutionOp::create(
      body.b, body.loc, type, lhs, rhs, unlessAll(strides, 1), pads,
      unlessAll(lhsDilation, 1), unlessAll(rhsDilation, 1),
      llvm::is_contained(reversal, true)
          ? body.b.getDenseBoolArrayAttr(reversal)
          : DenseBoolArrayAttr(),
      numbers, body.b.getI64IntegerAttr(featureGroups),
      body.b.getI64IntegerAttr(batchGroups), /*precision_config=*/ArrayAttr());
}

/// The type of the sums. Integers continue in f32 where more follows.
static Type convolutionElement(Type element, Type result, bool isPlain) {
  MLIRContext *context = element.getContext();
  if (element.isInteger())
    return IntegerType::get(context, 32);
  if (isPlain)
    return result;
  auto real = dyn_cast<FloatType>(element);
  return real && real.getWidth() < 32 ? Type(Float32Type::get(context))
                                      : element;
}

/// A scaled convolution of `type`, or of the elements that more is computed in.
static Value scaled(Reader &call, Value value, bool isPlain) {
  Body &body = call.body;
  double scale = call.config.number("conv_result_scale", 1);
  if (isPlain && scale == 1)
    return value;
  if (elementOf(value).isInteger())
    value = body.cast(value, Float32Type::get(body.b.getContext()));
  if (scale == 1)
    return value;
  return body.binary<stablehlo::MulOp>(value, body.number(scale, value));
}

/// x, w -> y, of the elements that the sums have.
static Value forward(Reader &call, RankedTensorType type, bool isPlain) {
  if (call.config.flag("reordered_int8_nchw_vect", false)) {
    call.unknown("its filter is reordered");
    return {};
  }
  if (call.operands.size() < 2) {
    call.unknown("it has no two operands");
    return {};
  }
  Value input = call.operands[0], filter = call.operands[1];
  if (!checkForward(call, typeOf(input), typeOf(filter), type))
    return {};
  const ConvolutionText &text = *call.call.convolution;
  isPlain &= call.config.number("conv_result_scale", 1) == 1;
  Type element =
      convolutionElement(elementOf(input), type.getElementType(), isPlain);
  Value value = convolve(call.body, input, filter, text.input, text.filter,
                         text.output, windowsOf(text), text.featureGroups,
                         /*batchGroups=*/1, type.clone(element));
  return scaled(call, value, isPlain);
}

bool calls::readConvolution(Reader &call) {
  if (call.types.empty() || call.operands.size() != 2)
    return call.unknown("it has not two operands");
  Value value = forward(call, call.types[0], /*isPlain=*/true);
  if (!value)
    return false;
  call.values.push_back(
      call.body.saturateInteger(value, call.types[0].getElementType()));
  return true;
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// The gradient of x is a convolution of dy, spread by the strides, with the
/// filter backwards, whose input and output features change roles.
bool calls::readInputGradient(Reader &call) {
  if (call.types.empty() || call.operands.size() != 2)
    return call.unknown("it has not two operands");
  Body &body = call.body;
  RankedTensorType type = call.types[0];
  Value dy = call.operands[0], filter = call.operands[1];
  if (!checkForward(call, type, typeOf(filter), typeOf(dy)))
    return false;
  const ConvolutionText &text = *call.call.convolution;
  int64_t groups = text.featureGroups;
  llvm::SmallVector<Window> windows = windowsOf(text);
  for (auto [i, w] : llvm::enumerate(windows)) {
    if (w.inputDilation != 1)
      return call.unknown("its input is dilated");
    int64_t places =
        (typeOf(dy).getDimSize(unsigned(text.output.spatial[i])) - 1) *
            w.stride +
        1;
    int64_t reach = (w.size - 1) * w.filterDilation;
    int64_t low = reach - w.low;
    int64_t high =
        type.getDimSize(unsigned(text.input.spatial[i])) + reach - places - low;
    w = {w.size,
         1,
         low,
         high,
         /*inputDilation=*/w.stride,
         w.filterDilation,
         !w.isReversed};
  }
  // Each group has its own part of the output features. They become input
  // features, of which a filter has those of one group.
  Side side{text.filter.feature, text.filter.batch, text.filter.spatial,
            text.filter.rank};
  if (groups != 1) {
    int64_t o = text.filter.batch, i = text.filter.feature;
    llvm::SmallVector<int64_t> sizes, order;
    for (auto [dim, size] : llvm::enumerate(typeOf(filter).getShape()))
      if (int64_t(dim) == o)
        sizes.append({groups, size / groups});
      else
        sizes.push_back(size);
    llvm::SmallVector<int64_t> whole(typeOf(filter).getShape());
    filter = body.reshape(filter, sizes);
    // The number of the group moves before the input features.
    auto moved = [&](int64_t dim) { return dim + (dim > o ? 1 : 0); };
    for (int64_t dim = 0; dim < text.filter.rank; ++dim) {
      if (dim == i)
        order.push_back(o);
      order.push_back(dim == o ? o + 1 : moved(dim));
    }
    filter = body.transpose(filter, order);
    whole[o] /= groups;
    whole[i] *= groups;
    filter = body.reshape(filter, whole);
  }
  bool isPlain = call.config.number("conv_result_scale", 1) == 1;
  Type element =
      convolutionElement(elementOf(dy), type.getElementType(), isPlain);
  Value value =
      convolve(body, dy, filter, text.output, side, text.input, windows, groups,
               /*batchGroups=*/1, type.clone(element));
  call.values.push_back(scaled(call, value, isPlain));
  return true;
}

/// The gradient of w is a convolution of x with dy: the features of x are the
/// batch, and the batch is summed.
bool calls::readFilterGradient(Reader &call) {
  if (call.types.empty() || call.operands.size() != 2)
    return call.unknown("it has not two operands");
  Body &body = call.body;
  RankedTensorType type = call.types[0];
  Value x = call.operands[0], dy = call.operands[1];
  if (!checkForward(call, typeOf(x), type, typeOf(dy)))
    return false;
  const ConvolutionText &text = *call.call.convolution;
  llvm::SmallVector<Window> windows = windowsOf(text);
  llvm::SmallVector<int64_t> backwards;
  for (auto [i, w] : llvm::enumerate(windows)) {
    if (w.isReversed)
      backwards.push_back(text.filter.spatial[i]);
    int64_t places = typeOf(dy).getDimSize(unsigned(text.output.spatial[i]));
    int64_t extent =
        (typeOf(x).getDimSize(unsigned(text.input.spatial[i])) - 1) *
            w.inputDilation +
        1;
    int64_t high = (w.size - 1) * w.filterDilation + (places - 1) * w.stride +
                   1 - extent - w.low;
    w = {places,
         /*stride=*/w.filterDilation,
         w.low,
         high,
         w.inputDilation,
         /*filterDilation=*/w.stride};
  }
  Side lhs{text.input.feature, text.input.batch, text.input.spatial,
           text.input.rank};
  Side rhs{text.output.feature, text.output.batch, text.output.spatial,
           text.output.rank};
  Side result{text.filter.feature, text.filter.batch, text.filter.spatial,
              text.filter.rank};
  bool isPlain = call.config.number("conv_result_scale", 1) == 1;
  Type element =
      convolutionElement(elementOf(x), type.getElementType(), isPlain);
  Value value =
      convolve(body, x, dy, lhs, rhs, result, windows,
               /*featureGroups=*/1, text.featureGroups, type.clone(element));
  call.values.push_back(scaled(call, body.reverse(value, backwards), isPlain));
  return true;
}

//===----------------------------------------------------------------------===//
// What follows a convolution
//===----------------------------------------------------------------------===//

/// `kRelu`, or its number in stream_executor's dnn.proto.
static Value activate(Reader &call, StringRef mode, Value x) {
  Body &body = call.body;
  Value zero = body.number(0, x);
  int which = llvm::StringSwitch<int>(mode)
                  .Cases({"kNone", "0"}, 0)
                  .Cases({"kSigmoid", "1"}, 1)
                  .Cases({"kRelu", "2"}, 2)
                  .Cases({"kRelu6", "3"}, 3)
                  .Cases({"kTanh", "5"}, 5)
                  .Cases({"kElu", "7"}, 7)
                  .Cases({"kLeakyRelu", "8"}, 8)
                  .Default(-1);
  using stablehlo::ComparisonDirection;
  switch (which) {
  case 0:
    return x;
  case 1:
    return body.unary<stablehlo::LogisticOp>(x);
  case 2:
    return body.binary<stablehlo::MaxOp>(x, zero);
  case 3:
    return body.binary<stablehlo::MinOp>(body.binary<stablehlo::MaxOp>(x, zero),
                                         body.number(6, x));
  case 5:
    return body.unary<stablehlo::TanhOp>(x);
  case 7:
    return body.select(body.compare(x, zero, ComparisonDirection::GT), x,
                       body.unary<stablehlo::Expm1Op>(x));
  case 8: {
    Value slope = body.number(call.config.number("leakyrelu_alpha", 0), x);
    return body.select(body.compare(x, zero, ComparisonDirection::GT), x,
                       body.binary<stablehlo::MulOp>(x, slope));
  }
  default:
    call.unknown("the activation " + mode + " is not known");
    return {};
  }
}

/// Operands: x, w, the bias, and the side input if its scale is not 0.
bool calls::readFusedConvolution(Reader &call) {
  Body &body = call.body;
  double side = call.config.number("side_input_scale", 0);
  size_t expected = 3 + (side != 0);
  if (call.types.empty() || call.operands.size() != expected)
    return call.unknown("its fields name " + llvm::Twine(expected) +
                        " operands, and it has " +
                        llvm::Twine(call.operands.size()));
  RankedTensorType type = call.types[0];
  Value value = forward(call, type, /*isPlain=*/false);
  if (!value)
    return false;
  if (elementOf(value).isInteger() || !isa<FloatType>(elementOf(value)))
    return call.unknown("it computes with no floats");
  if (side != 0) {
    Value other = call.operands[3];
    if (typeOf(other).getShape() != type.getShape())
      return call.unknown("the side input has another shape");
    other = body.as(other, typeOf(value));
    if (side != 1)
      other = body.binary<stablehlo::MulOp>(other, body.number(side, other));
    value = body.binary<stablehlo::AddOp>(value, other);
  }
  Value bias = call.operands[2];
  int64_t feature = call.call.convolution->output.feature;
  if (typeOf(bias).getRank() != 1 ||
      typeOf(bias).getDimSize(0) != type.getDimSize(unsigned(feature)))
    return call.unknown("the bias does not fit the result");
  value = body.binary<stablehlo::AddOp>(
      value,
      body.spread(body.cast(bias, elementOf(value)), typeOf(value), {feature}));
  value = activate(call, call.config.word("activation_mode", "kNone"), value);
  if (!value)
    return false;
  call.values.push_back(body.saturateInteger(value, type.getElementType()));
  return true;
}

/// `4:[bf16]conv();7:[bf16]scale(4);9:[f32]amax(7);`: each operation has a number,
/// the type of its elements, and the numbers of its operands in the graph. Of two
/// operands one may be an operand of the call; these follow in order.
bool calls::readConvolutionGraph(Reader &call) {
  using namespace stablehlo;
  Body &body = call.body;
  if (call.types.empty() || call.operands.size() < 2)
    return call.unknown("it has no two operands");
  Value value = forward(call, call.types[0], /*isPlain=*/false);
  if (!value)
    return false;
  if (!isa<FloatType>(elementOf(value)))
    return call.unknown("it computes with no floats");
  llvm::StringMap<Value> known;
  llvm::SmallVector<Value> greatest;
  size_t next = 2;
  Value last;
  std::string text = call.config.word("serialized_graph", "");
  llvm::SmallVector<StringRef> operations;
  StringRef(text).split(operations, ';', -1, /*KeepEmpty=*/false);
  auto unreadable = [&] {
    return call.unknown("its graph " + text + " is not known");
  };
  for (StringRef operation : operations) {
    auto [number, rest] = operation.split(":[");
    auto [element, form] = rest.split(']');
    auto [name, arguments] = form.split('(');
    if (!arguments.consume_back(")") || known.contains(number))
      return unreadable();
    llvm::SmallVector<StringRef> parts;
    arguments.split(parts, ',', -1, /*KeepEmpty=*/false);
    llvm::SmallVector<Value> inputs;
    for (StringRef part : parts) {
      auto found = known.find(part);
      if (found == known.end())
        return unreadable();
      inputs.push_back(found->second);
    }
    Value result;
    // The other operand, from outside.
    auto outside = [&]() -> Value {
      if (inputs.size() == 2)
        return inputs[1];
      if (inputs.size() != 1 || next >= call.operands.size())
        return {};
      Value other = body.cast(call.operands[next++], elementOf(inputs[0]));
      RankedTensorType to = typeOf(inputs[0]);
      if (typeOf(other).getRank() == 0)
        return body.spread(other, to, {});
      return typeOf(other).getShape() == to.getShape() ? body.as(other, to)
                                                       : Value();
    };
    if (name == "conv" && inputs.empty() && !last) {
      result = value;
    } else if (inputs.empty()) {
      return unreadable();
    } else if (name == "relu" && inputs.size() == 1) {
      result = body.binary<MaxOp>(inputs[0], body.number(0, inputs[0]));
    } else if (name == "elu" && inputs.size() == 1) {
      result = activate(call, "kElu", inputs[0]);
    } else if (name == "amax" && inputs.size() == 1) {
      llvm::SmallVector<int64_t> all =
          llvm::to_vector(llvm::seq<int64_t>(0, call.types[0].getRank()));
      greatest.push_back(
          body.reduce<MaxOp>(body.unary<AbsOp>(inputs[0]), all, 0));
      continue;
    } else {
      Value other = outside();
      if (!other)
        return unreadable();
      if (name == "add")
        result = body.binary<AddOp>(inputs[0], other);
      else if (name == "scale")
        result = body.binary<MulOp>(inputs[0], other);
      else if (name == "invscale")
        result = body.binary<DivOp>(inputs[0], other);
      else if (name == "min")
        result = body.binary<MinOp>(inputs[0], other);
      else if (name == "max")
        result = body.binary<MaxOp>(inputs[0], other);
      else
        return unreadable();
    }
    last = known[number] = result;
  }
  if (!last || next != call.operands.size())
    return unreadable();
  auto element = dyn_cast<FloatType>(call.types[0].getElementType());
  call.values.push_back(
      element && element.getWidth() == 8 ? body.saturate(last, element) : last);
  llvm::append_range(call.values, greatest);
  return true;
}
