import type { Principal } from "#domain/principal.ts";
import type { Transaction } from "#db/database.ts";
import type { Services } from "./context.ts";

/**
 * Runs several operations as one: all of their changes are made, or none. `run` gets services
 * whose operations join the open transaction; what they tell the engine and the followers of tasks
 * is told after the commit. Rolls back when `run` throws.
 */
export async function inOneTransaction<T>(
  services: Services,
  who: Principal,
  run: (joined: Services, tx: Transaction) => Promise<T>,
): Promise<T> {
  const afterCommit: (() => void)[] = [];
  const result = await services.db.inWorkspace(who, (tx) => run(join(services, tx, afterCommit), tx));
  for (const tell of afterCommit) tell();
  return result;
}

function join(services: Services, tx: Transaction, afterCommit: (() => void)[]): Services {
  const { db, queue, events } = services;
  const woken = new Set<unknown>();
  return {
    ...services,
    db: {
      ...db,
      inWorkspace: (_, run) => run(tx),
      queryInWorkspace: (_, statement, values) => tx.query(statement, values),
    },
    queue: {
      ...queue,
      wake(workspaceId, name) {
        // One transaction is in one workspace: each of its queues is woken once.
        if (!woken.has(name)) afterCommit.push(() => queue.wake(workspaceId, name));
        woken.add(name);
      },
      forget: (taskId, attempts) => afterCommit.push(() => queue.forget(taskId, attempts)),
    },
    events: { ...events, publish: (taskId, arrival) => afterCommit.push(() => events.publish(taskId, arrival)) },
  };
}
