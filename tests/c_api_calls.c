/* The C interface called from C99, right and wrong: names, both operators, options. Each call_... is a test of
 * c_api_test.cc.
 *
 * Expected results are worked out by hand; the operators themselves are tested elsewhere. */

#include <stdio.h>
#include <string.h>

#include "tests/c_api_fixture.h"

void call_names(void) {
  static const char* const type_names[] = {"undefined", "float",  "uint8",     "int8",       "uint16",  "int16",
                                           "int32",     "int64",  "string",    "bool",       "float16", "double",
                                           "uint32",    "uint64", "complex64", "complex128", "bfloat16"};
  static const size_t type_bytes[] = {0, 4, 1, 1, 2, 2, 4, 8, 0, 1, 2, 8, 4, 8, 8, 16, 2};
  int32_t type, major = -1, minor = -1, patch = -1;
  char text[40];
  for (type = 0; type <= TOPSPLIT_TYPE_BF16; ++type) {
    CHECK(strcmp(topsplit_data_type_name(type), type_names[type]) == 0);
    CHECK(topsplit_data_type_bytes(type) == type_bytes[type]);
  }
  CHECK(strcmp(topsplit_data_type_name(17), "undefined") == 0);
  CHECK(topsplit_data_type_bytes(-1) == 0);

  topsplit_version_numbers(&major, &minor, &patch);
  CHECK(major == TOPSPLIT_VERSION_MAJOR && minor == TOPSPLIT_VERSION_MINOR && patch == TOPSPLIT_VERSION_PATCH);
  snprintf(text, sizeof text, "%d.%d.%d", (int)major, (int)minor, (int)patch);
  CHECK(strcmp(topsplit_version(), text) == 0);
  topsplit_version_numbers(NULL, NULL, NULL);

  CHECK(strcmp(topsplit_status_code_name(TOPSPLIT_OK), "ok") == 0);
  CHECK(strcmp(topsplit_status_code_name(TOPSPLIT_INVALID_ARGUMENT), "invalid argument") == 0);
  CHECK(topsplit_status_code_name(99) != NULL);
  CHECK(strcmp(topsplit_status_text(NULL), "") == 0);
  CHECK(topsplit_topk(&x, 5, 1, &values, &indices, NULL, &status) != TOPSPLIT_OK);
  CHECK(topsplit_status_text(&status) == status.text && status.text[0] != '\0');
}

void call_topk(void) {
  topsplit_execution run = {0};
  topsplit_topk_options options = {0};
  clear();
  CHECK_OK(topsplit_topk(&x, 2, 1, &values, &indices, NULL, &status));
  CHECK(is_topk(9, 1, 9, 3, 7, 2, 5, 3));
  clear();
  CHECK(topsplit_topk(&x, 2, -1, &values, &indices, NULL, NULL) == TOPSPLIT_OK);
  CHECK(is_topk(9, 1, 9, 3, 7, 2, 5, 3));

  run.struct_size = sizeof run;
  run.threads = TOPSPLIT_THREADS_SERIAL;
  options.struct_size = sizeof options;
  options.select = TOPSPLIT_SELECT_SMALLEST;
  options.run = &run;
  CHECK_OK(topsplit_topk(&x, 2, 1, &values, &indices, &options, &status));
  CHECK(is_topk(1, 2, 3, 0, 0, 1, 4, 0));
  options.order = TOPSPLIT_ORDER_BY_INDEX;
  CHECK_OK(topsplit_topk(&x, 2, 1, &values, &indices, &options, &status));
  CHECK(is_topk(3, 0, 1, 2, 4, 0, 0, 1));
}

void call_topk_errors(void) {
  topsplit_execution run = {0};
  topsplit_topk_options options = {0};
  topsplit_tensor no_values = values;
  no_values.data = NULL;
  clear();
  CHECK_INVALID(topsplit_topk(NULL, 2, 1, &values, &indices, NULL, &status), "TopK: x is null");
  CHECK_INVALID(topsplit_topk(&x, 2, 1, NULL, &indices, NULL, &status), "TopK: values is null");
  CHECK_INVALID(topsplit_topk(&x, 2, 1, &values, NULL, NULL, &status), "TopK: indices is null");
  CHECK(topsplit_topk(NULL, 2, 1, NULL, NULL, NULL, NULL) == TOPSPLIT_INVALID_ARGUMENT);
  CHECK_INVALID(topsplit_topk(&x_without_shape, 2, 1, &values, &indices, NULL, &status), "TopK: x");
  CHECK_INVALID(topsplit_topk(&x_without_data, 2, 1, &values, &indices, NULL, &status), "TopK: x");
  CHECK_INVALID(topsplit_topk(&x, 2, 1, &no_values, &indices, NULL, &status), "TopK: values");
  CHECK_INVALID(topsplit_topk(&x, 9, 1, &values, &indices, NULL, &status), "TopK: k = 9 exceeds axis 1 of length 4");
  CHECK_INVALID(topsplit_topk(&x, -1, 1, &values, &indices, NULL, &status), "TopK: k = -1");
  CHECK_INVALID(topsplit_topk(&x, 4294967297, 1, &values, &indices, NULL, &status), "TopK: k = 4294967297");
  CHECK_INVALID(topsplit_topk(&x, 2, 2, &values, &indices, NULL, &status), "2");
  CHECK_ANSWER(topsplit_topk(&x_string, 2, 1, &values, &indices, NULL, &status), TOPSPLIT_UNSUPPORTED_TYPE, "string");

  options.struct_size = sizeof options;
  options.select = 7;
  CHECK_INVALID(topsplit_topk(&x, 2, 1, &values, &indices, &options, &status), "select = 7");
  options.select = 0;
  options.order = -1;
  CHECK_INVALID(topsplit_topk(&x, 2, 1, &values, &indices, &options, &status), "order = -1");
  options.order = 0;
  options.run = &run;
  run.struct_size = sizeof run;
  run.max_tasks = -3;
  CHECK_INVALID(topsplit_topk(&x, 2, 1, &values, &indices, &options, &status), "max_tasks = -3");
  run.max_tasks = 0;
  run.threads = 5;
  CHECK_INVALID(topsplit_topk(&x, 2, 1, &values, &indices, &options, &status), "threads = 5");
  run.threads = TOPSPLIT_THREADS_CALLBACK;
  CHECK_INVALID(topsplit_topk(&x, 2, 1, &values, &indices, &options, &status), "parallel_for");
  run.threads = TOPSPLIT_THREADS_ARENA;
  run.isa = 99;
  CHECK_ANSWER(topsplit_topk(&x, 2, 1, &values, &indices, &options, &status), TOPSPLIT_UNAVAILABLE_ISA, "99");
  CHECK(is_clear());
}

void call_split(void) {
  static const int64_t sizes[2] = {2, 2};
  topsplit_execution run = {0};
  topsplit_split_options options = {0};
  clear();
  CHECK_OK(topsplit_split(&x, sizes, 1, halves, 2, NULL, &status));
  CHECK(is_halved());
  clear();
  run.struct_size = sizeof run;
  run.threads = TOPSPLIT_THREADS_SERIAL;
  options.struct_size = sizeof options;
  options.run = &run;
  CHECK_OK(topsplit_split(&x, NULL, -1, halves, 2, &options, &status));
  CHECK(is_halved());
}

/* Many outputs: the array is read in place, whatever its length. */
static void split_to_bytes(void) {
  enum { count = 1000 };
  static uint8_t input[count], output[count];
  static topsplit_tensor outputs[count];
  static const int64_t shape[1] = {count}, one[1] = {1};
  const topsplit_const_tensor bytes = {input, TOPSPLIT_TYPE_U8, shape, 1};
  size_t i;
  for (i = 0; i < count; ++i) {
    input[i] = (uint8_t)(i * 7);
    outputs[i].data = output + count - 1 - i;
    outputs[i].type = TOPSPLIT_TYPE_U8;
    outputs[i].shape = one;
    outputs[i].rank = 1;
  }
  CHECK_OK(topsplit_split(&bytes, NULL, 0, outputs, count, NULL, &status));
  for (i = 0; i < count; ++i) CHECK(output[count - 1 - i] == input[i]);
}

void call_split_errors(void) {
  static const int64_t negative[2] = {6, -2}, short_sum[2] = {1, 2};
  topsplit_execution run = {0};
  topsplit_split_options options = {0};
  split_to_bytes();
  clear();
  CHECK_INVALID(topsplit_split(NULL, NULL, 1, halves, 2, NULL, &status), "Split: input is null");
  CHECK_INVALID(topsplit_split(&x, NULL, 1, NULL, 2, NULL, &status), "Split: outputs is null");
  CHECK_INVALID(topsplit_split(&x, NULL, 1, halves, 0, NULL, &status), "0");
  CHECK_INVALID(topsplit_split(&x, NULL, -3, halves, 2, NULL, &status), "-3");
  CHECK_INVALID(topsplit_split(&x, negative, 1, halves, 2, NULL, &status), "-2");
  CHECK_INVALID(topsplit_split(&x, short_sum, 1, halves, 2, NULL, &status), "3");
  CHECK_ANSWER(topsplit_split(&x_string, NULL, 1, halves, 2, NULL, &status), TOPSPLIT_UNSUPPORTED_TYPE,
               "Split: type string is not supported by the C interface");
  options.struct_size = sizeof options;
  options.run = &run;
  run.struct_size = sizeof run;
  run.max_tasks = -3;
  CHECK_INVALID(topsplit_split(&x, NULL, 1, halves, 2, &options, &status), "Split: max_tasks = -3");
  CHECK(is_clear());
}

void call_split_layout(void) {
  static const int64_t sizes[3] = {1, 0, 3};
  topsplit_split_part_layout parts[3];
  topsplit_threshold size = {0};
  CHECK_OK(topsplit_layout_split(&x_without_data, sizes, 3, 1, parts, &status));
  CHECK(parts[0].offset == 0 && parts[0].length == 1 && parts[0].pitch == 4 && parts[0].runs == 2);
  CHECK(parts[2].offset == 1 && parts[2].length == 3 && parts[2].pitch == 4 && parts[2].runs == 2);
  CHECK(parts[0].is_view == 0 && parts[1].is_view == 1 && parts[2].is_view == 0);
  CHECK_OK(topsplit_layout_split(&x_without_data, NULL, 2, 0, parts, &status));
  CHECK(parts[1].offset == 4 && parts[1].length == 4 && parts[1].runs == 1 && parts[1].is_view == 1);
  CHECK_OK(topsplit_load_profile(NULL, &status));
  CHECK_INVALID(topsplit_load_profile("/nowhere/profile", &status), "profile /nowhere/profile: cannot be read");
  CHECK_INVALID(topsplit_profile_in_force(NULL, &status), "profile_in_force: loaded is null");
  CHECK_INVALID(topsplit_threshold_at(0, NULL, &status), "threshold_at: threshold is null");
  CHECK_INVALID(topsplit_threshold_at(0, &size, &status), "struct_size = 0");
  size.struct_size = sizeof size;
  CHECK_OK(topsplit_threshold_at(0, &size, &status));
  CHECK(strcmp(size.name, "topk_grain_bytes") == 0 && size.effect[0] != '\0' && size.own > 0 && size.profiled == 0);
  CHECK_INVALID(topsplit_threshold_at(topsplit_threshold_count(), &size, &status), "threshold_at: index");
  CHECK_INVALID(topsplit_layout_split(NULL, sizes, 3, 1, parts, &status), "Split: input is null");
  CHECK_INVALID(topsplit_layout_split(&x, sizes, 3, 1, NULL, &status), "Split: parts is null");
  CHECK_INVALID(topsplit_layout_split(&x, sizes, 2, 1, parts, &status), "sum to 1");
  CHECK_ANSWER(topsplit_layout_split(&x_string, sizes, 3, 1, parts, &status), TOPSPLIT_UNSUPPORTED_TYPE, "string");
}

void call_infer_and_explain(void) {
  topsplit_explanation told = {0};
  int64_t shape[2] = {-1, -1}, sizes[3] = {1, 0, 3};
  CHECK_OK(topsplit_infer_topk(&x_without_data, 3, -2 + 1, shape, &status));
  CHECK(shape[0] == 2 && shape[1] == 3);
  CHECK_INVALID(topsplit_infer_topk(NULL, 3, 1, shape, &status), "TopK: x is null");
  CHECK_INVALID(topsplit_infer_topk(&x, 3, 1, NULL, &status), "TopK: output_shape is null");
  CHECK_INVALID(topsplit_infer_topk(&x, 5, 1, shape, &status), "k = 5");

  CHECK_OK(topsplit_infer_split(&x_without_data, sizes, 3, 1, sizes, &status));
  CHECK(sizes[0] == 1 && sizes[1] == 0 && sizes[2] == 3);
  CHECK_OK(topsplit_infer_split(&x_without_data, NULL, 3, 1, sizes, &status));
  CHECK(sizes[0] == 2 && sizes[1] == 2 && sizes[2] == 0);
  CHECK_INVALID(topsplit_infer_split(NULL, NULL, 3, 1, sizes, &status), "Split: input is null");
  CHECK_INVALID(topsplit_infer_split(&x, NULL, 3, 1, NULL, &status), "Split: output_sizes is null");
  CHECK_ANSWER(topsplit_infer_split(&x_string, NULL, 3, 1, sizes, &status), TOPSPLIT_UNSUPPORTED_TYPE, "string");

  told.struct_size = sizeof told;
  CHECK_OK(topsplit_explain_topk(&x_without_data, 2, 1, NULL, &told, &status));
  CHECK(told.struct_size == sizeof told && told.algorithm != NULL && strcmp(told.unit, "slices") == 0);
  CHECK(told.units == 2 && told.grain >= 1 && told.tasks == 1 && told.isa != TOPSPLIT_ISA_AUTOMATIC);
  CHECK(told.stack_bytes <= 32768 && told.heap_bytes == 0);
  CHECK_INVALID(topsplit_explain_topk(&x, 2, 1, NULL, NULL, &status), "TopK: result is null");
  CHECK_INVALID(topsplit_explain_topk(NULL, 2, 1, NULL, &told, &status), "TopK: x is null");

  CHECK_OK(topsplit_explain_split(&x_without_data, NULL, 2, 1, NULL, &told, &status));
  CHECK(strcmp(told.unit, "bytes") == 0 && told.units == x_bytes && told.heap_bytes == 0);
  CHECK_INVALID(topsplit_explain_split(&x, NULL, 2, 1, NULL, NULL, &status), "Split: result is null");
  CHECK_INVALID(topsplit_explain_split(NULL, NULL, 2, 1, NULL, &told, &status), "Split: input is null");
}

/* A parallel-for of the caller's that goes backwards and counts. */
static void backwards(void* context, int32_t count, topsplit_task task, void* task_context) {
  int32_t i;
  for (i = count - 1; i >= 0; --i) task(task_context, i);
  *(int32_t*)context += count;
}

void call_callback(void) {
  enum { rows = 64, columns = 16 };
  static int32_t input[rows][columns], top[rows];
  static int64_t place[rows];
  static const int64_t shape[2] = {rows, columns}, result_shape[2] = {rows, 1};
  const topsplit_const_tensor matrix = {input, TOPSPLIT_TYPE_I32, shape, 2};
  const topsplit_tensor top_values = {top, TOPSPLIT_TYPE_I32, result_shape, 2};
  const topsplit_tensor top_indices = {place, TOPSPLIT_TYPE_I64, result_shape, 2};
  topsplit_execution run = {0};
  topsplit_topk_options options = {0};
  int32_t i, tasks = 0;
  for (i = 0; i < rows; ++i) input[i][i % columns] = i + 1;
  run.struct_size = sizeof run;
  run.threads = TOPSPLIT_THREADS_CALLBACK;
  run.parallel_for = backwards;
  run.parallel_for_context = &tasks;
  run.parallel_for_width = 4;
  run.grain_bytes = 1;
  run.parallel_from_bytes = 1;
  options.struct_size = sizeof options;
  options.run = &run;
  CHECK_OK(topsplit_topk(&matrix, 1, 1, &top_values, &top_indices, &options, &status));
  for (i = 0; i < rows; ++i) CHECK(top[i] == i + 1 && place[i] == i % columns);
  CHECK(tasks > 1);
}

void call_isa(void) {
  const size_t count = topsplit_isa_count();
  topsplit_isa_info info = {0};
  topsplit_execution run = {0};
  topsplit_topk_options options = {0};
  int32_t isa = -1, before = -1, selected = 0;
  size_t i;
  CHECK(count >= 1);
  CHECK_OK(topsplit_selected_isa(&before, &status));
  info.struct_size = run.struct_size = 0;
  CHECK_INVALID(topsplit_isa_at(0, &info, &status), "struct_size = 0");
  info.struct_size = sizeof info;
  run.struct_size = sizeof run;
  options.struct_size = sizeof options;
  options.run = &run;
  for (i = 0; i < count; ++i) {
    CHECK_OK(topsplit_isa_at(i, &info, &status));
    CHECK(strcmp(info.name, topsplit_isa_name(info.id)) == 0 && info.vector_bytes >= 1);
    CHECK_OK(topsplit_isa_from_name(info.name, &isa, &status));
    CHECK(isa == info.id);
    selected += info.selected;
    CHECK(!info.selected || info.id == before);
    run.isa = info.id;
    if (info.available) {
      clear();
      CHECK_OK(topsplit_topk(&x, 2, 1, &values, &indices, &options, &status));
      CHECK(is_topk(9, 1, 9, 3, 7, 2, 5, 3));
      CHECK_OK(topsplit_force_isa(info.id, &status));
      CHECK_OK(topsplit_selected_isa(&isa, &status));
      CHECK(isa == info.id);
      CHECK_OK(topsplit_force_isa(TOPSPLIT_ISA_AUTOMATIC, &status));
    } else {
      CHECK_ANSWER(topsplit_force_isa(info.id, &status), TOPSPLIT_UNAVAILABLE_ISA, info.name);
      CHECK_ANSWER(topsplit_topk(&x, 2, 1, &values, &indices, &options, &status), TOPSPLIT_UNAVAILABLE_ISA, info.name);
    }
  }
  CHECK(selected == 1);
  CHECK_INVALID(topsplit_isa_at(count, &info, &status), "index");
  CHECK_INVALID(topsplit_isa_at(0, NULL, &status), "info is null");
  CHECK_INVALID(topsplit_isa_from_name("generic", NULL, &status), "isa is null");
  CHECK_INVALID(topsplit_selected_isa(NULL, &status), "isa is null");
  CHECK_ANSWER(topsplit_isa_from_name("mmx", &isa, &status), TOPSPLIT_UNAVAILABLE_ISA, "mmx");
  CHECK_ANSWER(topsplit_force_isa(99, &status), TOPSPLIT_UNAVAILABLE_ISA, "99");
  CHECK_OK(topsplit_isa_from_name(NULL, &isa, &status));
  CHECK(isa == TOPSPLIT_ISA_AUTOMATIC);
  CHECK(strcmp(topsplit_isa_name(99), "unknown") == 0);
}

void call_struct_sizes(void) {
  struct {
    topsplit_topk_options known;
    int64_t unknown;
  } newer = {{0}, 0};
  topsplit_execution run = {0};
  topsplit_topk_options options = {0};
  topsplit_split_options split_options = {0};
  topsplit_explanation told = {0};
  clear();
  newer.known.struct_size = sizeof newer;
  newer.unknown = 1;
  CHECK_INVALID(topsplit_topk(&x, 2, 1, &values, &indices, &newer.known, &status),
                "topsplit_topk_options: struct_size");
  CHECK_INVALID(topsplit_topk(&x, 2, 1, &values, &indices, &options, &status),
                "topsplit_topk_options: struct_size = 0");
  CHECK_INVALID(topsplit_split(&x, NULL, 1, halves, 2, &split_options, &status),
                "topsplit_split_options: struct_size = 0");
  options.struct_size = sizeof options;
  options.run = &run;
  CHECK_INVALID(topsplit_topk(&x, 2, 1, &values, &indices, &options, &status), "topsplit_execution: struct_size = 0");
  run.struct_size = (size_t)-1;
  CHECK_INVALID(topsplit_topk(&x, 2, 1, &values, &indices, &options, &status), "topsplit_execution: struct_size");
  CHECK_INVALID(topsplit_explain_topk(&x, 2, 1, NULL, &told, &status), "topsplit_explanation: struct_size = 0");
  CHECK(told.algorithm == NULL);
  CHECK(is_clear());
  newer.unknown = 0;
  CHECK_OK(topsplit_topk(&x, 2, 1, &values, &indices, &newer.known, &status));
  CHECK(is_topk(9, 1, 9, 3, 7, 2, 5, 3));
}
