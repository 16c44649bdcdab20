// SPDX-License-Identifier: Apache-2.0
#pragma once
// Stencils of a running Python. Where File reads one text and executes nothing, here Python has
// looked up every name: what a definition refers to are objects - numbers, dtypes, the types of
// fields, functions of this file and of others - and the texts are those of the files that the
// functions stand in.
//
//   Objects objects(sources);
//   const auto f = objects.add_function(objects.add_text("model.py", text), 12, "hdiff", false);
//   objects.set(f, "LIMIT", objects.add(Value::of_float(0.5)));    // the name LIMIT in hdiff
//   objects.compile(f, "hdiff", options, diagnostics);

#include <deque>

#include "frontend/stencil/environment.h"
#include "frontend/stencil/stencil.h"

namespace lathe::stencil {

class Objects {
 public:
  using Id = std::int32_t;

  explicit Objects(std::shared_ptr<SourceMap> sources) : sources_(std::move(sources)) {}

  Id add_text(std::string file_name, std::string text);
  Id add(Value value);
  // The function that begins in that line, at its first decorator or at `def`. What is wrong with
  // the text is told by compile(). `is_function`: a gtscript function, so that stencils can call
  // it.
  Id add_function(Id text, std::uint32_t line, std::string_view name, bool is_function);

  // The next element of a tuple, a member of an enum or namespace, a name that a function sees.
  // All but functions are complete before they are put into another.
  void set(Id of, std::string name, Id value);
  void set_annotation(Id function, std::string parameter, Id value);
  void set_default(Id function, std::string parameter, Id value);

  const Value& at(Id object) const;
  // Like File::compile(). `name`: that of the stencil; empty: that of the function.
  std::optional<Stencil> compile(Id function, const std::string& name, const Options& options,
                                 Diagnostics& diagnostics) const;
  const std::shared_ptr<SourceMap>& sources() const { return sources_; }

 private:
  struct Text {
    std::uint32_t file = kNoFile;
    bool parsed = false;
    Arena arena;
    std::optional<python::Module> module;
  };
  Scope& scope_of(Id function);

  std::shared_ptr<SourceMap> sources_;
  std::deque<Text> texts_;
  std::vector<Value> objects_;
  std::deque<Scope> scopes_;  // of functions, by their number
  Diagnostics problems_;
};

}  // namespace lathe::stencil
