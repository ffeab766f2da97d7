import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useBlockedBy } from "../../api/use-session.ts";
import type { Edited } from "../../forms/use-edited.ts";
import { showToast } from "../../ui/messages.ts";
import { RecordDialog } from "../../ui/record-dialog.tsx";

/** What {@link SavedDialog} edits. */
export interface SavedKind {
  /** As in `voice`. */
  readonly noun: string;
  /** Of the queries that list it. */
  readonly queryKey: string;
}

interface Saved {
  readonly id: string;
  readonly name: string;
}

/** Creates, changes or deletes what agents share: a voice or an output template. */
export function SavedDialog<T extends Saved>({
  kind: { noun, queryKey },
  record,
  read,
  save,
  remove,
  onClose,
  children,
}: {
  readonly kind: SavedKind;
  /** Undefined for a new one. */
  readonly record: T | undefined;
  readonly read: (record: T) => Promise<T>;
  /** Sends the form; gets what was saved. */
  readonly save: (values: FormData, edited: Edited<T>) => Promise<Saved>;
  readonly remove: () => Promise<void>;
  readonly onClose: () => void;
  /** The fields. */
  readonly children: ReactNode;
}) {
  const client = useQueryClient();
  const blockedBy = useBlockedBy("member");
  const changed = () => client.invalidateQueries({ queryKey: [queryKey] });
  return (
    <RecordDialog
      title={record?.name ?? `New ${noun}`}
      action={`Save ${noun}`}
      draft={`${noun}.${record?.id ?? "new"}`}
      record={record}
      read={read}
      noValidate
      save={async (values, edited) => {
        const saved = await save(values, edited);
        await changed();
        showToast(`${saved.name} saved.`);
      }}
      onSaved={onClose}
      onClose={onClose}
      blockedBy={blockedBy}
      removal={
        record && {
          title: `Delete the ${noun} ${record.name}?`,
          action: `Delete ${noun}`,
          effect: "Agents that selected it go back to their own.",
          remove: () => remove().then(changed),
        }
      }
    >
      {children}
    </RecordDialog>
  );
}
