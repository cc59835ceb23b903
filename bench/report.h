// Results of sweeps, read for people: one page with plots, tables as Markdown and CSV, and what has changed from the first
// result to each of the others.
//
// A change is one beyond the noise when the ranges of the repetitions do not meet, and beyond the threshold; a regression
// is such a change of one of our own points to the slower.

#ifndef TOPSPLIT_BENCH_REPORT_H
#define TOPSPLIT_BENCH_REPORT_H

#include <cstddef>
#include <memory>
#include <string>

namespace topsplit::bench {

class report {
 public:
  explicit report(double threshold_percent);
  ~report();

  // Throws std::invalid_argument with one line where the text is no result.
  void add(const std::string& label, const std::string& json);

  std::string html() const;  // std::runtime_error where the build had no library for the plots
  std::string csv() const;
  std::string markdown() const;
  std::string summary() const;  // some lines for a terminal
  std::size_t regressions() const;

  // The first label whose result shares none of our points with the first result; empty where each does.
  std::string uncompared() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace topsplit::bench

#endif
