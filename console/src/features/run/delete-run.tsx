import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { deleteRun } from "#client/gen/operations/runs.ts";
import { call } from "../../api/client.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { plural } from "../../lib/format.ts";
import { hasEnded, stateOf } from "../../lib/run-state.ts";
import { visibleText } from "../../lib/visible-text.ts";
import type { Removal } from "../../ui/removal.tsx";
import type { RunHead } from "../records/run-head.ts";

/** How a run is deleted with its record. */
export function useRunRemoval(head: RunHead): Removal {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { slug } = useWorkspace();
  return {
    title: `Delete the run “${visibleText(head.title)}”?`,
    action: "Delete run",
    effect: <Effect head={head} />,
    async remove() {
      await call(deleteRun)({ id: head.id });
      await navigate({ to: "/w/$workspace/runs", params: { workspace: slug } });
      client.removeQueries({ queryKey: ["run", head.id] });
      await client.invalidateQueries({ queryKey: ["runs"] });
    },
  };
}

function Effect({ head }: { readonly head: RunHead }) {
  return (
    <>
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
    </>
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
