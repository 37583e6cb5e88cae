/* SPDX-License-Identifier: Apache-2.0 */
/* collector_path.h - where the injection library lies. */
#ifndef RLN_CLI_COLLECTOR_PATH_H
#define RLN_CLI_COLLECTOR_PATH_H

/* The absolute path of librangeline-collect.so: $RANGELINE_COLLECTOR, else beside this
 * program, in a build tree or an installation. Dies where there is none. Static. */
const char *rln__collector_path(void);

#endif
