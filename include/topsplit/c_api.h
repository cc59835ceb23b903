// The C interface: all of the C++ one behind a stable ABI, for C and for every language that can call C.
//
// Both operators called directly, operators prepared from a model's node, shape inference, explain, ISA and thread
// options, version. What topk.h, split.h, operator.h and execution.h promise of results, memory and threads holds here.
//
// Contract
//   answers     a call that can fail returns a code: TOPSPLIT_OK, which is 0, or an error. *status, the caller's own,
//               gets the code and a text that names operator, argument and numbers; status may be NULL.
//   errors      found before any tensor is written. NULL where a pointer is needed is an error. Nothing throws, prints
//               or aborts.
//   structs     those that begin with struct_size: fill with zeros, set struct_size to sizeof the struct, then set what
//               should differ. Zero is the default of every field; a NULL struct is one of zeros. A struct of an older,
//               smaller header is read as if its missing end were zero; one of a newer, larger header is an error
//               unless the end that this library does not know is zero, and so is a size above 4096.
//               The structs without struct_size never change under one SONAME.
//   enums       are int32_t; a number that has no name below is an error of the call.
//   types       numbered as ONNX's TensorProto.DataType. string (8) is refused as TOPSPLIT_UNSUPPORTED_TYPE: its
//               elements are std::string, which C cannot hold; split.h takes them.
//   lifetimes   tensors, shapes, sizes, options, attributes and status are looked at during the call alone. An operator
//               keeps copies, but for parallel_for_context, which must outlive it. A const char* that a function
//               returns or stores is a static string.
//   threads     any function from any thread at any time. One operator may run in many threads at once; destroy it when
//               none of its calls is running. A struct that a call writes belongs to that call until it returns.
//   heap        the create functions allocate, and nothing else does.
//   oneTBB      lending a tbb::task_arena is C++ (topsplit/tbb.h). A C caller's own threads come in by parallel_for.
//
// The smallest complete program:
//
//     #include <stdio.h>
//     #include <topsplit/c_api.h>
//
//     int main(void) {
//       const float x[2][4] = {{3, 9, 1, 9}, {4, 0, 7, 5}};
//       float best[2][2];
//       int64_t where[2][2];
//       const int64_t shape[2] = {2, 4}, result_shape[2] = {2, 2}, k = 2, axis = 1;
//       const topsplit_const_tensor input = {x, TOPSPLIT_TYPE_F32, shape, 2};
//       const topsplit_tensor values = {best, TOPSPLIT_TYPE_F32, result_shape, 2};
//       const topsplit_tensor indices = {where, TOPSPLIT_TYPE_I64, result_shape, 2};
//       topsplit_status status;
//       if (topsplit_topk(&input, k, axis, &values, &indices, NULL, &status) != TOPSPLIT_OK) {
//         fprintf(stderr, "%s\n", status.text);
//         return 1;
//       }
//       printf("%g at %d, %g at %d\n", best[1][0], (int)where[1][0], best[1][1], (int)where[1][1]);  // 7 at 2, 5 at 3
//       return 0;
//     }

#ifndef TOPSPLIT_C_API_H
#define TOPSPLIT_C_API_H

#include <stddef.h>
#include <stdint.h>

#include "topsplit/export.h"
#include "topsplit/version.h"

// C++ reads a program's array of topsplit_tensor in place, as its own type of the same layout.
#if defined(__GNUC__)
#define TOPSPLIT_MAY_ALIAS __attribute__((__may_alias__))
#else
#define TOPSPLIT_MAY_ALIAS
#endif

#ifdef __cplusplus
extern "C" {
#endif

// ---- answers

enum {
  TOPSPLIT_OK = 0,
  TOPSPLIT_INVALID_ARGUMENT = 1,  // a shape, size, axis, pointer, option or attribute breaks the rules
  TOPSPLIT_UNSUPPORTED_TYPE = 2,  // the operator's version does not list this element type, or it is string
  TOPSPLIT_UNAVAILABLE_ISA = 3,   // not built in, or this CPU or its operating system lacks it
  TOPSPLIT_OUT_OF_MEMORY = 4      // only the create functions
};

typedef struct {
  int32_t code;
  char text[252];  // "" when code is TOPSPLIT_OK; a longer text is cut
} topsplit_status;

// "ok", "invalid argument", ...; never NULL, also for a number that is no code.
TOPSPLIT_EXPORT const char* topsplit_status_code_name(int32_t code);

// status->text, for languages to which fields are a trouble; "" for NULL. Lives as long as *status.
TOPSPLIT_EXPORT const char* topsplit_status_text(const topsplit_status* status);

// ---- version

// "0.1.0": of the library that is linked. TOPSPLIT_VERSION_MAJOR, _MINOR and _PATCH are those of the header.
TOPSPLIT_EXPORT const char* topsplit_version(void);

// The same as numbers; NULL for one that is not wanted.
TOPSPLIT_EXPORT void topsplit_version_numbers(int32_t* major, int32_t* minor, int32_t* patch);

// ---- tensors

enum {
  TOPSPLIT_TYPE_UNDEFINED = 0,
  TOPSPLIT_TYPE_F32 = 1,
  TOPSPLIT_TYPE_U8 = 2,
  TOPSPLIT_TYPE_I8 = 3,
  TOPSPLIT_TYPE_U16 = 4,
  TOPSPLIT_TYPE_I16 = 5,
  TOPSPLIT_TYPE_I32 = 6,
  TOPSPLIT_TYPE_I64 = 7,
  TOPSPLIT_TYPE_STRING = 8,  // refused by every call of this interface
  TOPSPLIT_TYPE_BOOL = 9,
  TOPSPLIT_TYPE_F16 = 10,
  TOPSPLIT_TYPE_F64 = 11,
  TOPSPLIT_TYPE_U32 = 12,
  TOPSPLIT_TYPE_U64 = 13,
  TOPSPLIT_TYPE_COMPLEX64 = 14,
  TOPSPLIT_TYPE_COMPLEX128 = 15,
  TOPSPLIT_TYPE_BF16 = 16
};

// "float", "uint8", ...: ONNX's name; "undefined" for a number that is no type of either operator.
TOPSPLIT_EXPORT const char* topsplit_data_type_name(int32_t type);

// Size of one element in bytes; 0 for string, undefined and unknown numbers.
TOPSPLIT_EXPORT size_t topsplit_data_type_bytes(int32_t type);

// Dense and row-major. shape points to rank dimensions, outermost first; data may be NULL when there is no element.
typedef struct {
  const void* data;
  int32_t type;
  const int64_t* shape;
  size_t rank;
} topsplit_const_tensor;

typedef struct {
  void* data;
  int32_t type;
  const int64_t* shape;
  size_t rank;
} TOPSPLIT_MAY_ALIAS topsplit_tensor;

// ---- instruction sets (isa.h says in which order they are chosen)

enum {
  TOPSPLIT_ISA_AUTOMATIC = 0,
  TOPSPLIT_ISA_GENERIC = 1,
  TOPSPLIT_ISA_SSE2 = 10,
  TOPSPLIT_ISA_AVX2 = 11,
  TOPSPLIT_ISA_AVX512BW = 12,
  TOPSPLIT_ISA_AVX512VBMI2 = 13,
  TOPSPLIT_ISA_NEON64 = 20,
  TOPSPLIT_ISA_SVE = 21
};

typedef struct {
  size_t struct_size;
  const char* name;
  int32_t id;
  int32_t available;    // 1: the CPU and the operating system support it
  int32_t selected;     // 1: a call that asks for TOPSPLIT_ISA_AUTOMATIC runs it now
  int32_t reserved;     // 0
  size_t vector_bytes;  // width of one vector register as the kernels use it
} topsplit_isa_info;

// The tables built into this library, narrowest first; index < topsplit_isa_count().
TOPSPLIT_EXPORT size_t topsplit_isa_count(void);
TOPSPLIT_EXPORT int32_t topsplit_isa_at(size_t index, topsplit_isa_info* info, topsplit_status* status);

// "avx2" and so on, "automatic", "unknown"; and back (NULL or "" is automatic, an unknown name an error).
TOPSPLIT_EXPORT const char* topsplit_isa_name(int32_t isa);
TOPSPLIT_EXPORT int32_t topsplit_isa_from_name(const char* name, int32_t* isa, topsplit_status* status);

// Makes later calls of this process that ask for automatic use this ISA; TOPSPLIT_ISA_AUTOMATIC takes that back.
TOPSPLIT_EXPORT int32_t topsplit_force_isa(int32_t isa, topsplit_status* status);

// What a call asking for automatic runs now; an error where the environment's TOPSPLIT_ISA names a missing one.
TOPSPLIT_EXPORT int32_t topsplit_selected_isa(int32_t* isa, topsplit_status* status);

// ---- profiles (profile.h)

// Takes the values of the profile at this path; NULL goes back to the plan's own.
TOPSPLIT_EXPORT int32_t topsplit_load_profile(const char* path, topsplit_status* status);

// Writes 1 or 0 to loaded; an error, with the reason, where TOPSPLIT_PROFILE was refused.
TOPSPLIT_EXPORT int32_t topsplit_profile_in_force(int32_t* loaded, topsplit_status* status);

// A size that a profile may give; index < topsplit_threshold_count().
typedef struct topsplit_threshold {
  size_t struct_size;
  const char *name, *effect;
  size_t own, profiled;  // the plan's own on this machine; that of the profile in force, or 0
} topsplit_threshold;
TOPSPLIT_EXPORT size_t topsplit_threshold_count(void);
TOPSPLIT_EXPORT int32_t topsplit_threshold_at(size_t index, topsplit_threshold* threshold, topsplit_status* status);

// ---- how a call runs; nothing here changes a result by a byte

enum {
  TOPSPLIT_THREADS_ARENA = 0,    // the oneTBB arena that the calling thread is in
  TOPSPLIT_THREADS_SERIAL = 1,   // the calling thread alone
  TOPSPLIT_THREADS_CALLBACK = 2  // the caller's own parallel_for
};

// Runs task(task_context, i) once for each i in [0, count), on any threads, in any order, and returns when all have
// ended. context is parallel_for_context, handed through.
typedef void (*topsplit_task)(void* task_context, int32_t i);
typedef void (*topsplit_parallel_for)(void* context, int32_t count, topsplit_task task, void* task_context);

typedef struct {
  size_t struct_size;
  int32_t threads;    // TOPSPLIT_THREADS_...
  int32_t max_tasks;  // at most this many tasks at once; 0: as many as the arena or the callback has
  topsplit_parallel_for parallel_for;
  void* parallel_for_context;
  int32_t parallel_for_width;  // how many tasks parallel_for can run at once, at least 1 where it is used
  int32_t isa;                 // TOPSPLIT_ISA_...
  size_t grain_bytes;          // tuning, in bytes of input; 0: the plan's own value
  size_t parallel_from_bytes;  // likewise; a call on fewer bytes is serial
  size_t stream_from_bytes;    // Split: outputs of so many bytes go past the caches; 0: what the caches keep
} topsplit_execution;

typedef struct {
  size_t struct_size;
  const char* algorithm;
  const char* unit;  // what is shared among tasks: "slices" for TopK, "bytes" for Split ...
  int64_t units;     // ... how much of it there is ...
  int64_t grain;     // ... and the least that one task takes at a time
  int32_t isa;
  int32_t tasks;       // 1 is serial
  size_t stack_bytes;  // bound on the stack of one task
  size_t heap_bytes;   // heap memory that the library takes: 0
} topsplit_explanation;

// ---- TopK, with the rules of ONNX version 24 (topk.h)

enum { TOPSPLIT_SELECT_LARGEST = 0, TOPSPLIT_SELECT_SMALLEST = 1 };
enum {
  TOPSPLIT_ORDER_BY_VALUE = 0,  // best first
  TOPSPLIT_ORDER_BY_INDEX = 1   // ascending index
};

typedef struct {
  size_t struct_size;
  int32_t select;
  int32_t order;
  const topsplit_execution* run;  // NULL: the defaults
} topsplit_topk_options;

// axis is in [-rank, rank - 1]. values and indices have x's shape with the axis replaced by k; indices is int64.
TOPSPLIT_EXPORT int32_t topsplit_topk(const topsplit_const_tensor* x, int64_t k, int64_t axis,
                                      const topsplit_tensor* values, const topsplit_tensor* indices,
                                      const topsplit_topk_options* options, topsplit_status* status);

// Writes x->rank dimensions to output_shape. x->data is not looked at, here and in explain.
TOPSPLIT_EXPORT int32_t topsplit_infer_topk(const topsplit_const_tensor* x, int64_t k, int64_t axis,
                                            int64_t* output_shape, topsplit_status* status);

TOPSPLIT_EXPORT int32_t topsplit_explain_topk(const topsplit_const_tensor* x, int64_t k, int64_t axis,
                                              const topsplit_topk_options* options, topsplit_explanation* result,
                                              topsplit_status* status);

// ---- TopK in pieces (merge.h)

typedef struct {
  topsplit_const_tensor values;
  topsplit_const_tensor indices;  // int64, of the shape of values
  int64_t index_offset;           // is added to each index
} TOPSPLIT_MAY_ALIAS topsplit_topk_part;

// The k best of all elements of the count parts, an array: results of the calls here, or pieces of them.
TOPSPLIT_EXPORT int32_t topsplit_merge_topk(const topsplit_topk_part* parts, size_t count, int64_t k, int64_t axis,
                                            const topsplit_tensor* values, const topsplit_tensor* indices,
                                            const topsplit_topk_options* options, topsplit_status* status);

// Goes on with values and indices, whose first `held` elements along the axis are there, over x, whose element i has index
// index_offset + i.
TOPSPLIT_EXPORT int32_t topsplit_extend_topk(const topsplit_const_tensor* x, int64_t index_offset, int64_t held,
                                             int64_t axis, const topsplit_tensor* values,
                                             const topsplit_tensor* indices, const topsplit_topk_options* options,
                                             topsplit_status* status);

// ---- Split, with the rules of ONNX version 18 (split.h)

typedef struct {
  size_t struct_size;
  const topsplit_execution* run;  // NULL: the defaults
} topsplit_split_options;

// Cuts input along axis into count outputs, an array. sizes: count sizes along the axis, or NULL for equal parts.
TOPSPLIT_EXPORT int32_t topsplit_split(const topsplit_const_tensor* input, const int64_t* sizes, int64_t axis,
                                       const topsplit_tensor* outputs, size_t count,
                                       const topsplit_split_options* options, topsplit_status* status);

// Writes the count sizes of the parts along the axis to output_sizes, which may be sizes itself.
TOPSPLIT_EXPORT int32_t topsplit_infer_split(const topsplit_const_tensor* input, const int64_t* sizes, size_t count,
                                             int64_t axis, int64_t* output_sizes, topsplit_status* status);

// Where a part lies in the input, in elements: `runs` runs of `length` adjacent ones, the first at `offset`, each
// `pitch` after the one before. is_view is 1 where there are no gaps: the part can be used where it lies.
typedef struct {
  int64_t offset;
  int64_t length;
  int64_t pitch;
  int64_t runs;
  uint8_t is_view;
  uint8_t reserved[7];  // left alone
} TOPSPLIT_MAY_ALIAS topsplit_split_part_layout;

// Writes count layouts to parts. input->data is not looked at.
TOPSPLIT_EXPORT int32_t topsplit_layout_split(const topsplit_const_tensor* input, const int64_t* sizes, size_t count,
                                              int64_t axis, topsplit_split_part_layout* parts, topsplit_status* status);

TOPSPLIT_EXPORT int32_t topsplit_explain_split(const topsplit_const_tensor* input, const int64_t* sizes, size_t count,
                                               int64_t axis, const topsplit_split_options* options,
                                               topsplit_explanation* result, topsplit_status* status);

// ---- prepared operators, with the rules of any opset (operator.h)

// An attribute counts when its has_ flag is not 0; one that the opset's version does not know is then an error.
typedef struct {
  size_t struct_size;
  int32_t has_axis;
  int32_t has_k;
  int32_t has_largest;
  int32_t has_sorted;
  int64_t axis;     // all versions, default -1
  int64_t k;        // version 1, required there
  int64_t largest;  // from version 11: 0 or 1, default 1
  int64_t sorted;   // from version 11: 0 or 1, default 1
} topsplit_topk_attributes;

typedef struct {
  size_t struct_size;
  int32_t has_axis;
  int32_t has_num_outputs;
  int64_t axis;          // all versions, default 0
  int64_t num_outputs;   // from version 18
  const int64_t* split;  // versions 1, 2 and 11; NULL and of 0 sizes when the node has no such attribute
  size_t split_count;
} topsplit_split_attributes;

typedef struct topsplit_topk_operator topsplit_topk_operator;
typedef struct topsplit_split_operator topsplit_split_operator;

// *result is an operator for destroy to free, or NULL after an error.
TOPSPLIT_EXPORT int32_t topsplit_topk_operator_create(int64_t opset, const topsplit_topk_attributes* attributes,
                                                      int32_t type, const topsplit_execution* run,
                                                      topsplit_topk_operator** result, topsplit_status* status);
TOPSPLIT_EXPORT void topsplit_topk_operator_destroy(topsplit_topk_operator* op);  // NULL does nothing

// k is the node's second input, int64 of shape [1]; NULL for version 1.
TOPSPLIT_EXPORT int32_t topsplit_topk_operator_run(const topsplit_topk_operator* op, const topsplit_const_tensor* x,
                                                   const topsplit_const_tensor* k, const topsplit_tensor* values,
                                                   const topsplit_tensor* indices, topsplit_status* status);

// k's data is read, x's is not, here and in explain. Writes x->rank dimensions to output_shape.
TOPSPLIT_EXPORT int32_t topsplit_topk_operator_infer(const topsplit_topk_operator* op, const topsplit_const_tensor* x,
                                                     const topsplit_const_tensor* k, int64_t* output_shape,
                                                     topsplit_status* status);
TOPSPLIT_EXPORT int32_t topsplit_topk_operator_explain(const topsplit_topk_operator* op, const topsplit_const_tensor* x,
                                                       const topsplit_const_tensor* k, topsplit_explanation* result,
                                                       topsplit_status* status);

// The operator version that the opset resolved to: 1, 10, 11 or 24; 0 for NULL.
TOPSPLIT_EXPORT int32_t topsplit_topk_operator_version(const topsplit_topk_operator* op);

// output_count is the number of the node's outputs, at least 1.
TOPSPLIT_EXPORT int32_t topsplit_split_operator_create(int64_t opset, const topsplit_split_attributes* attributes,
                                                       int32_t type, size_t output_count, const topsplit_execution* run,
                                                       topsplit_split_operator** result, topsplit_status* status);
TOPSPLIT_EXPORT void topsplit_split_operator_destroy(topsplit_split_operator* op);  // NULL does nothing

// sizes is the node's second input: int64 of shape [output_count] from version 13, the input's own type in version 1;
// NULL when it has none.
TOPSPLIT_EXPORT int32_t topsplit_split_operator_run(const topsplit_split_operator* op,
                                                    const topsplit_const_tensor* input,
                                                    const topsplit_const_tensor* sizes, const topsplit_tensor* outputs,
                                                    size_t count, topsplit_status* status);

// The data of sizes is read, the input's is not, here and in explain. Writes output_count sizes to output_sizes.
TOPSPLIT_EXPORT int32_t topsplit_split_operator_infer(const topsplit_split_operator* op,
                                                      const topsplit_const_tensor* input,
                                                      const topsplit_const_tensor* sizes, int64_t* output_sizes,
                                                      topsplit_status* status);
TOPSPLIT_EXPORT int32_t topsplit_split_operator_explain(const topsplit_split_operator* op,
                                                        const topsplit_const_tensor* input,
                                                        const topsplit_const_tensor* sizes,
                                                        topsplit_explanation* result, topsplit_status* status);

// 1, 2, 11, 13 or 18; 0 for NULL.
TOPSPLIT_EXPORT int32_t topsplit_split_operator_version(const topsplit_split_operator* op);
TOPSPLIT_EXPORT size_t topsplit_split_operator_output_count(const topsplit_split_operator* op);
TOPSPLIT_EXPORT int64_t topsplit_split_operator_axis(const topsplit_split_operator* op);

#ifdef __cplusplus
}
#endif

#endif
