import { isAskedQuestion } from "../../records/run-head.ts";
import type { RunHead, StepDetail } from "../../records/run-head.ts";
import { visibleText } from "../../../lib/visible-text.ts";
import { Markdown } from "../../../ui/markdown.tsx";
import { CodeBlock } from "../../../ui/code-block.tsx";
import { ExactTime } from "../../../ui/fact-list.tsx";

const VIA: Readonly<Record<NonNullable<StepDetail["answered_via"]>, string>> = {
  console: "in the console or by its API",
  link: "by a link",
  "ag-ui": "by AG-UI",
  a2a: "by A2A",
  mcp: "by MCP",
  client: "by the client that started the run",
  rule: "by its rule, at the last deadline",
  page: "on the agent's page",
  slack: "in Slack",
  telegram: "in Telegram",
  discord: "in Discord",
};

/** A closed question with its answer, and by whom and how it was given; or that there is no answer. */
export function AnsweredQuestion({ detail }: { readonly detail: StepDetail }) {
  const { question, answer, answered_by: by, answered_name: name, answered_via: via, answered_at: at } = detail;
  const heading = headingOf(question);
  return (
    <div className="flex flex-col gap-4">
      {heading !== undefined && (
        <h3 dir="auto" className="text-h2 font-semibold">
          {visibleText(heading.title)}
        </h3>
      )}
      {heading !== undefined && heading.description !== "" && <Markdown text={heading.description} />}
      {answer === null ? (
        <p className="text-waiting">{detail.status === "waiting" ? "Not answered yet" : "Not answered"}</p>
      ) : (
        <>
          <p className="text-ink-2">
            {detail.changed === true ? "Changed for this fork" : "Answered"}
            {name !== null && <> by {visibleText(name)}</>}
            {by !== null && <> by {by.name ?? "a former member"}</>}
            {via !== null && <> {VIA[via]}</>}
            {at !== null && (
              <>
                , <ExactTime at={at} />
              </>
            )}
          </p>
          <CodeBlock title="Answer" text={JSON.stringify(answer)} />
        </>
      )}
      {question !== null && <AsAsked question={question} />}
    </div>
  );
}

function headingOf(question: StepDetail["question"]) {
  if (!isAskedQuestion(question)) return undefined;
  return question.kind === "wizard" ? question : question.prompt;
}

/** The question and its form are above the steps. */
export function OpenQuestion({ question }: { readonly question: RunHead["question"] }) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-waiting">Not answered yet</p>
      {question !== null && <AsAsked question={question} />}
    </div>
  );
}

function AsAsked({ question }: { readonly question: object }) {
  return (
    <details>
      <summary className="text-small text-ink-3">The question as it was asked</summary>
      <CodeBlock title="Question" text={JSON.stringify(question)} />
    </details>
  );
}
