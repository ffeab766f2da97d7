import { useState } from "react";
import { textIn } from "../../../forms/use-submit.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { PlusIcon } from "../../../ui/icons.ts";
import { AskFields, askIn } from "./ask-fields.tsx";
import type { Rule } from "./rules.ts";

type Escalation = NonNullable<Rule["after"]>[number];

const MAX = 5;

/** Who is asked later, and when; one without a time is left out. */
export function EscalationFields({ after }: { readonly after: readonly Escalation[] }) {
  const [count, setCount] = useState(after.length);
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-1.5 font-medium">Escalations</legend>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="flex flex-col gap-3 border-s-2 border-line ps-3">
          <TextField
            name={`${prefixOf(index)}minutes`}
            path={`${prefixOf(index)}seconds`}
            label="After minutes"
            help="Empty: this escalation is removed."
            inputMode="decimal"
            defaultValue={minutesOf(after[index])}
          />
          <AskFields prefix={prefixOf(index)} ask={after[index]?.ask} />
        </div>
      ))}
      {count < MAX && (
        <Button size="small" icon={PlusIcon} className="self-start" onClick={() => setCount(count + 1)}>
          Add escalation
        </Button>
      )}
    </fieldset>
  );
}

/** What was entered in {@link EscalationFields}. */
export function escalationsIn(values: FormData): readonly Escalation[] {
  return Array.from({ length: MAX }, (_, index) => prefixOf(index)).flatMap((prefix) => {
    const minutes = textIn(values, `${prefix}minutes`).trim();
    return minutes === "" ? [] : [{ seconds: Math.round(Number(minutes) * 60), ask: askIn(values, prefix) }];
  });
}

function prefixOf(index: number): string {
  return `after.${index}.`;
}

function minutesOf(step: Escalation | undefined): string {
  return step === undefined ? "" : String(step.seconds / 60);
}
