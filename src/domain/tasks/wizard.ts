import type { Answer, Answers } from "./answer.ts";
import type { Condition, WizardStep } from "./interaction.ts";

/**
 * Returns the next page of a wizard: the first one without an answer whose condition is met. A condition on a skipped
 * page is not met. Undefined when the wizard is done.
 */
export function nextStep(steps: readonly WizardStep[], answers: Answers): WizardStep | undefined {
  return steps.find(({ stepId, condition }) => answers[stepId] === undefined && isMet(condition, answers));
}

function isMet(condition: Condition | undefined, answers: Answers): boolean {
  if (condition === undefined) return true;
  const answer = answers[condition.dependsOnStep];
  if (answer === undefined) return false;
  const actual = fieldOf(answer, condition.field);
  const wanted = String(condition.value);
  switch (condition.operator) {
    case "equals":
      return asText(actual) === wanted;
    case "not_equals":
      return asText(actual) !== wanted;
    case "contains":
      return Array.isArray(actual) ? actual.map(asText).includes(wanted) : asText(actual).includes(wanted);
  }
}

/** Returns a field of an answer: its own, a form's value or confirmed data. */
function fieldOf(answer: Answer, field: string): unknown {
  const { values, data } = answer;
  for (const holder of [answer, values, data]) {
    if (typeof holder !== "object" || holder === null) continue;
    const entry = Object.entries(holder).find(([name]) => name === field);
    if (entry !== undefined) return entry[1];
  }
  return undefined;
}

/** Models write `"true"` for true and `"3"` for 3: both count as equal. */
function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? "");
}
