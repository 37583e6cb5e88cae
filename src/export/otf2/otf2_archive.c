/* SPDX-License-Identifier: Apache-2.0 */
#include "export/exporters.h"
#if RLN_HAVE_OTF2
#include "base/utf8.h"
#include "export/otf2/otf2_archive.h"

const char *rln__otf2_text(struct rln__otf2 *o, rln_text text)
{
    o->text.length = 0;
    rln__buf_utf8(&o->text, text.bytes, text.length);
    rln__buf_add(&o->text, "", 1);
    return o->text.has_failed ? "" : o->text.bytes;
}

#endif
