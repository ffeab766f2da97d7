import { Bdi } from "../../ui/bdi.tsx";
import { ClockTime } from "../../ui/time.tsx";
import type { Question } from "./records.ts";
import { useBlockedByRule } from "./use-blocked-by-rule.ts";

/** Of an approval that a rule asks for: why, who has voted, and who may still vote. */
export default function RuleDetails({ question }: { readonly question: Question }) {
  const { votes, may_answer: left, escalations, problem, request } = question;
  const { approval } = request;
  const blocked = useBlockedByRule(question);
  if (approval === undefined) return null;
  const approved = votes.filter((vote) => vote.approved);
  const denied = votes.filter((vote) => !vote.approved);
  return (
    <section aria-label="Rule" className="mt-4 flex flex-col gap-1 box px-4 py-3">
      <p dir="auto">{approval.reason}</p>
      <p>
        {approved.length} of {approval.need} approved
        <Names people={approved.map(({ by }) => by.name)} />
      </p>
      {denied.length > 0 && (
        <p>
          {denied.length} denied
          <Names people={denied.map(({ by }) => by.name)} />
        </p>
      )}
      {left !== null && left.length > 0 && (
        <p className="text-ink-2">
          May still answer
          <Names people={left.map(({ name }) => name)} />
        </p>
      )}
      {escalations?.map(({ at, people }) => (
        <p key={at} className="text-ink-2">
          From <ClockTime at={at} /> also
          <Names people={people.length === 0 ? ["no one else"] : people.map(({ name }) => name)} />
        </p>
      ))}
      {blocked !== undefined && <p className="text-ink-2">{blocked}</p>}
      {problem !== null && (
        <p role="status" className="text-failed">
          {problem}
        </p>
      )}
    </section>
  );
}

function Names({ people }: { readonly people: readonly string[] }) {
  if (people.length === 0) return null;
  return (
    <>
      : <Bdi>{people.join(", ")}</Bdi>
    </>
  );
}
