import { useQueryClient } from "@tanstack/react-query";
import { Suspense, lazy, useState } from "react";
import { publishGoldenCandidate } from "#client/gen/operations/golden-runs.ts";
import { call } from "../../../api/client.ts";
import { asProblem } from "../../../api/problem.ts";
import { useBlockedBy } from "../../../api/use-session.ts";
import { loadPart } from "../../../lib/load-part.ts";
import { Button } from "../../../ui/button.tsx";
import { showToast } from "../../../ui/messages.ts";
import { useAction } from "../../../ui/use-action.ts";
import { changedLabels, draftOf } from "../form/draft.ts";
import type { DraftState } from "../form/use-draft.ts";
import type { Agent } from "../records.ts";
import { useGoldenGate } from "./queries.ts";
import type { GoldenRun } from "./queries.ts";

const PublishAnyway = lazy(() => loadPart(() => import("./publish-anyway.tsx")));

interface PublishProps {
  readonly agent: Agent;
  readonly draft: DraftState;
  readonly run: GoldenRun;
}

/** Makes what a golden run has tried the agent's newest version; admins may do it without meeting the gate. */
export function PublishTried(props: PublishProps) {
  const { agent, run } = props;
  const blockedBy = useBlockedBy("member");
  const isAdmin = useBlockedBy("admin") === undefined;
  const gate = useGoldenGate(agent.id).data;
  const publish = usePublish(props);
  const [refusal, setRefusal] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const { act, isBusy } = useAction(async () => {
    try {
      await publish();
    } catch (failure) {
      const { code, message } = asProblem(failure);
      if (code !== "conflict") throw failure;
      setRefusal(message);
    }
  });
  const fault = refusal ?? (gate && faultOf(gate.required, run));
  return (
    <>
      {fault !== undefined && isAdmin ? (
        <Button onClick={() => setOpen(true)}>Publish anyway</Button>
      ) : (
        <Button look="primary" blockedBy={blockedBy ?? fault} isBusy={isBusy} onClick={act}>
          {run.version === null ? "Publish changes" : `Publish version ${run.version}`}
        </Button>
      )}
      {fault !== undefined && (
        <p role="status" className="basis-full text-small text-waiting">
          {fault}
        </p>
      )}
      {isOpen && (
        <Suspense>
          <PublishAnyway runId={run.id} publish={publish} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Publishes, with the reason of an admin if need be. */
function usePublish({ agent, draft, run }: PublishProps): (override?: string) => Promise<void> {
  const client = useQueryClient();
  return async (override) => {
    const candidate = { golden_run_id: run.id, ...(override !== undefined && { override }) };
    const saved = await call(publishGoldenCandidate)({ id: agent.id }, candidate);
    // What was tried is saved now, unless it was changed again since.
    if (changedLabels(draftOf(saved), draft.draft).length === 0) draft.discard();
    client.setQueryData(["agent", agent.id], saved);
    void client.invalidateQueries({ queryKey: ["agents"] });
    void client.invalidateQueries({ queryKey: ["golden", agent.id] });
    await client.invalidateQueries({ queryKey: ["agent", agent.id] });
    const what = run.version === null ? "the changes" : `version ${run.version}`;
    showToast(`Published ${what}, as version ${saved.version}.`);
  };
}

/** Why a golden run does not meet a gate; undefined if it does. The server decides in the end. */
function faultOf(required: number | string, { passed, cases }: GoldenRun): string | undefined {
  const needed = required === "none" ? 0 : required === "all" ? cases : Number(required);
  if (passed >= needed) return undefined;
  return `The gate requires ${required === "all" ? "all" : needed} of the golden cases; ${passed} of ${cases} passed.`;
}
