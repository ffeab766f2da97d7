import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { deleteRun } from "#client/gen/operations/runs.ts";
import { call } from "../../api/client.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { plural } from "../../lib/format.ts";
import { hasEnded, stateOf } from "../../lib/run-state.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Confirm } from "../../ui/confirm.tsx";
import type { RunHead } from "../records/run-head.ts";

/** Deletes a run with its record, after it was asked once more. */
export function DeleteRun({ head, onClose }: { readonly head: RunHead; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { slug } = useWorkspace();
  return (
    <Confirm
      title={`Delete the run “${visibleText(head.title)}”?`}
      action="Delete run"
      onConfirm={async () => {
        await call(deleteRun)({ id: head.id });
        await navigate({ to: "/w/$workspace/runs", params: { workspace: slug } });
        client.removeQueries({ queryKey: ["run", head.id] });
        await client.invalidateQueries({ queryKey: ["runs"] });
      }}
      onClose={onClose}
    >
      {!hasEnded(stateOf(head)) && <p>It has not ended; it is cancelled first.</p>}
      <div>
        <p>Deleted with it:</p>
        <ul className="list-disc ps-5">
          {partsOf(head).map((part) => (
            <li key={part}>{part}</li>
          ))}
        </ul>
      </div>
      <p>Runs forked from it stay, and so does its cost in Usage.</p>
    </Confirm>
  );
}

/** What is deleted with a run. */
function partsOf({ attempts, files, budgets, id }: RunHead): readonly string[] {
  const isOne = attempts.length < 2;
  return [
    isOne ? "Its steps, messages and result" : `The steps, messages and results of its ${attempts.length} attempts`,
    ...(files.length === 0 ? [] : [isOne ? plural(files.length, "file") : "Its files"]),
    ...(budgets.some(({ target_id: target }) => target === id) ? ["Its own budget"] : []),
  ];
}
