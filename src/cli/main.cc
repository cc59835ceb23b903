// The command topsplit: arguments in, exit status out.
//   0  done
//   1  `onnx`: a model's results, or what it needs, are not as expected; its FAIL line says which; `sweep`: so are a
//      point's; `report --fail-on-regression`: there is one
//   2  bad input: exactly one line on standard error, and nothing written

#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>
#include <iostream>
#include <limits>
#include <new>
#include <string>

#include "src/cli/commands.h"
#include "src/cli/failure.h"
#include "topsplit/topsplit.h"

namespace topsplit::cli {
namespace {

// Numbers are read by parse_integer: CLI11 takes a leading 0 for octal and lets a number that is too large through.
CLI::Option* add_integer(CLI::App& app, const std::string& name, std::int64_t& target, const std::string& text) {
  return app
      .add_option_function<std::string>(
          name, [name, &target](const std::string& value) { target = parse_integer(name, value); }, text)
      ->type_name("INT");
}

// A check of names of outputs: what the commands get as an empty one is that none was given.
std::string is_named(const std::string& name) { return name.empty() ? "the name is empty" : ""; }

struct common_arguments {
  std::int64_t threads = 0;
  std::string isa_name;
  std::string type;

  // The same options are taken before and after the subcommand.
  void add_to(CLI::App& app) {
    add_integer(app, "--threads", threads, "At most so many tasks at once; 0: as many as the machine allows");
    app.add_option("--isa", isa_name, "Run with this ISA (see topsplit info)")->type_name("NAME");
  }
  void add_type_to(CLI::App& app) {
    app.add_option("--type", type, "bf16: read uint16 as bfloat16, and write it so")->type_name("TYPE");
  }

  // The ISA is forced for the process, so that `info` shows it too.
  execution how() const {
    constexpr std::int64_t limit = std::numeric_limits<std::int32_t>::max();
    const std::string given = std::to_string(threads);
    if (threads < 0) throw failure("--threads = " + given + " is negative");
    if (threads > limit) throw failure("--threads = " + given + " is above " + std::to_string(limit));
    isa id = isa::automatic;
    if (!isa_from_name(isa_name.c_str(), id).ok()) refuse_isa("is no ISA");
    if (!force_isa(id).ok()) refuse_isa("is not available");
    execution run;
    run.max_tasks = static_cast<std::int32_t>(threads);
    return run;
  }

  // The library's texts name its own functions and arguments, which the user of the command has not written.
  [[noreturn]] void refuse_isa(const std::string& reason) const {
    std::string present;
    for (std::size_t i = 0; i < isa_count(); ++i) {
      if (isa_at(i).available) present += (present.empty() ? "" : ", ") + std::string(isa_at(i).name);
    }
    throw failure("--isa: \"" + isa_name.substr(0, 100) + "\" " + reason + "; present: " + present);
  }

  void expect_no_type() const {
    if (!type.empty()) throw failure("--type is an option of topk and split alone");
  }

  sixteen_bits reading() const {
    if (type.empty()) return sixteen_bits::as_stored;
    if (type != "bf16") throw failure("--type: '" + type + "' is not bf16");
    return sixteen_bits::as_bfloat16;
  }
};

// Axes of a sweep are texts until the sweep reads them.
void add_axis(CLI::App& app, sweep_arguments& all, const std::string& name, const std::string& text) {
  app.add_option_function<std::string>(
         name, [name, &all](const std::string& value) { all.axes[name] = value; }, text)
      ->type_name("LIST");
}

struct arguments {
  common_arguments common;
  bool knobs = false;
  topk_arguments topk;
  split_arguments split;
  onnx_arguments onnx;
  sweep_arguments sweep;
  report_arguments report;
  tune_arguments tune;
};

void add_info(CLI::App& app, arguments& all) {
  CLI::App* info = app.add_subcommand("info", "Show version, processor, ISAs, threads and environment");
  info->add_flag("--knobs", all.knobs,
                 "Show what sets threads, instruction set, grain and stores, and what is in force");
  info->footer("Example: topsplit info --isa sse2");
  info->callback([&all] {
    all.common.expect_no_type();
    all.knobs ? run_knobs(all.common.how()) : run_info(all.common.how());
  });
  all.common.add_to(*info);
}

void add_topk(CLI::App& app, arguments& all) {
  CLI::App* topk = app.add_subcommand("topk", "The k largest or smallest elements along an axis of a .npy tensor");
  topk->add_option("IN.npy", all.topk.input, "The tensor")->required();
  add_integer(*topk, "-k", all.topk.k, "How many")->required();
  add_integer(*topk, "--axis", all.topk.axis, "The axis, -1 (the last) if not given");
  topk->add_flag("--smallest", all.topk.smallest, "The smallest instead of the largest");
  topk->add_flag("--unsorted", all.topk.unsorted, "In ascending order of index instead of best first");
  topk->add_option("-o", all.topk.outputs, "Write values and indices instead of a table")
      ->expected(2)
      ->check(is_named)
      ->type_name("VALUES.npy INDICES.npy");
  all.common.add_to(*topk);
  all.common.add_type_to(*topk);
  topk->footer("Example: topsplit topk scores.npy -k 5 --axis 1 -o values.npy indices.npy");
  topk->callback([&all] { run_topk(all.topk, all.common.reading(), all.common.how()); });
}

void add_split(CLI::App& app, arguments& all) {
  CLI::App* split = app.add_subcommand("split", "Cut a .npy tensor into parts along an axis");
  split->add_option("IN.npy", all.split.input, "The tensor")->required();
  add_integer(*split, "--axis", all.split.axis, "The axis")->required();
  split->add_option("--parts", all.split.parts, "The parts' sizes along the axis")->type_name("a,b,c");
  split
      ->add_option_function<std::string>(
          "--num-outputs", [&all](const std::string& n) { all.split.num_outputs = parse_integer("--num-outputs", n); },
          "So many equal parts, at most " + std::to_string(parts_limit) + "; the last one smaller where needed")
      ->type_name("N");
  split->add_option("-o", all.split.prefix, "Write PREFIX.0.npy, PREFIX.1.npy, ... instead of a table")
      ->check(is_named)
      ->type_name("PREFIX");
  all.common.add_to(*split);
  all.common.add_type_to(*split);
  split->footer("Example: topsplit split gates.npy --axis 1 --parts 128,128,256 -o gate");
  split->callback([&all] { run_split(all.split, all.common.reading(), all.common.how()); });
}

void add_onnx(CLI::App& app, arguments& all) {
  CLI::App* onnx = app.add_subcommand("onnx", "Check or run ONNX node-test folders of TopK and Split");
  onnx->add_option("DIR", all.onnx.folders, "Folders with model.onnx and test_data_set_N/{input,output}_M.pb")
      ->required();
  onnx->add_flag("--run", all.onnx.run, "Run the one DIR and write its outputs instead of comparing them");
  onnx->add_option("-o", all.onnx.output_folder, "With --run: write OUTDIR/test_data_set_N/output_M.pb")
      ->check(is_named)
      ->type_name("OUTDIR");
  all.common.add_to(*onnx);
  onnx->footer(
      "Prints PASS or FAIL for each DIR. Outputs must be equal byte for byte; those of a TopK with sorted = 0 as "
      "sets.\n"
      "Example: topsplit onnx onnx-node-tests/test_top_k*/");
  onnx->callback([&all] {
    all.common.expect_no_type();
    run_onnx(all.onnx, all.common.how());
  });
}

// The options of a sweep that name axes, apart from --isa, --threads and --type, which all subcommands have and which here
// take lists.
constexpr struct {
  const char* name;
  const char* text;
} sweep_axes[] = {
    {"--op", "topk, split"},
    {"--n", "TopK: elements of a slice; 1e3..1e6*10"},
    {"--k", "TopK: how many are wanted, n/10 too"},
    {"--rows", "TopK: slices before the axis"},
    {"--inner", "TopK: elements after the axis"},
    {"--type", "TopK: element types by ONNX's names, or all"},
    {"--dist", "TopK: distributions of the values, or all"},
    {"--select", "TopK: largest, smallest"},
    {"--order", "TopK: by_value, by_index"},
    {"--bytes", "Split: bytes of the input; 64K..64M*4"},
    {"--piece", "Split: bytes of a part in one row"},
    {"--parts", "Split: how many equal parts"},
    {"--element", "Split: bytes of an element"},
    {"--offset", "Split: bytes from a cache line's boundary"},
    {"--isa", "Instruction sets, auto or all"},
    {"--threads", "Thread counts, all for as many as may be used"},
    {"--pool", "Who runs tasks: arena (oneTBB), own (a callback), pinned (a callback, threads kept on processors)"},
    {"--limits", "What the same bytes take at least: auto, read, copy, none"},
    {"--cache", "Where data lies: rotating, hot, memory, cold"},
    {"--cache-bytes", "What counts as the last cache for these; what the system says if not given"},
    {"--min-time", "Seconds of a repetition"},
    {"--repetitions", "Repetitions"},
};

void add_sweep(CLI::App& app, arguments& all) {
  CLI::App* sweep = app.add_subcommand("sweep", "Measure a grid of shapes, or a set that has a name");
  sweep->add_option("--set", all.sweep.sets, "workloads, quick, scaling, isa, roofline")
      ->delimiter(',')
      ->type_name("NAME");
  for (const auto& axis : sweep_axes) add_axis(*sweep, all.sweep, axis.name, axis.text);
  sweep->add_option("--against", all.sweep.against, "Beside ours: ort:PATH (a libonnxruntime.so), torch, faiss, std")
      ->delimiter(',')
      ->type_name("PEER");
  sweep->add_option("--filter", all.sweep.filter, "Only points whose name holds this expression")->type_name("REGEX");
  sweep->add_option("-o", all.sweep.output, "The result; one that is there is gone on with")
      ->check(is_named)
      ->type_name("RESULT.json");
  sweep->add_flag("--restart", all.sweep.restart, "Replace the result instead");
  sweep->add_flag("--list", all.sweep.list, "Only print the points' names");
  sweep->footer(
      "Ctrl-C keeps what was measured; the same command goes on.\n"
      "Example: topsplit sweep --op topk --n 1e3..1e6*10 --k 10,n/10 --threads 1,all --against std -o r.json");
  sweep->callback([&all] { run_sweep(all.sweep, all.common.how()); });
}

void add_report(CLI::App& app, arguments& all) {
  CLI::App* report = app.add_subcommand("report", "Show results of sweep; compare the first with the others");
  report->add_option("RESULT.json", all.report.results, "Results, the one to compare with first")->required();
  report->add_option("-o", all.report.html, "One page with plots and tables")
      ->check(is_named)
      ->type_name("REPORT.html");
  report->add_option("--csv", all.report.csv, "A row for each point")->check(is_named)->type_name("FILE");
  report->add_option("--markdown", all.report.markdown, "Tables")->check(is_named)->type_name("FILE");
  report->add_option("--threshold", all.report.threshold, "Changes of less per cent are none")->type_name("PERCENT");
  report->add_flag("--fail-on-regression", all.report.fail_on_regression,
                   "Exit status 1 where ours is slower than in the first result, beyond threshold and noise");
  report->footer("Example: topsplit report before.json after.json -o report.html --fail-on-regression");
  report->callback([&all] { run_report(all.report); });
}

void add_tune(CLI::App& app, arguments& all) {
  CLI::App* tune = app.add_subcommand("tune", "Measure this machine's thresholds and write them as a profile");
  tune->add_option("-o", all.tune.output, "The profile, ~/.config/topsplit/profile if not given")
      ->check(is_named)
      ->type_name("PROFILE");
  tune->add_flag("--quick", all.tune.quick, "A look in seconds, too short to be kept");
  tune->footer(
      "The command uses ~/.config/topsplit/profile; a program TOPSPLIT_PROFILE or load_profile.\n"
      "Example: topsplit tune -o server.profile");
  tune->callback([&all] { run_tune(all.tune); });
}

int bad_input(const std::string& text) {
  std::cout.flush();
  std::cerr << "topsplit: " << one_line(text) << '\n';
  return 2;
}

// The exit status of a run that has printed all it had to say.
int finish(int status) { return std::cout.flush() ? status : bad_input("cannot write to standard output"); }

int parse_and_run(int argc, char** argv) {
  arguments all;
  CLI::App app("ONNX TopK and Split on CPUs: exact, allocation-free, vectorized", "topsplit");
  app.set_version_flag("--version", std::string("topsplit ") + version());
  app.footer(
      "Example: topsplit topk scores.npy -k 5\nExit status: 0 done, 1 failed comparisons (onnx, sweep, report), 2 bad "
      "input.");
  all.common.add_to(app);
  all.common.add_type_to(app);
  add_info(app, all);
  add_topk(app, all);
  add_split(app, all);
  add_onnx(app, all);
  add_sweep(app, all);
  add_report(app, all);
  add_tune(app, all);
  load_user_profile();
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return finish(app.exit(asked));
  } catch (const CLI::ParseError& error) {
    return bad_input(error.what());
  }
  // Asked last, so that a misspelt subcommand is reported by its name.
  if (app.get_subcommands().empty())
    return bad_input("info, topk, split, onnx, sweep, report or tune? See topsplit --help");
  return finish(0);
}

}  // namespace
}  // namespace topsplit::cli

int main(int argc, char** argv) {
  using namespace topsplit::cli;
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of the write, told and cleaned up after
  try {
    return parse_and_run(argc, argv);
  } catch (const failed_check&) {
    return finish(1);
  } catch (const std::bad_alloc&) {
    return bad_input("out of memory");
  } catch (const std::exception& error) {
    return bad_input(error.what());
  }
}
