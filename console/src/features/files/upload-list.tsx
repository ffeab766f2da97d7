import { memo, useCallback, useEffect, useRef } from "react";
import { bytes } from "../../lib/format.ts";
import { Button, Spinner } from "../../ui/button.tsx";
import { CheckIcon, WarningIcon } from "../../ui/icon.tsx";
import { DropArea } from "./drop-area.tsx";
import type { Sending, Uploads } from "./use-uploads.ts";

/** Where files are dropped or chosen, and how each of them gets on. */
export function UploadList({
  uploads,
  help,
  isDisabled = false,
}: {
  readonly uploads: Uploads;
  /** What is accepted. */
  readonly help: string;
  readonly isDisabled?: boolean;
}) {
  const newest = useRef(uploads.retry);
  useEffect(() => {
    newest.current = uploads.retry;
  });
  const retry = useCallback((key: string) => newest.current(key), []);
  return (
    <div className="flex flex-col gap-2">
      <DropArea help={help} isDisabled={isDisabled} onFiles={uploads.add} />
      {uploads.sendings.length > 0 && (
        <ul aria-label="Uploads" className="flex flex-col">
          {uploads.sendings.map((sending) => (
            <Row key={sending.key} sending={sending} onRetry={retry} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** Of a thousand files only the one that gets on is drawn again, and only those that are sent turn. */
const Row = memo(function Row({
  sending,
  onRetry,
}: {
  readonly sending: Sending;
  readonly onRetry: (key: string) => void;
}) {
  const { key, file, state, error } = sending;
  return (
    <li className="flex min-h-10 items-center gap-2.5 border-b border-line py-1.5">
      {state === "done" ? (
        <CheckIcon className="text-completed" />
      ) : state === "failed" ? (
        <WarningIcon className="text-failed" />
      ) : state === "sending" ? (
        <Spinner />
      ) : (
        <span className="w-4" />
      )}
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate">
          {file.name}
        </span>
        {state === "failed" && <span className="block text-small text-failed">{error}</span>}
      </span>
      <span className="text-small text-ink-3">{bytes(file.size)}</span>
      {state === "failed" ? (
        <Button size="small" onClick={() => onRetry(key)}>
          Try again
        </Button>
      ) : (
        <span className="w-16 text-end text-small text-ink-3">{LABELS[state]}</span>
      )}
    </li>
  );
});

const LABELS = { waiting: "Waiting", sending: "Sending", done: "Sent" } as const;
