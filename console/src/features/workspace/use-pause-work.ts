import { useMutation, useQueryClient } from "@tanstack/react-query";
import { updateWorkspace } from "#client/gen/operations/workspaces.ts";
import { call } from "../../api/client.ts";
import { showFailure } from "../../ui/messages.ts";

/** Pauses the start of new runs, or resumes it. Started runs continue. */
export function usePauseWork() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (paused: boolean) => call(updateWorkspace)({ paused }),
    onSuccess: (workspace) => {
      client.setQueryData(["workspace"], workspace);
      void client.invalidateQueries({ queryKey: ["run"] });
    },
    onError: showFailure,
  });
}
