import type { ReactNode } from "react";
import { cost, exactCost, shortId, tokens } from "../../lib/format.ts";
import { CopyButton } from "../../ui/copy.tsx";
import { Duration, Time } from "../../ui/time.tsx";
import type { RunHead } from "./records.ts";

/** Who, when, how long, how much. */
export function Facts({ head, by }: { readonly head: RunHead; readonly by: string | undefined }) {
  const { started_at: startedAt, ended_at: endedAt } = head;
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1 border-b border-line px-6 py-2 text-ink-2 max-sm:px-4">
      {by !== undefined && <Fact name={head.team_id === null ? "Agent" : "Team"}>{by}</Fact>}
      {startedAt === null ? (
        <Fact name="Created">
          <Time at={head.created_at} />
        </Fact>
      ) : (
        <>
          <Fact name="Started">
            <Time at={startedAt} />
          </Fact>
          <Fact name="Duration">
            <Duration from={startedAt} to={endedAt} />
          </Fact>
        </>
      )}
      {head.attempt > 1 && <Fact name="Attempt">{head.attempt}</Fact>}
      <Fact name="Tokens">{tokens(head.tokens)}</Fact>
      <Fact name="Cost">
        <span title={exactCost(head.cost_usd)}>{cost(head.cost_usd)}</span>
      </Fact>
      <Fact name="Id">
        <span className="font-mono text-mono">{shortId(head.id)}</span>
        <CopyButton text={head.id} label="Copy id" />
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex h-7 items-center gap-1.5">
      <dt className="text-ink-3">{name}</dt>
      <dd className="flex items-center gap-0.5 text-ink">{children}</dd>
    </div>
  );
}
