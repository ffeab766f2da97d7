import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { plural } from "../../lib/format.ts";
import { showToast } from "../../ui/messages.ts";
import { changeRuns } from "./bulk.ts";
import type { BulkAction } from "./bulk.ts";
import type { RunRow } from "../records/run-row.ts";

/** An action on many runs, which a person has to confirm. */
export interface AskedChange {
  readonly action: BulkAction;
  readonly ids: readonly string[];
  /** The number of runs for which it is done. */
  readonly done: number;
}

/** Runs of one request: few enough that its progress is seen. */
const BATCH = 200;

/** Changes many runs in batches, after they were asked about. @param onEnd called when all are changed */
export function useBulkChange(onEnd: () => void) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<AskedChange>();

  /** Continues after the last batch that succeeded, when it is tried again. */
  async function change({ action, ids, done: first }: AskedChange): Promise<void> {
    const changed: string[] = [];
    const skipped: string[] = [];
    try {
      for (let done = first; done < ids.length; done += BATCH) {
        const result = await changeRuns(action, ids.slice(done, done + BATCH));
        changed.push(...result.changed);
        skipped.push(...result.skipped.map(({ message }) => message));
        setAsked({ action, ids, done: Math.min(done + BATCH, ids.length) });
      }
    } finally {
      void client.invalidateQueries({ queryKey: ["runs"] });
      void client.invalidateQueries({ queryKey: ["run"] });
    }
    const text = `${plural(changed.length, "run")} ${action === "cancel" ? "cancelled" : "started again"}`;
    const [reason] = skipped;
    showToast(reason === undefined ? text : `${text}, ${skipped.length} skipped: ${reason}`);
    onEnd();
  }

  return {
    asked,
    ask: (action: BulkAction, rows: readonly RunRow[]) => setAsked({ action, ids: rows.map(({ id }) => id), done: 0 }),
    close: () => setAsked(undefined),
    change,
  };
}
