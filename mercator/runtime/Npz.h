// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Several named arrays in one file, `.npz`: a ZIP archive of .npy files, as
/// numpy.savez and numpy.savez_compressed write it.
///
/// ```cpp
/// NpyArray array{{NpyKind::Real, 4}, {2}, std::string(8, '\0')};
/// Fallible<std::string> file = printNpz({{"weights", array}});
/// assert(file);
///
/// Fallible<std::vector<NpzMember>> read = parseNpz(*file);
/// assert(read && read->size() == 1 && read->front().name == "weights");
/// ```
///
/// Members are read stored or deflated, and written stored. Their checksums are
/// checked. Encrypted archives and archives in several files are refused. Reads
/// archives of more than 4 GiB (ZIP64), but does not write them.
///
/// Source: APPNOTE.TXT, the .ZIP file format specification, version 6.3.10.

#ifndef MERCATOR_RUNTIME_NPZ_H
#define MERCATOR_RUNTIME_NPZ_H

#include "mercator/runtime/Npy.h"

namespace mercator {

struct NpzMember {
  std::string name; ///< without `.npy`
  NpyArray array;
};

/// The members in the order of the archive's directory. Errors name the member.
/// Never allocates more than `most` bytes for the elements of all members.
Fallible<std::vector<NpzMember>> parseNpz(std::string_view bytes,
                                          size_t most = kMaxNpyBytes);

/// Requires: names are distinct. Fails if the file would have 4 GiB or more.
Fallible<std::string> printNpz(const std::vector<NpzMember> &members);

} // namespace mercator

#endif // MERCATOR_RUNTIME_NPZ_H
