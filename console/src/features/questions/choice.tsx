import { useId, useState } from "react";
import { visibleText } from "../../lib/visible-text.ts";
import { Button } from "../../ui/button.tsx";
import { AnswerActions } from "./actions.tsx";
import type { AnswerControls } from "./answer-form.tsx";
import { ChoiceCard } from "../../ui/choice-card.tsx";

/** An option of a question. */
export interface Choice {
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
  const { send, isBusy, blockedBy, errorOf, draft, keep } = controls;
  const [chosen, setChosen] = useState(draft.selectedOptionId);
  function choose(selectedOptionId: string): void {
    setChosen(selectedOptionId);
    keep({ selectedOptionId });
  }
  return (
    <>
      <ChoiceList choices={choices} chosen={chosen} onChoose={choose} error={errorOf("selectedOptionId")} />
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

/** The options, of which one is chosen. */
export function ChoiceList({
  legend = "Choose one",
  choices,
  chosen,
  onChoose,
  error,
}: {
  readonly legend?: string;
  readonly choices: readonly Choice[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
  readonly error?: string | undefined;
}) {
  const name = useId();
  return (
    <>
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">{legend}</legend>
        {choices.map(({ id, label, description }) => (
          <ChoiceCard key={id} className="min-h-11 items-start hover:bg-surface">
            <input
              type="radio"
              name={name}
              value={id}
              checked={chosen === id}
              onChange={() => onChoose(id)}
              className="-mt-0.5"
            />
            <span dir="auto" className="min-w-0">
              <span className="block font-medium">{visibleText(label)}</span>
              {description !== undefined && <span className="mt-0.5 block text-ink-2">{visibleText(description)}</span>}
            </span>
          </ChoiceCard>
        ))}
      </fieldset>
      {error !== undefined && <p className="text-small text-failed">{error}</p>}
    </>
  );
}
