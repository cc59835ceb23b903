// `topsplit onnx` on models made here: graphs, versions, attributes, comparison, what is refused and how, and --run.

#include "tests/cli_models.h"
#include "tests/cli_runner.h"

namespace {

using cli_models::floats;
using cli_models::int64s;
using cli_models::model;
using cli_models::write_folder;
using cli_models::write_set;
using cli_runner::outcome;
using cli_runner::read_file;
using onnx::TensorProto;

class cli_onnx : public cli_runner::command_test {
 protected:
  std::string folder() const { return path("case"); }

  void passes(model& tested, const std::vector<TensorProto>& inputs, const std::vector<TensorProto>& outputs,
              const std::string& operators) {
    write_folder(folder(), tested, inputs, outputs);
    const outcome result = run({"onnx", folder()});
    EXPECT_EQ(result.out, "PASS case (" + operators + ")\n1 passed, 0 failed\n");
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(result.status, 0);
  }

  // A FAIL line with this text; status 1 and a silent standard error, or for bad input 2 and one line there too.
  void fails(int status, const std::string& text) {
    SCOPED_TRACE(text);
    const outcome result = run({"onnx", folder()});
    const std::size_t line_end = result.out.find('\n');
    EXPECT_EQ(result.out.rfind("FAIL case: ", 0), 0U) << result.out;
    EXPECT_NE(result.out.substr(0, line_end).find(text), std::string::npos) << result.out;
    EXPECT_EQ(result.out.substr(line_end + 1), "0 passed, 1 failed\n");
    if (status == 2) {
      expect_refused(result, text);
    } else {
      EXPECT_EQ(result.status, status);
      EXPECT_EQ(result.err, "");
    }
  }

  void fails(model& tested, int status, const std::string& text) {
    write_folder(folder(), tested, {x_}, {top_, index_});
    fails(status, text);
  }

  // x [2, 3], and its two largest of each row
  const TensorProto x_ = floats("x", {2, 3}, {1, 3, 2, 6, 4, 6});
  const TensorProto top_ = floats("top", {2, 2}, {3, 2, 6, 6}), index_ = int64s("index", {2, 2}, {1, 2, 0, 2});
};

// The model of those.
model topk_model(std::int64_t opset = 11) {
  model made(opset);
  made.input("x").initialiser(int64s("k", {1}, {2})).output("top").output("index");
  made.node("TopK", {"x", "k"}, {"top", "index"});
  return made;
}

TEST_F(cli_onnx, every_opset_takes_the_version_it_resolves_to) {
  for (std::int64_t opset = 1; opset <= 28; ++opset) {
    SCOPED_TRACE(opset);
    const bool is_attribute = opset < 10;
    model topk(opset, opset % 2 == 0 ? "" : "ai.onnx");
    topk.input("x").output("top").output("index");
    if (is_attribute) {
      topk.node("TopK", {"x"}, {"top", "index"}).attribute("k", 2);
    } else {
      topk.initialiser(int64s("k", {1}, {2})).node("TopK", {"x", "k"}, {"top", "index"});
    }
    const int topk_version = opset < 10 ? 1 : opset < 11 ? 10 : opset < 24 ? 11 : 24;
    passes(topk, {x_}, {top_, index_}, "TopK-" + std::to_string(topk_version));

    model split(opset);
    split.input("x").output("a").output("b");
    if (opset < 13) {
      split.node("Split", {"x"}, {"a", "b"}).attribute("split", std::vector<std::int64_t>{1, 2});
    } else {
      split.initialiser(int64s("sizes", {2}, {1, 2})).node("Split", {"x", "sizes"}, {"a", "b"});
    }
    split.attribute("axis", 1);
    const int split_version = opset < 2 ? 1 : opset < 11 ? 2 : opset < 13 ? 11 : opset < 18 ? 13 : 18;
    passes(split, {x_}, {floats("a", {2, 1}, {1, 6}), floats("b", {2, 2}, {3, 2, 4, 6})},
           "Split-" + std::to_string(split_version));
  }
}

TEST_F(cli_onnx, a_graph_of_several_nodes_and_constants) {
  model chain(18);
  chain.input("x").output("left").output("top").output("index");
  chain.node("Split", {"x", ""}, {"left", "right"}).attribute("axis", 1).attribute("num_outputs", 2);
  chain.node("Constant", {}, {"k"}).attribute("value", int64s("", {1}, {1}));
  chain.node("TopK", {"right", "k"}, {"top", "index"}).attribute("axis", 0).attribute("largest", 0);
  const TensorProto x = floats("x", {2, 3}, {1, 3, 9, 6, 4, 7});
  passes(chain, {x}, {floats("left", {2, 2}, {1, 3, 6, 4}), floats("top", {1, 1}, {7}), int64s("index", {1, 1}, {1})},
         "Split-18, Constant, TopK-11");
}

TEST_F(cli_onnx, constants_of_every_kind) {
  model constants(13);
  for (const char* name : {"i", "is", "f", "fs", "s", "ss"}) {
    constants.node("Constant", {}, {name}).output(name);
    onnx::GraphProto& graph = constants.graph();
    auto* node = graph.mutable_node(graph.node_size() - 1);
    auto* attribute = node->add_attribute();
    const std::string kind = name;
    attribute->set_name("value_" +
                        std::string(kind[0] == 'i'   ? "int"
                                    : kind[0] == 'f' ? "float"
                                                     : "string") +
                        (kind.size() == 2 ? "s" : ""));
    attribute->set_type(kind == "i"    ? onnx::AttributeProto::INT
                        : kind == "is" ? onnx::AttributeProto::INTS
                        : kind == "f"  ? onnx::AttributeProto::FLOAT
                        : kind == "fs" ? onnx::AttributeProto::FLOATS
                        : kind == "s"  ? onnx::AttributeProto::STRING
                                       : onnx::AttributeProto::STRINGS);
    attribute->set_i(7);
    attribute->set_f(0.5F);
    attribute->set_s("text");
    for (int i = 0; i < 2; ++i) {
      attribute->add_ints(i);
      attribute->add_floats(2);
      attribute->add_strings("two");
    }
  }
  TensorProto text, texts;
  text.set_data_type(TensorProto::STRING);
  text.add_string_data("text");
  texts.set_data_type(TensorProto::STRING);
  texts.add_dims(2);
  texts.add_string_data("two");
  texts.add_string_data("two");
  passes(constants, {},
         {int64s("", {}, {7}), int64s("", {2}, {0, 1}), floats("", {}, {0.5F}), floats("", {2}, {2, 2}), text, texts},
         "Constant");
}

TEST_F(cli_onnx, inputs_go_to_the_graph_inputs_and_may_override_initialisers) {
  model overridable = topk_model();
  overridable.input("k");
  passes(overridable, {x_}, {top_, index_}, "TopK-11");
  passes(overridable, {int64s("k", {1}, {1}), x_}, {floats("", {2, 1}, {3, 6}), int64s("", {2, 1}, {1, 0})}, "TopK-11");
  model fixed = topk_model();
  write_folder(folder(), fixed, {x_, int64s("k", {1}, {1})}, {top_, index_});
  fails(2, "2 inputs given, the graph has 1");
  write_folder(folder(), fixed, {}, {top_, index_});
  fails(2, "no data for graph input 'x'");
}

TEST_F(cli_onnx, sorted_0_is_compared_as_sets_of_pairs) {
  model unsorted = topk_model();
  unsorted.attribute("sorted", 0);
  passes(unsorted, {x_}, {floats("", {2, 2}, {2, 3, 6, 6}), int64s("", {2, 2}, {2, 1, 2, 0})}, "TopK-11");
  passes(unsorted, {x_}, {top_, index_}, "TopK-11");
  const auto differs = [&](const TensorProto& values, const TensorProto& indices, const std::string& text) {
    write_folder(folder(), unsorted, {x_}, {values, indices});
    fails(1, text);
  };
  differs(floats("", {2, 2}, {2, 3, 6, 6}), index_,
          "differs as a set in slice [0, :]");  // sets of each, but other pairs
  differs(top_, int64s("", {2, 2}, {1, 2, 0, 1}), "differs as a set in slice [1, :]");
  differs(floats("", {2, 2}, {3, 2, 6, 4}), index_, "differs as a set in slice [1, :]");
  model sorted = topk_model();
  write_folder(folder(), sorted, {x_}, {floats("", {2, 2}, {2, 3, 6, 6}), int64s("", {2, 2}, {2, 1, 0, 2})});
  fails(1, "output 0 'top' differs at [0, 0]: 3, expected 2");
  unsorted.graph().mutable_output()->DeleteSubrange(0, 1);
  passes(unsorted, {x_}, {int64s("", {2, 2}, {2, 1, 2, 0})}, "TopK-11");
}

TEST_F(cli_onnx, another_type_shape_value_or_count_fails) {
  model tested = topk_model();
  const auto differs = [&](const std::vector<TensorProto>& outputs, const std::string& text) {
    write_folder(folder(), tested, {x_}, outputs);
    fails(1, text);
  };
  TensorProto other_type = top_;
  other_type.set_data_type(TensorProto::INT32);
  differs({other_type, index_}, "output 0 'top' is float [2, 2], expected int32 [2, 2]");
  differs({floats("", {1, 4}, {3, 2, 6, 6}), index_}, "expected float [1, 4]");
  differs({top_, int64s("", {2, 2}, {1, 2, 0, 1})}, "output 1 'index' differs at [1, 1]: 2, expected 1");
  differs({top_}, "2 outputs, expected 1");
  const TensorProto zeros = floats("x", {1, 3}, {-0.0F, 0, -1});
  write_folder(folder(), tested, {zeros}, {floats("", {1, 2}, {0, 0}), int64s("", {1, 2}, {0, 1})});
  fails(1, "differs at [0, 0]: -0, expected 0");
}

TEST_F(cli_onnx, all_test_data_sets_are_compared) {
  model tested = topk_model();
  write_folder(folder(), tested, {x_}, {top_, index_});
  write_set(path("case/test_data_set_1"), {x_}, {top_, index_});
  write_set(path("case/test_data_set_10"), {x_}, {index_, top_});
  fails(1, "test_data_set_10: ");
  std::filesystem::remove_all(path("case/test_data_set_10"));
  EXPECT_EQ(run({"onnx", folder()}).status, 0);
}

TEST_F(cli_onnx, what_is_not_run_is_named) {
  model relu = topk_model();
  relu.node("Relu", {"top"}, {"positive"});
  fails(relu, 1, "operator Relu is not supported");
  model sequence(11);
  sequence.node("SplitToSequence", {"x"}, {"s"});
  fails(sequence, 1, "operator SplitToSequence is not supported");
  model domain(1, "com.example");
  domain.node("TopK", {"x"}, {"top", "index"}, "com.example");
  fails(domain, 1, "operator com.example::TopK is not supported");
  model attribute = topk_model();
  attribute.attribute("stable", 1);
  fails(attribute, 1, "unknown attribute 'stable'");
  model hostile_name = topk_model();
  hostile_name.node("Bad\nname\x1b", {}, {});
  fails(hostile_name, 1, "operator Bad name  is not supported");
}

TEST_F(cli_onnx, models_that_break_a_rule_are_refused) {
  model no_opset = topk_model();
  no_opset.proto().clear_opset_import();
  fails(no_opset, 2, "no opset");
  model two_opsets = topk_model();
  auto* import = two_opsets.proto().add_opset_import();
  import->set_domain("ai.onnx");
  import->set_version(12);
  fails(two_opsets, 2, "two opsets");
  model twice = topk_model();
  twice.attribute("axis", 1).attribute("axis", 0);
  fails(twice, 2, "attribute 'axis' is there twice");
  model mistyped = topk_model();
  mistyped.attribute("axis", std::vector<std::int64_t>{1});
  fails(mistyped, 2, "attribute 'axis' is not of the type INT");
  model order(11);
  order.input("x").output("top").output("index").node("TopK", {"x", "k"}, {"top", "index"});
  order.node("Constant", {}, {"k"}).attribute("value", int64s("", {1}, {2}));
  fails(order, 2, "nothing before it makes its input 'k'");
  model redefined = topk_model();
  redefined.node("Split", {"x", ""}, {"top"});
  fails(redefined, 2, "'top' is made twice");
  model dangling = topk_model();
  dangling.output("nothing");
  fails(dangling, 2, "nothing makes output 'nothing'");
  model one_output(11);
  one_output.input("x").output("top").node("TopK", {"x", "x"}, {"top"});
  fails(one_output, 2, "1 outputs, 2 expected");
  model no_graph(11);
  fails(no_graph, 2, "no graph");
}

TEST_F(cli_onnx, what_the_library_refuses_is_told_in_its_words) {
  model too_many(11);
  too_many.input("x").initialiser(int64s("k", {1}, {4})).output("top").output("index");
  too_many.node("TopK", {"x", "k"}, {"top", "index"});
  fails(too_many, 2, "TopK: k = 4 exceeds axis 1 of length 3");
  model sorted_twice = topk_model();
  sorted_twice.attribute("sorted", 2);
  fails(sorted_twice, 2, "sorted = 2");
  model too_early = topk_model(10);
  too_early.attribute("largest", 0);
  fails(too_early, 2, "largest");
  model uneven(13);
  uneven.input("x").output("a").output("b").node("Split", {"x"}, {"a", "b"}).attribute("axis", 1);
  fails(uneven, 2, "Split: ");
  model empty_split(11);
  empty_split.input("x").output("a").node("Split", {"x"}, {"a"}).attribute("split", std::vector<std::int64_t>{});
  fails(empty_split, 2, "Split: ");
}

TEST_F(cli_onnx, folders_are_reported_one_by_one) {
  model good = topk_model(), other = topk_model();
  other.node("Relu", {"top"}, {"positive"});
  write_folder(path("a"), good, {x_}, {top_, index_});
  write_folder(path("b"), other, {x_}, {top_, index_});
  write_folder(path("c"), good, {x_}, {top_, index_});
  const outcome mixed = run({"onnx", path("a"), path("b/"), path("c") + "//"});
  EXPECT_EQ(mixed.out,
            "PASS a (TopK-11)\nFAIL b: operator Relu is not supported\nPASS c (TopK-11)\n2 passed, 1 failed\n");
  EXPECT_EQ(mixed.status, 1);
  std::filesystem::create_directory(path("empty"));
  const outcome unreadable = run({"onnx", path("test_*"), path("a"), path("a/model.onnx"), path("empty/")});
  EXPECT_EQ(unreadable.out,
            "FAIL test_*: No such file or directory\nPASS a (TopK-11)\nFAIL model.onnx: Not a directory\n"
            "FAIL empty: model.onnx: No such file or directory\n1 passed, 3 failed\n");
  expect_refused(unreadable, "topsplit: test_*: No such file or directory\n");
  std::filesystem::remove_all(path("c/test_data_set_0"));
  expect_refused(run({"onnx", path("c")}), "topsplit: c: there is no test_data_set_N");
  write_set(path("c/test_data_set_0"), {x_}, {});
  cli_runner::write_file(path("c/test_data_set_0/input_2.pb"), "");
  expect_refused(run({"onnx", path("c")}), "input_1.pb is missing");
}

TEST_F(cli_onnx, run_writes_the_outputs) {
  model tested = topk_model();
  write_folder(folder(), tested, {x_}, {});
  write_set(path("case/test_data_set_1"), {floats("x", {1, 2}, {5, 6})}, {});
  ASSERT_EQ(run({"onnx", "--run", folder(), "-o", path("out")}).status, 0);
  EXPECT_EQ(read_file(path("out/test_data_set_0/output_0.pb")), top_.SerializeAsString());
  EXPECT_EQ(read_file(path("out/test_data_set_0/output_1.pb")), index_.SerializeAsString());
  TensorProto second;
  ASSERT_TRUE(second.ParseFromString(read_file(path("out/test_data_set_1/output_0.pb"))));
  EXPECT_EQ(second.raw_data(), cli_runner::bytes_of(std::vector<float>{6, 5}));
  // What was written is what a check expects.
  for (const char* name : {"test_data_set_0/output_0.pb", "test_data_set_0/output_1.pb", "test_data_set_1/output_0.pb",
                           "test_data_set_1/output_1.pb"}) {
    std::filesystem::copy_file(path("out/") + name, path("case/") + name);
  }
  EXPECT_EQ(run({"onnx", folder()}).status, 0);
}

TEST_F(cli_onnx, a_run_that_fails_writes_nothing) {
  model tested = topk_model();
  write_folder(folder(), tested, {x_}, {});
  write_set(path("case/test_data_set_1"), {floats("x", {1, 1}, {5})}, {});  // k = 2 is more than 1
  const std::vector<std::string> before = files();
  expect_refused(run({"onnx", "--run", folder(), "-o", path("out")}), "TopK: k = 2 exceeds axis 1 of length 1");
  model other = topk_model();
  other.node("Relu", {"top"}, {"positive"});
  write_folder(folder(), other, {x_}, {});
  expect_refused(run({"onnx", "--run", folder(), "-o", path("out")}), "operator Relu is not supported");
  write_folder(folder(), tested, {x_}, {});
  expect_refused(run({"onnx", "--run", folder(), "-o", path("none/out")}), "No such file or directory");
  expect_refused(run({"onnx", "--run", folder(), "-o", path("case/model.onnx")}), "File exists");
  expect_refused(run({"onnx", "--run", folder()}), "--run and -o");
  expect_refused(run({"onnx", folder(), "-o", path("out")}), "--run and -o");
  expect_refused(run({"onnx", "--run", folder(), folder(), "-o", path("out")}), "--run takes one DIR");
  EXPECT_EQ(files(), before);
}

}  // namespace
