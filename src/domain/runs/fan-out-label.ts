import type { StepFacts } from "./step-facts.ts";
import { parseTurnKey } from "./step-key.ts";
import type { StepKey } from "./step-key.ts";

/** The end of the label of a branch or of the merge, after the name of the fan-out and the agent. */
const PLACE = /^ \((?:\d+ of \d+|merge)\)$/;

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
    .map(({ label = "" }) => nameIn(label))
    .find((name) => name !== undefined);
}

function nameIn(label: string): string | undefined {
  const place = label.lastIndexOf(" (");
  const end = PLACE.test(label.slice(place)) ? label.lastIndexOf(": ", place - 2) : -1;
  return end < 0 ? undefined : label.slice(0, end);
}
