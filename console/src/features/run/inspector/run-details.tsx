import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useWorkspace } from "../../../api/use-session.ts";
import { bytes, clockWithMs, duration, shortId } from "../../../lib/format.ts";
import { stateOf } from "../../../lib/run-state.ts";
import { Bdi } from "../../../ui/bdi.tsx";
import { StateIcon } from "../../../ui/state.tsx";
import { Time } from "../../../ui/time.tsx";
import { forkUnit } from "../model/fork-point.ts";
import type { RunHead, StepRow } from "../../records/run-head.ts";
import { ExactTime, FactList, FactRow, IdFact } from "../../../ui/fact-list.tsx";
import { RunBudgets } from "./run-budgets.tsx";
import { OwnTools } from "./own-tools.tsx";
import { AgentVersion } from "./step-details.tsx";

/** The record of a run: ids and times, agents, budgets, processes, forks, files. */
export function RunDetails({ head, rows }: { readonly head: RunHead; readonly rows: readonly StepRow[] | undefined }) {
  const { slug } = useWorkspace();
  return (
    <div className="flex flex-col gap-6">
      <FactList>
        <IdFact name="Id" id={head.id} />
        {head.log_id !== head.id && <IdFact name="Log id" id={head.log_id} />}
        <FactRow name="Created by">{head.created_by && <Bdi>{head.created_by.name}</Bdi>}</FactRow>
        <FactRow name="Cancelled by">{head.cancelled_by && <Bdi>{head.cancelled_by.name}</Bdi>}</FactRow>
        <FactRow name="Created">
          <ExactTime at={Date.parse(head.created_at)} />
        </FactRow>
        <FactRow name="Scheduled">
          {head.scheduled_for !== null && <ExactTime at={Date.parse(head.scheduled_for)} />}
        </FactRow>
        <FactRow name="Started">{head.started_at !== null && <ExactTime at={Date.parse(head.started_at)} />}</FactRow>
        <FactRow name="Ended">{head.ended_at !== null && <ExactTime at={Date.parse(head.ended_at)} />}</FactRow>
        <FactRow name="Priority">
          {head.priority !== null && <span className="inline-block first-letter:uppercase">{head.priority}</span>}
        </FactRow>
        <OwnTools links={head.links} />
      </FactList>
      {head.agents.length > 0 && (
        <Part title="Agents">
          {head.agents.map((agent) => (
            <li key={agent.id}>
              <AgentName agent={agent} /> <AgentVersion agent={agent} />
            </li>
          ))}
        </Part>
      )}
      {head.budgets.length > 0 && (
        <Part title="Budgets">
          <RunBudgets budgets={head.budgets} />
        </Part>
      )}
      <Executions executions={head.executions} />
      {head.forks.length > 0 && <Forks head={head} unit={forkUnit(rows)} />}
      {head.files.length > 0 && (
        <Part title="Files">
          {head.files.map(({ id, name, size, direction }) => (
            <li key={id}>
              <Link
                to="/w/$workspace/files"
                params={{ workspace: slug }}
                search={{ file: id }}
                className="text-accent hover:underline"
              >
                <Bdi>{name}</Bdi>
              </Link>{" "}
              <span className="text-ink-3">{`${bytes(size)}, ${direction === "input" ? "given" : "made"}`}</span>
            </li>
          ))}
        </Part>
      )}
    </div>
  );
}

function AgentName({ agent: { id, name } }: { readonly agent: RunHead["agents"][number] }) {
  const { slug } = useWorkspace();
  if (name === null) return "Deleted";
  return (
    <Link to="/w/$workspace/agents/$id" params={{ workspace: slug, id }} className="text-accent hover:underline">
      <Bdi>{name}</Bdi>
    </Link>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 text-h3 font-semibold">{title}</h3>
      <ul className="flex flex-col gap-2">{children}</ul>
    </section>
  );
}

const ENDS = { finished: "finished", waiting: "asked", handed_over: "handed over", lost: "process died" } as const;

function Executions({ executions }: { readonly executions: RunHead["executions"] }) {
  if (executions.length === 0) return null;
  return (
    <Part title="Executions">
      {executions.map(({ n, process, from, to, end }) => (
        <li key={n} className="flex flex-wrap gap-x-3">
          <span className={end === "lost" ? "text-failed" : ""}>{end === null ? "running" : ENDS[end]}</span>
          <span className="text-ink-3">
            {clockWithMs(new Date(from))}
            {to !== null && `, ${duration(Date.parse(to) - Date.parse(from))}`}
          </span>
          <span className="font-mono text-small text-ink-3">{process}</span>
        </li>
      ))}
    </Part>
  );
}

function Forks({ head, unit }: { readonly head: RunHead; readonly unit: string }) {
  const { slug } = useWorkspace();
  return (
    <Part title="Forks">
      {head.forks.map((fork) => (
        <li key={fork.id} className="flex items-center gap-2">
          <StateIcon state={stateOf(fork)} />
          <Link
            to="/w/$workspace/runs/$id"
            params={{ workspace: slug, id: fork.id }}
            className="font-mono text-mono text-accent hover:underline"
          >
            {shortId(fork.id)}
          </Link>
          <span className="text-ink-3">
            from {unit} {fork.from_step + 1}, <Time at={fork.created_at} />
          </span>
        </li>
      ))}
    </Part>
  );
}
