/* SPDX-License-Identifier: Apache-2.0 */
/* session_file.h - the file that sessions write: one per process. */
#ifndef RLN_WRITER_SESSION_FILE_H
#define RLN_WRITER_SESSION_FILE_H

#include <nvtxw3/nvtxw3.h>

/* Makes the collector open its file, if it has none: that of the option `output`, of
 * RANGELINE_OUTPUT, or of the session's name. Returns whether events are recorded, and
 * the time. A collector tries only once: so this does not let it try a path that cannot
 * work, and a later session may have a better one. */
int session_file_open(const nvtxwSessionAttributes_t *attributes, int64_t *now);

#endif
