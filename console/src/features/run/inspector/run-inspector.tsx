import { hasEnded, stateOf } from "../../../lib/run-state.ts";
import { Markdown } from "../../../ui/markdown.tsx";
import type { LogStore } from "../log/log-store.ts";
import { TranscriptView } from "../log/transcript-view.tsx";
import { useLog } from "../log/use-run-log.ts";
import { NoSteps } from "../no-steps.tsx";
import type { RunHead, StepRow } from "../../records/run-head.ts";
import type { RunSearch } from "../search.ts";
import { InspectorTabs } from "./inspector-tabs.tsx";
import type { InspectorTabLabel } from "./inspector-tabs.tsx";
import { OutputText } from "./output-text.tsx";
import { RunDetails } from "./run-details.tsx";

const TABS: readonly InspectorTabLabel[] = [
  { key: "output", label: "Output" },
  { key: "input", label: "Task" },
  { key: "details", label: "Details" },
];

/** The run itself, while no step is selected: what came of it, what was asked for, and its record. */
export function RunInspector({
  head,
  rows,
  search,
  log,
}: {
  readonly head: RunHead;
  /** Its steps; undefined while they are read. */
  readonly rows: readonly StepRow[] | undefined;
  readonly search: RunSearch;
  readonly log: LogStore;
}) {
  const current = TABS.find(({ key }) => key === search.tab)?.key ?? "output";
  return (
    <>
      <InspectorTabs label="Run" {...{ head, search, current }} tabs={TABS} />
      <div className="px-page py-4">
        {current === "output" && <RunOutput head={head} log={log} />}
        {current === "input" && <RunInput head={head} />}
        {current === "details" && <RunDetails head={head} rows={rows} />}
      </div>
    </>
  );
}

/** The same without tabs, for a screen on which the run fills all of it. */
export function RunSections({ head, rows, log }: Omit<Parameters<typeof RunInspector>[0], "search">) {
  return (
    <div className="flex flex-col gap-8 px-page py-4">
      {rows?.length === 0 && !hasEnded(stateOf(head)) ? <NoSteps head={head} /> : <RunOutput head={head} log={log} />}
      <section className="flex flex-col gap-3">
        <h2 className="text-caption font-medium text-ink-3">Task</h2>
        <RunInput head={head} />
      </section>
      <section className="flex flex-col gap-3">
        <h2 className="text-caption font-medium text-ink-3">Details</h2>
        <RunDetails head={head} rows={rows} />
      </section>
    </div>
  );
}

/** The result; until there is one, the output so far. */
function RunOutput({ head, log }: { readonly head: RunHead; readonly log: LogStore }) {
  const { transcript } = useLog(log);
  if (head.result === "") return <p className="text-ink-3">The result is an empty text.</p>;
  if (head.result !== null) return <OutputText text={head.result} />;
  if (transcript.entries.length > 0) {
    const nameOf = (id: string) => head.agents.find((agent) => agent.id === id)?.name ?? undefined;
    return <TranscriptView entries={transcript.entries} nameOf={nameOf} />;
  }
  return <p className="text-ink-3">{hasEnded(stateOf(head)) ? "This run has no result." : "No output yet."}</p>;
}

function RunInput({ head: { input, files } }: { readonly head: RunHead }) {
  const given = files.filter(({ direction }) => direction === "input");
  return (
    <div className="flex flex-col gap-4">
      {input.title !== "" && (
        <h3 dir="auto" className="text-h2 font-semibold">
          {input.title}
        </h3>
      )}
      {input.description !== "" && input.description !== input.title && <Markdown text={input.description} />}
      {given.length > 0 && (
        <ul aria-label="Files" className="list-disc ps-5">
          {given.map((file) => (
            <li key={file.id}>{file.name}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
