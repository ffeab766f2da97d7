import { useQueryClient } from "@tanstack/react-query";
import { cancelGoldenRun } from "#client/gen/operations/golden-runs.ts";
import { call } from "../../../api/client.ts";
import { useBlockedBy } from "../../../api/use-session.ts";
import { Button } from "../../../ui/button.tsx";
import { QueryPart } from "../../../ui/query-part.tsx";
import { useAction } from "../../../ui/use-action.ts";
import type { DraftState } from "../form/use-draft.ts";
import type { Agent } from "../records.ts";
import { PublishTried } from "./publish-tried.tsx";
import { useGoldenRun } from "./queries.ts";
import type { GoldenRun } from "./queries.ts";
import { ResultTable } from "./result-table.tsx";
import { startGolden } from "./start-golden.ts";

interface PartProps {
  readonly agent: Agent;
  readonly draft: DraftState;
  /** A golden run was started. */
  readonly onStart: (id: string) => Promise<void>;
}

/** One golden run: how it came out, and what can be done with what it has tried. */
export function GoldenRunPart({ id, ...props }: PartProps & { readonly id: string }) {
  return (
    <QueryPart query={useGoldenRun(props.agent.id, id)}>
      {(run) => (
        <>
          <div className="flex flex-wrap items-center gap-3 py-3">
            <p role="status" className="me-auto">
              {`${triedName(run.version)} on ${run.model}: ${run.passed} of ${run.cases} cases passed`}
              {run.running > 0 && `, ${run.running} running`}
            </p>
            {run.status === "running" ? <Cancel run={run} /> : <Ended {...props} run={run} />}
          </div>
          <ResultTable results={run.results} />
        </>
      )}
    </QueryPart>
  );
}

/** What a golden run has tried. */
export function triedName(version: number | null): string {
  return version === null ? "Changes" : `Version ${version}`;
}

function Cancel({ run: { id, agent_id: agentId } }: { readonly run: GoldenRun }) {
  const client = useQueryClient();
  const blockedBy = useBlockedBy("member");
  const { act, isBusy } = useAction(async () => {
    client.setQueryData(["golden", agentId, "run", id], await call(cancelGoldenRun)({ id }));
  });
  return (
    <Button blockedBy={blockedBy} isBusy={isBusy} onClick={act}>
      Cancel
    </Button>
  );
}

function Ended({ agent, draft, run, onStart }: PartProps & { readonly run: GoldenRun }) {
  const client = useQueryClient();
  const blockedBy = useBlockedBy("member");
  const again = useAction(async () => {
    await onStart(await startGolden(client, agent.id, { golden_run_id: run.id }));
  });
  return (
    <>
      <Button blockedBy={blockedBy} isBusy={again.isBusy} onClick={again.act}>
        Run again
      </Button>
      {run.version !== agent.version && <PublishTried agent={agent} draft={draft} run={run} />}
    </>
  );
}
