import { useState } from "react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Confirm } from "./confirm.tsx";

/** How a record is deleted, or a part of it is removed. */
export interface Removal {
  /** As in `Delete the voice Plain?` */
  readonly title: string;
  /** The label of the button, as in `Delete voice`. */
  readonly action: string;
  /** What is deleted with it, and what stays: a sentence or more, or paragraphs. */
  readonly effect: ReactNode;
  readonly remove: () => Promise<void>;
}

/** Asks before something is removed. */
export function ConfirmRemoval({ removal, onClose }: { readonly removal: Removal; readonly onClose: () => void }) {
  const { title, action, effect, remove } = removal;
  return (
    <Confirm title={title} action={action} onConfirm={remove} onClose={onClose}>
      {typeof effect === "string" ? <p>{effect}</p> : effect}
    </Confirm>
  );
}

/** The button that removes something, once that is confirmed. */
export function RemoveButton({
  removal,
  children = removal.action,
  ...button
}: {
  readonly removal: Removal;
  readonly blockedBy: string | undefined;
  readonly size?: "small" | "regular";
  readonly className?: string;
  readonly children?: ReactNode;
}) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button look="danger" {...button} onClick={() => setAsking(true)}>
        {children}
      </Button>
      {isAsking && <ConfirmRemoval removal={removal} onClose={() => setAsking(false)} />}
    </>
  );
}
