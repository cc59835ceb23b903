/* What the C files of c_api_test share: checks that report to GoogleTest, and one small tensor of each kind. */

#ifndef TOPSPLIT_TESTS_C_API_FIXTURE_H
#define TOPSPLIT_TESTS_C_API_FIXTURE_H

#include "tests/c_api_calls.h"
#include "topsplit/c_api.h"

#define CHECK(condition) ((condition) ? (void)0 : report_failure(__FILE__, __LINE__, #condition, ""))

/* The call, whose last argument is &status, answers with this code, twice, and a text that holds `text`. */
#define CHECK_ANSWER(call, expected, text) check_answer(__FILE__, __LINE__, #call, (call), (expected), (text))
#define CHECK_OK(call) CHECK_ANSWER(call, TOPSPLIT_OK, "")
#define CHECK_INVALID(call, text) CHECK_ANSWER(call, TOPSPLIT_INVALID_ARGUMENT, text)

extern topsplit_status status;

void check_answer(const char* file, int line, const char* call, int32_t code, int32_t expected, const char* text);

/* x is {{3, 9, 1, 9}, {4, 0, 7, 5}}. */
enum { x_bytes = 32 };
extern const topsplit_const_tensor x, x_string, x_without_data, x_without_shape;

/* Outputs for k = 2, and for halves, along the last axis. */
extern const topsplit_tensor values, indices, halves[2];

/* Fills the outputs with a pattern, and whether they still have it: nothing was written. */
void clear(void);
int is_clear(void);

/* values and indices hold these, row by row. */
int is_topk(float v0, int64_t i0, float v1, int64_t i1, float v2, int64_t i2, float v3, int64_t i3);
int is_halved(void);

#endif
