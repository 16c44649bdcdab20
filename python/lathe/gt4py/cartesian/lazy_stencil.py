# SPDX-License-Identifier: Apache-2.0
"""Stencils that are made when they are first needed."""


class LazyStencil:
    def __init__(self, make, backend):
        self._make, self._backend, self._made = make, backend, None

    @property
    def implementation(self):
        if self._made is None:
            self._made = self._make()
        return self._made

    @property
    def backend(self):
        return self._backend

    @property
    def field_info(self):
        return self.implementation.field_info

    def check_syntax(self):
        """Raises what is wrong with the definition."""
        self.implementation  # noqa: B018

    def __call__(self, *args, **kwargs):
        self.implementation(*args, **kwargs)

    def run(self, *args, **kwargs):
        self.implementation.run(*args, **kwargs)
