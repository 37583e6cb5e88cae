/* SPDX-License-Identifier: Apache-2.0 */
/* kernels_ptx.h - kernels as PTX, which the driver compiles for whatever GPU there is:
 * no toolkit is needed. The version and the target are old, so that every driver takes
 * them.
 *
 *     sum_vectors(a, b, sum, n)   sum[i] = a[i] + b[i], floats
 *     spin(cycles)                takes that many clock cycles; these always advance
 *     nothing()
 */
#ifndef KERNELS_PTX_H
#define KERNELS_PTX_H

static const char kernels[] =
    ".version 6.0\n"
    ".target sm_50\n"
    ".address_size 64\n"
    ".visible .entry sum_vectors(.param .u64 a, .param .u64 b, .param .u64 sum,\n"
    "                            .param .u32 n)\n"
    "{\n"
    "    .reg .pred %outside;\n"
    "    .reg .b32 %block, %size, %i, %n;\n"
    "    .reg .f32 %x, %y, %z;\n"
    "    .reg .b64 %a, %b, %sum, %offset;\n"
    "    mov.u32 %block, %ctaid.x;\n"
    "    mov.u32 %size, %ntid.x;\n"
    "    mov.u32 %i, %tid.x;\n"
    "    mad.lo.s32 %i, %block, %size, %i;\n"
    "    ld.param.u32 %n, [n];\n"
    "    setp.ge.u32 %outside, %i, %n;\n"
    "    @%outside bra END;\n"
    "    mul.wide.u32 %offset, %i, 4;\n"
    "    ld.param.u64 %a, [a];\n"
    "    ld.param.u64 %b, [b];\n"
    "    ld.param.u64 %sum, [sum];\n"
    "    cvta.to.global.u64 %a, %a;\n"
    "    cvta.to.global.u64 %b, %b;\n"
    "    cvta.to.global.u64 %sum, %sum;\n"
    "    add.s64 %a, %a, %offset;\n"
    "    add.s64 %b, %b, %offset;\n"
    "    add.s64 %sum, %sum, %offset;\n"
    "    ld.global.f32 %x, [%a];\n"
    "    ld.global.f32 %y, [%b];\n"
    "    add.f32 %z, %x, %y;\n"
    "    st.global.f32 [%sum], %z;\n"
    "END:\n"
    "    ret;\n"
    "}\n"
    ".visible .entry spin(.param .u64 cycles)\n"
    "{\n"
    "    .reg .pred %early;\n"
    "    .reg .b64 %begin, %now, %cycles;\n"
    "    ld.param.u64 %cycles, [cycles];\n"
    "    mov.u64 %begin, %clock64;\n"
    "AGAIN:\n"
    "    mov.u64 %now, %clock64;\n"
    "    sub.s64 %now, %now, %begin;\n"
    "    setp.lt.u64 %early, %now, %cycles;\n"
    "    @%early bra AGAIN;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry nothing()\n"
    "{\n"
    "    ret;\n"
    "}\n";

#endif
