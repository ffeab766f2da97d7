import type { SystemDatabase } from "@dbos-inc/dbos-sdk/internal/system_database";
import type { Dispatcher } from "./dispatcher.ts";

/**
 * Makes the engine library's looks at our queues wake the dispatchers (dbos-sdk 5.3, `findAndMarkStartableWorkflows`),
 * so that these alone claim runs. The library keeps the limits of a queue in the database: the process that began last
 * would set them for all.
 */
export function lookThroughDispatchers(library: SystemDatabase, dispatchers: ReadonlyMap<string, Dispatcher>): void {
  const claim = library.findAndMarkStartableWorkflows.bind(library);
  library.findAndMarkStartableWorkflows = async (queue, ...rest) => {
    const [, , partition] = rest;
    const dispatcher = dispatchers.get(queue.name);
    if (dispatcher === undefined || partition === undefined) return claim(queue, ...rest);
    await dispatcher.wake(partition);
    return [];
  };
}
