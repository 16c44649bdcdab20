// SPDX-License-Identifier: Apache-2.0
#include "api/c_program.h"

#include <algorithm>

#include "analysis/check_access.h"
#include "analysis/footprint.h"
#include "api/c_handles.h"
#include "base/quoted.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "pipeline.h"

namespace lathe::api {

lathe_code make_program(const std::string& file, std::string_view text, lathe_program** program,
                        lathe_error** error) {
  auto sources = std::make_shared<SourceMap>();
  Diagnostics diagnostics;
  const lathe_code code = guarded(error, LATHE_ERROR_PROGRAM, sources.get(), [&] {
    auto parsed = ir::parse_program(file, text, diagnostics, sources);
    const bool fine = parsed && ir::verify(*parsed, diagnostics) &&
                      analysis::check_access(*parsed, diagnostics) && !diagnostics.has_errors();
    if (!fine) return;
    auto made = std::make_unique<lathe_program>();
    made->program = std::move(*parsed);
    made->signature = std::make_unique<Signature>(made->program, made->mutex);
    made->name = made->program.name.text();
    *program = made.release();
  });
  if (code != LATHE_OK || !diagnostics.has_errors()) return code;
  return report(error, LATHE_ERROR_PROGRAM, diagnostics, *sources);
}

namespace {

// The values of the integers, all of them: an answer for others would be a guess.
analysis::SizeValues size_values(const Signature& s, const lathe_value* values, int32_t count) {
  analysis::SizeValues sizes;
  for (int32_t i = 0; i < count; ++i) {
    const ParameterInfo& p =
        s.parameters()[parameter_number(s, values[i].name, static_cast<std::size_t>(i))];
    const ir::Scalar value = to_scalar(values[i], p);
    if (!ir::is_int(p.dtype)) continue;
    check_size(p, value);
    sizes[p.name] = value.as_int();
  }
  for (const ParameterInfo& p : s.parameters())
    if (ir::is_int(p.dtype) && !sizes.contains(p.name)) refuse_missing(p);
  return sizes;
}

// The box of an array that a view speaks of.
analysis::NumberBox box_of(const lathe_view& view, std::size_t rank) {
  require(view.rank == static_cast<int>(rank) && (rank == 0 || view.shape != nullptr),
          "the region asked for has another number of axes than its array");
  analysis::NumberBox box;
  for (std::size_t x = 0; x < rank; ++x) {
    if (view.shape[x] < 0)
      throw UsageError("the region asked for has " + std::to_string(view.shape[x]) +
                       " elements along an axis");
    box.lo.push_back(view.lo ? view.lo[x] : 0);
    box.hi.push_back(box.lo.back() + view.shape[x]);
  }
  return box;
}

}  // namespace
}  // namespace lathe::api

using namespace lathe;
using namespace lathe::api;

lathe_code lathe_program_from_text(const char* file_name, const char* text, size_t length,
                                   lathe_program** program, lathe_error** error) {
  const lathe_code usage = guarded(error, LATHE_ERROR_USAGE, nullptr, [&] {
    require(text != nullptr && program != nullptr,
            "lathe_program_from_text needs a text and a place for the program");
  });
  if (usage != LATHE_OK) return usage;
  *program = nullptr;
  return make_program(file_name ? file_name : "program", {text, length}, program, error);
}

void lathe_program_destroy(lathe_program* program) { delete program; }
const char* lathe_program_name(const lathe_program* program) { return program->name.c_str(); }
const char* lathe_program_text(const lathe_program* program) {
  try {
    const std::lock_guard lock(program->mutex);
    if (program->text.empty()) program->text = ir::print(program->program);
    return program->text.c_str();
  } catch (...) {  // no memory
    return "";
  }
}

int32_t lathe_program_parameter_count(const lathe_program* program) {
  return static_cast<int32_t>(program->signature->parameters().size());
}

lathe_parameter_info lathe_program_parameter(const lathe_program* program, int32_t index) {
  if (index < 0 || index >= lathe_program_parameter_count(program)) return {};
  const ParameterInfo& p = program->signature->parameters()[static_cast<std::size_t>(index)];
  return {p.name.c_str(), static_cast<lathe_dtype>(p.dtype), p.is_size ? 1 : 0};
}

int32_t lathe_program_array_count(const lathe_program* program) {
  return static_cast<int32_t>(program->signature->arguments().size());
}

lathe_array_info lathe_program_array(const lathe_program* program, int32_t index) {
  static_assert(static_cast<int>(ir::Role::State) == LATHE_STATE &&
                static_cast<int>(ir::Role::InOut) == LATHE_INOUT);
  if (index < 0 || index >= lathe_program_array_count(program)) return {};
  const ArgumentInfo& a = program->signature->arguments()[static_cast<std::size_t>(index)];
  return {a.name.c_str(), static_cast<lathe_dtype>(a.dtype), static_cast<lathe_role>(a.role),
          static_cast<int32_t>(a.rank), a.computed ? 1 : 0};
}

lathe_code lathe_program_required(const lathe_program* program, const lathe_view* output,
                                  const lathe_value* values, int32_t value_count, const char* input,
                                  int64_t* lo, int64_t* shape, int32_t* needed,
                                  lathe_error** error) {
  return guarded(
      error, LATHE_ERROR_ARGUMENT, program ? program->program.sources.get() : nullptr, [&] {
        require(
            program && output && needed && (values || value_count == 0),
            "lathe_program_required needs a program, a region, values and a place for the answer");
        const Signature& s = *program->signature;
        const ArgumentInfo& from = s.arguments()[argument_number(s, input, 0)];
        const ArgumentInfo& to = s.arguments()[argument_number(s, output->name, 0)];
        require(from.rank == 0 || (lo && shape),
                "there is no place for the region: lo or shape is null");
        const analysis::NumberBox region = box_of(*output, to.rank);
        const analysis::SizeValues sizes = size_values(s, values, value_count);
        const std::lock_guard lock(program->mutex);
        // Statements are widened to what others read of them before anybody asks what they read.
        if (!program->sized)
          program->sized = run_pass(*find_pass("compute-extents"), program->program);
        const auto boxes = analysis::required(
            *program->sized, program->program.graph->symbol(to.name), region, sizes);
        const auto found = boxes.find(program->program.graph->symbol(from.name));
        *needed = found != boxes.end() && !found->second.is_empty() ? 1 : 0;
        for (std::size_t x = 0; x < from.rank; ++x) {
          lo[x] = *needed ? found->second.lo[x] : 0;
          shape[x] = *needed ? found->second.hi[x] - found->second.lo[x] : 0;
        }
      });
}
