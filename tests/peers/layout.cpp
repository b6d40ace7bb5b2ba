// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles where mercator/pjrt/Layout.h agrees with the public pjrt_c_api.h, which
// layout.py includes before it.

#include "mercator/pjrt/Layout.h"

#include <type_traits>

#pragma clang diagnostic ignored "-Winvalid-offsetof"

using namespace mercator::pjrt;

#define SIZE(OURS, THEIRS)                                                     \
  static_assert(sizeof(OURS) == sizeof(THEIRS), #THEIRS)
#define FIELD(OURS, FIELD1, THEIRS, FIELD2)                                    \
  static_assert(offsetof(OURS, FIELD1) == offsetof(THEIRS, FIELD2) &&          \
                    sizeof(((OURS *)0)->FIELD1) ==                             \
                        sizeof(((THEIRS *)0)->FIELD2),                         \
                #THEIRS " " #FIELD2)

// The table.
#define DONE(NAME) FIELD(Api, NAME, PJRT_Api, PJRT_##NAME);
#define OPEN(NAME) FIELD(Api, NAME, PJRT_Api, PJRT_##NAME);
#include "mercator/pjrt/Functions.def"
#undef DONE
#undef OPEN
FIELD(Api, version, PJRT_Api, pjrt_api_version);
FIELD(ApiVersion, major, PJRT_Api_Version, major_version);
FIELD(ApiVersion, minor, PJRT_Api_Version, minor_version);

// Shapes that many functions share.
using TextOf = Text<Client>;
SIZE(TextOf, PJRT_Client_PlatformName_Args);
FIELD(TextOf, text, PJRT_Client_PlatformName_Args, platform_name);
FIELD(TextOf, length, PJRT_Client_PlatformName_Args, platform_name_size);
SIZE(TextOf, PJRT_Error_Message_Args);
SIZE(TextOf, PJRT_Memory_Kind_Args);
SIZE(TextOf, PJRT_Executable_Name_Args);
SIZE(TextOf, PJRT_Executable_Fingerprint_Args);
using Int = Value<Device, int>;
SIZE(Int, PJRT_DeviceDescription_Id_Args);
FIELD(Int, value, PJRT_DeviceDescription_Id_Args, id);
SIZE(Int, PJRT_Buffer_ElementType_Args);
using Bool = Value<Event, bool>;
SIZE(Bool, PJRT_Event_IsReady_Args);
FIELD(Bool, value, PJRT_Event_IsReady_Args, is_ready);
using Pointer = Value<Executable, Executable *>;
FIELD(Pointer, value, PJRT_LoadedExecutable_GetExecutable_Args, executable);
FIELD(Pointer, value, PJRT_Executable_OptimizedProgram_Args, program);
FIELD(Pointer, value, PJRT_Buffer_UnsafePointer_Args, buffer_pointer);
FIELD(Pointer, value, PJRT_Buffer_ReadyEvent_Args, event);
using Devices = List<Client, Device *const>;
FIELD(Devices, items, PJRT_Client_Devices_Args, devices);
FIELD(Devices, count, PJRT_Client_Devices_Args, num_devices);
FIELD(Devices, items, PJRT_Buffer_Dimensions_Args, dims);
FIELD(Devices, items, PJRT_Executable_OutputElementTypes_Args, output_types);
FIELD(Devices, count, PJRT_TopologyDescription_Attributes_Args, num_attributes);
using Counted = CountedList<Device, const NamedValue>;
FIELD(Counted, count, PJRT_DeviceDescription_Attributes_Args, num_attributes);
FIELD(Counted, items, PJRT_Executable_GetCostAnalysis_Args, properties);
using Assignment = Bytes<Executable>;
FIELD(Assignment, bytes, PJRT_LoadedExecutable_GetDeviceAssignment_Args,
      serialized_bytes);
FIELD(Assignment, free, PJRT_LoadedExecutable_GetDeviceAssignment_Args,
      serialized_device_assignment_deleter);
using Layout = Value<Buffer, MemoryLayout>;
SIZE(Layout, PJRT_Buffer_GetMemoryLayout_Args);

// Values and arguments of their own shape.
SIZE(NamedValue, PJRT_NamedValue);
FIELD(NamedValue, kind, PJRT_NamedValue, type);
FIELD(NamedValue, text, PJRT_NamedValue, string_value);
FIELD(NamedValue, length, PJRT_NamedValue, value_size);
SIZE(Program, PJRT_Program);
FIELD(Program, code, PJRT_Program, code);
FIELD(Program, formatLength, PJRT_Program, format_size);
SIZE(MemoryLayout, PJRT_Buffer_MemoryLayout);
FIELD(MemoryLayout, tiled.minorToMajor, PJRT_Buffer_MemoryLayout,
      tiled.minor_to_major);
FIELD(MemoryLayout, tiled.tileCount, PJRT_Buffer_MemoryLayout, tiled.num_tiles);
FIELD(MemoryLayout, strides.bytes, PJRT_Buffer_MemoryLayout,
      strides.byte_strides);
FIELD(MemoryLayout, kind, PJRT_Buffer_MemoryLayout, type);
SIZE(ErrorPayloads, PJRT_Error_ForEachPayload_Args);
SIZE(PluginAttributes, PJRT_Plugin_Attributes_Args);
FIELD(PluginAttributes, items, PJRT_Plugin_Attributes_Args, attributes);
SIZE(DeviceAttributes, PJRT_Device_GetAttributes_Args);
FIELD(DeviceAttributes, free, PJRT_Device_GetAttributes_Args,
      attributes_deleter);
SIZE(EventOnReady, PJRT_Event_OnReady_Args);
FIELD(EventOnReady, callback, PJRT_Event_OnReady_Args, callback);
SIZE(ClientCreate, PJRT_Client_Create_Args);
FIELD(ClientCreate, client, PJRT_Client_Create_Args, client);
SIZE(ClientLookup, PJRT_Client_LookupDevice_Args);
FIELD(ClientLookup, device, PJRT_Client_LookupDevice_Args, device);
SIZE(ClientCompile, PJRT_Client_Compile_Args);
FIELD(ClientCompile, options, PJRT_Client_Compile_Args, compile_options);
FIELD(ClientCompile, executable, PJRT_Client_Compile_Args, executable);
SIZE(ClientDevices, PJRT_Client_DefaultDeviceAssignment_Args);
FIELD(ClientDevices, count, PJRT_Client_DefaultDeviceAssignment_Args,
      default_assignment_size);
SIZE(BufferFromHost, PJRT_Client_BufferFromHostBuffer_Args);
FIELD(BufferFromHost, type, PJRT_Client_BufferFromHostBuffer_Args, type);
FIELD(BufferFromHost, strides, PJRT_Client_BufferFromHostBuffer_Args,
      byte_strides);
FIELD(BufferFromHost, semantics, PJRT_Client_BufferFromHostBuffer_Args,
      host_buffer_semantics);
FIELD(BufferFromHost, done, PJRT_Client_BufferFromHostBuffer_Args,
      done_with_host_buffer);
FIELD(BufferFromHost, buffer, PJRT_Client_BufferFromHostBuffer_Args, buffer);
SIZE(BufferToHost, PJRT_Buffer_ToHostBuffer_Args);
FIELD(BufferToHost, to, PJRT_Buffer_ToHostBuffer_Args, dst);
FIELD(BufferToHost, event, PJRT_Buffer_ToHostBuffer_Args, event);
SIZE(BufferCopy, PJRT_Buffer_CopyToDevice_Args);
FIELD(BufferCopy, copy, PJRT_Buffer_CopyToMemory_Args, dst_buffer);
SIZE(DeviceStatistics, PJRT_Device_MemoryStats_Args);
FIELD(DeviceStatistics, bytesInUse, PJRT_Device_MemoryStats_Args, bytes_in_use);
FIELD(DeviceStatistics, largestAllocation.value, PJRT_Device_MemoryStats_Args,
      largest_alloc_size);
FIELD(DeviceStatistics, peakPool.isSet, PJRT_Device_MemoryStats_Args,
      peak_pool_bytes_is_set);
SIZE(LogicalId, PJRT_LogicalDeviceIds);
FIELD(ExecuteOptions, launch, PJRT_ExecuteOptions, launch_id);
FIELD(ExecuteOptions, kept, PJRT_ExecuteOptions, non_donatable_input_indices);
FIELD(ExecuteOptions, keptCount, PJRT_ExecuteOptions,
      num_non_donatable_input_indices);
SIZE(Execute, PJRT_LoadedExecutable_Execute_Args);
FIELD(Execute, inputs, PJRT_LoadedExecutable_Execute_Args, argument_lists);
FIELD(Execute, inputCount, PJRT_LoadedExecutable_Execute_Args, num_args);
FIELD(Execute, outputs, PJRT_LoadedExecutable_Execute_Args, output_lists);
FIELD(Execute, complete, PJRT_LoadedExecutable_Execute_Args,
      device_complete_events);
SIZE(OutputShapes, PJRT_Executable_OutputDimensions_Args);
FIELD(OutputShapes, ranks, PJRT_Executable_OutputDimensions_Args, dim_sizes);
SIZE(MemoryKinds, PJRT_Executable_OutputMemoryKinds_Args);
FIELD(MemoryKinds, lengths, PJRT_Executable_OutputMemoryKinds_Args,
      memory_kind_sizes);
SIZE(MemoryStatistics, PJRT_Executable_GetCompiledMemoryStats_Args);
FIELD(MemoryStatistics, temporaries,
      PJRT_Executable_GetCompiledMemoryStats_Args, temp_size_in_bytes);
FIELD(MemoryStatistics, peak, PJRT_Executable_GetCompiledMemoryStats_Args,
      peak_memory_in_bytes);
SIZE(Fingerprint, PJRT_TopologyDescription_Fingerprint_Args);
FIELD(Fingerprint, value, PJRT_TopologyDescription_Fingerprint_Args,
      fingerprint);

// Numbers.
static_assert(int(Code::Unimplemented) == PJRT_Error_Code_UNIMPLEMENTED);
static_assert(int(Code::ResourceExhausted) ==
              PJRT_Error_Code_RESOURCE_EXHAUSTED);
static_assert(int(NamedValue::kBool) == PJRT_NamedValue_kBool);
static_assert(int(MemoryLayout::kStrides) ==
              PJRT_Buffer_MemoryLayout_Type_Strides);
static_assert(int(BufferFromHost::kZeroCopy) ==
              PJRT_HostBufferSemantics_kImmutableZeroCopy);
static_assert(int(BufferFromHost::kMutableZeroCopy) ==
              PJRT_HostBufferSemantics_kMutableZeroCopy);
