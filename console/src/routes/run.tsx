import { useParams, useSearch } from "@tanstack/react-router";
import { Suspense, lazy, useCallback, useEffect, useRef, useState } from "react";
import { useBlockedBy } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import type { FailureActions } from "../features/run/failure/actions.ts";
import { Facts } from "../features/run/facts.tsx";
import { ForkPanel } from "../features/run/fork-panel.tsx";
import { useRetry } from "../features/run/fork.ts";
import { useRunLog } from "../features/run/log/use-run-log.ts";
import { failedCall, failedStep, followedStep, lastEndedStep } from "../features/run/model/failure.ts";
import { canChangeAnswer, forkPointOf } from "../features/run/model/fork-point.ts";
import { remedyOf } from "../features/run/model/remedy.ts";
import { runPath } from "../features/records/run-path.ts";
import { useRun, useSteps } from "../features/records/run-queries.ts";
import { isAssigned } from "../features/records/run-head.ts";
import type { RunHead, StepRow } from "../features/records/run-head.ts";
import { AttemptMenu, RunActions } from "../features/run/run-actions.tsx";
import { giveSameTaskCall } from "../features/tasks/give-task-call.ts";
import { StateAnnouncement } from "../features/run/state-announcement.tsx";
import { RunBody, agentIdOf } from "../features/run/run-body.tsx";
import type { Revealed } from "../features/run/steps/step-tree.tsx";
import type { InspectorTab, RunSearch, RunView } from "../features/run/search.ts";
import { loadPart } from "../lib/load-part.ts";
import { hasEnded, stateOf } from "../lib/run-state.ts";
import { useShortcuts } from "../lib/shortcuts.ts";
import { WIDE, useMatches } from "../lib/use-matches.ts";
import { usePageNavigate } from "../lib/use-page-navigate.ts";
import { BackLink } from "../ui/back-link.tsx";
import { startParser } from "../ui/parse-markdown.ts";
import { Page } from "../ui/page.tsx";
import { PendingPage } from "../ui/pending-page.tsx";
import { StateChip } from "../ui/state.tsx";
import { showFailure } from "../ui/messages.ts";

const LIST = { to: "/w/$workspace/runs", label: "Runs" } as const;
const AnswerFork = lazy(() =>
  loadPart(async () => ({ default: (await import("../features/run/answer-fork.tsx")).AnswerFork })),
);

// What a run says is Markdown nearly always: its parser is fetched with the record, not after it.
startParser();

/** One run: what was asked, what each step did, what it cost, and what came of it. */
export function RunPage() {
  const { id } = useParams({ from: "/w/$workspace/runs/$id" });
  const { attempt } = useSearch({ from: "/w/$workspace/runs/$id" });
  const { data: head, error, refetch } = useRun(id, attempt);
  if (head === undefined) {
    return <PendingPage noun="Run" list={LIST} error={error} onRetry={() => void refetch()} />;
  }
  return <Run key={`${id} ${head.attempt}`} head={head} />;
}

function Run({ head }: { readonly head: RunHead }) {
  const search = useSearch({ from: "/w/$workspace/runs/$id" });
  const { onSearch, select } = useRunAddress();
  const { data: steps, error: stepsError, refetch } = useSteps(head);
  const rows = steps?.rows ?? NO_ROWS;
  const log = useRunLog(
    head,
    !hasEnded(stateOf(head)) || search.view === "conversation" || search.view === "events",
    steps?.seq ?? head.seq,
  );
  const { revealed, goTo, stop } = useFollow(head, rows, search, select);
  const failure = useFailure(head, rows, goTo);
  const selected = rows.find(({ key }) => key === search.step);
  const fork = useFork(rows, selected ?? failure.step, onSearch);
  const isSelecting = (search.step ?? search.tab) !== undefined;
  useShortcuts({
    f: () => fork?.(),
    ...(isSelecting && { Escape: () => onSearch({ step: undefined, tab: undefined }) }),
    ...viewKeys(onSearch),
  });
  useApiCalls(callsOf(head, search.step));
  const forked = rows.find(({ key }) => key === search.fork);

  return (
    <Page
      fills
      title={head.title}
      above={<BackLink {...LIST} isEscapeTaken={isSelecting} />}
      beside={
        <>
          <StateChip state={stateOf(head)} />
          <AttemptMenu head={head} onChange={(attempt) => onSearch({ attempt, step: undefined, tab: undefined })} />
        </>
      }
      actions={<RunActions head={head} steps={steps} failure={{ ...failure, onFork: fork }} />}
    >
      <StateAnnouncement head={head} />
      <Facts head={head} />
      <RunBody
        head={head}
        steps={steps}
        stepsError={stepsError}
        onRetrySteps={() => void refetch()}
        search={search}
        onSearch={onSearch}
        selected={selected}
        log={log}
        failure={{ ...failure, onFork: fork }}
        onFork={fork}
        revealed={revealed}
        onScroll={stop}
      />
      {forked !== undefined && (
        <Fork head={head} rows={rows} row={forked} onClose={() => onSearch({ fork: undefined })} />
      )}
    </Page>
  );
}

/** The panel of a fork from a step: an answered question takes another answer. */
function Fork({ row, ...props }: Omit<Parameters<typeof AnswerFork>[0], "point">) {
  const point = forkPointOf(props.rows, row.key);
  if (point === undefined) return null;
  if (!canChangeAnswer(row)) return <ForkPanel {...props} point={point} />;
  return (
    <Suspense>
      <AnswerFork {...props} row={row} point={point} />
    </Suspense>
  );
}

const NO_ROWS: readonly StepRow[] = [];

/** Writes what is selected into the URL; that makes no history. */
function useRunAddress() {
  const navigate = usePageNavigate({ from: "/w/$workspace/runs/$id" });
  const onSearch = useCallback(
    (change: Partial<RunSearch>) => {
      void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false });
    },
    [navigate],
  );
  const select = useCallback(
    (key: string, tab?: InspectorTab) => onSearch({ step: key, ...(tab !== undefined && { tab }) }),
    [onSearch],
  );
  return { onSearch, select };
}

function useFailure(
  head: RunHead,
  rows: readonly StepRow[],
  goTo: FailureActions["onSelect"],
): Omit<FailureActions, "onFork"> {
  const navigate = usePageNavigate({ from: "/w/$workspace/runs/$id" });
  const retry = useRetry(head.id);
  const call = failedCall(rows, head.error_code);
  const rejectedBy = head.status === "failed" ? call?.rejected_by : undefined;
  const remedy = remedyOf(head.error_code, rejectedBy);
  // Without its steps it can only be run again; without an agent or team, not at all.
  const canRetry =
    (head.status === "failed" || head.status === "cancelled") &&
    remedy.retry &&
    head.details === "kept" &&
    isAssigned(head) &&
    head.attempts.every(({ n }) => n <= head.attempt);
  return {
    step: failedStep(rows, head.error_code),
    agentId: (call && agentIdOf({ rows }, call)) ?? head.agent?.id,
    rejectedBy,
    remedy,
    onSelect: goTo,
    onRetry: canRetry ? () => retry.mutate(undefined, { onError: showFailure }) : undefined,
    isRetrying: retry.isPending,
    onFilter: (show) => void navigate({ search: (before) => ({ ...before, view: "list", show }), replace: true }),
    onShowDetails: () =>
      void navigate({
        search: (before) => ({ ...before, step: undefined, tab: "details", view: "output" }),
        replace: true,
      }),
  };
}

/** Opens the panel for a fork from a step; undefined where none can begin. */
function useFork(
  rows: readonly StepRow[],
  step: StepRow | undefined,
  onSearch: (change: { readonly fork: string }) => void,
): (() => void) | undefined {
  const blockedBy = useBlockedBy("member");
  const from = step ?? rows.at(-1);
  if (from === undefined || blockedBy !== undefined || forkPointOf(rows, from.key) === undefined) return undefined;
  return () => onSearch({ fork: from.key });
}

/** In which tab a failed model call opens, by the error's code; the others in that of the output. */
const FIRST_TABS: Readonly<Record<string, InspectorTab>> = { MODEL_ERROR: "prompt", BUDGET_EXCEEDED: "details" };

/**
 * On a wide screen the newest step that runs is selected, until the person scrolls, or selects another one or a tab of
 * the run itself; `l` begins again. A run that failed opens at the step at which it did.
 * @returns also how to go to a step, which is then scrolled to, and to which step the person went last
 */
function useFollow(
  head: RunHead,
  rows: readonly StepRow[],
  { step, tab }: RunSearch,
  select: (key: string, tab?: InspectorTab) => void,
) {
  const [revealed, setRevealed] = useState<Revealed>();
  const isWide = useMatches(WIDE);
  const shown = step ?? tab;
  const isFollowing = useRef(shown === undefined);
  const last = useRef(shown);
  const open = followedStep(rows)?.key;
  const failed = head.status === "failed" ? failedStep(rows, head.error_code) : undefined;
  const target = open ?? failed?.key;
  // What is said beside the steps is not said again: what was sent is of more use.
  const targetTab = failed?.kind === "model" ? FIRST_TABS[head.error_code ?? ""] : undefined;
  const ended = head.status === "completed" ? lastEndedStep(rows)?.key : undefined;
  useEffect(() => {
    if (shown !== last.current) isFollowing.current = false;
    // A short step may start and end between two updates, so a completed run selects its last step.
    const next = target ?? (last.current === undefined ? undefined : ended);
    if (!isWide || !isFollowing.current || next === undefined || next === shown) return;
    last.current = next;
    select(next, targetTab);
  }, [isWide, target, targetTab, ended, shown, select]);
  const goTo = useCallback(
    (key: string, tab?: InspectorTab) => {
      setRevealed({ key });
      select(key, tab);
    },
    [select],
  );
  useShortcuts({
    l() {
      isFollowing.current = true;
      last.current = target ?? shown;
      if (target !== undefined) goTo(target);
      else if (step !== undefined) setRevealed({ key: step });
    },
  });
  const stop = useCallback(() => {
    isFollowing.current = false;
  }, []);
  return { revealed, goTo, stop };
}

function viewKeys(onSearch: (change: { readonly view: RunView }) => void) {
  const views: readonly RunView[] = ["timeline", "list", "conversation", "events"];
  return Object.fromEntries(views.map((view, index) => [String(index + 1), () => onSearch({ view })]));
}

function callsOf(head: RunHead, step: string | undefined) {
  const list = head.kind === "task" ? "api-tasks" : "api-runs";
  const command = `${head.kind === "task" ? "tasks" : "runs"} get ${head.id}`;
  const { id, attempt, agent, title, input } = head;
  return [
    { title: "Read this run", method: "GET", path: runPath(id, "", { attempt }), command },
    ...(agent === null ? [] : [giveSameTaskCall(agent.id, { title, description: input.description ?? "" })]),
    { title: "List its steps", method: "GET", path: runPath(id, "/steps", { attempt }) },
    ...(step === undefined
      ? []
      : [{ title: "Read this step", method: "GET", path: runPath(id, "/step", { attempt, key: step }) } as const]),
    { title: "Cancel it", method: "PATCH", path: `/functions/v1/${list}?id=${id}`, body: { status: "cancelled" } },
  ] as const;
}
