import { useAccess } from "../../api/use-session.ts";
import { stateOf } from "../../lib/run-state.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { StateChip } from "../../ui/state.tsx";
import { ClockTime } from "../../ui/time.tsx";
import { useRun } from "../records/run-queries.ts";
import { useNoAnswerDraft } from "./answer-draft.ts";
import { AnswerGiven } from "./answer-given.tsx";
import type { Question } from "./records.ts";
import { RuleNotice } from "./rule-notice.tsx";

/** Through what an answer came, where that is not the console. */
const VIA: Readonly<Partial<Record<NonNullable<Question["answered_via"]>, string>>> = {
  api: "through the API",
  link: "through a link",
  a2a: "through A2A",
  mcp: "through MCP",
  page: "on the agent's page",
  slack: "in Slack",
  telegram: "in Telegram",
  discord: "in Discord",
};

/** The outcome of a question: who answered what and when, or that it expired, and the state of the run. */
export function ClosedQuestion({ question }: { readonly question: Question }) {
  const { answer, subject } = question;
  // The question is fetched again when it changes, not when its run does.
  const { data: head = subject } = useRun(subject.id);
  useNoAnswerDraft(question.id);
  return (
    <div className="mt-4 flex flex-col gap-4">
      <p role="status" className="text-ink-2">
        <ClosedNotice question={question} />
      </p>
      <RuleNotice question={question} />
      {answer !== null && <AnswerGiven request={question.request} answer={answer} />}
      <p className="flex items-center gap-2 text-ink-2">
        The run is now
        <StateChip state={stateOf(head)} />
      </p>
    </div>
  );
}

/** "Answered by Ada, 14:03", or "No answer in time, 14:03". */
export function ClosedNotice({ question }: { readonly question: Question }) {
  const { user } = useAccess();
  const { answered_at: at, answered_by: by, answered_name: name, answered_via: via, expires_at: due } = question;
  if (via === "rule") return <>Decided by its rule: no answer in time</>;
  if (at === null) {
    return <>No answer in time{due !== null && <>, {<ClockTime at={due} />}</>}</>;
  }
  const person = name ?? (by?.id === user.id ? "you" : by?.name) ?? "another person";
  const how = via === null ? undefined : VIA[via];
  return (
    <>
      Answered by <Bdi>{person}</Bdi>
      {how !== undefined && ` ${how}`}, <ClockTime at={at} />
    </>
  );
}
