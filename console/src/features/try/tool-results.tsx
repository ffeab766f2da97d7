import { useEffect } from "react";
import { Problem } from "../../api/problem.ts";
import { useIssue } from "../../forms/form-context.ts";
import { textIn } from "../../forms/use-submit.ts";
import { FormError } from "../../ui/field.tsx";
import { TextareaField } from "../../ui/fields.tsx";
import { useRun, useStep, useSteps } from "../records/run-queries.ts";
import type { RunHead, StepRow } from "../records/run-head.ts";
import { forkPointOf } from "../run/model/fork-point.ts";

/** What the tools of a reply returned, by the keys of the calls, and the model call that asked for it. */
export type RecordedResults = Map<string, { readonly result: string; readonly step: number }>;

/** More calls are changed on the run's page. */
const MAX_CALLS = 20;
const nameOf = (key: string) => `result.${key}`;

/**
 * The results that were changed in the form, and the model call that they belong to.
 * @throws Problem when they belong to several: a reply continues from one of them
 */
export function changedResults(values: FormData, recorded: RecordedResults) {
  const changed = [...recorded].filter(
    ([key, { result }]) => values.has(nameOf(key)) && textIn(values, nameOf(key)) !== result,
  );
  const [step, ...others] = new Set(changed.map(([, each]) => each.step));
  if (others.length > 0) {
    const message = "Change the results of one model call only: the reply continues from them.";
    const details = [{ path: "changes.tool_results", message }];
    throw new Problem({ status: 0, code: "error", message, details });
  }
  if (step === undefined) return { step, results: undefined };
  return { step, results: Object.fromEntries(changed.map(([key]) => [key, textIn(values, nameOf(key))])) };
}

/** The results of the tools that the agent called for a reply, to be changed. */
export function ToolResults({
  id,
  attempt,
  recorded,
}: {
  readonly id: string;
  readonly attempt: number;
  /** Gets the results as they are read. */
  readonly recorded: RecordedResults;
}) {
  const error = useIssue("changes.tool_results");
  const { data: head } = useRun(id, attempt);
  const { data: steps } = useSteps(head);
  const rows = steps?.rows ?? [];
  const calls = rows.filter(
    ({ kind, key, status }) => kind === "tool" && status === "completed" && key.startsWith("tool:"),
  );
  if (head === undefined || calls.length === 0) return null;
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1.5 font-medium">Results of tools</legend>
      <p className="text-small text-ink-3">
        With another result, the agent continues from it. Nothing before it is repeated.
      </p>
      {error !== undefined && <FormError>{error}</FormError>}
      {calls.slice(0, MAX_CALLS).map((row) => (
        <ToolResult
          key={row.key}
          head={head}
          row={row}
          step={forkPointOf(rows, row.key)?.step ?? 0}
          recorded={recorded}
        />
      ))}
    </fieldset>
  );
}

function ToolResult({
  head,
  row,
  step,
  recorded,
}: {
  readonly head: RunHead;
  readonly row: StepRow;
  readonly step: number;
  readonly recorded: RecordedResults;
}) {
  const result = useStep(head, row).data?.result ?? undefined;
  useEffect(() => {
    if (result !== undefined) recorded.set(row.key, { result, step });
  }, [recorded, row.key, result, step]);
  if (result === undefined) return null;
  return (
    <TextareaField
      name={nameOf(row.key)}
      label={row.label ?? row.key}
      path={[]}
      rows={3}
      defaultValue={result}
      className="font-mono text-mono"
    />
  );
}
