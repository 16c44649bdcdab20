# SPDX-License-Identifier: Apache-2.0
"""Settings that programs look at. Lathe has one cache of kernels for all programs (`lathe cache` tells of it), so
nothing here changes what is done."""

import os

cache_settings = {
    "dir_name": os.environ.get("GT_CACHE_DIR_NAME", ".gt_cache"),
    "root_path": os.environ.get("GT_CACHE_ROOT", os.path.abspath(".")),
}
build_settings = {"parallel_jobs": os.cpu_count(), "extra_compile_args": {"cxx": [], "cuda": []}, "extra_link_args": []}
code_settings = {"root_package_name": "_GT_"}
