// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/pjrt/Buffers.h"
#include "mercator/pjrt/Executables.h"

#include <cstring>

using namespace mercator::pjrt;

/// What a function that is not written answers.
static Error *open(Head *) {
  return fail(Code::Unimplemented,
              "Mercator's plugin does not have this function of PJRT");
}

/// Answers with a constant text.
template <typename T, typename Args = Text<T>>
static Error *say(Args *args, llvm::StringRef text) {
  args->text = text.data();
  args->length = text.size();
  return nullptr;
}

template <typename Args, typename V> static Error *give(Args *args, V value) {
  args->value = value;
  return nullptr;
}

static constexpr llvm::StringLiteral kDeviceName = "MercatorDevice(id=0)";
static constexpr llvm::StringLiteral kMemoryName = "MercatorMemory(id=0)";
static constexpr llvm::StringLiteral kVersion = "1";

// A name of the table is the name of a function here.
// NOLINTBEGIN(readability-identifier-naming): names of PJRT
namespace {
namespace api {

//===--- Errors -----------------------------------------------------------===//

void Error_Destroy(Of<Error> *args) { delete args->object; }
void Error_Message(Text<Error> *args) {
  args->text = args->object->message.c_str();
  args->length = args->object->message.size();
}
Error *Error_GetCode(Value<Error, Code> *args) {
  return give(args, args->object->code);
}
Error *Error_ForEachPayload(ErrorPayloads *) { return nullptr; }

//===--- Plugin -----------------------------------------------------------===//

Error *Plugin_Initialize(Head *) { return nullptr; }

Error *Plugin_Attributes(PluginAttributes *args) {
  // Of StableHLO: the versions that frontends/vhlo reads.
  static const int64_t current[] = {1, 22, 0}, oldest[] = {0, 9, 0};
  static NamedValue values[3];
  auto set = [](NamedValue &value, llvm::StringRef name, NamedValue::Kind kind,
                size_t length) {
    value.size = sizeof(NamedValue);
    value.name = name.data();
    value.nameLength = name.size();
    value.kind = kind;
    value.length = length;
  };
  set(values[0], "xla_version", NamedValue::kInt64, 1);
  values[0].number = 2;
  set(values[1], "stablehlo_current_version", NamedValue::kInt64List, 3);
  values[1].numbers = current;
  set(values[2], "stablehlo_minimum_version", NamedValue::kInt64List, 3);
  values[2].numbers = oldest;
  args->items = values;
  args->count = std::size(values);
  return nullptr;
}

//===--- Events -----------------------------------------------------------===//

Error *Event_Destroy(Of<Event> *args) {
  delete args->object;
  return nullptr;
}
Error *Event_IsReady(Value<Event, bool> *args) {
  const auto &occurrence = args->object->occurrence;
  return give(args, !occurrence || occurrence->hasHappened());
}
Error *Event_Error(Of<Event> *args) {
  const auto &occurrence = args->object->occurrence;
  return occurrence && occurrence->hasHappened() ? occurrence->failure()
                                                 : nullptr;
}
Error *Event_Await(Of<Event> *args) {
  const auto &occurrence = args->object->occurrence;
  if (!occurrence)
    return nullptr;
  occurrence->wait();
  return occurrence->failure();
}
Error *Event_OnReady(EventOnReady *args) {
  if (args->event->occurrence)
    args->event->occurrence->onReady(args->callback, args->data);
  else
    args->callback(nullptr, args->data);
  return nullptr;
}

//===--- The client -------------------------------------------------------===//

Error *Client_Create(ClientCreate *args) {
  args->client = new Client;
  return nullptr;
}
Error *Client_Destroy(Of<Client> *args) {
  delete args->object;
  return nullptr;
}
Error *Client_PlatformName(Text<Client> *args) {
  return say<Client>(args, kPlatform);
}
Error *Client_ProcessIndex(Value<Client, int> *args) { return give(args, 0); }
Error *Client_PlatformVersion(Text<Client> *args) {
  return say<Client>(args, kVersion);
}
Error *Client_TopologyDescription(Value<Client, void *> *args) {
  return give(args, args->object);
}
Error *Client_Devices(List<Client, Device *const> *args) {
  args->items = args->object->devices;
  args->count = 1;
  return nullptr;
}
Error *Client_AddressableDevices(List<Client, Device *const> *args) {
  return Client_Devices(args);
}
Error *Client_LookupDevice(ClientLookup *args) {
  if (args->id != 0)
    return fail(Code::InvalidArgument,
                "expected the device 0, got " + std::to_string(args->id));
  args->device = &args->client->device;
  return nullptr;
}
Error *Client_LookupAddressableDevice(ClientLookup *args) {
  return Client_LookupDevice(args);
}
Error *Client_AddressableMemories(List<Client, Memory *const> *args) {
  args->items = args->object->memories;
  args->count = 1;
  return nullptr;
}
Error *Client_Compile(ClientCompile *args) { return compile(args); }
Error *Client_DefaultDeviceAssignment(ClientDevices *args) {
  if (args->replicas != 1 || args->partitions != 1 || args->count < 1)
    return fail(Code::Unimplemented, "Mercator's plugin has one device");
  args->devices[0] = 0;
  return nullptr;
}
Error *Client_BufferFromHostBuffer(BufferFromHost *args) {
  return bufferFromHost(args);
}

//===--- The device -------------------------------------------------------===//

Error *DeviceDescription_Id(Value<Device, int> *args) { return give(args, 0); }
Error *DeviceDescription_ProcessIndex(Value<Device, int> *args) {
  return give(args, 0);
}
Error *
DeviceDescription_Attributes(CountedList<Device, const NamedValue> *args) {
  args->count = 0;
  args->items = nullptr;
  return nullptr;
}
Error *DeviceDescription_Kind(Text<Device> *args) {
  return say<Device>(args, "cpu");
}
Error *DeviceDescription_DebugString(Text<Device> *args) {
  return say<Device>(args, kDeviceName);
}
Error *DeviceDescription_ToString(Text<Device> *args) {
  return say<Device>(args, kDeviceName);
}
Error *Device_GetAttributes(DeviceAttributes *args) {
  args->items = nullptr;
  args->count = 0;
  args->owner = nullptr;
  args->free = [](void *) {};
  return nullptr;
}
Error *Device_GetDescription(Value<Device, Device *> *args) {
  return give(args, args->object);
}
Error *Device_IsAddressable(Value<Device, bool> *args) {
  return give(args, true);
}
Error *Device_LocalHardwareId(Value<Device, int> *args) {
  return give(args, 0);
}

/// The client that a device or a memory is a member of.
template <typename T> Client *clientOf(T *part, size_t offset) {
  return reinterpret_cast<Client *>(reinterpret_cast<char *>(part) - offset);
}
Client *clientOf(Device *device) {
  return clientOf(device, offsetof(Client, device));
}
Client *clientOf(Memory *memory) {
  return clientOf(memory, offsetof(Client, memory));
}

Error *Device_AddressableMemories(List<Device, Memory *const> *args) {
  args->items = clientOf(args->object)->memories;
  args->count = 1;
  return nullptr;
}
Error *Device_DefaultMemory(Value<Device, Memory *> *args) {
  return give(args, &clientOf(args->object)->memory);
}
Error *Device_MemoryStats(DeviceStatistics *args) {
  args->bytesInUse = Storage::inUse();
  args->peakBytesInUse = {Storage::peak(), true};
  args->allocations = {Storage::allocations(), true};
  args->largestAllocation = {Storage::largest(), true};
  for (auto *unknown :
       {&args->bytesLimit, &args->reserved, &args->peakReserved,
        &args->reservable, &args->largestFree, &args->pool, &args->peakPool})
    // A client of an older version has fewer fields.
    if (reinterpret_cast<char *>(unknown + 1) <=
        reinterpret_cast<char *>(args) + args->size)
      *unknown = {0, false};
  return nullptr;
}

Error *Memory_Id(Value<Memory, int> *args) { return give(args, 0); }
Error *Memory_Kind(Text<Memory> *args) {
  return say<Memory>(args, kMemoryKind);
}
Error *Memory_Kind_Id(Value<Memory, int> *args) { return give(args, 0); }
Error *Memory_DebugString(Text<Memory> *args) {
  return say<Memory>(args, kMemoryName);
}
Error *Memory_ToString(Text<Memory> *args) {
  return say<Memory>(args, kMemoryName);
}
Error *Memory_AddressableByDevices(List<Memory, Device *const> *args) {
  args->items = clientOf(args->object)->devices;
  args->count = 1;
  return nullptr;
}

//===--- The topology: the client -----------------------------------------===//

// It is freed with the client.
Error *TopologyDescription_Destroy(Head *) { return nullptr; }
Error *TopologyDescription_PlatformName(Text<Client> *args) {
  return say<Client>(args, kPlatform);
}
Error *TopologyDescription_PlatformVersion(Text<Client> *args) {
  return say<Client>(args, kVersion);
}
Error *
TopologyDescription_GetDeviceDescriptions(List<Client, Device *const> *args) {
  return Client_Devices(args);
}
Error *TopologyDescription_Attributes(List<Client, const NamedValue> *args) {
  args->items = nullptr;
  args->count = 0;
  return nullptr;
}
Error *TopologyDescription_Fingerprint(Fingerprint *args) {
  args->value = 1;
  return nullptr;
}

//===--- Programs ---------------------------------------------------------===//

Error *Executable_Destroy(Of<Executable> *args) {
  release(args->object);
  return nullptr;
}
Error *Executable_Name(Text<Executable> *args) {
  return say<Executable>(args, args->object->name);
}
Error *Executable_NumReplicas(Value<Executable, size_t> *args) {
  return give(args, 1);
}
Error *Executable_NumPartitions(Value<Executable, size_t> *args) {
  return give(args, 1);
}
Error *Executable_NumOutputs(Value<Executable, size_t> *args) {
  return give(args, args->object->outputTypes.size());
}
Error *Executable_SizeOfGeneratedCodeInBytes(Value<Executable, int64_t> *args) {
  return give(args, args->object->function->codeBytes());
}
Error *Executable_Fingerprint(Text<Executable> *args) {
  return say<Executable>(args, args->object->fingerprint);
}
Error *LoadedExecutable_Fingerprint(Text<Executable> *args) {
  return say<Executable>(args, args->object->fingerprint);
}
Error *
Executable_GetCostAnalysis(CountedList<Executable, const NamedValue> *args) {
  return costAnalysis(args);
}
Error *Executable_GetCompiledMemoryStats(MemoryStatistics *args) {
  return memoryStatistics(args);
}
Error *Executable_OptimizedProgram(Value<Executable, Program *> *args) {
  return optimizedProgram(args);
}
Error *Executable_OutputElementTypes(List<Executable, const int> *args) {
  args->items = args->object->outputTypes.data();
  args->count = args->object->outputTypes.size();
  return nullptr;
}
Error *Executable_OutputDimensions(OutputShapes *args) {
  args->count = args->executable->ranks.size();
  args->dims = args->executable->dims.data();
  args->ranks = args->executable->ranks.data();
  return nullptr;
}
Error *Executable_OutputMemoryKinds(MemoryKinds *args) {
  args->count = args->executable->kinds.size();
  args->kinds = args->executable->kinds.data();
  args->lengths = args->executable->kindLengths.data();
  return nullptr;
}
Error *Executable_ParameterMemoryKinds(MemoryKinds *args) {
  Executable &executable = *args->executable;
  size_t count = executable.inputTypes.size();
  // Inputs and outputs have one kind, so the longer list serves both.
  if (executable.kinds.size() < count) {
    static thread_local std::vector<const char *> kinds;
    static thread_local std::vector<size_t> lengths;
    kinds.assign(count, kMemoryKind.data());
    lengths.assign(count, kMemoryKind.size());
    args->kinds = kinds.data();
    args->lengths = lengths.data();
  } else {
    args->kinds = executable.kinds.data();
    args->lengths = executable.kindLengths.data();
  }
  args->count = count;
  return nullptr;
}
Error *LoadedExecutable_Destroy(Of<Executable> *args) {
  return Executable_Destroy(args);
}
Error *LoadedExecutable_GetExecutable(Value<Executable, Executable *> *args) {
  ++args->object->owners;
  return give(args, args->object);
}
Error *
LoadedExecutable_AddressableDevices(List<Executable, Device *const> *args) {
  args->items = args->object->client->devices;
  args->count = 1;
  return nullptr;
}
Error *LoadedExecutable_AddressableDeviceLogicalIds(
    List<Executable, const LogicalId> *args) {
  static constexpr LogicalId kFirst = {0, 0};
  args->items = &kFirst;
  args->count = 1;
  return nullptr;
}
Error *LoadedExecutable_Delete(Of<Executable> *args) {
  args->object->isDeleted = true;
  return nullptr;
}
Error *LoadedExecutable_IsDeleted(Value<Executable, bool> *args) {
  return give(args, args->object->isDeleted.load());
}
Error *LoadedExecutable_Execute(Execute *args) { return execute(args); }
Error *LoadedExecutable_GetDeviceAssignment(Bytes<Executable> *args) {
  // DeviceAssignmentProto: one replica, one computation, on the device 0.
  static constexpr char kProto[] = {0x08, 1, 0x10, 1, 0x1a, 3, 0x0a, 1, 0};
  args->bytes = kProto;
  args->length = sizeof(kProto);
  args->owner = nullptr;
  args->free = [](void *) {};
  return nullptr;
}

//===--- Buffers ----------------------------------------------------------===//

Error *Buffer_Destroy(Of<Buffer> *args) {
  delete args->object;
  return nullptr;
}
Error *Buffer_ElementType(Value<Buffer, int> *args) {
  return give(args, args->object->type);
}
Error *Buffer_Dimensions(List<Buffer, const int64_t> *args) {
  args->items = args->object->dims.data();
  args->count = args->object->dims.size();
  return nullptr;
}
Error *Buffer_UnpaddedDimensions(List<Buffer, const int64_t> *args) {
  return Buffer_Dimensions(args);
}
Error *Buffer_DynamicDimensionIndices(List<Buffer, const size_t> *args) {
  args->items = nullptr;
  args->count = 0;
  return nullptr;
}
Error *Buffer_GetMemoryLayout(Value<Buffer, MemoryLayout> *args) {
  MemoryLayout layout = {};
  layout.size = sizeof(MemoryLayout);
  layout.kind = MemoryLayout::kTiled;
  layout.tiled = {};
  layout.tiled.size = sizeof(MemoryLayout::Tiled);
  layout.tiled.minorToMajor = args->object->minorToMajor.data();
  layout.tiled.rank = args->object->minorToMajor.size();
  return give(args, layout);
}
Error *Buffer_OnDeviceSizeInBytes(Value<Buffer, size_t> *args) {
  return give(args, args->object->bytes);
}
Error *Buffer_Device(Value<Buffer, Device *> *args) {
  return give(args, &args->object->client->device);
}
Error *Buffer_Memory(Value<Buffer, Memory *> *args) {
  return give(args, &args->object->client->memory);
}
Error *Buffer_Delete(Of<Buffer> *args) {
  args->object->storage.reset();
  return nullptr;
}
Error *Buffer_IsDeleted(Value<Buffer, bool> *args) {
  return give(args, !args->object->storage);
}
Error *Buffer_CopyToDevice(BufferCopy *args) { return bufferCopy(args); }
Error *Buffer_CopyToMemory(BufferCopy *args) { return bufferCopy(args); }
Error *Buffer_ToHostBuffer(BufferToHost *args) { return bufferToHost(args); }
Error *Buffer_IsOnCpu(Value<Buffer, bool> *args) { return give(args, true); }
Error *Buffer_ReadyEvent(Value<Buffer, Event *> *args) {
  return give(args, new Event{args->object->defined});
}
Error *Buffer_UnsafePointer(Value<Buffer, uintptr_t> *args) {
  char *bytes = nullptr;
  Error *error = addressOf(args->object, bytes);
  return error ? error : give(args, reinterpret_cast<uintptr_t>(bytes));
}
Error *Buffer_IncreaseExternalReferenceCount(Of<Buffer> *args) {
  return refer(args->object);
}
Error *Buffer_DecreaseExternalReferenceCount(Of<Buffer> *args) {
  return unrefer(args->object);
}
Error *Buffer_OpaqueDeviceMemoryDataPointer(Value<Buffer, void *> *args) {
  char *bytes = nullptr;
  Error *error = addressOf(args->object, bytes);
  return error ? error : give(args, static_cast<void *>(bytes));
}

} // namespace api
} // namespace

static Api makeTable() {
  Api table = {};
  table.size = sizeof(Api);
  table.version.size = sizeof(ApiVersion);
  table.version.major = kMajor;
  table.version.minor = kMinor;
#define DONE(NAME) table.NAME = reinterpret_cast<void *>(&api::NAME);
#define OPEN(NAME) table.NAME = reinterpret_cast<void *>(&open);
#include "mercator/pjrt/Functions.def"
#undef DONE
#undef OPEN
  return table;
}

extern "C" __attribute__((visibility("default"))) const Api *GetPjrtApi() {
  static const Api table = makeTable();
  return &table;
}
// NOLINTEND(readability-identifier-naming)
