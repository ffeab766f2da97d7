import type { InteractionRequest } from "#domain/tasks/interaction-request.ts";
import { Button } from "../../ui/button.tsx";
import type { AnswerControls } from "./answer-form.tsx";
import { visibleText } from "../../lib/visible-text.ts";

/** Where in a wizard one is, and the way out of it. */
export function WizardBar({
  question,
  controls,
}: {
  readonly question: InteractionRequest;
  readonly controls: AnswerControls;
}) {
  const { wizard, wizardStepId } = question;
  if (wizard === undefined) return null;
  const page = wizard.steps.findIndex(({ stepId }) => stepId === wizardStepId) + 1;
  return (
    <div className="flex items-center gap-3 border-b border-line pb-3">
      <div className="min-w-0 flex-1">
        <p className="text-small text-ink-2">
          <span dir="auto">{visibleText(wizard.title)}</span> · page {page} of {wizard.steps.length}
        </p>
        <progress
          aria-label="Progress"
          value={page - 1}
          max={wizard.steps.length}
          className="mt-1.5 block h-1 w-full"
        />
      </div>
      <Button
        look="quiet"
        size="small"
        disabled={controls.isBusy}
        blockedBy={controls.blockedBy}
        onClick={() => controls.send({ wizardCancelled: true })}
      >
        Cancel the wizard
      </Button>
    </div>
  );
}
