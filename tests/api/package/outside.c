/* SPDX-License-Identifier: Apache-2.0 */
/* One call from C, and one refusal. */
#include <lathe/c.h>
#include <stdio.h>
#include <string.h>

static const char* const text =
    "program scale(n: size, a: f32)\n"
    "  input u: f32[i: n]\n"
    "  output v: f32[i: n]\n"
    "  for i in 0..n: v[i] = a * u[i]\n";

static int failed(lathe_error* error) {
  fputs(lathe_error_text(error), stderr);
  lathe_error_destroy(error);
  return 1;
}

int main(void) {
  lathe_program* program = NULL;
  lathe_kernel* kernel = NULL;
  lathe_error* error = NULL;
  float u[4] = {1, 2, 3, 4}, v[4] = {0};
  int64_t n = 4;
  lathe_value values[2] = {{"n", LATHE_I64, {4}}, {"a", LATHE_F64, {0}}};
  lathe_view views[2];

  if (lathe_api_version() != LATHE_API_VERSION) return 1;
  if (lathe_program_from_text("scale.lathe", text, strlen(text), &program, &error))
    return failed(error);
  if (lathe_compile(program, NULL, &kernel, &error)) return failed(error);
  lathe_program_destroy(program);

  memset(views, 0, sizeof views);
  values[1].as.f = 0.5;
  views[0].name = "u";
  views[0].data = u;
  views[0].dtype = LATHE_F32;
  views[0].rank = 1;
  views[0].shape = &n;
  views[0].read_only = 1;
  views[1] = views[0];
  views[1].name = "v";
  views[1].data = v;
  views[1].read_only = 0;
  if (lathe_run(kernel, values, 2, views, 2, NULL, NULL, &error)) return failed(error);
  printf("%g %g %g %g\n", v[0], v[1], v[2], v[3]);

  if (lathe_run(kernel, values, 2, views, 1, NULL, NULL, &error) != LATHE_ERROR_ARGUMENT) return 1;
  printf("%s\n", lathe_error_message(error));
  lathe_error_destroy(error);
  lathe_kernel_destroy(kernel);
  return 0;
}
