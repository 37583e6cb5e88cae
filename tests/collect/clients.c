/* SPDX-License-Identifier: Apache-2.0 */
/* clients.c - a program and a library that it loads are two clients in one process and
 * share depths, ids and domains. */
#include <nvtx3/nvToolsExt.h>

#include <dlfcn.h>

#include "check.h"

int main(int argc, char **argv)
{
    char path[4096];
    void *plugin;
    int (*plugin_call)(void);
    nvtxRangeId_t (*plugin_start)(void);
    nvtxEventAttributes_t a = {0};
    nvtxDomainHandle_t domain;
    nvtxRangeId_t id;

    CHECK(argc > 1);
    CHECK(nvtxRangePushA("pushed by the program") == 0);
    domain = nvtxDomainCreateA("shared");
    snprintf(path, sizeof path, "%s/tests/collect/libplugin.so", argv[1]);
    plugin = dlopen(path, RTLD_NOW);
    CHECK(plugin != NULL);
    *(void **)&plugin_call = dlsym(plugin, "plugin_call");
    *(void **)&plugin_start = dlsym(plugin, "plugin_start");
    CHECK(plugin_call() == 1);
    id = plugin_start();
    nvtxRangeEnd(id);
    dlclose(plugin);
    a.version = NVTX_VERSION;
    a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    a.category = 3;
    a.messageType = NVTX_MESSAGE_TYPE_ASCII;
    a.message.ascii = "category named by the plugin";
    nvtxDomainMarkEx(domain, &a);
    CHECK(nvtxRangePop() == 1);
    CHECK(nvtxRangePop() == 0);
    return 0;
}
