// The in-place heap of the paper: the k elements chosen so far, kept in their slice's own region of the outputs.
//
// While selecting, the region of the values holds ranks (total_order-inl.h: larger is better) and the region of the indices
// holds indices, so position p is one element; the root, position 0, is the worst by (rank, index), the one to be replaced
// next. At the end finish() sorts and puts the values' own bits back, read from the input through the indices: a rank has
// lost the sign of zero and the payload of NaN by then.
//
// The paper's sketch compares values alone, recurses and counts in int. Here ties are broken by index, which makes the
// order total, loops replace recursion (bounded stack), and counts have 64 bits.

#ifndef TOPSPLIT_ARCH_KERNELS_HEAP_INL_H
#define TOPSPLIT_ARCH_KERNELS_HEAP_INL_H

#include <cstddef>
#include <cstdint>

#include "arch/kernels/raw_memory-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

// A stride known to be 1 costs no multiplication.
struct unit_stride {
  constexpr std::size_t operator()(std::size_t position) const { return position; }
};
struct wide_stride {
  std::size_t elements;
  constexpr std::size_t operator()(std::size_t position) const { return position * elements; }
};

// Whether a comes after b in the answer.
struct by_rank {
  template <class Item>
  bool worse(Item a, Item b) const {
    return a.rank < b.rank || (a.rank == b.rank && a.index > b.index);
  }
};

// Where Comparison is another than by_rank, the region may hold what that one reads in place of ranks.
template <class Lane, class Stride, class Comparison = by_rank>
class heap {
 public:
  struct item {
    Lane rank;
    std::int64_t index;
  };

  heap(void* ranks, std::int64_t* indices, std::size_t size, Stride stride, Comparison comparison = {})
      : ranks_(ranks), indices_(indices), size_(size), stride_(stride), comparison_(comparison) {}

  void put(std::size_t position, item element) {
    store<Lane>(ranks_, stride_(position), element.rank);
    store<std::int64_t>(indices_, stride_(position), element.index);
  }
  item at(std::size_t position) const {
    return {load<Lane>(ranks_, stride_(position)), load<std::int64_t>(indices_, stride_(position))};
  }
  Lane root_rank() const { return load<Lane>(ranks_, 0); }

  // Makes a heap of what the region holds.
  void build() {
    for (std::size_t p = size_ / 2; p-- > 0;) sift_down(p, size_, at(p));
  }

  // Takes a better element in for the root.
  void replace_root(item element) { sift_down(0, size_, element); }

  // Best first: the worst goes to the end, again and again.
  void sort_best_first() {
    for (std::size_t last = size_; last-- > 1;) {
      const item moved = at(last);
      put(last, at(0));
      sift_down(0, last, moved);
    }
  }

  // Ascending indices; the ranks, no longer needed, stay where they are.
  void sort_by_index() {
    for (std::size_t p = size_ / 2; p-- > 0;) sift_index_down(p, size_, index_at(p));
    for (std::size_t last = size_; last-- > 1;) {
      const std::int64_t moved = index_at(last);
      store<std::int64_t>(indices_, stride_(last), index_at(0));
      sift_index_down(0, last, moved);
    }
  }

  // Values for ranks: element i of the slice is at stride i of `slice`.
  void fetch_values(const void* slice) {
    for (std::size_t p = 0; p < size_; ++p)
      store<Lane>(ranks_, stride_(p), load<Lane>(slice, stride_(static_cast<std::size_t>(index_at(p)))));
  }

  void finish(const void* slice, bool by_index) {
    if (by_index)
      sort_by_index();
    else
      sort_best_first();
    fetch_values(slice);
  }

 private:
  bool worse(item a, item b) const { return comparison_.worse(a, b); }

  std::int64_t index_at(std::size_t position) const { return load<std::int64_t>(indices_, stride_(position)); }

  // Moves the hole at `hole` down past every worse child within the first `size` positions, then fills it.
  void sift_down(std::size_t hole, std::size_t size, item element) {
    for (std::size_t child; (child = 2 * hole + 1) < size; hole = child) {
      item down = at(child);
      if (child + 1 < size) {
        const item right = at(child + 1);
        if (worse(right, down)) down = right, ++child;
      }
      if (!worse(down, element)) break;
      put(hole, down);
    }
    put(hole, element);
  }

  void sift_index_down(std::size_t hole, std::size_t size, std::int64_t element) {
    for (std::size_t child; (child = 2 * hole + 1) < size; hole = child) {
      std::int64_t down = index_at(child);
      if (child + 1 < size && index_at(child + 1) > down) down = index_at(++child);
      if (down <= element) break;
      store<std::int64_t>(indices_, stride_(hole), down);
    }
    store<std::int64_t>(indices_, stride_(hole), element);
  }

  void* ranks_;
  std::int64_t* indices_;
  std::size_t size_;
  Stride stride_;
  Comparison comparison_;
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
