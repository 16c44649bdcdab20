// SPDX-License-Identifier: Apache-2.0
#include "road/records.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"

namespace lathe::bench {
namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

std::string rate_text(const Row& row, double seconds) {
  if (row.limit == Limit::Fma) return fmt::format("{:7.1f} GF/s", row.work / seconds / 1e9);
  return fmt::format("{:7.1f} GB/s", row.work / seconds / 1e9);
}

int rounds_in_common(const Result& a, const Result& b) {
  int count = 0;
  for (std::size_t i = 0; i < std::min(a.runs.size(), b.runs.size()); ++i)
    count += a.runs[i] > 0 && b.runs[i] > 0 ? 1 : 0;
  return count;
}

// Where hardly a round left both of them alone: of the fastest runs, which were disturbed least.
// Says so in `busy`.
std::optional<double> ratio(const Result& a, const Result& b, bool& busy) {
  const std::optional<double> within = speed_ratio(a, b);
  const int enough =
      std::max(a.seconds, b.seconds) > 0.25 ? 1 : 3;  // who is slow runs twice at most
  if (!a.busy && !b.busy && rounds_in_common(a, b) >= enough) return within;
  busy = true;
  if (!(a.fastest > 0) || !(b.fastest > 0)) return within;
  return b.fastest / a.fastest;
}

bool stays(const std::string& bench) {
  return bench.starts_with("stencil") || bench.starts_with("array");
}

// The lines of the file that go on being true.
std::vector<std::string> kept_lines(const std::string& path, const std::vector<Record>& records) {
  std::vector<std::string> out;
  if (!std::filesystem::exists(path)) return out;
  const Json old = Json::parse(read_file(path), nullptr, false);
  if (!old.is_array()) return out;  // damaged, or somebody else's
  for (const Json& line : old) {
    const std::string bench = line.value("bench", ""), dtype = line.value("dtype", ""),
                      size = line.value("size", "");
    bool again = false;
    for (const Record& r : records) {
      again |= bench == r.bench && dtype == r.dtype && size == r.size;
      again |= !stays(bench) && !stays(r.bench);
    }
    if (!again) out.push_back(line.dump());
  }
  return out;
}

}  // namespace

std::vector<Record> records_of(const Row& row, const std::vector<Result>& results,
                               std::optional<double> predicted) {
  const Result* const limit = find(results, "limit");
  const Result* const lathe = find(results, "lathe");
  std::vector<Record> out;
  for (const Result& r : results) {
    Record record{.bench = row.bench,
                  .dtype = row.dtype,
                  .size = row.size_text,
                  .who = r.who,
                  .seconds = r.seconds,
                  .note = r.wrong};
    record.busy = r.busy;
    record.fastest = r.fastest;
    if (limit) {
      record.limit_seconds = limit->seconds;
      record.of_limit = ratio(r, *limit, record.busy);
    }
    if (r.who == "lathe") record.predicted_seconds = predicted;
    if (lathe) record.lathe_speed = ratio(*lathe, r, record.busy);
    out.push_back(std::move(record));
  }
  return out;
}

Record missing_record(const Row& row, const std::string& who, const std::string& why) {
  Record record{.bench = row.bench, .dtype = row.dtype, .size = row.size_text, .who = who};
  record.missing = why.empty() ? "no reason given" : why;
  return record;
}

std::string table_of(const Row& row, const std::vector<Record>& records) {
  std::string out = row.text() + "\n";
  for (const Record& r : records) {
    out += fmt::format("  {:<13}{:10.3f} ms {}", r.who, r.seconds * 1e3, rate_text(row, r.seconds));
    if (r.of_limit && r.who != "limit") out += fmt::format("  {:5.2f} of limit", *r.of_limit);
    if (r.lathe_speed && r.who != "lathe" && r.who != "limit")
      out += fmt::format("  lathe is {:.2f} times as fast", *r.lathe_speed);
    if (r.predicted_seconds)
      out += fmt::format("  predicted {:.3f} ms ({:.2f})", *r.predicted_seconds * 1e3,
                         *r.predicted_seconds / r.seconds);
    if (r.busy)
      out += fmt::format("  (other programs were busy; the fastest {:.3f} ms)", r.fastest * 1e3);
    if (!r.note.empty()) out += "  WRONG: " + r.note;
    out += "\n";
  }
  return out;
}

std::string latency_table(const std::vector<Record>& records) {
  const auto time_text = [](double seconds) {
    return seconds < 1e-4 ? fmt::format("{:.2f} us", seconds * 1e6)
                          : fmt::format("{:.2f} ms", seconds * 1e3);
  };
  std::string out;
  for (const Record& r : records) {
    const std::string value =
        r.bytes ? fmt::format("{:.1f} MB", *r.bytes / 1e6) : time_text(r.seconds);
    out += fmt::format("{:<20}{:<16}{:<14}{:>12}", r.bench, r.size, r.who, value);
    if (r.fastest > 0) out += fmt::format("  (the fastest {})", time_text(r.fastest));
    out += "\n";
  }
  return out;
}

std::vector<std::string> missed_goals(const Row& row, const std::vector<Result>& results) {
  std::vector<std::string> out;
  const Result* const lathe = find(results, "lathe");
  if (!lathe) return out;
  for (const Goal& goal : row.goals) {
    std::vector<std::string> names = {goal.against};
    if (goal.against == "blas") names = {"openblas", "torch"};
    for (const std::string& name : names) {
      const Result* const other = find(results, name);
      bool busy = false;
      const auto speed = other ? ratio(*lathe, *other, busy) : std::nullopt;
      if (speed && *speed < goal.speed)
        out.push_back(fmt::format("{}: {:.2f} of {}'s speed, aimed at {:.2f}{}", row.text(), *speed,
                                  name, goal.speed, busy ? " (other programs were busy)" : ""));
    }
  }
  return out;
}

void write_json(const std::string& path, const std::vector<Record>& records) {
  std::vector<std::string> lines = kept_lines(path, records);
  for (const Record& r : records) {
    const bool is_timed = !r.bytes && r.missing.empty();
    Json record = {{"bench", r.bench},
                   {"dtype", r.dtype},
                   {"size", r.size},
                   {"who", r.who},
                   {"seconds", is_timed ? Json(r.seconds) : Json(nullptr)},
                   {"fastest_seconds", r.fastest > 0 ? Json(r.fastest) : Json(nullptr)},
                   {"limit_seconds", number(r.limit_seconds)},
                   {"of_limit", number(r.of_limit)},
                   {"predicted_seconds", number(r.predicted_seconds)},
                   {"lathe_speed", number(r.lathe_speed)},
                   {"busy", r.busy},
                   {"note", r.note}};
    if (r.bytes) record["bytes"] = *r.bytes;
    if (!r.missing.empty()) record["missing"] = r.missing;
    lines.push_back(record.dump());
  }
  std::string text = "[";
  for (const std::string& line : lines) text += (text.size() > 1 ? ",\n " : "\n ") + line;
  AtomicFile file(path);
  file.write(text + "\n]\n");
  file.commit();
}

}  // namespace lathe::bench
