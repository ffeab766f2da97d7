import { useAccess } from "../../api/use-session.ts";
import type { Question } from "./records.ts";

/** Why the person may not vote on a rule's question; undefined for who may, and for other questions. */
export function useBlockedByRule({ may_answer: left, votes }: Question): string | undefined {
  const { user } = useAccess();
  if (left === null || left.some(({ id }) => id === user.id)) return undefined;
  const own = votes.find(({ by }) => by.id === user.id);
  if (own !== undefined) return `You ${own.approved ? "approved" : "denied"} it. Others decide now.`;
  return "The rule asks other people, or you started the run.";
}
