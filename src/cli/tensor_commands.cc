// `topsplit topk` and `topsplit split`: one operator call on one .npy tensor.

#include <charconv>
#include <iostream>
#include <utility>

#include "src/cli/commands.h"
#include "src/cli/failure.h"
#include "src/cli/table.h"
#include "topsplit/split.h"
#include "topsplit/topk.h"

namespace topsplit::cli {
namespace {

std::size_t from_front(std::int64_t axis, std::size_t rank) {
  return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
}

std::vector<std::int64_t> parse_parts(const std::string& text) {
  std::vector<std::int64_t> sizes;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    sizes.push_back(parse_integer("--parts", text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return sizes;
}

// The sizes along the axis as the arguments ask for them, checked by the library.
std::vector<std::int64_t> part_sizes(const split_arguments& arguments, const array& input) {
  if (arguments.parts.has_value() == arguments.num_outputs.has_value()) {
    throw failure(std::string("Split: ") + (arguments.parts ? "both" : "neither") +
                  " of --parts and --num-outputs given");
  }
  if (arguments.parts) {
    std::vector<std::int64_t> sizes = parse_parts(*arguments.parts);
    require(infer_split(input.view(), sizes.data(), sizes.size(), arguments.axis, sizes.data()));
    return sizes;
  }
  const std::int64_t count = *arguments.num_outputs;
  if (count < 1 || count > parts_limit) {
    throw failure("Split: num_outputs = " + std::to_string(count) + " is not in [1, " + std::to_string(parts_limit) +
                  "]");
  }
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(count));
  require(infer_split(input.view(), nullptr, sizes.size(), arguments.axis, sizes.data()));
  return sizes;
}

}  // namespace

std::int64_t parse_integer(const std::string& what, const std::string& text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range) throw failure(what + ": " + text + " has more than 63 bits");
  if (error != std::errc() || stop != end) throw failure(what + ": '" + text + "' is no whole number");
  return value;
}

void run_topk(const topk_arguments& arguments, sixteen_bits reading, const execution& how) {
  const array x = read_npy(arguments.input, reading);
  topk_options options;
  options.axis = arguments.axis;
  options.select = arguments.smallest ? topk_select::smallest : topk_select::largest;
  options.order = arguments.unsorted ? topk_order::by_index : topk_order::by_value;
  options.run = how;
  shape_vector shape(x.shape.size());
  require(infer_topk(x.view(), arguments.k, arguments.axis, shape.data()));
  array values = make_array(x.type, shape, "values"), indices = make_array(data_type::i64, shape, "indices");
  require(topk(x.view(), arguments.k, values.view(), indices.view(), options));
  if (arguments.outputs.empty()) {
    const std::size_t axis = from_front(arguments.axis, shape.size());
    std::cout << "TopK of " << type_and_shape(x) << " along axis " << axis << ": the " << arguments.k
              << (arguments.smallest ? " smallest" : " largest")
              << (arguments.unsorted ? " by index\n" : ", best first\n");
    print_topk(std::cout, values, indices, axis);
    return;
  }
  output_files outputs;
  add_npy(outputs, arguments.outputs[0], values);
  add_npy(outputs, arguments.outputs[1], indices);
  outputs.commit();
}

void run_split(const split_arguments& arguments, sixteen_bits reading, const execution& how) {
  const array input = read_npy(arguments.input, reading);
  const std::vector<std::int64_t> sizes = part_sizes(arguments, input);
  const std::size_t axis = from_front(arguments.axis, input.shape.size());
  std::vector<array> parts;
  for (const std::int64_t size : sizes) {
    shape_vector shape = input.shape;
    shape[axis] = size;
    parts.push_back(make_array(input.type, std::move(shape), "part"));
  }
  std::vector<tensor> views;
  for (array& part : parts) views.push_back(part.view());
  split_options options;
  options.axis = arguments.axis;
  options.run = how;
  require(split(input.view(), sizes.data(), views.data(), views.size(), options));
  if (!arguments.prefix) {
    std::cout << "Split of " << type_and_shape(input) << " into " << parts.size() << " parts\n";
    print_split(std::cout, parts, axis);
    return;
  }
  output_files outputs;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    add_npy(outputs, *arguments.prefix + "." + std::to_string(i) + ".npy", parts[i]);
  }
  outputs.commit();
}

}  // namespace topsplit::cli
