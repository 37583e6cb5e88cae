// launch.js - how work of a GPU was requested: of a kernel its launch configuration, of a copy its bytes.
// A payload is one of `details`, in the words of src/format/gpu_schemas.c.
import { count, quantity } from "./text.js";

const bytesText = (bytes) => quantity(bytes, "bytes");

function extent(value, what) {
  return ["X", "Y", "Z"].map((axis) => count(value[what + axis])).join(" \u00d7 ");
}

const SAYS = {
  kernel: (value) => {
    const { staticSharedMemory: fixed, dynamicSharedMemory: dynamic, localMemoryPerThread: local } = value;
    const threads = value.blockX * value.blockY * value.blockZ;
    return [
      ["Grid", extent(value, "grid")], ["Block", `${extent(value, "block")}: ${count(threads)} threads`],
      ...(value.clusterX > 1 || value.clusterY > 1 || value.clusterZ > 1 ? [["Cluster", extent(value, "cluster")]] : []),
      ["Registers", `${value.registersPerThread} per thread`],
      ["Shared memory", `${bytesText(fixed)} static, ${bytesText(dynamic)} dynamic`],
      ...(local ? [["Local memory", `${bytesText(local)} per thread`]] : []),
    ];
  },
  copy: ({ bytes }, ns) => [["Bytes", ns > 0 ? `${bytesText(bytes)}, ${(bytes / ns).toFixed(bytes < ns ? 2 : 1)} GB/s` : bytesText(bytes)]],
  set: ({ bytes, value }) => [["Bytes", `${bytesText(bytes)} set to ${value}`]],
};

export function isOfGpu({ schema, value }) { return schema in SAYS && value !== null && typeof value === "object" && "deviceId" in value; }

// [[term, text]], for people.
export function launchOf({ start, end, payloads }) {
  return (payloads || []).filter(isOfGpu).flatMap(({ schema, value }) => SAYS[schema](value, end - start));
}
