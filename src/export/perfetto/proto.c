/* SPDX-License-Identifier: Apache-2.0 */
#include "export/perfetto/proto.h"
#include "base/utf8.h"

void rln__proto_text(struct rln__buf *buf, uint32_t field, rln_text text)
{
    size_t begin;

    if (rln__utf8_is_valid(text.bytes, text.length)) {
        rln__proto_tag(buf, field, RLN__PROTO_BYTES);
        rln__proto_raw(buf, text.length);
        rln__buf_add(buf, text.bytes, text.length);
        return;
    }
    begin = rln__proto_begin(buf, field);
    rln__buf_utf8(buf, text.bytes, text.length);
    rln__proto_end(buf, begin);
}
