/* Calls both operators from C99 through the installed header and library. */

#include <stdio.h>
#include <string.h>

#include "topsplit/c_api.h"

static int failures = 0;

static void expect(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "c_pkg_config: %s\n", what);
  ++failures;
}

static void call_topk(void) {
  const float x[] = {3, 9, 1, 9, 4, 0, 7, 5};
  float best[4] = {0};
  int64_t where[4] = {0};
  const int64_t shape[] = {2, 4}, result_shape[] = {2, 2};
  const topsplit_const_tensor input = {x, TOPSPLIT_TYPE_F32, shape, 2};
  const topsplit_tensor values = {best, TOPSPLIT_TYPE_F32, result_shape, 2};
  const topsplit_tensor indices = {where, TOPSPLIT_TYPE_I64, result_shape, 2};
  topsplit_status status;
  expect(topsplit_topk(&input, 2, -1, &values, &indices, NULL, &status) == TOPSPLIT_OK, "topk fails");
  expect(best[0] == 9 && best[1] == 9 && best[2] == 7 && best[3] == 5, "topk's values are wrong");
  expect(where[0] == 1 && where[1] == 3 && where[2] == 2 && where[3] == 3, "topk's indices are wrong");
  expect(topsplit_topk(&input, 5, -1, &values, &indices, NULL, &status) == TOPSPLIT_INVALID_ARGUMENT &&
             strstr(status.text, "k = 5") != NULL,
         "k = 5 of 4 is no error that names it");
}

static void call_split(void) {
  const uint8_t pixels[] = {1, 2, 3, 4, 5, 6};
  uint8_t red[2] = {0}, rest[4] = {0};
  const int64_t shape[] = {2, 3}, sizes[] = {1, 2}, red_shape[] = {2, 1}, rest_shape[] = {2, 2};
  const topsplit_const_tensor input = {pixels, TOPSPLIT_TYPE_U8, shape, 2};
  const topsplit_tensor outputs[] = {{red, TOPSPLIT_TYPE_U8, red_shape, 2}, {rest, TOPSPLIT_TYPE_U8, rest_shape, 2}};
  expect(topsplit_split(&input, sizes, 1, outputs, 2, NULL, NULL) == TOPSPLIT_OK, "split fails");
  expect(memcmp(red, "\1\4", 2) == 0 && memcmp(rest, "\2\3\5\6", 4) == 0, "split is wrong");
}

int main(void) {
  int32_t major = -1, minor = -1, patch = -1;
  topsplit_version_numbers(&major, &minor, &patch);
  expect(major == TOPSPLIT_VERSION_MAJOR && minor == TOPSPLIT_VERSION_MINOR && patch == TOPSPLIT_VERSION_PATCH,
         "header and library differ in version");
  call_topk();
  call_split();
  return failures == 0 ? 0 : 1;
}
