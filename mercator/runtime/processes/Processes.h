// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The processes that run a program together, as one of them sees them.
///
///   std::string why;
///   std::unique_ptr<Processes> processes = Processes::openMpi(why);
///   processes->setProgram("f.mlir");
///   mercator_set_processes(context, processes.get());   // then run it
///   std::vector<std::string> all = processes->collect(text); // at process 0
///   processes->finish(0);
///
/// An exchange is a set of messages to and from other processes that begin together;
/// it ends when all have arrived. Every process takes part in the exchanges of its
/// own, so nothing is sent but the data. A process that waits for long watches the
/// others (States.h), and ends all processes with a message
///
///   - if it waits in vain: processes meet in other operations, or have ended;
///   - after the timeout;
///   - when MPI fails, or ends this process because another one has died.

#ifndef MERCATOR_RUNTIME_PROCESSES_PROCESSES_H
#define MERCATOR_RUNTIME_PROCESSES_PROCESSES_H

#include "mercator/runtime/Abi.h"
#include "mercator/runtime/processes/States.h"

#include <memory>
#include <string>
#include <vector>

struct mercator_processes {};

namespace mercator {

/// Memory that is sent to or received from a process.
struct Message {
  void *data;
  int64_t bytes;
  int32_t peer;
};

/// When the launcher of MPI ends this process, it says first where it waits.
void watchTermination();

/// How a process ends all of them.
enum class EndReason { InVain = 1, Timeout = 4, Died = 5, Broken = 6 };

class Processes : public mercator_processes {
public:
  explicit Processes(const mercator_transport &transport);
  Processes(const Processes &) = delete;
  Processes &operator=(const Processes &) = delete;

  /// By libmercator_mpi.so, which lies in ../lib of this program or where it was
  /// built. Null, and why, if it cannot be loaded or MPI does not start.
  static std::unique_ptr<Processes> openMpi(std::string &why);
  /// How many processes the launcher of MPI has started; 0 without one.
  static int64_t launched();

  [[nodiscard]] int32_t rank() const { return transport.rank; }
  [[nodiscard]] int32_t size() const { return transport.size; }
  /// The processes on this machine.
  [[nodiscard]] int32_t local() const { return transport.local; }

  /// The name of the program in messages.
  void setProgram(std::string name) { program = std::move(name); }
  /// How long an operation may wait.
  void setTimeout(double seconds) { timeout = seconds; }

  /// Exchanges messages of one operation. `state` has its operation, tag and place.
  /// False if it was ended in vain and the transport does not end the process.
  bool exchange(ProcessState state, const std::vector<Message> &sends,
                const std::vector<Message> &receives);
  /// Sends copies and does not wait.
  void leave(int32_t tag, const std::vector<Message> &sends);

  /// The texts of all processes, at process 0; nothing at the others. It waits without
  /// a limit unless `isTimed`.
  std::vector<std::string> collect(const std::string &own, bool isTimed);
  /// The code of the first process that has another one than 0; 0 if there is none.
  int32_t agree(int32_t code);
  /// The text of process 0, at all of them.
  std::string broadcast(const std::string &own);
  /// Says that this process takes part in nothing more. It waits for all the others, so
  /// none of them ends while another one may still need its messages. After a failure,
  /// the first process that has a text prints it. Returns the code of process 0.
  int32_t finish(int32_t code, const std::string &text = {});

  /// Whether the code that process 0 gave to the last `agree` was not 0.
  [[nodiscard]] bool hasFirstFailed() const { return hasFailed; }
  /// Whether an exchange was ended.
  [[nodiscard]] bool hasEnded() const { return isEnded; }

private:
  enum class Limit { None, Timed };
  bool wait(ProcessState state, Limit limit);
  bool pass(ProcessState state, const std::vector<Message> &sends,
            const std::vector<Message> &receives, Limit limit);
  void tellAll(const ProcessState &state);
  void hearAll();
  void end(EndReason reason, const std::string &why);

  const mercator_transport &transport;
  States states;
  std::string program, message;
  double timeout = 300;
  int64_t number = 0;
  std::vector<int32_t> peers; ///< of the receives of the round; -1 for sends
  bool isEnded = false, hasFailed = false;
  int32_t released = -1;
};

} // namespace mercator

#endif // MERCATOR_RUNTIME_PROCESSES_PROCESSES_H
