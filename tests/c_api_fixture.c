#include "tests/c_api_fixture.h"

#include <stdio.h>
#include <string.h>

topsplit_status status;

void check_answer(const char* file, int line, const char* call, int32_t code, int32_t expected, const char* text) {
  const int is_text = expected == TOPSPLIT_OK ? status.text[0] == '\0' : strstr(status.text, text) != NULL;
  if (code != expected || status.code != expected || !is_text) {
    char detail[700];
    snprintf(detail, sizeof detail, "answers %d, status %d, \"%s\"; expected %d, \"%s\"", (int)code, (int)status.code,
             status.text, (int)expected, text);
    report_failure(file, line, call, detail);
  }
  memset(&status, 0, sizeof status);
  status.code = -1;
}

static const float x_data[2][4] = {{3, 9, 1, 9}, {4, 0, 7, 5}};
static const int64_t x_shape[2] = {2, 4}, half_shape[2] = {2, 2};
const topsplit_const_tensor x = {x_data, TOPSPLIT_TYPE_F32, x_shape, 2};
const topsplit_const_tensor x_string = {x_data, TOPSPLIT_TYPE_STRING, x_shape, 2};
const topsplit_const_tensor x_without_data = {NULL, TOPSPLIT_TYPE_F32, x_shape, 2};
const topsplit_const_tensor x_without_shape = {x_data, TOPSPLIT_TYPE_F32, NULL, 2};

/* A first half is where values are, too. */
static struct {
  float first[2][2];
  float second[2][2];
  int64_t places[2][2];
} out;
const topsplit_tensor values = {out.first, TOPSPLIT_TYPE_F32, half_shape, 2};
const topsplit_tensor indices = {out.places, TOPSPLIT_TYPE_I64, half_shape, 2};
const topsplit_tensor halves[2] = {{out.first, TOPSPLIT_TYPE_F32, half_shape, 2},
                                   {out.second, TOPSPLIT_TYPE_F32, half_shape, 2}};

enum { pattern = 0x5a };

void clear(void) { memset(&out, pattern, sizeof out); }

int is_clear(void) {
  const unsigned char* bytes = (const unsigned char*)&out;
  size_t i;
  for (i = 0; i < sizeof out; ++i) {
    if (bytes[i] != pattern) return 0;
  }
  return 1;
}

int is_topk(float v0, int64_t i0, float v1, int64_t i1, float v2, int64_t i2, float v3, int64_t i3) {
  const float best[2][2] = {{v0, v1}, {v2, v3}};
  const int64_t places[2][2] = {{i0, i1}, {i2, i3}};
  return memcmp(out.first, best, sizeof best) == 0 && memcmp(out.places, places, sizeof places) == 0;
}

int is_halved(void) {
  static const float first[2][2] = {{3, 9}, {4, 0}}, second[2][2] = {{1, 9}, {7, 5}};
  return memcmp(out.first, first, sizeof first) == 0 && memcmp(out.second, second, sizeof second) == 0;
}
