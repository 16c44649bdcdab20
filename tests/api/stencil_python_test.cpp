// SPDX-License-Identifier: Apache-2.0
// Stencils of a running Python: names, types and functions of other files as objects.

#include <gtest/gtest.h>
#include <lathe/c_python.h>

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace lathe::testing {
namespace {

using Numbers = std::vector<double>;

constexpr const char* kModel = R"(import physics
from types_of_model import FloatField

def make(limit):
    @stencil
    def clip(u: FloatField, v: FloatField, *, a: float = LIMIT):
        from __externals__ import SHIFT
        with computation(PARALLEL), interval(...):
            v = physics.scaled(u, limit) + a + SHIFT
)";
constexpr const char* kPhysics = R"(
@gt_function
def scaled(x, by, offset=OFFSET):
    return FACTOR * x * by + offset

def plain(x):
    return x
)";

struct Model {
  Model() {
    const int32_t model = lathe_python_text(python, "model.py", kModel, std::strlen(kModel));
    const int32_t physics =
        lathe_python_text(python, "physics.py", kPhysics, std::strlen(kPhysics));
    clip = lathe_python_function(python, model, 5, "clip", 0);
    const lathe_object field =
        lathe_python_field(python, "IJK", lathe_python_dtype(python, LATHE_F64, 1), nullptr, 0, 0);
    lathe_python_annotate(python, clip, "u", field);
    lathe_python_annotate(python, clip, "v", field);
    lathe_python_annotate(python, clip, "a", lathe_python_dtype(python, LATHE_F64, 1));
    lathe_python_default(python, clip, "a", lathe_python_float(python, 0.25, LATHE_PYTHON));
    lathe_python_set(python, clip, "limit", lathe_python_float(python, 3.0, LATHE_PYTHON));
    scaled = lathe_python_function(python, physics, 2, "scaled", 1);
    lathe_python_set(python, scaled, "FACTOR", lathe_python_float(python, 2.0, LATHE_PYTHON));
    lathe_python_default(python, scaled, "offset", lathe_python_int(python, 1, LATHE_PYTHON));
    const lathe_object plain = lathe_python_function(python, physics, 6, "plain", 0);
    module = lathe_python_namespace(python);
    lathe_python_set(python, module, "scaled", scaled);
    lathe_python_set(python, module, "plain", plain);
    lathe_python_set(python, clip, "physics", module);
    lathe_python_external(python, "SHIFT", lathe_python_int(python, 100, LATHE_I32));
  }
  ~Model() { lathe_python_destroy(python); }

  lathe_stencil* make(const char* name = nullptr) {
    lathe_stencil_options options{};
    options.size = sizeof options;
    options.stencil = name;
    lathe_stencil* made = nullptr;
    lathe_error* error = nullptr;
    if (lathe_stencil_from_python(python, clip, &options, &made, &error) != LATHE_OK) {
      text = lathe_error_text(error);
      lathe_error_destroy(error);
    }
    return made;
  }

  lathe_objects* python = lathe_python_create();
  lathe_object clip = -1, scaled = -1, module = -1;
  std::string text;
};

Numbers run(lathe_stencil* s, const Numbers& u) {
  Numbers v(u.size());
  const std::array<std::int64_t, 3> shape{2, 1, static_cast<std::int64_t>(u.size()) / 2};
  lathe_view views[2] = {};
  const char* names[] = {"u", "v"};
  for (int i = 0; i < 2; ++i) {
    views[i].name = names[i];
    views[i].data = i ? v.data() : const_cast<double*>(u.data());
    views[i].dtype = LATHE_F64;
    views[i].rank = 3;
    views[i].shape = shape.data();
  }
  lathe_error* error = nullptr;
  EXPECT_EQ(lathe_stencil_run(s, nullptr, 0, views, 2, nullptr, nullptr, nullptr, &error), LATHE_OK)
      << (error ? lathe_error_text(error) : "");
  lathe_error_destroy(error);
  return v;
}

TEST(StencilOfPython, NamesTypesAndDefaultsAreThoseOfPython) {
  lathe_stencil* s = nullptr;
  {
    Model m;
    s = m.make("cut");
    ASSERT_NE(s, nullptr) << m.text;
  }
  EXPECT_STREQ(lathe_stencil_name(s), "cut");
  EXPECT_EQ(run(s, {1, 2, 3, 4}), (Numbers{107.25, 113.25, 119.25, 125.25}));
  lathe_stencil_destroy(s);
}

TEST(StencilOfPython, MessagesShowTheUsersFiles) {
  Model m;
  lathe_python_set(m.python, m.scaled, "FACTOR",
                   lathe_python_unknown(m.python, "'FACTOR', which is a list"));
  EXPECT_EQ(m.make(), nullptr);
  EXPECT_EQ(m.text,
            "error: missing or invalid value: 'FACTOR', which is a list\n"
            "  --> physics.py:4:12\n"
            "   |\n"
            " 4 |     return FACTOR * x * by + offset\n"
            "   |            ^^^^^^\n"
            "  note: in function 'scaled', which is called here\n"
            "  --> model.py:9:17\n"
            "   |\n"
            " 9 |             v = physics.scaled(u, limit) + a + SHIFT\n"
            "   |                 ^^^^^^^^^^^^^^^^^^^^^^^^\n"
            "  help: stencils use numbers, bools, fields and functions\n");
}

TEST(StencilOfPython, AFunctionMustBeAGtscriptFunction) {
  Model m;
  const lathe_object plain = lathe_python_function(m.python, 1, 6, "plain", 0);
  lathe_python_set(m.python, m.module, "scaled", plain);
  lathe_python_set(m.python, m.clip, "physics", m.module);
  EXPECT_EQ(m.make(), nullptr);
  EXPECT_EQ(m.text.substr(0, m.text.find('\n')), "error: 'plain' is not a gtscript function");
}

TEST(StencilOfPython, AFileThatChangedSinceItWasRead) {
  Model m;
  m.clip = lathe_python_function(m.python, 0, 2, "clip", 0);
  EXPECT_EQ(m.make(), nullptr);
  EXPECT_EQ(m.text,
            "error: there is no function 'clip' at line 2 of model.py\n"
            "  help: the file has changed since Python read it: start Python again\n");
}

TEST(StencilOfPython, MisuseIsToldByTheStencil) {
  Model a;
  lathe_python_set(a.python, a.clip, "x", 1000);
  EXPECT_EQ(a.make(), nullptr);
  EXPECT_EQ(a.text, "error: there is no object of that number\n");
  Model b;
  lathe_python_word(b.python, "nonsense");
  EXPECT_EQ(b.make(), nullptr);
  EXPECT_EQ(b.text, "error: 'nonsense' is not a word of GTScript\n");
  Model c;
  lathe_python_axes(c.python, "JI");
  EXPECT_EQ(c.make(), nullptr);
  EXPECT_EQ(c.text,
            "error: the axes of a field are 'JI'\n"
            "  help: they are I, J and K, or some of them in this order\n");
}

TEST(StencilOfPython, DomainAndOriginsOfACall) {
  constexpr const char* kText = R"(from gtscript import *
def lap(u: Field[float], w: Field[J, float], v: Field[float]):
    with computation(PARALLEL), interval(...):
        v = u[-2, 0, 0] + u[1, 0, 0] + w
)";
  lathe_stencil* s = nullptr;
  ASSERT_EQ(lathe_stencil_from_text("lap.py", kText, std::strlen(kText), nullptr, &s, nullptr),
            LATHE_OK);
  const std::int64_t u[] = {9, 5, 4}, w[] = {7}, lo[] = {-2}, v[] = {8, 8, 8};
  lathe_view views[3] = {};
  views[0] = {"u", nullptr, LATHE_F64, 3, nullptr, u, nullptr, LATHE_HOST, 0};
  views[1] = {"w", nullptr, LATHE_F64, 1, lo, w, nullptr, LATHE_HOST, 0};
  views[2] = {"v", nullptr, LATHE_F64, 3, nullptr, v, nullptr, LATHE_HOST, 0};
  std::int64_t chosen[3] = {}, origins[9] = {};
  lathe_error* error = nullptr;
  ASSERT_EQ(lathe_stencil_domain(s, views, 3, nullptr, chosen, origins, &error), LATHE_OK);
  EXPECT_EQ((std::vector<std::int64_t>(chosen, chosen + 3)), (std::vector<std::int64_t>{6, 5, 4}));
  EXPECT_EQ((std::vector<std::int64_t>(origins, origins + 9)),
            (std::vector<std::int64_t>{2, 0, 0, 0, 2, 0, 0, 0, 0}));
  const std::int64_t large[] = {7, 5, 4};
  EXPECT_EQ(lathe_stencil_domain(s, views, 3, large, chosen, origins, &error),
            LATHE_ERROR_ARGUMENT);
  EXPECT_STREQ(lathe_error_message(error),
               "the array for 'u' has 9 in I, but must have at least 10");
  lathe_error_destroy(error);
  lathe_stencil_destroy(s);
}

}  // namespace
}  // namespace lathe::testing
