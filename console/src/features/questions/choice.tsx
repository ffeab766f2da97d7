import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { AnswerActions } from "./actions.tsx";
import type { AnswerControls } from "./answer-form.tsx";
import { visibleText } from "../../lib/visible-text.ts";

interface Choice {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
}

/** One of several. */
export function ChoiceControls({
  choices,
  controls,
}: {
  readonly choices: readonly Choice[];
  readonly controls: AnswerControls;
}) {
  const [chosen, setChosen] = useState<string>();
  const { send, isBusy, blockedBy, errorOf } = controls;
  const error = errorOf("selectedOptionId");
  return (
    <>
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">Choose one</legend>
        {choices.map(({ id, label, description }) => (
          <label
            key={id}
            className="flex min-h-11 items-start gap-3 rounded-panel border border-line px-3 py-2.5 transition-colors duration-120 hover:bg-surface has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name="choice"
              value={id}
              checked={chosen === id}
              onChange={() => setChosen(id)}
              className="-mt-0.5"
            />
            <span dir="auto" className="min-w-0">
              <span className="block font-medium">{visibleText(label)}</span>
              {description !== undefined && <span className="mt-0.5 block text-ink-2">{visibleText(description)}</span>}
            </span>
          </label>
        ))}
      </fieldset>
      {error !== undefined && <p className="text-small text-failed">{error}</p>}
      <AnswerActions>
        <Button
          look="primary"
          type="submit"
          isBusy={isBusy}
          blockedBy={blockedBy}
          disabled={chosen === undefined}
          onClick={() => chosen !== undefined && send({ selectedOptionId: chosen })}
        >
          Send answer
        </Button>
      </AnswerActions>
    </>
  );
}
