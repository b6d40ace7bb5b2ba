/* Compiles and runs a StableHLO program by the interface of PJRT, from C. It works
 * with every plugin: libmercator.so is one. In the root of Mercator's source tree:
 *
 *   cc examples/pjrt.c -ldl -o pjrt
 *   ./pjrt build/lib/libmercator.so examples/layer.mlir
 *
 * A plugin exports one function, GetPjrtApi, which returns a table of functions. Each
 * takes a struct that begins with its size, and returns an error or null; results are
 * fields of the struct. What this program needs of the interface is declared below.
 * With the public header, pjrt_c_api.h of XLA, include it instead. */

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*===--- The interface ----------------------------------------------------===*/

typedef struct PJRT_Error PJRT_Error;
typedef PJRT_Error *Function(void *args);

/* The table up to the last function that is used, in its order. */
typedef struct {
  size_t struct_size;
  void *extension_start;
  size_t version_size;
  void *version_extension;
  int major_version, minor_version;
  void (*error_destroy)(void *args);
  void (*error_message)(void *args);
  Function *error_get_code, *plugin_initialize, *plugin_attributes,
      *event_destroy, *event_is_ready, *event_error, *event_await,
      *event_on_ready, *client_create, *client_destroy, *client_platform_name,
      *client_process_index, *client_platform_version, *client_devices,
      *client_addressable_devices, *client_lookup_device,
      *client_lookup_addressable_device, *client_addressable_memories,
      *client_compile, *client_default_device_assignment,
      *client_buffer_from_host_buffer, *device_description[6],
      *device_get_description, *device_is_addressable,
      *device_local_hardware_id, *device_addressable_memories,
      *device_default_memory, *device_memory_stats, *memory[5],
      *executable_destroy, *executable_name, *executable_num_replicas,
      *executable_num_partitions, *executable_num_outputs,
      *executable_size_of_code, *executable_cost_analysis,
      *executable_output_memory_kinds, *executable_optimized_program,
      *executable_serialize, *loaded_executable_destroy,
      *loaded_executable_get_executable, *loaded_executable_addressable_devices,
      *loaded_executable_delete, *loaded_executable_is_deleted,
      *loaded_executable_execute, *executable_deserialize_and_load,
      *loaded_executable_fingerprint, *buffer_destroy, *buffer_element_type,
      *buffer_dimensions, *buffer_unpadded_dimensions,
      *buffer_dynamic_dimension_indices, *buffer_get_memory_layout,
      *buffer_size, *buffer_device, *buffer_memory, *buffer_delete,
      *buffer_is_deleted, *buffer_copy_to_device, *buffer_to_host_buffer;
} Api;

/* The beginning of every struct of arguments. */
typedef struct {
  size_t struct_size;
  void *extension_start;
} Head;

/* Many functions take an object and give one back. */
typedef struct {
  Head head;
  void *object, *result;
} OneResult;

typedef struct {
  Head head;
  PJRT_Error *error;
  const char *message;
  size_t message_size;
} ErrorMessage;

typedef struct {
  Head head;
  const void *create_options;
  size_t num_options;
  void *kv_functions[4], *client, *kv_try_get[2];
} ClientCreate;

typedef struct {
  Head head;
  void *client, *const *devices;
  size_t num_devices;
} ClientDevices;

typedef struct {
  Head head;
  char *code;
  size_t code_size;
  const char *format;
  size_t format_size;
} Program;

typedef struct {
  Head head;
  void *client;
  const Program *program;
  const char *compile_options;
  size_t compile_options_size;
  void *executable;
} ClientCompile;

typedef struct {
  Head head;
  void *client;
  const void *data;
  int type;
  const int64_t *dims;
  size_t num_dims;
  const int64_t *byte_strides;
  size_t num_byte_strides;
  int host_buffer_semantics;
  void *device, *memory, *device_layout, *done_with_host_buffer, *buffer;
} BufferFromHostBuffer;

typedef struct {
  Head head;
  void **send_callbacks, **recv_callbacks;
  size_t num_send_ops, num_recv_ops;
  int launch_id;
  const int64_t *non_donatable_input_indices;
  size_t num_non_donatable_input_indices;
} ExecuteOptions;

typedef struct {
  Head head;
  void *executable;
  ExecuteOptions *options;
  void *const *const *argument_lists;
  size_t num_devices, num_args;
  void **const *output_lists;
  void **device_complete_events;
  void *execute_device;
} Execute;

typedef struct {
  Head head;
  void *buffer, *const_dims;
  size_t num_dims;
} Dimensions;

typedef struct {
  Head head;
  void *buffer, *host_layout, *dst;
  size_t dst_size;
  void *event;
} ToHostBuffer;

enum { F32 = 11, IMMUTABLE_ONLY_DURING_CALL = 0 };

/*===--- Calls ------------------------------------------------------------===*/

static const Api *api;

/* Calls a function; an error ends the program. */
static void call(Function *function, const char *name, void *args,
                 size_t size) {
  ((Head *)args)->struct_size = size;
  PJRT_Error *error = function(args);
  if (!error)
    return;
  ErrorMessage message = {{sizeof message, NULL}, error, NULL, 0};
  api->error_message(&message);
  fprintf(stderr, "%s: %.*s\n", name, (int)message.message_size,
          message.message);
  OneResult destroy = {
      {sizeof destroy.head + sizeof(void *), NULL}, error, NULL};
  api->error_destroy(&destroy);
  exit(1);
}
#define CALL(NAME, ARGS) call(api->NAME, #NAME, &(ARGS), sizeof(ARGS))

/* Calls a function that takes an object; its result, if it has one. */
static void *one(Function *function, const char *name, void *object,
                 int has_result) {
  OneResult args = {{0, NULL}, object, NULL};
  call(function, name, &args,
       sizeof args.head + (has_result ? 2 : 1) * sizeof(void *));
  return args.result;
}
#define RESULT(NAME, OBJECT) one(api->NAME, #NAME, OBJECT, 1)
#define DO(NAME, OBJECT) ((void)one(api->NAME, #NAME, OBJECT, 0))

/* Waits for an event and frees it. */
static void await(void *event) {
  DO(event_await, event);
  DO(event_destroy, event);
}

static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  char *bytes = NULL;
  size_t capacity = 0;
  *size = 0;
  do {
    capacity = capacity ? 2 * capacity : 4096;
    bytes = realloc(bytes, capacity);
    if (!bytes)
      exit(1);
    *size += fread(bytes + *size, 1, capacity - *size, file);
  } while (*size == capacity);
  fclose(file);
  return bytes;
}

/* A buffer of ones on a device. */
static void *ones(void *client, void *device, int64_t rows, int64_t columns) {
  size_t count = (size_t)(rows * columns);
  float *values = malloc(count * sizeof(float));
  if (!values)
    exit(1);
  for (size_t i = 0; i < count; ++i)
    values[i] = 1.0f;
  int64_t dims[2] = {rows, columns};
  BufferFromHostBuffer args = {.client = client,
                               .data = values,
                               .type = F32,
                               .dims = dims,
                               .num_dims = 2,
                               .host_buffer_semantics =
                                   IMMUTABLE_ONLY_DURING_CALL,
                               .device = device};
  CALL(client_buffer_from_host_buffer, args);
  await(args.done_with_host_buffer);
  free(values);
  return args.buffer;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: pjrt PLUGIN.so PROGRAM.mlir\n");
    return 2;
  }
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  const Api *(*get_api)(void);
  *(void **)&get_api = dlsym(library, "GetPjrtApi");
  if (!get_api) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  api = get_api();
  printf("PJRT %d.%d\n", api->major_version, api->minor_version);

  Head initialize = {0, NULL};
  CALL(plugin_initialize, initialize);
  ClientCreate create = {0};
  CALL(client_create, create);
  void *client = create.client;
  ClientDevices devices = {.client = client};
  CALL(client_addressable_devices, devices);

  /* The options are a CompileOptionsProto with one replica and one partition. */
  static const char options[] = {0x1A, 0x04, 0x20, 0x01, 0x28, 0x01};
  Program program = {{sizeof program, NULL}, NULL, 0, "mlir", 4};
  program.code = read_file(argv[2], &program.code_size);
  ClientCompile compile = {.client = client,
                           .program = &program,
                           .compile_options = options,
                           .compile_options_size = sizeof options};
  CALL(client_compile, compile);
  free(program.code);
  void *executable = compile.executable;
  void *inner = RESULT(loaded_executable_get_executable, executable);
  void *outputs = RESULT(executable_num_outputs, inner);
  DO(executable_destroy, inner);
  if ((size_t)outputs != 1) {
    fprintf(stderr, "expected a program with one result\n");
    return 1;
  }

  /* examples/layer.mlir: a softmax of x * w. */
  void *device = devices.devices[0];
  void *inputs[] = {ones(client, device, 64, 128),
                    ones(client, device, 128, 256)};
  void *const *argument_lists[] = {inputs};
  void *result = NULL, **output_lists[] = {&result};
  void *complete = NULL;
  ExecuteOptions execute_options = {.head = {sizeof execute_options, NULL}};
  Execute execute = {.executable = executable,
                     .options = &execute_options,
                     .argument_lists = argument_lists,
                     .num_devices = 1,
                     .num_args = 2,
                     .output_lists = output_lists,
                     .device_complete_events = &complete};
  CALL(loaded_executable_execute, execute);
  await(complete);

  Dimensions shape = {.buffer = result};
  CALL(buffer_dimensions, shape);
  const int64_t *dims = shape.const_dims;
  size_t count = 1;
  for (size_t i = 0; i < shape.num_dims; ++i)
    count *= (size_t)dims[i];
  float *values = malloc(count * sizeof(float));
  if (!values)
    return 1;
  ToHostBuffer copy = {
      .buffer = result, .dst = values, .dst_size = count * sizeof(float)};
  CALL(buffer_to_host_buffer, copy);
  await(copy.event);
  printf("%zu values, the first is %g, the last is %g\n", count, values[0],
         values[count - 1]);

  free(values);
  DO(buffer_destroy, result);
  DO(buffer_destroy, inputs[0]);
  DO(buffer_destroy, inputs[1]);
  DO(loaded_executable_destroy, executable);
  DO(client_destroy, client);
  return 0;
}
