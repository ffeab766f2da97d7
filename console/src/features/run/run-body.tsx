import { useCallback, useRef, useState } from "react";
import { hasEnded, stateOf } from "../../lib/run-state.ts";
import { scrolledByHand } from "../../lib/scrolled-by-hand.ts";
import { WIDE, useMatches } from "../../lib/use-matches.ts";
import { ErrorState, LoadingRows } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { useWorkspace } from "../../api/use-session.ts";
import { Banner } from "./banner.tsx";
import type { FailureActions } from "./failure/actions.ts";
import { GraphView } from "./graph/graph-view.tsx";
import { Divider, useInspectorWidth } from "./inspector/divider.tsx";
import { RunInspector, RunSections } from "./inspector/run-inspector.tsx";
import { InspectorPane, StepSheet } from "./inspector/inspector-pane.tsx";
import { StepInspector } from "./inspector/step-inspector.tsx";
import { StepTitle } from "./inspector/step-title.tsx";
import { EventsView } from "./log/events-view.tsx";
import { Followed } from "./log/followed.tsx";
import type { LogStore } from "./log/log-store.ts";
import { MessageCall } from "./log/message-call.tsx";
import { TranscriptView } from "./log/transcript-view.tsx";
import { useLog } from "./log/use-run-log.ts";
import { NoSteps } from "./no-steps.tsx";
import { isOpenQuestion } from "../records/run-queries.ts";
import type { RunHead, StepRow, Steps } from "../records/run-head.ts";
import { RunQuestion } from "./run-question.tsx";
import { NowByApi } from "./remarks.tsx";
import type { RunSearch, RunView } from "./search.ts";
import type { Revealed } from "./steps/step-tree.tsx";
import { StepsView } from "./steps/steps-view.tsx";

const VIEW_LABELS: Readonly<Record<RunView, string>> = {
  output: "Output",
  timeline: "Timeline",
  list: "List",
  graph: "Graph",
  conversation: "Conversation",
  events: "Events",
};

const WIDE_VIEWS: readonly RunView[] = ["timeline", "list", "graph", "conversation", "events"];
const NARROW_VIEWS: readonly RunView[] = ["output", "list", "graph", "timeline", "conversation", "events"];

/** What the body of the page shows, and what it does to the URL. */
export interface RunBodyProps {
  readonly head: RunHead;
  readonly steps: Steps | undefined;
  readonly stepsError: Error | null;
  readonly onRetrySteps: () => void;
  readonly search: RunSearch;
  readonly onSearch: (change: Partial<RunSearch>) => void;
  readonly selected: StepRow | undefined;
  readonly log: LogStore;
  readonly failure: FailureActions;
  readonly onFork: (() => void) | undefined;
  readonly revealed: Revealed | undefined;
  /** The person has scrolled the steps or the inspector. */
  readonly onScroll: () => void;
}

/** The steps, and beside them the selected one; on a narrow screen one of both at a time. */
export function RunBody(props: RunBodyProps) {
  const { head, search, selected, log, onSearch, onFork, onScroll, steps } = props;
  const isWide = useMatches(WIDE);
  const { width, setWidth } = useInspectorWidth();
  const close = () => onSearch({ step: undefined, tab: undefined });
  // The question fills the inspector, unless something else is looked at there.
  const isAsking =
    isWide &&
    head.question !== null &&
    (selected === undefined ? search.tab === undefined : isOpenQuestion(selected)) &&
    (search.tab ?? "output") === "output";
  const inspector = selected && (
    <StepInspector
      head={head}
      row={selected}
      turn={steps?.rows.find(({ key }) => key === selected.parent)?.label}
      agentId={agentIdOf(steps, selected)}
      search={search}
      log={log}
      isAsking={isAsking}
    />
  );
  return (
    <div className="flex min-h-0 flex-1 short:min-h-[80dvh] print:block">
      <StepsPane {...props} isWide={isWide} isAsking={isAsking} />
      {isWide && (
        <>
          <Divider width={width} onChange={setWidth} />
          <InspectorPane width={width} onScroll={onScroll}>
            {selected === undefined ? (
              <>
                <h2 className="sr-only">Run</h2>
                {isAsking && (
                  <div className="px-6 pt-4">
                    <RunQuestion head={head} />
                  </div>
                )}
                <RunInspector head={head} rows={steps?.rows} search={search} log={log} />
              </>
            ) : (
              <>
                <StepTitle row={selected} onFork={onFork} onClose={close} />
                {inspector}
              </>
            )}
          </InspectorPane>
        </>
      )}
      {!isWide && selected !== undefined && (
        <StepSheet row={selected} onFork={onFork} onClose={close}>
          {inspector}
        </StepSheet>
      )}
    </div>
  );
}

/** Steps have the agent of the nearest row above that names one. */
export function agentIdOf(steps: Pick<Steps, "rows"> | undefined, row: StepRow): string | undefined {
  const byKey = new Map(steps?.rows.map((each) => [each.key, each]));
  for (let at: StepRow | undefined = row; at !== undefined; at = byKey.get(at.parent ?? "")) {
    if (at.agent_id !== undefined) return at.agent_id;
  }
  return undefined;
}

function StepsPane(props: RunBodyProps & { readonly isWide: boolean; readonly isAsking: boolean }) {
  const { head, steps, search, onSearch, failure, isWide, isAsking, selected, log, onScroll } = props;
  const { slug } = useWorkspace();
  const pane = useRef<HTMLElement>(null);
  const scroller = useCallback(() => pane.current, []);
  const views = (isWide ? WIDE_VIEWS : NARROW_VIEWS).filter((each) => each !== "graph" || head.team !== null);
  const first = isWide ? "timeline" : head.status === "failed" ? "list" : "output";
  const view = views.find((each) => each === search.view) ?? first;
  return (
    <section
      ref={pane}
      aria-label="Steps"
      tabIndex={-1}
      className="@container relative min-w-0 flex-1 scroll-pt-20 scrolls pb-6 max-sm:scroll-pb-28"
      {...scrolledByHand(onScroll)}
    >
      <h2 className="sr-only">Steps</h2>
      {search.offer === "api" && <NowByApi onClose={() => onSearch({ offer: undefined })} />}
      <Banner
        head={head}
        rows={steps?.rows}
        log={log}
        failure={failure}
        hasQuestion={!isAsking}
        isStepShown={isWide && selected !== undefined && selected.key === failure.step?.key}
      />
      <div className="sticky top-0 z-10 border-b border-line bg-canvas px-page">
        <Tabs
          label="Views"
          current={view}
          tabs={views.map((key) => ({
            key,
            label: VIEW_LABELS[key],
            link: {
              to: "/w/$workspace/runs/$id",
              params: { workspace: slug, id: head.id },
              search: { ...search, view: key },
              replace: true,
            },
          }))}
        />
      </div>
      <View {...props} view={view} scroller={scroller} />
    </section>
  );
}

function View({
  view,
  scroller,
  ...props
}: RunBodyProps & { readonly view: RunView; readonly scroller: () => HTMLElement | null; readonly isWide: boolean }) {
  const { head, steps, log } = props;
  if (head.details === "purged" && view !== "output") return <NoSteps head={head} />;
  switch (view) {
    case "output":
      return <RunSections head={head} rows={steps?.rows} log={log} />;
    case "conversation":
      return <Conversation {...props} />;
    case "events":
      return <Events log={log} scroller={scroller} />;
    case "graph":
      return <GraphView {...props} />;
    case "timeline":
    case "list":
      return <StepList {...props} look={view} scroller={scroller} />;
  }
}

function StepList({
  head,
  steps,
  stepsError,
  onRetrySteps,
  look,
  scroller,
  onSearch,
  search,
  isWide,
  log,
  failure,
  revealed,
}: RunBodyProps & {
  readonly look: "timeline" | "list";
  readonly scroller: () => HTMLElement | null;
  readonly isWide: boolean;
}) {
  const select = useCallback((key: string) => onSearch({ step: key }), [onSearch]);
  // On a narrow screen a selected step covers the others: keys walk to one there, and Enter opens it.
  const [walkedTo, setWalkedTo] = useState<string>();
  const open = useCallback(
    (key: string) => {
      setWalkedTo(key);
      select(key);
    },
    [select],
  );
  if (steps === undefined) {
    return stepsError === null ? <LoadingRows /> : <ErrorState error={stepsError} onRetry={onRetrySteps} />;
  }
  if (steps.rows.length === 0) {
    return <NoSteps head={head} />;
  }
  return (
    <StepsView
      head={head}
      rows={steps.rows}
      log={log}
      look={look}
      selected={search.step ?? (isWide ? undefined : walkedTo)}
      explained={head.status === "failed" ? failure.step?.key : steps.rows.find(isOpenQuestion)?.key}
      revealed={revealed}
      filter={search.show}
      onFilter={(show) => onSearch({ show })}
      scroller={scroller}
      onSelect={isWide ? select : setWalkedTo}
      onOpen={open}
    />
  );
}

function Conversation({ head, log, steps, search }: RunBodyProps) {
  const { transcript } = useLog(log);
  const isLive = !hasEnded(stateOf(head));
  // Also after its end, of which the page may learn before it has the last words.
  const [isFollowed, setFollowed] = useState(isLive);
  if (isLive && !isFollowed) setFollowed(true);
  const names = new Map(head.agents.map(({ id, name }) => [id, name ?? undefined]));
  const rows = new Map(steps?.rows.map((row) => [row.message_id, row]));
  const footOf = (messageId: string) => {
    const row = rows.get(messageId);
    return row && <MessageCall head={head} row={row} search={search} />;
  };
  if (transcript.entries.length === 0) return <NoEvents head={head} />;
  return (
    <div className="px-page py-4">
      <Followed turn={isFollowed ? head.attempt : undefined}>
        <TranscriptView entries={transcript.entries} nameOf={(id) => names.get(id)} footOf={footOf} />
      </Followed>
    </div>
  );
}

function Events({ log, scroller }: { readonly log: LogStore; readonly scroller: () => HTMLElement | null }) {
  const { events } = useLog(log);
  return <EventsView events={events} scroller={scroller} />;
}

function NoEvents({ head }: { readonly head: RunHead }) {
  return (
    <p className="px-page py-4 text-ink-3">
      {hasEnded(stateOf(head)) ? "This attempt has no output." : "No output yet."}
    </p>
  );
}
