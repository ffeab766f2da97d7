import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useBlockedBy } from "../../api/use-session.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { StopIcon } from "../../ui/icons.ts";
import { cancelRuns } from "./bulk.ts";
import type { RunRow } from "../records/run-row.ts";

/** Cancels one run from a row of a list, after a confirmation. */
export function CancelRow({ run: { id, title } }: { readonly run: Pick<RunRow, "id" | "title"> }) {
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  const blockedBy = useBlockedBy("member");
  const name = visibleText(title);
  return (
    <span className="relative z-10">
      <Button
        size="small"
        look="danger"
        icon={StopIcon}
        blockedBy={blockedBy}
        aria-label={`Cancel run ${name}`}
        onClick={() => setAsking(true)}
      >
        Cancel run
      </Button>
      {isAsking && (
        <Confirm
          title={`Cancel “${name}”?`}
          action="Cancel run"
          onConfirm={async () => {
            const { skipped } = await cancelRuns([id]);
            void client.invalidateQueries({ queryKey: ["runs"] });
            void client.invalidateQueries({ queryKey: ["run"] });
            if (skipped[0] !== undefined) throw new Error(skipped[0].message);
          }}
          onClose={() => setAsking(false)}
        >
          <p>It stops at once. Finished steps and what they have cost stay in its record.</p>
        </Confirm>
      )}
    </span>
  );
}
