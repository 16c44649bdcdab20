// SPDX-License-Identifier: Apache-2.0
#pragma once
// A reference to something callable, for parameters: two pointers, no allocation, and without
// <functional>, which is slow to compile. What it refers to must outlive it, so never store one.

#include <memory>
#include <type_traits>
#include <utility>

namespace lathe {

template <class Signature>
class FunctionRef;

template <class Result, class... Args>
class FunctionRef<Result(Args...)> {
 public:
  template <class Callable>
  requires(!std::is_same_v<std::remove_cvref_t<Callable>, FunctionRef> &&
           std::is_invocable_r_v<Result, Callable&, Args...>)
      FunctionRef(Callable&& callable) {  // NOLINT: implicit, as arguments are passed
    using Target = std::remove_reference_t<Callable>;
    if constexpr (std::is_function_v<Target>) {
      target_.function = reinterpret_cast<void (*)()>(&callable);
      call_ = [](Place place, Args... args) -> Result {
        return reinterpret_cast<Target*>(place.function)(std::forward<Args>(args)...);
      };
    } else {
      target_.object = const_cast<void*>(static_cast<const void*>(std::addressof(callable)));
      call_ = [](Place place, Args... args) -> Result {
        return (*static_cast<Target*>(place.object))(std::forward<Args>(args)...);
      };
    }
  }

  Result operator()(Args... args) const { return call_(target_, std::forward<Args>(args)...); }

 private:
  union Place {
    void* object;
    void (*function)();
  };

  Place target_;
  Result (*call_)(Place, Args...);
};

}  // namespace lathe
