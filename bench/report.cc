// What is told in words and tables; the page's plots are drawn from the same data by report/page.js.

#include "bench/report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "bench/counted.h"
#include "bench/report_data.h"

namespace topsplit::bench {
namespace {

using json = nlohmann::ordered_json;

std::string number(double value, int digits = 3) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

std::string time_text(double ns) {
  if (ns < 1e3) return number(ns) + " ns";
  if (ns < 1e6) return number(ns / 1e3) + " us";
  return ns < 1e9 ? number(ns / 1e6) + " ms" : number(ns / 1e9) + " s";
}

std::string text_of(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string field(const measured_point& point, const char* name) {
  return point.fields.contains(name) ? text_of(point.fields.at(name)) : "";
}

std::string algorithm_of(const measured_point& point) {
  const auto plan = point.fields.find("plan");
  return plan != point.fields.end() && plan->is_object() ? text_of(plan->value("algorithm", json(""))) : "";
}

// Times ours against another way of the same shape and threads, as a geometric mean.
struct mean_ratio {
  double logarithms = 0;
  std::size_t count = 0;

  void add(double ratio) {
    logarithms += std::log(ratio);
    ++count;
  }
  double value() const { return std::exp(logarithms / static_cast<double>(count)); }
};

std::map<std::string, mean_ratio> ratios_of(const measured_result& result) {
  std::map<std::string, const measured_point*> ours;
  const auto key = [](const measured_point& p) { return field(p, "shape") + "/" + field(p, "threads"); };
  for (const measured_point& point : result.points) {
    if (point.is_ours) ours.emplace(key(point), &point);
  }
  std::map<std::string, mean_ratio> ratios;
  for (const measured_point& point : result.points) {
    const auto own = ours.find(key(point));
    if (point.is_ours || own == ours.end()) continue;
    ratios[field(point, "op") + " against " + field(point, "way")].add(point.median_ns / own->second->median_ns);
  }
  return ratios;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string markdown_cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : c == '\n' ? std::string(" ") : std::string(1, c);
  return escaped;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + markdown_cell(cell) + " |";
  return row + "\n";
}

std::string markdown_head(const std::vector<std::string>& cells) {
  return markdown_row(cells) + markdown_row(std::vector<std::string>(cells.size(), "---"));
}

std::string limit_text(const measured_point& point) { return point.limit > 0 ? number(point.limit * 100) : ""; }

json point_json(const measured_point& point) {
  json fields = point.fields;
  fields["ns"] = point.median_ns;
  fields["least_ns"] = point.least_ns;
  fields["most_ns"] = point.most_ns;
  if (point.limit > 0) fields["limit"] = point.limit;
  fields["algorithm"] = algorithm_of(point);
  return fields;
}

json result_json(const measured_result& result) {
  json points = json::array();
  for (const measured_point& point : result.points) points.push_back(point_json(point));
  return {{"label", result.label},
          {"settings", result.settings},
          {"context", result.context},
          {"plans", result.plans},
          {"points", std::move(points)}};
}

}  // namespace

struct report::state {
  double threshold;
  std::vector<measured_result> results;

  template <class F>
  void for_each_comparison(F f) const {
    for (std::size_t i = 1; i < results.size(); ++i) f(results[i], compare(results[0], results[i], threshold));
  }
};

report::report(double threshold_percent) : state_(std::make_unique<state>()) { state_->threshold = threshold_percent; }
report::~report() = default;

void report::add(const std::string& label, const std::string& text) {
  state_->results.push_back(read_result(label, text));
}

std::size_t report::regressions() const {
  std::size_t count = 0;
  state_->for_each_comparison([&](const measured_result&, const std::vector<measured_change>& changes) {
    for (const measured_change& change : changes)
      count += change.after->is_ours && change.verdict[0] == 's' && change.verdict[1] == 'l';
  });
  return count;
}

std::string report::uncompared() const {
  std::string label;
  state_->for_each_comparison([&](const measured_result& after, const std::vector<measured_change>& changes) {
    const auto is_ours = [](const measured_change& change) { return change.after->is_ours; };
    if (label.empty() && std::none_of(changes.begin(), changes.end(), is_ours)) label = after.label;
  });
  return label;
}

std::string report::csv() const {
  static const char* const columns[] = {"name",  "shape",   "workload", "op",     "type",        "rows",
                                        "n",     "k",       "inner",    "select", "order",       "parts",
                                        "piece", "element", "offset",   "values", "input_bytes", "output_bytes",
                                        "way",   "isa",     "threads",  "pool",   "cache",       "check"};
  std::string text = "result";
  for (const char* column : columns) text += std::string(",") + column;
  text += ",algorithm,median_ns,least_ns,most_ns,spread_percent,gigabytes_per_second,percent_of_limit\n";
  for (const measured_result& result : state_->results) {
    for (const measured_point& point : result.points) {
      text += csv_cell(result.label);
      for (const char* column : columns) text += "," + csv_cell(field(point, column));
      text += "," + csv_cell(algorithm_of(point));
      for (const double value :
           {point.median_ns, point.least_ns, point.most_ns, point.spread_percent(), point.gigabytes_per_second()}) {
        text += "," + number(value, 6);
      }
      text += "," + limit_text(point) + "\n";
    }
  }
  return text;
}

std::string report::markdown() const {
  std::string text;
  for (const measured_result& result : state_->results) {
    text += "## " + markdown_cell(result.label) + "\n\n" + markdown_head({"machine", ""});
    const json machine = result.settings.value("machine", json::object());
    for (const auto& [name, value] : machine.items()) {
      text += markdown_row({name, text_of(value)});
    }
    text +=
        "\n" + markdown_head({"shape", "way", "ISA", "threads", "median", "spread, %", "GB/s", "% of limit", "check"});
    for (const measured_point& point : result.points) {
      text += markdown_row({field(point, "shape"), field(point, "way"), field(point, "isa"), field(point, "threads"),
                            time_text(point.median_ns), number(point.spread_percent(), 2),
                            number(point.gigabytes_per_second()), limit_text(point), field(point, "check")});
    }
    text += "\n";
  }
  state_->for_each_comparison([&](const measured_result& after, const std::vector<measured_change>& changes) {
    text += "## " + markdown_cell(state_->results[0].label) + " to " + markdown_cell(after.label) + "\n\n" +
            markdown_head({"point", "before", "after", "change, %", "noise, %", "verdict"});
    for (const measured_change& change : changes) {
      text += markdown_row({change.after->name, time_text(change.before->median_ns), time_text(change.after->median_ns),
                            number(change.percent), number(change.noise_percent, 2), change.verdict});
    }
    text += "\n";
  });
  return text;
}

std::string report::summary() const {
  std::string text;
  for (const measured_result& result : state_->results) {
    text += result.label + ": " + counted(result.points.size(), "point");
    for (const auto& [what, ratio] : ratios_of(result)) {
      text += "; " + what + " " + number(ratio.value()) + " (" + std::to_string(ratio.count) + ")";
    }
    text += "\n";
  }
  state_->for_each_comparison([&](const measured_result& after, const std::vector<measured_change>& changes) {
    std::size_t slower = 0, faster = 0;
    for (const measured_change& change : changes) {
      slower += std::string(change.verdict) == "slower";
      faster += std::string(change.verdict) == "faster";
    }
    text += state_->results[0].label + " to " + after.label + ": " + counted(changes.size(), "point") + " in both, " +
            std::to_string(slower) + " slower, " + std::to_string(faster) + " faster, beyond " +
            number(state_->threshold) + " % and the noise\n";
    for (const measured_change& change : changes) {
      if (std::string(change.verdict) != "slower") continue;
      text += "  " + change.after->name + ": " + time_text(change.before->median_ns) + " to " +
              time_text(change.after->median_ns) + ", +" + number(change.percent) + " % (noise " +
              number(change.noise_percent, 2) + " %)\n";
    }
  });
  return text;
}

std::string report::html() const {
  json data = {{"threshold", state_->threshold}, {"results", json::array()}, {"comparisons", json::array()}};
  for (const measured_result& result : state_->results) data["results"].push_back(result_json(result));
  state_->for_each_comparison([&](const measured_result& after, const std::vector<measured_change>& changes) {
    json rows = json::array();
    for (const measured_change& c : changes) {
      rows.push_back({{"name", c.after->name},
                      {"ours", c.after->is_ours},
                      {"before", c.before->median_ns},
                      {"after", c.after->median_ns},
                      {"percent", c.percent},
                      {"noise", c.noise_percent},
                      {"verdict", c.verdict}});
    }
    data["comparisons"].push_back({{"label", after.label}, {"changes", std::move(rows)}});
  });
  return report_page(data.dump(-1, ' ', true, json::error_handler_t::replace));
}

}  // namespace topsplit::bench
