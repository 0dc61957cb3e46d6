// The functions of the interface that this plugin has, distinguished by their arguments: one
// overload each. A slot without a handler answers UNIMPLEMENTED (api.cpp); a handler without a slot
// does not compile.
//
// A handler gets a copy of the arguments as long as this plugin knows them, with zeros after the
// fields of an older caller, and throws to fail. The fields that it sets are copied back.
#pragma once

#include "python/pjrt/core/pjrt_header.hpp"

namespace tandem::pjrt {

// error_handlers.cpp
void handle(PJRT_Error_Destroy_Args& args);
void handle(PJRT_Error_Message_Args& args);
void handle(PJRT_Error_GetCode_Args& args);
void handle(PJRT_Error_ForEachPayload_Args& args);
void handle(PJRT_Event_Destroy_Args& args);
void handle(PJRT_Event_IsReady_Args& args);
void handle(PJRT_Event_Error_Args& args);
void handle(PJRT_Event_Await_Args& args);
void handle(PJRT_Event_OnReady_Args& args);
void handle(PJRT_Event_Create_Args& args);
void handle(PJRT_Event_Set_Args& args);

// client_handlers.cpp
void handle(PJRT_Plugin_Initialize_Args& args);
void handle(PJRT_Plugin_Attributes_Args& args);
void handle(PJRT_Client_Create_Args& args);
void handle(PJRT_Client_Destroy_Args& args);
void handle(PJRT_Client_PlatformName_Args& args);
void handle(PJRT_Client_ProcessIndex_Args& args);
void handle(PJRT_Client_PlatformVersion_Args& args);
void handle(PJRT_Client_Devices_Args& args);
void handle(PJRT_Client_AddressableDevices_Args& args);
void handle(PJRT_Client_LookupDevice_Args& args);
void handle(PJRT_Client_LookupAddressableDevice_Args& args);
void handle(PJRT_Client_AddressableMemories_Args& args);
void handle(PJRT_Client_DefaultDeviceAssignment_Args& args);
void handle(PJRT_Client_TopologyDescription_Args& args);
void handle(PJRT_Client_UpdateGlobalProcessInfo_Args& args);
void handle(PJRT_TopologyDescription_Destroy_Args& args);
void handle(PJRT_TopologyDescription_PlatformName_Args& args);
void handle(PJRT_TopologyDescription_PlatformVersion_Args& args);
void handle(PJRT_TopologyDescription_GetDeviceDescriptions_Args& args);
void handle(PJRT_TopologyDescription_Attributes_Args& args);
void handle(PJRT_TopologyDescription_Serialize_Args& args);
void handle(PJRT_TopologyDescription_Fingerprint_Args& args);
void handle(PJRT_TopologyDescription_GetMemorySpaceKindIds_Args& args);

// device_handlers.cpp
void handle(PJRT_DeviceDescription_Id_Args& args);
void handle(PJRT_DeviceDescription_ProcessIndex_Args& args);
void handle(PJRT_DeviceDescription_Attributes_Args& args);
void handle(PJRT_DeviceDescription_Kind_Args& args);
void handle(PJRT_DeviceDescription_DebugString_Args& args);
void handle(PJRT_DeviceDescription_ToString_Args& args);
void handle(PJRT_Device_GetDescription_Args& args);
void handle(PJRT_Device_GetAttributes_Args& args);
void handle(PJRT_Device_IsAddressable_Args& args);
void handle(PJRT_Device_LocalHardwareId_Args& args);
void handle(PJRT_Device_AddressableMemories_Args& args);
void handle(PJRT_Device_DefaultMemory_Args& args);
void handle(PJRT_Device_MemoryStats_Args& args);
void handle(PJRT_Memory_Id_Args& args);
void handle(PJRT_Memory_Kind_Args& args);
void handle(PJRT_Memory_Kind_Id_Args& args);
void handle(PJRT_Memory_DebugString_Args& args);
void handle(PJRT_Memory_ToString_Args& args);
void handle(PJRT_Memory_AddressableByDevices_Args& args);

// buffer_handlers.cpp
void handle(PJRT_Client_BufferFromHostBuffer_Args& args);
void handle(PJRT_Client_CreateUninitializedBuffer_Args& args);
void handle(PJRT_Client_CreateErrorBuffer_Args& args);
void handle(PJRT_Buffer_Destroy_Args& args);
void handle(PJRT_Buffer_ElementType_Args& args);
void handle(PJRT_Buffer_Dimensions_Args& args);
void handle(PJRT_Buffer_UnpaddedDimensions_Args& args);
void handle(PJRT_Buffer_DynamicDimensionIndices_Args& args);
void handle(PJRT_Buffer_GetMemoryLayout_Args& args);
void handle(PJRT_Buffer_OnDeviceSizeInBytes_Args& args);
void handle(PJRT_Buffer_Device_Args& args);
void handle(PJRT_Buffer_Memory_Args& args);
void handle(PJRT_Buffer_Delete_Args& args);
void handle(PJRT_Buffer_IsDeleted_Args& args);
void handle(PJRT_Buffer_CopyToDevice_Args& args);
void handle(PJRT_Buffer_CopyToMemory_Args& args);
void handle(PJRT_Buffer_ToHostBuffer_Args& args);
void handle(PJRT_Buffer_CopyRawToHost_Args& args);
void handle(PJRT_Buffer_IsOnCpu_Args& args);
void handle(PJRT_Buffer_ReadyEvent_Args& args);
void handle(PJRT_Buffer_UnsafePointer_Args& args);

// executable_handlers.cpp
void handle(PJRT_Client_Compile_Args& args);
void handle(PJRT_Client_Load_Args& args);
void handle(PJRT_Executable_Destroy_Args& args);
void handle(PJRT_Executable_Name_Args& args);
void handle(PJRT_Executable_NumReplicas_Args& args);
void handle(PJRT_Executable_NumPartitions_Args& args);
void handle(PJRT_Executable_NumOutputs_Args& args);
void handle(PJRT_Executable_SizeOfGeneratedCodeInBytes_Args& args);
void handle(PJRT_Executable_Fingerprint_Args& args);
void handle(PJRT_Executable_GetCompiledMemoryStats_Args& args);
void handle(PJRT_Executable_GetCostAnalysis_Args& args);
void handle(PJRT_Executable_OutputElementTypes_Args& args);
void handle(PJRT_Executable_OutputDimensions_Args& args);
void handle(PJRT_Executable_OutputMemoryKinds_Args& args);
void handle(PJRT_Executable_ParameterMemoryKinds_Args& args);
void handle(PJRT_Executable_OptimizedProgram_Args& args);
void handle(PJRT_Executable_Serialize_Args& args);
void handle(PJRT_Executable_GetCompileOptions_Args& args);
void handle(PJRT_Executable_DeserializeAndLoad_Args& args);
void handle(PJRT_LoadedExecutable_Destroy_Args& args);
void handle(PJRT_LoadedExecutable_GetExecutable_Args& args);
void handle(PJRT_LoadedExecutable_AddressableDevices_Args& args);
void handle(PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args& args);
void handle(PJRT_LoadedExecutable_GetDeviceAssignment_Args& args);
void handle(PJRT_LoadedExecutable_Delete_Args& args);
void handle(PJRT_LoadedExecutable_IsDeleted_Args& args);
void handle(PJRT_LoadedExecutable_Fingerprint_Args& args);
void handle(PJRT_LoadedExecutable_Execute_Args& args);
void handle(PJRT_ExecuteContext_Create_Args& args);
void handle(PJRT_ExecuteContext_Destroy_Args& args);

}  // namespace tandem::pjrt
