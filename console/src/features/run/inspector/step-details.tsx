import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../../api/use-session.ts";
import { bytes, cost, duration, plural } from "../../../lib/format.ts";
import { tokenParts } from "../../../lib/token-parts.ts";
import type { TokenParts } from "../../../lib/token-parts.ts";
import { kindLabel } from "../model/names.ts";
import type { RunHead, StepDetail, StepRow } from "../../records/run-head.ts";
import { ExactTime, FactList, FactRow, IdFact } from "../../../ui/fact-list.tsx";
import { OwnTools } from "./own-tools.tsx";

/** Ids, times to the millisecond, who did it, and what it used. */
export function StepDetails({
  head,
  row,
  detail,
  agent,
}: {
  readonly head: RunHead;
  readonly row: StepRow;
  readonly detail: StepDetail | undefined;
  /** The agent that did it. */
  readonly agent: RunHead["agents"][number] | undefined;
}) {
  const { started_at: from, first_token_at: first, ended_at: to } = row;
  const execution = head.executions.findLast((each) => from !== undefined && Date.parse(each.from) <= from);
  return (
    <FactList>
      <FactRow name="Kind">{kindLabel(row)}</FactRow>
      <IdFact name="Key" id={row.key} />
      <IdFact name="Run" id={head.id} />
      {agent && (
        <FactRow name="Agent">
          {agent.name ?? "Deleted"} <AgentVersion agent={agent} />
        </FactRow>
      )}
      <FactRow name="Model">{row.model}</FactRow>
      <FactRow name="Provider">{detail?.reply?.provider}</FactRow>
      <FactRow name="Started">{from !== undefined && <ExactTime at={from} />}</FactRow>
      <FactRow name="First token">
        {first !== undefined && from !== undefined && `after ${duration(first - from)}`}
      </FactRow>
      <FactRow name="Ended">{to !== undefined && <ExactTime at={to} />}</FactRow>
      <FactRow name="Duration">{from !== undefined && to !== undefined && duration(to - from)}</FactRow>
      <FactRow name="Waited">{row.wait_ms !== undefined && row.wait_ms > 0 && duration(row.wait_ms)}</FactRow>
      <FactRow name="Tokens">{row.prompt_tokens !== undefined && tokenParts(partsOf(row, row.prompt_tokens))}</FactRow>
      <FactRow name="Cost">
        {row.taken_over === true ? "$0, reused" : row.cost_usd !== undefined && cost(row.cost_usd)}
      </FactRow>
      {detail?.reserved != null && (
        <FactRow name="Budgets">
          {`reserved ${amount(detail.reserved.tokens, detail.reserved.usd)}; used ${amount(
            (row.prompt_tokens ?? 0) + (row.completion_tokens ?? 0),
            row.cost_usd ?? null,
          )}`}
        </FactRow>
      )}
      <FactRow name="Process">{execution?.process}</FactRow>
      <FactRow name="Recorded">{row.size !== undefined && bytes(row.size)}</FactRow>
      {detail?.idempotency_key != null && <IdFact name="Idempotency key" id={detail.idempotency_key} />}
      <OwnTools links={head.links} />
    </FactList>
  );
}

/** The tokens of a model call that has ended, as {@link tokenParts} takes them. */
export function partsOf(row: StepRow, sent: number): TokenParts {
  const { cached_tokens: cached, cache_write_tokens: written, completion_tokens: received = 0 } = row;
  return { sent, cached, written, received, reasoning: row.reasoning_tokens };
}

/** "1,234 tokens, $0.0042"; without a price the tokens alone. */
function amount(tokens: number, usd: number | null): string {
  return `${plural(tokens, "token")}${usd === null ? "" : `, ${cost(usd)}`}`;
}

/** The version that ran; if the agent has changed since, with a link to the difference. */
export function AgentVersion({
  agent: { id, version, current_version: now },
}: {
  readonly agent: RunHead["agents"][number];
}) {
  const { slug } = useWorkspace();
  if (version === null) return <span className="text-ink-3">changed for this run</span>;
  return (
    <span className="text-ink-3">
      version {version}
      {now !== null && now !== version && (
        <>
          ,{" "}
          <Link
            to="/w/$workspace/agents/$id"
            params={{ workspace: slug, id }}
            search={{ tab: "versions", version: now, against: version }}
            title="What has changed since this run"
            className="text-accent hover:underline"
          >
            now {now}
          </Link>
        </>
      )}
    </span>
  );
}
