import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ReactNode } from "react";
import { useBlockedBy } from "../../api/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { FormError } from "../../ui/field.tsx";
import { RetryIcon } from "../../ui/icon.tsx";
import { ConnectionState } from "./connection-state.tsx";
import { useAction } from "./use-action.ts";

/** The state of an MCP server or a remote agent, and the buttons that refresh it, turn it on or off, and delete it. */
export function ConnectionActions({
  kind,
  record: { name, is_enabled: isEnabled },
  error: connectionError,
  refresh,
  requests,
  queryKey,
  effect,
  onEdit,
  onClose,
}: {
  /** Such as `MCP server`. */
  readonly kind: string;
  readonly record: { readonly name: string; readonly is_enabled: boolean };
  /** The error of the last contact, if there was one. */
  readonly error: string | null;
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
}) {
  const blockedBy = useBlockedBy("admin");
  const client = useQueryClient();
  const { isBusy, error, start } = useAction();
  const [isDeleting, setDeleting] = useState(false);
  const changed = () => client.invalidateQueries({ queryKey: [queryKey] });
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <ConnectionState isEnabled={isEnabled} error={connectionError} />
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
          <Button size="small" look="danger" blockedBy={blockedBy} onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </div>
      </div>
      {error !== undefined && <FormError>{error}</FormError>}
      {isDeleting && (
        <Confirm
          title={`Delete the ${kind} "${name}"?`}
          action={`Delete ${kind}`}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await requests.remove();
            await changed();
            onClose();
          }}
        >
          <p>{effect}</p>
        </Confirm>
      )}
    </>
  );
}
