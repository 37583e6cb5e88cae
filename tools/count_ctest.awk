# SPDX-License-Identifier: Apache-2.0
# count_ctest.awk - counts the tests in the output of `ctest --output-junit FILE`.
#
# It names the failed tests, and the skipped ones with the last line of their output.
#
# A test that counts its cases itself (cmocka, or a line `N passed, N failed[, N skipped]`)
# counts as that many, any other as one.
function attribute(key) {
    if (!match($0, key "=\"[^\"]*\"")) return ""
    return substr($0, RSTART + length(key) + 2, RLENGTH - length(key) - 3)
}
/<testcase / {
    name = attribute("name")
    status = attribute("status")
    p = f = s = 0
    last = named = ""
}
/<system-out>/ { is_output = 1; sub(/.*<system-out>/, "") }
is_output {
    is_end = sub(/<\/system-out>.*/, "")
    if (/[^ \t]/) last = $0
    if (/^\[  PASSED  \] [0-9]+ test/) p = $4
    if (/^\[  FAILED  \] [0-9]+ test/) f = $4
    if (/^\[  SKIPPED \] [0-9]+ test/) s = $4
    if (/^[0-9]+ passed, [0-9]+ failed/) { p = $1; f = $3; s = $5 + 0 }
    if (/^skipped: /) named = named $0 "\n"
    if (is_end) is_output = 0
}
/<\/testcase>/ {
    if (status == "run" && !(p + s)) p = 1
    if (status == "fail") {
        if (!f) f = 1
        named = named "failed: " name "\n"
    }
    if (status == "notrun" && !s) {
        s = 1
        sub(/^skipped: /, "", last)
        named = "skipped: " name ": " last "\n"
    }
    printf "%s", named
    n_passed += p
    n_failed += f
    n_skipped += s
}
END { printf "%d passed, %d failed, %d skipped\n", n_passed, n_failed, n_skipped }
