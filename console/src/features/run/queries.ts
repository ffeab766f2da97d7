import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, read } from "../../api/client.ts";
import { fetchJson } from "../../api/fetch-json.ts";
import type { components } from "../../api/paths.gen.ts";
import { asProblem } from "../../api/problem.ts";
import { headOfRun, headOfTask } from "./records.ts";
import type { RunHead } from "./records.ts";

/** A task or a team run by its id. */
export function useRun(id: string) {
  return useQuery({ queryKey: ["run", id], queryFn: () => readHead(id) });
}

async function readHead(id: string): Promise<RunHead> {
  const query = `?id=${encodeURIComponent(id)}`;
  try {
    return headOfTask(await fetchJson<components["schemas"]["Task"]>(`/functions/v1/api-tasks${query}`));
  } catch (error) {
    if (asProblem(error).status !== 404) throw error;
    return headOfRun(await fetchJson<components["schemas"]["Run"]>(`/functions/v1/api-runs${query}`));
  }
}

/** Stops it, or runs what has ended once more. */
export function useSetRunStatus({ kind, id }: Pick<RunHead, "kind" | "id">) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (action: "cancel" | "again") => {
      const query = { id };
      if (kind === "task") {
        const status = action === "cancel" ? "cancelled" : "dispatched";
        await read(api.PATCH("/functions/v1/api-tasks", { params: { query }, body: { status } }));
      } else {
        const status = action === "cancel" ? "cancelled" : "pending";
        await read(api.PATCH("/functions/v1/api-runs", { params: { query }, body: { status } }));
      }
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ["run", id] });
      void client.invalidateQueries({ queryKey: ["runs"] });
    },
  });
}
