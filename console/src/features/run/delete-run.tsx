import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, finish } from "../../api/client.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Confirm } from "../../ui/confirm.tsx";
import type { RunHead } from "./records.ts";

/** Deletes a task with its record, after it was asked once more. */
export function DeleteRun({ head, onClose }: { readonly head: RunHead; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { slug } = useWorkspace();
  return (
    <Confirm
      title={`Delete the run “${visibleText(head.title)}”?`}
      action="Delete run"
      onConfirm={async () => {
        await finish(api.DELETE("/functions/v1/api-tasks", { params: { query: { id: head.id } } }));
        await navigate({ to: "/w/$workspace/runs", params: { workspace: slug } });
        client.removeQueries({ queryKey: ["run", head.id] });
        await client.invalidateQueries({ queryKey: ["runs"] });
      }}
      onClose={onClose}
    >
      <p>
        Its steps, its messages and its result go too; if it is running, it is cancelled first. What it has cost stays
        in Usage.
      </p>
    </Confirm>
  );
}
