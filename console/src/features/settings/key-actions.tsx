import { useState } from "react";
import { revokeKey, rotateKey } from "#client/gen/operations/keys.ts";
import { call } from "../../api/client.ts";
import { useChanged } from "../../api/use-changed.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { showFailure } from "../../ui/messages.ts";
import { RemoveButton } from "../../ui/removal.tsx";
import type { ApiKey } from "./queries.ts";
import { OneTimeSecret } from "../../ui/one-time-secret.tsx";

const HOUR = 3_600;

/** Rotates or revokes a key. */
export function KeyActions({ apiKey: { id, label } }: { readonly apiKey: ApiKey }) {
  const blockedBy = useBlockedBy("admin");
  const [isRotating, setRotating] = useState(false);
  const [made, setMade] = useState<string>();
  const changed = useChanged("keys");
  async function rotate(): Promise<void> {
    const rotated = await call(rotateKey)({ id }, { overlap_seconds: HOUR });
    setMade(rotated.key);
    await changed();
  }
  async function revoke(): Promise<void> {
    await call(revokeKey)({ id });
    await changed().catch(showFailure);
  }
  const name = <span className="sr-only"> {label}</span>;
  return (
    <span className="relative z-1 flex justify-end gap-1">
      <Button size="small" blockedBy={blockedBy} onClick={() => setRotating(true)}>
        Rotate{name}
      </Button>
      <RemoveButton
        size="small"
        blockedBy={blockedBy}
        removal={{
          title: `Revoke the key "${label}"?`,
          action: "Revoke key",
          effect: "Programs that use it are rejected at once. Runs that they have started continue.",
          remove: revoke,
        }}
      >
        Revoke{name}
      </RemoveButton>
      {isRotating && (
        <Confirm
          title={`Rotate the key "${label}"?`}
          action="Rotate key"
          onConfirm={rotate}
          onClose={() => setRotating(false)}
        >
          <p>A new key takes its place. The old one works for another hour.</p>
        </Confirm>
      )}
      {made !== undefined && (
        <OneTimeSecret label="Key" title={`The new key "${label}"`} secret={made} onClose={() => setMade(undefined)}>
          Copy it now: it is shown only once. The old key works for another hour.
        </OneTimeSecret>
      )}
    </span>
  );
}
