import type { ReactNode } from "react";
import { ErrorState, LoadingRows } from "../../../ui/states.tsx";
import type { LogStore } from "../log/log-store.ts";
import { isModelCall, wasStopped } from "../model/tree.ts";
import { isOpenModelCall, useStep } from "../../records/run-queries.ts";
import type { RunHead, StepDetail, StepRow } from "../../records/run-head.ts";
import type { InspectorTab, RunSearch } from "../search.ts";
import { RunQuestion } from "../run-question.tsx";
import { InspectorTabs } from "./inspector-tabs.tsx";
import { Prompt } from "./prompt.tsx";
import { StepDetails } from "./step-details.tsx";
import { StepOutput } from "./step-output.tsx";
import { Exchanges, ModelAttempts } from "./model-attempts.tsx";

/** The selected step, in tabs. Which one is open stays when another step is selected. */
export function StepInspector({
  head,
  row,
  turn,
  agentId,
  search,
  log,
  isAsking,
}: {
  readonly head: RunHead;
  readonly row: StepRow;
  /** The name of its turn, in a team's run. */
  readonly turn: string | undefined;
  readonly agentId: string | undefined;
  readonly search: RunSearch;
  readonly log: LogStore;
  /** Whether the step is the open question, and its form is here. */
  readonly isAsking: boolean;
}) {
  const { data: detail, error, refetch } = useStep(head, row);
  const agent = head.agents.find(({ id }) => id === (agentId ?? head.agent?.id));
  const tabs = tabsOf(row, detail);
  const current = tabs.find(({ key }) => key === search.tab)?.key ?? "output";
  return (
    <>
      <InspectorTabs label="Step" {...{ head, search, current }} tabs={tabs} />
      <div className="px-page py-4">
        {isAsking ? (
          <RunQuestion head={head} />
        ) : error !== null && detail === undefined ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <TabContent tab={current} {...{ head, row, detail, turn, agent, log }} />
        )}
      </div>
    </>
  );
}

interface TabProps {
  readonly head: RunHead;
  readonly row: StepRow;
  readonly detail: StepDetail | undefined;
  readonly turn: string | undefined;
  /** Undefined until the head knows it. */
  readonly agent: RunHead["agents"][number] | undefined;
  readonly log: LogStore;
}

function TabContent({
  tab,
  head,
  row,
  detail,
  turn,
  agent,
  log,
}: TabProps & { readonly tab: InspectorTab }): ReactNode {
  if (tab === "details") return <StepDetails {...{ head, row, detail, agent }} />;
  if (tab === "output" || tab === "input") return <StepOutput {...{ head, row, detail, turn, log }} />;
  if (isOpenModelCall(row)) return <p className="text-ink-3">It is in the record as soon as the call has ended.</p>;
  if (detail === undefined) return <LoadingRows rows={4} />;
  if (tab === "attempts") return <ModelAttempts tries={detail.attempts} />;
  if (tab === "raw") return <Exchanges exchanges={detail.exchanges} />;
  if (detail.request !== null) {
    // A deleted agent has no name, and cannot be tried.
    const tried = agent?.name == null ? undefined : agent.id;
    return <Prompt detail={detail} request={detail.request} agentId={tried} />;
  }
  return <p className="text-ink-3">{noPrompt(row)}</p>;
}

function noPrompt(row: StepRow): string {
  if (wasStopped(row)) return "The prompt was not recorded: the call was stopped.";
  return "The prompt was not recorded: RECORD_PROMPTS is off, or the step was deleted after its retention.";
}

const FIRST: Readonly<Partial<Record<StepRow["kind"], string>>> = { tool: "Result", question: "Answer" };

function tabsOf(
  row: StepRow,
  detail: StepDetail | undefined,
): readonly { key: InspectorTab; label: string; count?: number }[] {
  const tries = detail?.attempts.length ?? 0;
  return [
    { key: "output", label: FIRST[row.kind] ?? "Output" },
    ...(isModelCall(row)
      ? [
          { key: "prompt" as const, label: "Prompt" },
          ...(tries > 0 ? [{ key: "attempts" as const, label: "Tries", count: tries }] : []),
          { key: "raw" as const, label: "Raw" },
        ]
      : []),
    { key: "details", label: "Details" },
  ];
}
