import type { ReactNode } from "react";
import { useChanged } from "../../api/use-changed.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/field.tsx";
import { RemoveButton } from "../../ui/removal.tsx";
import { RetryIcon } from "../../ui/icon.tsx";
import { useWork } from "../../ui/use-action.ts";

/** What {@link ConnectionActions} takes. */
interface ConnectionActionsProps {
  /** Such as `MCP server`. */
  readonly kind: string;
  readonly record: { readonly name: string; readonly is_enabled: boolean };
  /** Whether it can be used. */
  readonly state: ReactNode;
  /** The label of the button that contacts it again. */
  readonly refresh: string;
  readonly requests: {
    readonly refresh: () => Promise<unknown>;
    readonly setEnabled: (isEnabled: boolean) => Promise<unknown>;
    readonly remove: () => Promise<unknown>;
  };
  /** The key of the queries that show it. */
  readonly queryKey: string;
  /** The effect of deleting it. */
  readonly effect: ReactNode;
  /** Opens its form, where it has one. */
  readonly onEdit?: () => void;
  readonly onClose: () => void;
}

/** The state of an MCP server or a remote agent, and the buttons that refresh it, turn it on or off, and delete it. */
export function ConnectionActions({
  kind,
  record: { name, is_enabled: isEnabled },
  state,
  refresh,
  requests,
  queryKey,
  effect,
  onEdit,
  onClose,
}: ConnectionActionsProps) {
  const blockedBy = useBlockedBy("admin");
  const { isBusy, error, start } = useWork();
  const changed = useChanged(queryKey);
  async function remove(): Promise<void> {
    await requests.remove();
    await changed();
    onClose();
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        {state}
        <div
          className={`ms-auto flex gap-2 max-sm:grid max-sm:w-full ${onEdit === undefined ? "max-sm:grid-cols-[repeat(3,auto)]" : "max-sm:grid-cols-2"}`}
        >
          {onEdit !== undefined && (
            <Button size="small" blockedBy={blockedBy} onClick={onEdit}>
              Edit
            </Button>
          )}
          <Button
            size="small"
            icon={RetryIcon}
            isBusy={isBusy}
            blockedBy={blockedBy}
            onClick={() => start(() => requests.refresh().then(changed))}
          >
            {refresh}
          </Button>
          <Button
            size="small"
            blockedBy={blockedBy}
            onClick={() => start(() => requests.setEnabled(!isEnabled).then(changed))}
          >
            {isEnabled ? "Turn off" : "Turn on"}
          </Button>
          <RemoveButton
            size="small"
            blockedBy={blockedBy}
            removal={{ title: `Delete the ${kind} "${name}"?`, action: `Delete ${kind}`, effect, remove }}
          >
            Delete
          </RemoveButton>
        </div>
      </div>
      {error !== undefined && <FormError>{error}</FormError>}
    </>
  );
}
