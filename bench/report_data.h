// A result as the report's parts read it.

#ifndef TOPSPLIT_BENCH_REPORT_DATA_H
#define TOPSPLIT_BENCH_REPORT_DATA_H

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace topsplit::bench {

struct measured_point {
  nlohmann::ordered_json fields;  // as the sweep describes it
  std::string name;
  bool is_ours = false;
  double median_ns = 0, least_ns = 0, most_ns = 0;  // of the repetitions
  double limit = 0;                                 // the limit's median over ours; 0: not measured

  double spread_percent() const { return (most_ns - least_ns) / median_ns * 100; }
  double gigabytes_per_second() const { return fields.at("input_bytes").get<double>() / median_ns; }
};

struct measured_result {
  std::string label;
  nlohmann::ordered_json context, settings, plans;
  std::vector<measured_point> points;

  const measured_point* find(const std::string& name) const;
};

// Throws std::invalid_argument where the text is no result.
measured_result read_result(const std::string& label, const std::string& json);

struct measured_change {
  const measured_point* before;
  const measured_point* after;
  double percent;        // of the median; more is slower
  double noise_percent;  // the wider of the two spreads
  const char* verdict;   // "slower", "faster", "same"
};

// Of the points that both have, the slowed ones first.
std::vector<measured_change> compare(const measured_result& before, const measured_result& after,
                                     double threshold_percent);

// The page around the data; throws std::runtime_error where the build had no library for the plots.
std::string report_page(const std::string& data);

}  // namespace topsplit::bench

#endif
