/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtxw3_helpers.h - NVTXW for programs: load a backend, write marks, ranges and
 * counters.
 *
 *     const nvtxwInterface_t *writer;
 *     nvtxwSessionAttributes_t run;
 *     nvtxwSessionHandle_t session;
 *     nvtxDomainHandle_t domain;
 *     nvtxwEventWriter_t events;
 *     nvtxwEventAttributesUtf8_t load = {0};
 *
 *     nvtxwLoadInterfaceDefault(&writer, NULL);
 *     nvtxwSessionAttributesInit(&run);
 *     run.name = "run";
 *     writer->SessionBegin(&run, &session);
 *     nvtxwDomainRegister(writer, session, "import", &domain);
 *     nvtxwEventWriterOpen(writer, session, "worker 1", domain, NULL,
 *                          NVTX_TIME_DOMAIN_ID_NONE, &events);
 *     load.message = "load";
 *     nvtxwRangePushPopWriteUtf8(&events, 1000, 2000, load);
 *     writer->SessionEnd(session);
 *
 * Each of these returns NVTXW_RESULT_*. The rules for calls in nvtxw3.h apply to all
 * helpers, too; a NULL that a helper's comment does not allow is
 * NVTXW_RESULT_INVALID_ARGUMENT.
 */
#if !defined(NVTXW_HELPERS_API)
#define NVTXW_HELPERS_API

#include <nvtxw3/nvtxw3_counter_helpers.h>
#include <nvtxw3/nvtxw3_event_helpers.h>
#include <nvtxw3/nvtxw3_setup_helpers.h>

#endif /* NVTXW_HELPERS_API */
