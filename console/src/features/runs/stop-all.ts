import { useQuery, useQueryClient } from "@tanstack/react-query";
import { listRuns } from "#client/gen/operations/runs.ts";
import { call } from "../../api/client.ts";
import { stateOf } from "../../lib/run-state.ts";
import { given } from "../../lib/given.ts";
import { cancelRuns } from "./bulk.ts";
import type { RunRow } from "../records/run-row.ts";

/** An agent or a team, whose runs can be stopped together. */
export interface Worker {
  readonly kind: "agent" | "team";
  readonly id: string;
  readonly name: string;
}

/** The statuses of work that is queued, running or waiting for a person. A queued team run is pending. */
const OPEN_STATUSES = {
  agent: ["dispatched", "running", "waiting_for_input"],
  team: ["pending", "dispatched", "running", "waiting_for_input"],
} as const;

const PAGE_ROWS = 200;
/** Work that arrives while the rest is stopped is stopped, too; work that keeps arriving has to be paused. */
const MAX_PASSES = 3;

/** Whether it has work to stop; undefined until that is known. */
export function useHasOpenRuns(worker: Worker): boolean | undefined {
  const { data } = useQuery({
    queryKey: ["runs", "open", worker.id],
    queryFn: () => readOpenRuns(worker, 1),
  });
  return data && data.items.length > 0;
}

/** How many runs would be stopped; undefined until it is known, and `more` if there are more than that. */
export function useOpenRunCount(worker: Worker): { readonly count: number; readonly more: boolean } | undefined {
  const { data } = useQuery({
    queryKey: ["runs", "open", worker.id, "count"],
    queryFn: () => readOpenRuns(worker, PAGE_ROWS),
  });
  return data && { count: data.items.filter(isStoppable).length, more: data.hasMore };
}

/** Returns what cancels all queued, running and waiting runs of an agent or a team, and gives their number. */
export function useStopAll(): (worker: Worker) => Promise<number> {
  const client = useQueryClient();
  return async (worker) => {
    try {
      return await stopAll(worker);
    } finally {
      void client.invalidateQueries({ queryKey: ["runs"] });
      void client.invalidateQueries({ queryKey: ["run"] });
    }
  };
}

/** The newest first, so that the queue is empty before the runs that keep it from starting end. */
async function stopAll(worker: Worker): Promise<number> {
  const tried = new Set<string>();
  let stopped = 0;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const before = tried.size;
    let cursor: string | undefined;
    do {
      const page = await readOpenRuns(worker, PAGE_ROWS, cursor);
      const ids = page.items.filter((row) => isStoppable(row) && !tried.has(row.id)).map(({ id }) => id);
      for (const id of ids) tried.add(id);
      if (ids.length > 0) stopped += (await cancelRuns(ids)).changed.length;
      cursor = page.cursor;
    } while (cursor !== undefined);
    if (tried.size === before) break;
  }
  return stopped;
}

/** A task that has not been started is not a run. */
function isStoppable(row: RunRow): boolean {
  return ["queued", "running", "waiting"].includes(stateOf(row));
}

function readOpenRuns({ kind, id }: Worker, limit: number, cursor?: string) {
  const filter = kind === "agent" ? { agent_id: [id] } : { team_id: [id] };
  return call(listRuns)(given({ ...filter, status: OPEN_STATUSES[kind], limit, cursor }));
}
