import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { components } from "#client/gen/schema.ts";
import { duration } from "../../../lib/format.ts";
import { visibleText } from "../../../lib/visible-text.ts";
import { CodeBlock } from "../../../ui/code-block.tsx";
import { FormError } from "../../../ui/field.tsx";
import { Markdown } from "../../../ui/markdown.tsx";
import { LoadingRows } from "../../../ui/states.tsx";
import { callAuth } from "../../accounts/auth.ts";
import { nameOf } from "../model/names.ts";
import { StepState } from "../steps/step-state.tsx";

type Step = components["schemas"]["SharedStep"];

/** The steps that a link shows; each is read when it is opened. */
export function SharedSteps({ token, steps }: { readonly token: string; readonly steps: readonly Step[] }) {
  const depths = depthsOf(steps);
  return (
    <ol className="flex flex-col">
      {steps.map((step) => (
        <li key={step.key} style={{ marginInlineStart: `${depths.get(step.key) ?? 0}rem` }}>
          <StepItem token={token} step={step} />
        </li>
      ))}
    </ol>
  );
}

/** How deep each step is below others; on a phone no more than four levels fit. */
function depthsOf(steps: readonly Step[]): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  for (const { key, parent } of steps) {
    depths.set(key, parent === undefined ? 0 : Math.min((depths.get(parent) ?? -1) + 1, 4));
  }
  return depths;
}

function StepItem({ token, step }: { readonly token: string; readonly step: Step }) {
  const [isOpen, setOpen] = useState(false);
  const { started_at: start, ended_at: end, model, status } = step;
  return (
    <details className="border-b border-line" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="flex min-h-10 cursor-pointer items-center gap-2 py-1.5 touch:min-h-11">
        <StepState status={status} />
        <span dir="auto" className="min-w-0 truncate">
          {visibleText(nameOf(step))}
        </span>
        {model !== undefined && <span className="truncate text-small text-ink-3 max-sm:hidden">{model}</span>}
        {start !== undefined && end !== undefined && (
          <span className="ms-auto shrink-0 text-small text-ink-3 tabular-nums">{duration(end - start)}</span>
        )}
      </summary>
      {isOpen && <Record token={token} step={step} />}
    </details>
  );
}

function Record({ token, step: { key, status } }: { readonly token: string; readonly step: Step }) {
  const { data, error } = useQuery({
    queryKey: ["run-link-step", token, key, status],
    queryFn: () => callAuth<components["schemas"]["SharedStepDetail"]>("POST", "/auth/run-link/step", { token, key }),
    staleTime: Infinity,
    retry: false,
  });
  if (error !== null) return <FormError>{error.message}</FormError>;
  if (data === undefined) return <LoadingRows rows={2} />;
  const { text, arguments: given, result, question, answer, error: failure } = data;
  const parts = [
    { title: "Arguments", content: given },
    { title: "Question", content: question === null ? null : JSON.stringify(question) },
    { title: "Answer", content: answer === null ? null : JSON.stringify(answer) },
    { title: "Result", content: failure === null ? result : null },
  ].filter(({ content }) => content !== null);
  return (
    <div className="flex flex-col gap-3 pb-4">
      {failure !== null && <FormError>{visibleText(failure)}</FormError>}
      {text !== null && text !== "" && <Markdown text={text} />}
      {parts.map(({ title, content }) => (
        <CodeBlock key={title} title={title} text={content ?? ""} />
      ))}
      {failure === null && (text ?? "") === "" && parts.length === 0 && (
        <p className="text-ink-3">{status === "running" ? "It is running." : "It has no text of its own."}</p>
      )}
    </div>
  );
}
