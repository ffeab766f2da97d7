import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useWorkspace } from "../../api/use-session.ts";
import { cost, duration, exactCost, tokens } from "../../lib/format.ts";
import { hasEnded, stateOf } from "../../lib/run-state.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { Duration, Time } from "../../ui/time.tsx";
import { sourceLabel } from "../records/run-source.ts";
import { AgentVersion } from "./inspector/step-details.tsx";
import type { RunHead } from "../records/run-head.ts";

/** Agent, times, tokens and cost of a run; they count up while it runs. */
export function Facts({ head }: { readonly head: RunHead }) {
  const { started_at: startedAt, ended_at: endedAt, executions } = head;
  const { slug } = useWorkspace();
  const isOver = hasEnded(stateOf(head));
  const agent = head.agents.find(({ id }) => id === head.agent?.id);
  // While it waits for an answer, no process works on it.
  const process = executions.findLast(({ end }) => end === null)?.process ?? null;
  return (
    <dl className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-5 border-b border-line px-page py-1 text-ink-2">
      {head.team !== null && (
        <Fact name="Team">
          <Link to="/w/$workspace/teams/$id" params={{ workspace: slug, id: head.team.id }} className={LINK}>
            <Bdi>{head.team.name}</Bdi>
          </Link>
        </Fact>
      )}
      {head.team === null && head.agent !== null && (
        <Fact name="Agent">
          <Link to="/w/$workspace/agents/$id" params={{ workspace: slug, id: head.agent.id }} className={LINK}>
            <Bdi>{head.agent.name}</Bdi>
          </Link>
          {agent !== undefined && <AgentVersion agent={agent} />}
        </Fact>
      )}
      <Fact name="Source">
        <Source source={head.source} />
      </Fact>
      {stateOf(head) === "scheduled" && head.scheduled_for !== null && (
        <Fact name="Starts">
          <Time at={head.scheduled_for} />
        </Fact>
      )}
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
            {isOver && head.duration_ms !== null ? (
              duration(head.duration_ms)
            ) : (
              <Duration from={startedAt} to={endedAt} />
            )}
            <Waited head={head} />
          </Fact>
        </>
      )}
      <Tokens head={head} />
      <Fact name="Cost">
        <Cost head={head} />
      </Fact>
      {!isOver && process !== null && <Fact name="Process">{process}</Fact>}
    </dl>
  );
}

/** The part of the duration in which it waited for people; counts while it waits. */
function Waited({ head }: { readonly head: RunHead }) {
  const { executions, waited_ms: before } = head;
  const since = stateOf(head) === "waiting" ? executions.at(-1)?.to : null;
  if (since == null && (before === null || before === 0)) return null;
  return (
    <span className="text-ink-3">
      of which waiting{" "}
      {since == null ? duration(before ?? 0) : <Duration from={since} to={null} plusMs={before ?? 0} />}
    </span>
  );
}

const LINK = "max-w-64 truncate hover:text-accent hover:underline";

/** What started it; a schedule, a trigger and another run can be opened. */
function Source({ source }: Pick<RunHead, "source">) {
  const { slug } = useWorkspace();
  const { kind, id } = source;
  const label = <Bdi>{sourceLabel(source)}</Bdi>;
  if (id === null || (kind !== "schedule" && kind !== "trigger" && kind !== "fork")) {
    return <span className="max-w-64 truncate">{label}</span>;
  }
  const to = { schedule: "/w/$workspace/schedules/$id", trigger: "/w/$workspace/triggers/$id", fork: RUN } as const;
  return (
    <Link to={to[kind]} params={{ workspace: slug, id }} className={LINK}>
      {label}
    </Link>
  );
}

const RUN = "/w/$workspace/runs/$id";

/** The tokens, against the run's cap. */
function Tokens({ head }: { readonly head: RunHead }) {
  const own = capOf(head, "max_tokens");
  if (head.tokens === 0 && own === undefined) return null;
  return (
    <Fact name="Tokens">
      {tokens(head.tokens)}
      {own !== undefined && (
        <span className="text-ink-3"> of {tokens(own.window?.cap_tokens ?? own.max_tokens ?? 0)}</span>
      )}
      <span className="text-ink-3">{kindsNote(head)}</span>
    </Fact>
  );
}

/** Which of the tokens a cache has saved or taken, and which the models reasoned with. */
function kindsNote({
  cached_tokens: cached,
  cache_write_tokens: written,
  reasoning_tokens: reasoning,
}: RunHead): string {
  const parts = [
    ...(cached > 0 ? [`${tokens(cached)} from the cache`] : []),
    ...(written > 0 ? [`${tokens(written)} written to it`] : []),
    ...(reasoning > 0 ? [`${tokens(reasoning)} reasoning`] : []),
  ];
  return parts.length === 0 ? "" : `(${parts.join(", ")})`;
}

/** The first budget of this run, or of each run, that caps it in USD or in tokens. */
function capOf({ budgets }: RunHead, unit: "max_usd" | "max_tokens") {
  return budgets.find((budget) => (budget.scope === "run" || budget.period === "run") && budget[unit] !== null);
}

/** The cost, against the cap of this run. */
function Cost({ head }: { readonly head: RunHead }) {
  const own = capOf(head, "max_usd");
  return (
    <span title={exactCost(head.cost_usd)}>
      {cost(head.cost_usd)}
      {own !== undefined && <span className="text-ink-3"> of {cost(own.window?.cap_usd ?? own.max_usd)}</span>}
    </span>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex items-baseline gap-1.5 py-1">
      <dt className="shrink-0 text-ink-3">{name}</dt>
      <dd className="flex flex-wrap items-center gap-x-1 text-ink">{children}</dd>
    </div>
  );
}
