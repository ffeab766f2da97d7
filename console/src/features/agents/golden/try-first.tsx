import { useQueryClient } from "@tanstack/react-query";
import { Button } from "../../../ui/button.tsx";
import { useAction } from "../../../ui/use-action.ts";
import { useGoldenGate } from "./queries.ts";
import { startGolden } from "./start-golden.ts";
import type { Candidate } from "./start-golden.ts";
import { useShowGolden } from "./use-show-golden.ts";

/** Before something becomes a version of an agent that has a gate: tries it on the golden cases, where it is published. */
export default function TryFirst({ agentId, candidate }: { readonly agentId: string; readonly candidate: Candidate }) {
  const gate = useGoldenGate(agentId).data;
  const client = useQueryClient();
  const show = useShowGolden(agentId);
  const { act, isBusy } = useAction(async () => show(await startGolden(client, agentId, candidate)));
  if (gate === undefined || gate.required === "none") return null;
  return (
    <p className="flex flex-wrap items-center gap-2">
      This agent has a gate: a change must pass golden cases first.
      <Button size="small" isBusy={isBusy} onClick={act}>
        Try on golden cases
      </Button>
    </p>
  );
}
