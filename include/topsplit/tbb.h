// Lends a oneTBB arena to calls. Opt-in: the only header of topsplit that includes oneTBB.
//
//   tbb::task_arena arena(4);
//   topsplit::topk_options options;
//   options.run = topsplit::in_arena(arena);
//   topsplit::status s = topsplit::topk(x, k, values, indices, options);
//
// Contract
//   lifetime  the execution keeps the arena's address: the arena must outlive every call made with it and every
//             prepared operator that holds it, and must not be terminated meanwhile. Nothing else of it is kept.
//   threads   a call joins the arena, runs in it and leaves it; any number of threads may lend one arena at once.
//             Where all of the arena's slots are taken the call waits for one, as task_arena::execute does: do not
//             hold a lock that the arena's own tasks wait for. The waiting thread runs none of the arena's other tasks.
//   width     at most the arena's concurrency, see execution.h; an arena of one slot makes calls serial, and a serial
//             call does not join it.
//   build     the program and topsplit use one libtbb at run time (the same SONAME).

#ifndef TOPSPLIT_TBB_H
#define TOPSPLIT_TBB_H

#include <oneapi/tbb/task_arena.h>

#include "topsplit/execution.h"

namespace topsplit {

// run, set to use arena; its other options stay as they are.
inline execution in_arena(tbb::task_arena& arena, execution run = {}) noexcept {
  run.threads = threading::arena;
  run.lent_arena = &arena;
  return run;
}

}  // namespace topsplit

#endif
