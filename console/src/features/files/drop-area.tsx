import { useState } from "react";
import type { DragEvent } from "react";
import { FileButton } from "../../ui/file-button.tsx";
import { AttachIcon } from "../../ui/icons.ts";

/** Takes files that are chosen, or dropped on it. */
export function DropArea({
  help,
  isDisabled,
  onFiles,
}: {
  /** What is accepted. */
  readonly help: string;
  readonly isDisabled: boolean;
  readonly onFiles: (files: Iterable<File>) => void;
}) {
  const [isOver, setOver] = useState(false);
  function drag(event: DragEvent, isInside: boolean): void {
    event.preventDefault();
    setOver(isInside);
  }
  return (
    <div
      onDragOver={(event) => drag(event, true)}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        drag(event, false);
        if (!isDisabled) onFiles(event.dataTransfer.files);
      }}
      className={`rounded-panel border border-dashed px-4 py-6 text-center transition-colors ${isOver ? "border-accent bg-accent-soft" : "border-control/60"}`}
    >
      <FileButton label="Files" isMany icon={AttachIcon} disabled={isDisabled} onFiles={onFiles}>
        Choose files
      </FileButton>
      <p className="mt-2 text-small text-ink-3">
        <span className="touch:hidden">Or drop them here. </span>
        {help}
      </p>
    </div>
  );
}
