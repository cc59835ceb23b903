// TopK in pieces: joins results that were found apart, and goes on with one as more data comes.
//
// For an axis that is spread over machines or passes (shards of a vocabulary, blocks of a corpus): topk of each block,
// then merge_topk of the results; or extend_topk, block after block. Either gives the bytes that one topk of all the data
// along the axis would have given. What topk.h promises of types, order, pointers, errors, memory, threads and results
// holds here too, but for:
//
//   shapes      every tensor has the shape of values but for the length of the axis, which may be 0.
//   order       by value, then by index, whatever order the elements are given in. Elements of one value and one index, as
//               overlapping blocks have them, are kept as often as they are given; then the lower bits, as a signed
//               integer, come first. So no result depends on which part, or which block, comes first.
//   k           may exceed what one part or block has.
//   pointers    parts may share memory among each other. The outputs overlap no input.
//   time        reads each element once: about n + k log k log(n/k) steps a slice, n the number of all that are given.
//
//     float best[10];
//     std::int64_t where[10];
//     const std::int64_t k = 10;
//     std::int64_t seen = 0;
//     while (std::int64_t n = next_block(block)) {
//       topsplit::extend_topk({block, topsplit::data_type::f32, &n, 1}, seen, std::min(seen, k),
//                             {best, topsplit::data_type::f32, &k, 1}, {where, topsplit::data_type::i64, &k, 1});
//       seen += n;
//     }

#ifndef TOPSPLIT_MERGE_H
#define TOPSPLIT_MERGE_H

#include <cstddef>
#include <cstdint>

#include "topsplit/export.h"
#include "topsplit/status.h"
#include "topsplit/tensor.h"
#include "topsplit/topk.h"

namespace topsplit {

// A result of topk, merge_topk or extend_topk, or a piece of one, by value or by index or in no order.
struct topk_part {
  const_tensor values;
  const_tensor indices;           // i64, of the shape of values
  std::int64_t index_offset = 0;  // is added to each index; it, the indices and the sums are in [0, 2^63 - 1]
};

// The k best of all elements of the parts, of which there are at least k in a slice. values and indices have length k along
// options.axis. Reads the parts' indices twice: those that are out of range are found before anything is written.
TOPSPLIT_EXPORT status merge_topk(const topk_part* parts, std::size_t count, std::int64_t k, const tensor& values,
                                  const tensor& indices, const topk_options& options = {}) noexcept;

// Goes on with a result of k elements, the length of values and indices along options.axis, of which the first `held` are
// there: 0 for the first block, later min(k, elements seen). Element i along x's axis has index index_offset + i.
// Afterwards the first min(k, held + length of x's axis) are the best of the held ones and x, in options.order; what lies
// beyond them is not written. Held elements are taken as they are, in any order; k - held may exceed what x has.
TOPSPLIT_EXPORT status extend_topk(const const_tensor& x, std::int64_t index_offset, std::int64_t held,
                                   const tensor& values, const tensor& indices,
                                   const topk_options& options = {}) noexcept;

}  // namespace topsplit

#endif
