/* The C interface's prepared operators called from C99, right and wrong. Each call_... is a test of c_api_test.cc. */

#include "tests/c_api_fixture.h"

static const int64_t two = 2, one_shape[1] = {1};
static const topsplit_const_tensor k_two = {&two, TOPSPLIT_TYPE_I64, one_shape, 1};

void call_topk_operator(void) {
  topsplit_topk_operator* op = NULL;
  topsplit_topk_attributes attributes = {0};
  topsplit_explanation told = {0};
  int64_t shape[2] = {-1, -1};
  told.struct_size = sizeof told;
  CHECK_OK(topsplit_topk_operator_create(23, NULL, TOPSPLIT_TYPE_F32, NULL, &op, &status));
  CHECK(topsplit_topk_operator_version(op) == 11);
  clear();
  CHECK_OK(topsplit_topk_operator_run(op, &x, &k_two, &values, &indices, &status));
  CHECK(is_topk(9, 1, 9, 3, 7, 2, 5, 3));
  CHECK_OK(topsplit_topk_operator_infer(op, &x, &k_two, shape, &status));
  CHECK(shape[0] == 2 && shape[1] == 2);
  CHECK_OK(topsplit_topk_operator_explain(op, &x, &k_two, &told, &status));
  CHECK(told.units == 2 && told.heap_bytes == 0);
  topsplit_topk_operator_destroy(op);

  attributes.struct_size = sizeof attributes;
  attributes.has_largest = attributes.has_sorted = 1; /* both 0 */
  CHECK_OK(topsplit_topk_operator_create(24, &attributes, TOPSPLIT_TYPE_F32, NULL, &op, &status));
  CHECK(topsplit_topk_operator_version(op) == 24);
  CHECK_OK(topsplit_topk_operator_run(op, &x, &k_two, &values, &indices, &status));
  CHECK(is_topk(3, 0, 1, 2, 4, 0, 0, 1));
  topsplit_topk_operator_destroy(op);

  attributes.has_largest = attributes.has_sorted = 0;
  attributes.has_axis = attributes.has_k = 1;
  attributes.axis = 1;
  attributes.k = 2;
  CHECK_OK(topsplit_topk_operator_create(9, &attributes, TOPSPLIT_TYPE_F32, NULL, &op, &status));
  CHECK(topsplit_topk_operator_version(op) == 1);
  clear();
  CHECK_OK(topsplit_topk_operator_run(op, &x, NULL, &values, &indices, &status));
  CHECK(is_topk(9, 1, 9, 3, 7, 2, 5, 3));
  topsplit_topk_operator_destroy(op);
}

void call_topk_operator_errors(void) {
  topsplit_topk_operator* op = NULL;
  topsplit_topk_operator* none = (topsplit_topk_operator*)&status; /* any pointer: an error makes it NULL */
  topsplit_topk_attributes attributes = {0};
  topsplit_explanation told = {0};
  int64_t shape[2];
  CHECK_INVALID(topsplit_topk_operator_create(24, NULL, TOPSPLIT_TYPE_F32, NULL, NULL, &status), "result is null");
  CHECK_INVALID(topsplit_topk_operator_create(0, NULL, TOPSPLIT_TYPE_F32, NULL, &none, &status), "opset");
  CHECK(none == NULL);
  CHECK_INVALID(topsplit_topk_operator_create(24, &attributes, TOPSPLIT_TYPE_F32, NULL, &none, &status),
                "topsplit_topk_attributes: struct_size = 0");
  attributes.struct_size = sizeof attributes;
  attributes.has_k = 1;
  attributes.k = 2;
  CHECK_INVALID(topsplit_topk_operator_create(24, &attributes, TOPSPLIT_TYPE_F32, NULL, &none, &status), "k");
  attributes.has_k = 0;
  attributes.has_largest = 1;
  attributes.largest = 2;
  CHECK_INVALID(topsplit_topk_operator_create(24, &attributes, TOPSPLIT_TYPE_F32, NULL, &none, &status), "largest = 2");
  CHECK_ANSWER(topsplit_topk_operator_create(24, NULL, TOPSPLIT_TYPE_STRING, NULL, &none, &status),
               TOPSPLIT_UNSUPPORTED_TYPE, "string");
  CHECK_ANSWER(topsplit_topk_operator_create(10, NULL, TOPSPLIT_TYPE_I32, NULL, &none, &status),
               TOPSPLIT_UNSUPPORTED_TYPE, "int32");
  CHECK(none == NULL);
  topsplit_topk_operator_destroy(none);
  CHECK(topsplit_topk_operator_version(NULL) == 0);

  told.struct_size = sizeof told;
  CHECK_OK(topsplit_topk_operator_create(24, NULL, TOPSPLIT_TYPE_F32, NULL, &op, &status));
  clear();
  CHECK_INVALID(topsplit_topk_operator_run(NULL, &x, &k_two, &values, &indices, &status), "TopK: op is null");
  CHECK_INVALID(topsplit_topk_operator_run(op, NULL, &k_two, &values, &indices, &status), "TopK: x is null");
  CHECK_INVALID(topsplit_topk_operator_run(op, &x, NULL, &values, &indices, &status), "TopK: ");
  CHECK_INVALID(topsplit_topk_operator_run(op, &x, &k_two, NULL, &indices, &status), "TopK: values is null");
  CHECK_INVALID(topsplit_topk_operator_run(op, &x, &k_two, &values, NULL, &status), "TopK: indices is null");
  CHECK_INVALID(topsplit_topk_operator_infer(NULL, &x, &k_two, shape, &status), "TopK: op is null");
  CHECK_INVALID(topsplit_topk_operator_infer(op, &x, &k_two, NULL, &status), "TopK: output_shape is null");
  CHECK_INVALID(topsplit_topk_operator_explain(NULL, &x, &k_two, &told, &status), "TopK: op is null");
  CHECK_INVALID(topsplit_topk_operator_explain(op, &x, &k_two, NULL, &status), "TopK: result is null");
  CHECK(is_clear());
  topsplit_topk_operator_destroy(op);
}

void call_split_operator(void) {
  static const int64_t sizes_data[2] = {2, 2}, sizes_shape[1] = {2};
  const topsplit_const_tensor sizes = {sizes_data, TOPSPLIT_TYPE_I64, sizes_shape, 1};
  topsplit_split_operator* op = NULL;
  topsplit_split_attributes attributes = {0};
  topsplit_explanation told = {0};
  int64_t parts[2] = {-1, -1}, copied[2] = {2, 2};
  told.struct_size = sizeof told;
  attributes.struct_size = sizeof attributes;
  attributes.has_axis = 1;
  attributes.axis = 1;
  CHECK_OK(topsplit_split_operator_create(13, &attributes, TOPSPLIT_TYPE_F32, 2, NULL, &op, &status));
  CHECK(topsplit_split_operator_version(op) == 13 && topsplit_split_operator_output_count(op) == 2 &&
        topsplit_split_operator_axis(op) == 1);
  clear();
  CHECK_OK(topsplit_split_operator_run(op, &x, &sizes, halves, 2, &status));
  CHECK(is_halved());
  CHECK_OK(topsplit_split_operator_infer(op, &x, NULL, parts, &status));
  CHECK(parts[0] == 2 && parts[1] == 2);
  CHECK_OK(topsplit_split_operator_explain(op, &x, &sizes, &told, &status));
  CHECK(told.units == x_bytes && told.heap_bytes == 0);
  topsplit_split_operator_destroy(op);

  attributes.has_num_outputs = 1;
  attributes.num_outputs = 2;
  CHECK_OK(topsplit_split_operator_create(18, &attributes, TOPSPLIT_TYPE_F32, 2, NULL, &op, &status));
  CHECK(topsplit_split_operator_version(op) == 18);
  clear();
  CHECK_OK(topsplit_split_operator_run(op, &x, NULL, halves, 2, &status));
  CHECK(is_halved());
  topsplit_split_operator_destroy(op);

  attributes.has_num_outputs = 0;
  attributes.split = copied;
  attributes.split_count = 2;
  CHECK_OK(topsplit_split_operator_create(2, &attributes, TOPSPLIT_TYPE_F32, 2, NULL, &op, &status));
  copied[0] = -7; /* the operator has its own copy */
  clear();
  CHECK_OK(topsplit_split_operator_run(op, &x, NULL, halves, 2, &status));
  CHECK(is_halved());
  topsplit_split_operator_destroy(op);
}

void call_split_operator_errors(void) {
  topsplit_split_operator* op = NULL;
  topsplit_split_operator* none = (topsplit_split_operator*)&status;
  topsplit_split_attributes attributes = {0};
  topsplit_explanation told = {0};
  int64_t parts[2];
  CHECK_INVALID(topsplit_split_operator_create(13, NULL, TOPSPLIT_TYPE_F32, 2, NULL, NULL, &status), "result is null");
  CHECK_INVALID(topsplit_split_operator_create(13, NULL, TOPSPLIT_TYPE_F32, 0, NULL, &none, &status), "0");
  CHECK(none == NULL);
  CHECK_ANSWER(topsplit_split_operator_create(13, NULL, TOPSPLIT_TYPE_STRING, 2, NULL, &none, &status),
               TOPSPLIT_UNSUPPORTED_TYPE, "Split: type string is not supported by the C interface");
  CHECK_ANSWER(topsplit_split_operator_create(11, NULL, TOPSPLIT_TYPE_BF16, 2, NULL, &none, &status),
               TOPSPLIT_UNSUPPORTED_TYPE, "bfloat16");
  CHECK_INVALID(topsplit_split_operator_create(13, &attributes, TOPSPLIT_TYPE_F32, 2, NULL, &none, &status),
                "topsplit_split_attributes: struct_size = 0");
  attributes.struct_size = sizeof attributes;
  attributes.has_num_outputs = 1;
  attributes.num_outputs = 3;
  CHECK_INVALID(topsplit_split_operator_create(18, &attributes, TOPSPLIT_TYPE_F32, 2, NULL, &none, &status), "3");
  attributes.has_num_outputs = 0;
  attributes.split_count = 2; /* sizes, of an array that is NULL */
  CHECK_INVALID(topsplit_split_operator_create(13, &attributes, TOPSPLIT_TYPE_F32, 2, NULL, &none, &status), "2");
  attributes.split_count = 0;
  CHECK_OK(topsplit_split_operator_create(13, &attributes, TOPSPLIT_TYPE_F32, 2, NULL, &op, &status));
  topsplit_split_operator_destroy(none);
  CHECK(topsplit_split_operator_version(NULL) == 0 && topsplit_split_operator_output_count(NULL) == 0 &&
        topsplit_split_operator_axis(NULL) == 0);

  told.struct_size = sizeof told;
  clear();
  CHECK_INVALID(topsplit_split_operator_run(NULL, &x, NULL, halves, 2, &status), "Split: op is null");
  CHECK_INVALID(topsplit_split_operator_run(op, NULL, NULL, halves, 2, &status), "Split: input is null");
  CHECK_INVALID(topsplit_split_operator_run(op, &x, NULL, NULL, 2, &status), "Split: outputs is null");
  CHECK_INVALID(topsplit_split_operator_run(op, &x, NULL, halves, 1, &status), "1");
  CHECK_INVALID(topsplit_split_operator_run(op, &x_string, NULL, halves, 2, &status), "string");
  CHECK_INVALID(topsplit_split_operator_infer(NULL, &x, NULL, parts, &status), "Split: op is null");
  CHECK_INVALID(topsplit_split_operator_infer(op, &x, NULL, NULL, &status), "Split: output_sizes is null");
  CHECK_INVALID(topsplit_split_operator_explain(NULL, &x, NULL, &told, &status), "Split: op is null");
  CHECK_INVALID(topsplit_split_operator_explain(op, &x, NULL, NULL, &status), "Split: result is null");
  CHECK(is_clear());
  topsplit_split_operator_destroy(op);
}
