/* The C interface of TopK in pieces called from C99, right and wrong. Each call_... is a test of c_api_test.cc. */

#include "tests/c_api_fixture.h"

/* The columns of x, {{3, 9, 1, 9}, {4, 0, 7, 5}}: two and two. */
static const float left_data[2][2] = {{3, 9}, {4, 0}}, right_data[2][2] = {{1, 9}, {7, 5}};
static const int64_t columns[2][2] = {{0, 1}, {0, 1}}, half_shape[2] = {2, 2};
static const topsplit_const_tensor left = {left_data, TOPSPLIT_TYPE_F32, half_shape, 2};
static const topsplit_const_tensor right = {right_data, TOPSPLIT_TYPE_F32, half_shape, 2};
static const topsplit_const_tensor places = {columns, TOPSPLIT_TYPE_I64, half_shape, 2};

static void merge(topsplit_topk_options* options) {
  topsplit_topk_part parts[2];
  parts[0].values = right;
  parts[0].indices = places;
  parts[0].index_offset = 2;
  parts[1].values = left;
  parts[1].indices = places;
  parts[1].index_offset = 0;
  clear();
  CHECK_OK(topsplit_merge_topk(parts, 2, 2, 1, &values, &indices, NULL, &status));
  CHECK(is_topk(9, 1, 9, 3, 7, 2, 5, 3));
  CHECK_OK(topsplit_merge_topk(parts, 2, 2, -1, &values, &indices, options, &status));
  CHECK(is_topk(3, 0, 1, 2, 4, 0, 0, 1));

  clear();
  CHECK_INVALID(topsplit_merge_topk(NULL, 2, 2, 1, &values, &indices, NULL, &status), "TopK: parts is null");
  CHECK_INVALID(topsplit_merge_topk(parts, 2, 2, 1, NULL, &indices, NULL, &status), "TopK: values is null");
  CHECK_INVALID(topsplit_merge_topk(parts, 2, 2, 1, &values, NULL, NULL, &status), "TopK: indices is null");
  CHECK_INVALID(topsplit_merge_topk(parts, 0, 2, 1, &values, &indices, NULL, &status), "TopK: count = 0");
  CHECK_INVALID(topsplit_merge_topk(parts, 2, 3, 1, &values, &indices, NULL, &status), "expected 3");
  CHECK_INVALID(topsplit_merge_topk(parts, 2, 2, 2, &values, &indices, NULL, &status), "axis 2");
  parts[1].values = x_string;
  CHECK_INVALID(topsplit_merge_topk(parts, 2, 2, 1, &values, &indices, NULL, &status),
                "values of part 1 has type string");
  parts[0].index_offset = -1;
  CHECK_INVALID(topsplit_merge_topk(parts, 2, 2, 1, &values, &indices, NULL, &status), "index_offset of part 0 = -1");
  CHECK(is_clear());
}

static void extend(topsplit_topk_options* options) {
  clear();
  CHECK_OK(topsplit_extend_topk(&left, 0, 0, 1, &values, &indices, NULL, &status));
  CHECK_OK(topsplit_extend_topk(&right, 2, 2, 1, &values, &indices, NULL, &status));
  CHECK(is_topk(9, 1, 9, 3, 7, 2, 5, 3));
  CHECK_OK(topsplit_extend_topk(&right, 2, 0, -1, &values, &indices, options, &status));
  CHECK_OK(topsplit_extend_topk(&left, 0, 2, -1, &values, &indices, options, &status));
  CHECK(is_topk(3, 0, 1, 2, 4, 0, 0, 1));

  clear();
  CHECK_INVALID(topsplit_extend_topk(NULL, 0, 0, 1, &values, &indices, NULL, &status), "TopK: x is null");
  CHECK_INVALID(topsplit_extend_topk(&left, 0, 0, 1, NULL, &indices, NULL, &status), "TopK: values is null");
  CHECK_INVALID(topsplit_extend_topk(&left, 0, 0, 1, &values, NULL, NULL, &status), "TopK: indices is null");
  CHECK_INVALID(topsplit_extend_topk(&left, 0, 3, 1, &values, &indices, NULL, &status), "TopK: held = 3 exceeds");
  CHECK_INVALID(topsplit_extend_topk(&left, -9, 2, 1, &values, &indices, NULL, &status), "TopK: index_offset = -9");
  CHECK_INVALID(topsplit_extend_topk(&x_string, 0, 0, 1, &values, &indices, NULL, &status), "TopK: x has type string");
  options->order = 3;
  CHECK_INVALID(topsplit_extend_topk(&left, 0, 0, 1, &values, &indices, options, &status), "order = 3");
  CHECK(is_clear());
}

void call_topk_in_pieces(void) {
  topsplit_topk_options options = {0};
  options.struct_size = sizeof options;
  options.select = TOPSPLIT_SELECT_SMALLEST;
  options.order = TOPSPLIT_ORDER_BY_INDEX;
  merge(&options);
  extend(&options);
}
