// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the evaluation of an array came to, remembered by its node: the kernel, the call with all
// the data that the graph holds itself, the shape of the result. The next evaluation, with given
// arrays of the same shapes, gives the result memory and runs.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/array_eval.h"
#include "api/array_kernel.h"

namespace lathe::api {

// The launch that finds the positions of a mask, before the one that reads there. Of graphs that
// hold all their data.
struct MaskStep {
  const array::Node* positions = nullptr;
  std::shared_ptr<ArrayKernel> kernel;
  std::unique_ptr<Call> call;
  std::vector<std::pair<const array::Node*, std::size_t>> numbers;  // and their parameters
  std::int64_t count = 0;
  bool is_little = false;

  static MaskStep make(const array::Node& positions, const array::GraphKey& key,
                       std::shared_ptr<ArrayKernel> kernel, std::unique_ptr<Call> call,
                       std::int64_t count, bool is_little);
  // The positions, one after another; throws as Call does.
  std::shared_ptr<array::Storage> run(const ArrayBindings& bindings, const RunOptions& options);
};

class ArrayPlan : public array::Memo {
 public:
  ArrayPlan() = default;  // fits nothing: a sign that there was an evaluation
  // After a run that went well, of one array that needed one launch, or one after that of a mask.
  // `order` is its graph, `is_little` says that one thread is enough; null: it is none that can be
  // remembered, and `call` and `mask` are as they were.
  static std::unique_ptr<ArrayPlan> make(const array::Node& output,
                                         const std::vector<const array::Node*>& order,
                                         const array::GraphKey& key,
                                         std::shared_ptr<ArrayKernel> kernel,
                                         std::unique_ptr<Call>& call, const array::Storage& result,
                                         const ArrayBindings& bindings, bool is_little,
                                         std::optional<MaskStep>& mask);

  // Do these come to the same?
  bool fits(const ArrayBindings& bindings) const;
  // Can the result be computed into it?
  bool is_for(const ArrayRef& target, ir::DType dtype) const;
  // They do. `target` takes the result, or is null. Throws as Call does; null: a mask has another
  // number of points than before.
  array::NodeRef run(const array::Node& output, const ArrayBindings& bindings,
                     const ArrayRef* target, const RunOptions& options);

 private:
  // Memory for the result, known to the call.
  std::shared_ptr<array::Storage> place_result(ir::DType dtype, const ArrayRef* target);

  struct Input {  // an array by name, as it was given
    const array::Node* node;
    std::vector<std::size_t> arguments;  // none: only its shape matters
    std::vector<std::int64_t> extents;
  };
  struct Number {  // a leaf without axes: its value is looked up each time
    const array::Node* node;
    std::size_t parameter;
  };
  struct Value {  // as it was given
    std::string name;
    ir::Scalar value;
    bool is_free;  // a number: the plan is the same for any
  };

  std::optional<MaskStep> mask_;
  std::vector<std::size_t> positions_;  // the arguments that are its result
  std::shared_ptr<ArrayKernel> kernel_;
  std::unique_ptr<Call> call_;
  std::vector<Input> inputs_;
  std::size_t views_ = 0;  // how many were given; another one is for nothing
  std::vector<Number> numbers_;
  std::vector<Value> values_;
  std::size_t result_ = 0;    // the number of that argument
  bool is_laid_out_ = false;  // the call expects it dense: it needs new memory only
  std::int64_t bytes_ = 0;
  bool is_little_ = false;
  std::vector<std::int64_t> extents_, strides_;
};

// A number that is given for a size, or for a scalar of an integer dtype, as that dtype. Throws
// UserError when that would change it.
ir::Scalar whole_number(const char* what, const std::pair<const std::string, ir::Scalar>& given,
                        ir::DType t);
// The value of a leaf without axes; `storage` is what it holds, or null.
ir::Scalar leaf_value(const array::Node& n, const array::Storage* storage,
                      const ArrayBindings& bindings);

}  // namespace lathe::api
