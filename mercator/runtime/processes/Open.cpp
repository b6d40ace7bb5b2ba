// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loads libmercator_mpi.so, which alone is linked with MPI.

#include "mercator/runtime/processes/Processes.h"

#include <csignal>
#include <dlfcn.h>
#include <filesystem>

using namespace mercator;

/// Where the library may be: beside the library or the program that has this code,
/// in `lib` beside the program's folder, and where it was built.
static std::vector<std::filesystem::path> placesOfLibrary() {
  namespace fs = std::filesystem;
  const char *name = "libmercator_mpi.so";
  std::vector<fs::path> places;
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error)
    places.push_back(program.parent_path().parent_path() / "lib" / name);
  static const int here = 0;
  Dl_info library;
  if (dladdr(&here, &library) != 0 && library.dli_fname)
    places.push_back(fs::path(library.dli_fname).parent_path() / name);
#ifdef MERCATOR_MPI_LIBRARY
  places.emplace_back(MERCATOR_MPI_LIBRARY);
#endif
  return places;
}

std::unique_ptr<Processes> Processes::openMpi(std::string &why) {
  void *library = nullptr;
  std::error_code error;
  for (const std::filesystem::path &place : placesOfLibrary()) {
    if (!std::filesystem::exists(place, error))
      continue;
    // MPI loads parts of its own that refer to it.
    library = dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
      why = dlerror();
      return nullptr;
    }
    break;
  }
  if (!library) {
    why = "there is no libmercator_mpi.so: Mercator was built without MPI";
    return nullptr;
  }
  auto *open = reinterpret_cast<decltype(&mercator_open_mpi)>(
      dlsym(library, "mercator_open_mpi"));
  const char *reason = "it is no library of Mercator";
  const mercator_transport *transport = open ? open(&reason) : nullptr;
  if (!transport || transport->version != MERCATOR_TRANSPORT_VERSION) {
    why = transport ? "libmercator_mpi.so is of another version" : reason;
    return nullptr;
  }
  if (transport->size > kMostProcesses) {
    why = "expected at most " + std::to_string(kMostProcesses) +
          " processes, got " + std::to_string(transport->size);
    return nullptr;
  }
  auto processes = std::make_unique<Processes>(*transport);
  watchTermination();
  return processes;
}
