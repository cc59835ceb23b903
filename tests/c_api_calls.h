/* What the C files of c_api_test share with its C++ file: each call_... function is the body of one test. */

#ifndef TOPSPLIT_TESTS_C_API_CALLS_H
#define TOPSPLIT_TESTS_C_API_CALLS_H

#ifdef __cplusplus
extern "C" {
#endif

void call_names(void);
void call_topk(void);
void call_topk_errors(void);
void call_topk_in_pieces(void);
void call_split(void);
void call_split_errors(void);
void call_split_layout(void);
void call_infer_and_explain(void);
void call_callback(void);
void call_isa(void);
void call_topk_operator(void);
void call_topk_operator_errors(void);
void call_split_operator(void);
void call_split_operator_errors(void);
void call_struct_sizes(void);

/* GoogleTest's failure, at a line of the C file. */
void report_failure(const char* file, int line, const char* what, const char* detail);

#ifdef __cplusplus
}
#endif

#endif
