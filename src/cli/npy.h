// NumPy's .npy files, read and written by hand: format versions 1.0, 2.0 and 3.0 (numpy.lib.format documents them).
//
// Every numeric and complex type of the operators and bool; little and big endian, C and Fortran order are converted.
// Strings, objects, records, dates and long doubles are refused by name. A file that lies about itself is a failure.

#ifndef TOPSPLIT_CLI_NPY_H
#define TOPSPLIT_CLI_NPY_H

#include <string>
#include <string_view>

#include "src/cli/array.h"
#include "src/cli/file_io.h"

namespace topsplit::cli {

// NumPy has no bfloat16: such tensors travel as the uint16 of their bits.
enum class sixteen_bits { as_stored, as_bfloat16 };

array read_npy(const std::string& path, sixteen_bits reading);

// The bytes before the elements. bfloat16 is written as uint16.
std::string npy_header(const array& tensor);

// Adds path to the run's outputs; tensor must live until they are committed.
void add_npy(output_files& outputs, const std::string& path, const array& tensor);

}  // namespace topsplit::cli

#endif
