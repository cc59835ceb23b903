// Others' kernels beside ours, on the same bytes. A peer makes a way of a workload; how its outputs compare with what ONNX
// asks for is told in words, since a library may leave the order of ties, or of unsorted results, open.

#ifndef TOPSPLIT_BENCH_PEERS_H
#define TOPSPLIT_BENCH_PEERS_H

#include <memory>
#include <string>
#include <vector>

#include "bench/baseline.h"
#include "bench/harness.h"
#include "bench/split_shapes.h"
#include "bench/thread_pool.h"

namespace topsplit::bench {

class peer {
 public:
  virtual ~peer() = default;
  virtual std::string version() const = 0;

  // A call on so many threads; it and what it refers to outlive the tensors. An empty function where the peer has no such
  // call: another type, or only one thread.
  virtual way topk_way(const baseline_problem& problem, int threads) = 0;
  virtual way split_way(const split_layout& layout, int threads) = 0;
};

// A peer by the name that --against takes: "std", "faiss", "torch" or "ort:PATH". Throws std::runtime_error with one line
// for an unknown name, and where a library is not found.
std::unique_ptr<peer> open_peer(const std::string& name);

std::unique_ptr<peer> open_std_peer();
std::unique_ptr<peer> open_faiss_peer();  // null where the build had no headers
std::unique_ptr<peer> open_ort_peer(const std::string& library);

// "equal", or in which way a TopK's outputs differ from the expected ones.
std::string judge_topk(const baseline_problem& problem, const std::vector<buffer>& expected,
                       const std::vector<buffer>& got);
std::string judge_split(const std::vector<buffer>& expected, const std::vector<buffer>& got);

}  // namespace topsplit::bench

#endif
