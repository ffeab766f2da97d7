import type { Registry } from "./components.ts";

type Describe = (registry: Registry) => void;

const deferred = new WeakMap<Registry, Describe[]>();

/**
 * Adds a description to the OpenAPI document when the document is generated. A service sends the generated file, and to
 * describe all operations would take 70 ms of CPU at its start.
 */
export function describeLater(registry: Registry, describe: Describe): void {
  const known = deferred.get(registry);
  if (known === undefined) deferred.set(registry, [describe]);
  else known.push(describe);
}

/** Adds what was deferred, in its order. */
export function describeNow(registry: Registry): void {
  for (const describe of deferred.get(registry)?.splice(0) ?? []) describe(registry);
}
