import { Suspense, lazy } from "react";
import { loadPart } from "../../../lib/load-part.ts";
import { bottomBar } from "../../../ui/bottom-bar.ts";
import { Button } from "../../../ui/button.tsx";
import { FormProblem, SubmitButton } from "../../../ui/form.tsx";

const TryButton = lazy(() => loadPart(() => import("../golden/try-button.tsx")));

/** Marks the form's data when the button for golden cases sent it. */
export const TRY = "golden";

/** Names what is not saved, at the bottom of the screen, with what to do about it, and why that failed. */
export function SaveBar({
  changed,
  basedOn,
  agentId,
  onDiscard,
}: {
  /** The labels of the fields with unsaved changes. */
  readonly changed: readonly string[];
  /** The version that they were begun on, if another one was saved since. */
  readonly basedOn: number | undefined;
  readonly agentId: string;
  readonly onDiscard: () => void;
}) {
  return (
    <div ref={bottomBar} role="status" className="sticky bottom-0 z-10 bar min-h-14 flex-wrap border-t">
      <FormProblem className="basis-full" />
      <p className="min-w-48 flex-1 max-sm:basis-full">
        <span className="font-medium">Unsaved:</span> {changed.join(", ")}
        {basedOn !== undefined && (
          <span className="block text-small text-waiting">
            Begun on version {basedOn}; a newer one was saved since. Saving changes the fields above only.
          </span>
        )}
      </p>
      <Button onClick={onDiscard}>Discard</Button>
      {/* Enter saves: of the buttons that send the form, it presses the first. */}
      <SubmitButton className="sm:order-last">Save version</SubmitButton>
      <Suspense>
        <TryButton agentId={agentId} name={TRY} />
      </Suspense>
    </div>
  );
}
