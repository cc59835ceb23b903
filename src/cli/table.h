// Readable text: one element as its type is read, and tables with aligned columns.

#ifndef TOPSPLIT_CLI_TABLE_H
#define TOPSPLIT_CLI_TABLE_H

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "src/cli/array.h"

namespace topsplit::cli {

// Numbers so that reading the text back gives the same value; 16-bit floats are decoded.
std::string element_text(const array& tensor, std::size_t position);

// "float [2, 3]"; for reading, not for comparing: many dimensions are not all shown.
std::string type_and_shape(const array& tensor);

class text_table {
 public:
  explicit text_table(std::vector<std::string> titles) : rows_{std::move(titles)} {}

  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void print(std::ostream& out) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

// The first elements of TopK's outputs, a line each, and of Split's outputs, a line a part.
void print_topk(std::ostream& out, const array& values, const array& indices, std::size_t axis);
void print_split(std::ostream& out, const std::vector<array>& parts, std::size_t axis);

}  // namespace topsplit::cli

#endif
