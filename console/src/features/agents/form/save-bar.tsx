import { bottomBar } from "../../../ui/bottom-bar.ts";
import { Button } from "../../../ui/button.tsx";
import { SubmitButton } from "../../../ui/form.tsx";

/** Names what is not saved, at the bottom of the screen, with what to do about it. */
export function SaveBar({
  changed,
  basedOn,
  onDiscard,
}: {
  /** The labels of the fields with unsaved changes. */
  readonly changed: readonly string[];
  /** The version that they were begun on, if another one was saved since. */
  readonly basedOn: number | undefined;
  readonly onDiscard: () => void;
}) {
  return (
    <div ref={bottomBar} role="status" className="sticky bottom-0 z-10 bar min-h-14 border-t max-sm:flex-wrap">
      <p className="min-w-0 flex-1 max-sm:basis-full">
        <span className="font-medium">Unsaved:</span> {changed.join(", ")}
        {basedOn !== undefined && (
          <span className="block text-small text-waiting">
            Begun on version {basedOn}; a newer one was saved since. Saving changes the fields above only.
          </span>
        )}
      </p>
      <Button onClick={onDiscard}>Discard</Button>
      <SubmitButton>Save version</SubmitButton>
    </div>
  );
}
