import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useWorkspace } from "../../api/use-session.ts";
import { cost, duration, shortId, tokens } from "../../lib/format.ts";
import { STATE_LABELS, stateOf } from "../../lib/run-state.ts";
import type { RunState } from "../../lib/run-state.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { StateIcon } from "../../ui/state.tsx";
import { Time } from "../../ui/time.tsx";
import type { RunHead } from "../records/run-head.ts";
import { Difference } from "./difference.tsx";

/** The facts of the two runs, one column each. */
interface Line {
  readonly name: string;
  /** Absent: it always is. */
  readonly isShown?: (a: RunHead, b: RunHead) => boolean;
  readonly cell: (head: RunHead) => ReactNode;
  readonly difference: (a: RunHead, b: RunHead) => ReactNode;
}

/** A line for a kind of tokens, which only runs with some of them have. */
function kindLine(name: string, field: "cached_tokens" | "cache_write_tokens" | "reasoning_tokens"): Line {
  return {
    name,
    isShown: (a, b) => a[field] > 0 || b[field] > 0,
    cell: (head) => tokens(head[field]),
    difference: (a, b) => <Difference a={a[field]} b={b[field]} unit="tokens" />,
  };
}

const LINES: readonly Line[] = [
  {
    name: "Status",
    cell: (head) => (
      <span className="flex flex-wrap items-center gap-x-2">
        <State state={stateOf(head)} />
        {head.error_code !== null && <span className="font-mono text-caption text-failed">{head.error_code}</span>}
      </span>
    ),
    difference: (a, b) => <Changed isChanged={a.status !== b.status || a.error_code !== b.error_code} />,
  },
  {
    name: "Started",
    cell: ({ started_at: at }) => at !== null && <Time at={at} />,
    difference: () => null,
  },
  {
    name: "Duration",
    cell: ({ duration_ms: ms }) => ms !== null && duration(ms),
    difference: (a, b) => <Difference a={a.duration_ms ?? undefined} b={b.duration_ms ?? undefined} unit="duration" />,
  },
  {
    name: "Tokens",
    cell: (head) => tokens(head.tokens),
    difference: (a, b) => <Difference a={a.tokens} b={b.tokens} unit="tokens" />,
  },
  kindLine("From the cache", "cached_tokens"),
  kindLine("Written to it", "cache_write_tokens"),
  kindLine("Reasoning", "reasoning_tokens"),
  {
    name: "Cost",
    cell: (head) => cost(head.cost_usd),
    difference: (a, b) => <Difference a={a.cost_usd} b={b.cost_usd} unit="cost" />,
  },
  {
    name: "Agents",
    cell: (run) => <span dir="auto">{versions(run)}</span>,
    difference: (a, b) => <Changed isChanged={hasOthers(a, b) || hasOthers(b, a)} />,
  },
];

/**
 * Whether agents worked in a run that did not work in the other one, or in another version. A fork does not list the
 * agents of the steps that it reuses.
 */
function hasOthers({ agents }: RunHead, other: RunHead): boolean {
  return agents.some(({ id, version }) => {
    const versionsThere = other.agents.filter((agent) => agent.id === id).map((agent) => agent.version);
    return versionsThere.length === 0 ? other.forked_from === null : !versionsThere.includes(version);
  });
}

function versions({ agents }: RunHead): string {
  return agents
    .map(
      ({ name, version }) =>
        `${visibleText(name ?? "Deleted")}, ${version === null ? "changed for this run" : `version ${version}`}`,
    )
    .join("; ");
}

/** Without the ground of a chip: two of them would not fit beside each other on a phone. */
function State({ state }: { readonly state: RunState }) {
  return (
    <span className="flex items-center gap-1 [overflow-wrap:normal] max-sm:text-small">
      <StateIcon state={state} decorative />
      {STATE_LABELS[state]}
    </span>
  );
}

function Changed({ isChanged }: { readonly isChanged: boolean }) {
  return isChanged ? <span className="text-waiting">differs</span> : <span className="text-ink-3">same</span>;
}

/** The two runs in two columns, with their differences. */
export function HeadTable({ a, b }: { readonly a: RunHead; readonly b: RunHead }) {
  return (
    <div className="overflow-x-auto">
      <table aria-label="The two runs" className="w-full min-w-88 table-fixed border-b border-line">
        <thead className="border-b border-line bg-surface">
          <tr className="text-start align-top">
            <th scope="col" className="w-24 max-sm:w-20">
              <span className="sr-only">What</span>
            </th>
            <Side name="A" head={a} />
            <Side name="B" head={b} />
            <th scope="col" className="w-28 px-2 py-2 pe-page text-end text-caption font-medium text-ink-3 max-sm:w-20">
              Change
            </th>
          </tr>
        </thead>
        <tbody>
          {LINES.filter(({ isShown }) => isShown?.(a, b) ?? true).map(({ name, cell, difference }) => (
            <tr key={name}>
              <th scope="row" className="py-1 ps-page text-start font-normal text-ink-3">
                {name}
              </th>
              <td className="px-2 py-1 [overflow-wrap:anywhere] max-sm:px-1">{cell(a)}</td>
              <td className="px-2 py-1 [overflow-wrap:anywhere] max-sm:px-1">{cell(b)}</td>
              <td className="px-2 py-1 pe-page text-end whitespace-nowrap max-sm:ps-0">{difference(a, b)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Side({ name, head }: { readonly name: "A" | "B"; readonly head: RunHead }) {
  const { slug } = useWorkspace();
  return (
    <th scope="col" className="px-2 py-2 text-start font-normal max-sm:px-1">
      <span className="me-2 inline-grid size-5 place-items-center rounded-full bg-raised text-caption font-semibold">
        {name}
      </span>
      <Link
        to="/w/$workspace/runs/$id"
        params={{ workspace: slug, id: head.id }}
        search={{ attempt: head.attempt }}
        dir="auto"
        className="font-medium hover:underline"
      >
        {visibleText(head.title)}
      </Link>
      <span className="block text-small text-ink-3">
        {shortId(head.id)}
        {head.attempts.length > 1 && `, attempt ${head.attempt} of ${head.attempts.length}`}
      </span>
    </th>
  );
}
