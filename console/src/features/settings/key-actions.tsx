import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { revokeKey, rotateKey } from "#client/gen/operations/keys.ts";
import { call } from "../../api/client.ts";
import { asProblem } from "../../api/problem.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { showToast } from "../../ui/messages.ts";
import type { ApiKey } from "./queries.ts";
import { OneTimeSecret } from "../../ui/one-time-secret.tsx";

const HOUR = 3_600;

/** Rotates or revokes a key. */
export function KeyActions({ apiKey: { id, label } }: { readonly apiKey: ApiKey }) {
  const client = useQueryClient();
  const blockedBy = useBlockedBy("admin");
  const [open, setOpen] = useState<"rotate" | "revoke">();
  const [made, setMade] = useState<string>();
  const changed = () => client.invalidateQueries({ queryKey: ["keys"] });
  async function rotate(): Promise<void> {
    const rotated = await call(rotateKey)({ id }, { overlap_seconds: HOUR });
    setMade(rotated.key);
    await changed();
  }
  async function revoke(): Promise<void> {
    await call(revokeKey)({ id });
    await changed().catch((error: unknown) => showToast(asProblem(error).message));
  }
  const name = <span className="sr-only"> {label}</span>;
  return (
    <span className="flex justify-end gap-1">
      <Button size="small" blockedBy={blockedBy} onClick={() => setOpen("rotate")}>
        Rotate{name}
      </Button>
      <Button size="small" look="danger" blockedBy={blockedBy} onClick={() => setOpen("revoke")}>
        Revoke{name}
      </Button>
      {open === "rotate" && (
        <Confirm
          title={`Rotate the key "${label}"?`}
          action="Rotate key"
          onConfirm={rotate}
          onClose={() => setOpen(undefined)}
        >
          <p>A new key takes its place. The old one works for another hour.</p>
        </Confirm>
      )}
      {open === "revoke" && (
        <Confirm
          title={`Revoke the key "${label}"?`}
          action="Revoke key"
          onConfirm={revoke}
          onClose={() => setOpen(undefined)}
        >
          <p>Programs that use it are rejected at once. Runs that they have started continue.</p>
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
