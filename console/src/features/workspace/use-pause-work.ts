import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, read } from "../../api/client.ts";
import { asProblem } from "../../api/problem.ts";
import { showToast } from "../../ui/messages.ts";

/** Pauses the start of new runs, or resumes it. Started runs continue. */
export function usePauseWork() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (paused: boolean) => read(api.PATCH("/console/api/workspace", { body: { paused } })),
    onSuccess: (workspace) => {
      client.setQueryData(["workspace"], workspace);
      void client.invalidateQueries({ queryKey: ["run"] });
    },
    onError: (error) => showToast(asProblem(error).message),
  });
}
