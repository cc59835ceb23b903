// The rows that the benchmarks run: shapes of TopK and Split as published models and reported issues have them. The
// names in bench/README.md say which model each row comes from.

#ifndef TOPSPLIT_BENCH_WORKLOADS_H
#define TOPSPLIT_BENCH_WORKLOADS_H

#include <cstddef>
#include <cstdint>

#include "bench/generators.h"
#include "topsplit/tensor.h"
#include "topsplit/topk.h"

namespace topsplit::bench {

struct topk_workload {
  const char* id;
  const char* what;
  std::int64_t shape[5];
  std::size_t rank;
  std::int64_t axis;
  std::int64_t k;
  data_type type;
  distribution values;
  topk_select select = topk_select::largest;
  topk_order order = topk_order::by_value;
};

inline constexpr topk_workload topk_workloads[] = {
    {"T01", "sampling, one token", {1, 50257}, 2, 1, 50, data_type::f32, distribution::normal},
    {"T02", "sampling, batch of 32", {32, 50257}, 2, 1, 50, data_type::f32, distribution::normal},
    {"T03", "sampling, float16", {1, 128256}, 2, 1, 40, data_type::f16, distribution::normal},
    {"T04", "sampling, large vocabulary", {8, 151936}, 2, 1, 20, data_type::bf16, distribution::normal},
    {"T05", "beam search", {1, 201056}, 2, 1, 8, data_type::f32, distribution::one_live_beam},
    {"T06", "speech, CTC prefix beam", {8, 250, 4233}, 3, 2, 10, data_type::f32, distribution::peaked},
    {"T07", "detector, anchors", {1, 8400}, 2, 1, 300, data_type::f32, distribution::small_scores},
    {"T08", "detector, classes", {1, 24000}, 2, 1, 300, data_type::f32, distribution::small_scores},
    {"T09", "detector, queries", {8, 8400}, 2, 1, 300, data_type::f32, distribution::normal},
    {"T10", "detector, padded queries", {1, 22223}, 2, 1, 900, data_type::f32, distribution::padded},
    {"T11", "detector, proposals", {1, 201600}, 2, 1, 1000, data_type::f32, distribution::normal},
    {"T12", "detector, a third of the row", {1, 3150}, 2, 1, 1000, data_type::f32, distribution::normal},
    {"T13", "detector, k = n", {1, 819}, 2, 1, 819, data_type::f32, distribution::normal},
    {"T14", "detector, peaks of a class", {1, 80, 16384}, 3, 2, 100, data_type::f32, distribution::mostly_zero},
    {"T15", "keypoints", {2, 307200}, 2, 1, 1024, data_type::f32, distribution::mostly_zero},
    {"T16", "expert router, prefill", {2048, 128}, 2, 1, 4, data_type::bf16, distribution::normal},
    {"T17", "expert router, float", {4096, 128}, 2, 1, 8, data_type::f32, distribution::positive},
    {"T18", "expert router, 8 experts", {512, 8}, 2, 1, 2, data_type::f32, distribution::positive},
    {"T19", "expert router, inside groups", {4096, 8, 32}, 3, 2, 2, data_type::f32, distribution::small_scores},
    {"T20", "expert router, masked groups", {4096, 256}, 2, 1, 8, data_type::f32, distribution::half_masked},
    {"T21", "expert router, one token", {1, 512}, 2, 1, 10, data_type::bf16, distribution::normal},
    {"T22", "sparse attention, decode", {8, 1, 131072}, 3, 2, 2048, data_type::f32, distribution::heavy_tail},
    {"T23", "sparse attention, causal", {1, 256, 16384}, 3, 2, 2048, data_type::f32, distribution::tail_masked},
    {"T24", "neighbours in a point cloud", {16, 1024, 1024}, 3, 2, 20, data_type::f32, distribution::minus_distance},
    {"T25", "the same, 2048 points", {4, 2048, 2048}, 3, 2, 40, data_type::f32, distribution::minus_distance},
    {"T26", "nearest neighbours", {114, 455}, 2, 1, 5, data_type::f32, distribution::positive, topk_select::smallest},
    {"T27", "nearest of a million", {4, 1281167}, 2, 1, 200, data_type::f32, distribution::normal},
    {"T28", "recommendation", {100, 40981}, 2, 1, 20, data_type::f32, distribution::seen_items},
    {"T29", "top 5 of 1000 classes", {64, 1000}, 2, 1, 5, data_type::f32, distribution::normal},
    {"T30", "sparse autoencoder", {64, 32768}, 2, 1, 32, data_type::f32, distribution::normal},
    {"T31",
     "sparse attention, sorted = 0",
     {32, 8, 96},
     3,
     2,
     25,
     data_type::f32,
     distribution::normal,
     topk_select::largest,
     topk_order::by_index},
    {"T32", "channels of an image, NCHW", {1, 192, 136, 480}, 4, 1, 3, data_type::f32, distribution::uniform},
    {"T33", "experts choose tokens", {1, 4096, 64}, 3, 1, 128, data_type::f32, distribution::positive},
    {"T34", "half of a long row", {1, 128000}, 2, 1, 50000, data_type::f32, distribution::uniform},
    {"T35", "quantised detector", {1, 24000}, 2, 1, 300, data_type::u8, distribution::few_levels},
    {"T36", "labels or times", {256, 2048}, 2, 1, 16, data_type::i64, distribution::any_bits, topk_select::smallest},
    {"T37", "BHWGC, channels", {8, 32, 32, 8, 16}, 5, 4, 4, data_type::f32, distribution::normal},
    {"T38", "BHWGC, groups", {8, 32, 32, 8, 16}, 5, 3, 2, data_type::f16, distribution::normal},
    {"T39", "BHWGC, width", {1, 32, 32, 8, 16}, 5, 2, 5, data_type::i8, distribution::normal, topk_select::smallest},
};

// The parts' sizes along the axis as runs of equal ones: {how many, size}, up to the first that has none.
struct part_run {
  std::int64_t count;
  std::int64_t size;
};

struct split_workload {
  const char* id;
  const char* what;
  std::int64_t shape[5];
  std::size_t rank;
  std::int64_t axis;
  part_run parts[12];
  data_type type;
};

inline constexpr split_workload split_workloads[] = {
    {"S01", "query, key and value", {1, 1024, 2304}, 3, 2, {{3, 768}}, data_type::f32},
    {"S02", "the same, uneven", {1, 2048, 6144}, 3, 2, {{1, 4096}, {2, 1024}}, data_type::bf16},
    {"S03", "gate and up", {1, 2048, 16384}, 3, 2, {{2, 8192}}, data_type::bf16},
    {"S04", "gated activation", {2, 4096, 2560}, 3, 2, {{2, 1280}}, data_type::f16},
    {"S05", "detector head, channels", {1, 144, 8400}, 3, 1, {{1, 64}, {1, 80}}, data_type::f32},
    {"S06", "detector head, box and scores", {1, 8400, 84}, 3, 2, {{1, 4}, {1, 80}}, data_type::f32},
    {"S07", "channel halves", {1, 116, 40, 40}, 4, 1, {{2, 58}}, data_type::f32},
    {"S08", "small detector head", {1, 112, 40, 40}, 4, 1, {{1, 80}, {1, 32}}, data_type::f32},
    {"S09", "LSTM gates, one step", {1, 512}, 2, 1, {{4, 128}}, data_type::f32},
    {"S10", "LSTM gates, batch of 64", {64, 4096}, 2, 1, {{4, 1024}}, data_type::f32},
    {"S11", "colour planes, camera", {1, 1080, 1920, 3}, 4, 3, {{3, 1}}, data_type::u8},
    {"S12", "colour planes, float", {1, 224, 224, 3}, 4, 3, {{3, 1}}, data_type::f32},
    {"S13", "modulation, six parts", {32, 6912}, 2, 1, {{6, 1152}}, data_type::f32},
    {"S14", "fused block", {1, 1152, 21504}, 3, 2, {{1, 9216}, {1, 12288}}, data_type::bf16},
    {"S15",
     "state space, two empty parts",
     {1, 2048, 10576},
     3,
     2,
     {{2, 0}, {1, 5120}, {1, 5376}, {1, 80}},
     data_type::bf16},
    {"S16",
     "scores by level",
     {1, 268569},
     2,
     1,
     {{1, 201600}, {1, 50400}, {1, 12600}, {1, 3150}, {1, 819}},
     data_type::f32},
    {"S17", "values by level", {8, 8400, 8, 32}, 4, 1, {{1, 6400}, {1, 1600}, {1, 400}}, data_type::f32},
    {"S18", "latent and rotary key", {1, 2048, 576}, 3, 2, {{1, 512}, {1, 64}}, data_type::bf16},
    {"S19", "query heads", {1, 2048, 128, 192}, 4, 3, {{1, 128}, {1, 64}}, data_type::bf16},
    {"S20", "rotary halves", {1, 2048, 32, 128}, 4, 3, {{2, 64}}, data_type::f16},
    {"S21", "gated linear unit", {8, 512, 250}, 3, 1, {{2, 256}}, data_type::f32},
    {"S22", "scales", {32, 104, 56, 56}, 4, 1, {{4, 26}}, data_type::f32},
    {"S23", "mean and deviation", {1, 384, 400}, 3, 1, {{2, 192}}, data_type::f32},
    {"S24",
     "96 features",
     {256, 279, 81},
     3,
     1,
     {{8, 1}, {1, 10}, {15, 1}, {3, 30}, {8, 1}, {1, 30}, {40, 1}, {1, 30}, {1, 1}, {1, 30}, {17, 1}},
     data_type::f32},
    {"S25", "guidance halves", {2, 4, 64, 64}, 4, 0, {{2, 1}}, data_type::f16},
    {"S26", "BHWGC, groups", {1, 32, 32, 8, 16}, 5, 3, {{8, 1}}, data_type::i8},
    {"S27", "BHWGC, channels in a group", {1, 24, 24, 6, 10}, 5, 4, {{1, 3}, {1, 7}}, data_type::i16},
    {"S28", "BHWGC, uneven groups", {2, 16, 16, 6, 32}, 5, 3, {{1, 1}, {1, 2}, {1, 3}}, data_type::f16},
};

}  // namespace topsplit::bench

#endif
