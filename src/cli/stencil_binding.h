// SPDX-License-Identifier: Apache-2.0
#pragma once
// The words of `lathe run FILE.py:NAME`: the caller's arrays, with axes I, J, K and data, and the
// program's arrays, which are parts of them in an order of their own.

#include <map>
#include <string>
#include <vector>

#include "frontend/stencil/call.h"
#include "interp/interpreter.h"

namespace lathe::cli {

struct StencilWords {
  std::string domain;               // 128x128x80; empty: from files
  std::vector<std::string> origin;  // NAME=2,2,0, or 2,2,0 for all
  std::vector<std::string> set, in;
};

// Refuses them where there is no stencil.
void check_domain_words(const std::string& domain, const std::vector<std::string>& origin,
                        const std::string& file, bool is_stencil);

class StencilBinding {
 public:
  // Reads files, makes generated inputs. Throws UserError.
  StencilBinding(const stencil::Stencil& stencil, const std::string& layout,
                 const StencilWords& words);

  const interp::State& state() const { return state_; }  // what the program starts from
  // The fields that the stencil writes, in the order of its arguments.
  std::vector<std::string> results() const;
  // The caller's array after a run that left `state`; index 0 is the first point of the domain.
  interp::Buffer result(const std::string& field, const interp::State& state) const;
  // v[3,4,5] as the program's array and index.
  interp::Options::Watch watch(const ir::Program& program, const std::string& text) const;

 private:
  void set_scalars(const std::vector<std::string>& set);
  void make_arrays(const StencilWords& words);
  // From the caller's axes to the program's: position of each in the program's array.
  std::vector<std::size_t> order_of(const stencil::Argument& a) const;

  const stencil::Info& info_;
  std::string layout_;
  stencil::CallPlan plan_;
  std::map<std::string, interp::Buffer> arrays_;  // the caller's
  interp::State state_;
};

}  // namespace lathe::cli
