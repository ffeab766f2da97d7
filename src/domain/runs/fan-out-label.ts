import type { StepFacts } from "./step-facts.ts";
import { parseTurnKey } from "./step-key.ts";
import type { StepKey } from "./step-key.ts";

/** The label of a branch or of the merge: the name of the fan-out, the agent, and its place. */
const PART = /^(.*): .* \((?:\d+ of \d+|merge)\)$/s;

/** Returns the name of a fan-out, which has no turn of its own, from the labels of its parts; undefined without one. */
export function fanOutLabel(
  key: string,
  begun: readonly { readonly key: string; readonly label: string }[],
  entries: readonly { readonly parsed: StepKey; readonly facts: StepFacts }[],
): string | undefined {
  const turns = [
    ...begun,
    ...entries.map(({ parsed, facts }) => ({ key: parsed.turn ?? "", label: facts.turn?.label })),
  ];
  return turns
    .filter((part) => parseTurnKey(part.key).parent === key)
    .map(({ label = "" }) => PART.exec(label)?.[1])
    .find((name) => name !== undefined);
}
