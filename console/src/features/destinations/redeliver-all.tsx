import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { redeliverFailed } from "#client/gen/operations/deliveries.ts";
import { call } from "../../api/client.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { now } from "../../lib/clock.ts";
import { plural } from "../../lib/format.ts";
import { textIn } from "../../forms/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { RetryIcon } from "../../ui/icon.tsx";
import { showToast } from "../../ui/messages.ts";
import { RecordDialog } from "../../ui/record-dialog.tsx";

const HOUR_MS = 3_600_000;
const PERIODS = [
  { hours: 1, words: "the last hour" },
  { hours: 24, words: "the last 24 hours" },
  { hours: 168, words: "the last 7 days" },
  { hours: 720, words: "the last 30 days" },
] as const;

/** Sends everything again that failed in a period. @param routeId only of this route */
export function RedeliverAll({ routeId }: { readonly routeId?: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const blockedBy = useBlockedBy("member");
  const client = useQueryClient();
  async function redeliver(values: FormData): Promise<void> {
    const since = new Date(now() - Number(textIn(values, "hours")) * HOUR_MS).toISOString();
    const { redelivered } = await call(redeliverFailed)({ since, ...(routeId !== undefined && { route_id: routeId }) });
    await client.invalidateQueries({ queryKey: ["deliveries"] });
    showToast(
      redelivered === 0
        ? "Everything that failed has already been sent again."
        : `${plural(redelivered, "delivery", "deliveries")} sent again.`,
    );
    setOpen(false);
  }
  return (
    <>
      <Button size="small" icon={RetryIcon} blockedBy={blockedBy} onClick={() => setOpen(true)}>
        Redeliver failed
      </Button>
      {isOpen && (
        <RecordDialog
          title="Redeliver all that failed?"
          description="Each is sent again as a new delivery, unless it already was."
          action="Redeliver all"
          width="small"
          draft={undefined}
          save={redeliver}
          onClose={() => setOpen(false)}
        >
          <SelectField name="hours" label="Failed in" defaultValue="24">
            {PERIODS.map(({ hours, words }) => (
              <option key={hours} value={hours}>
                {words}
              </option>
            ))}
          </SelectField>
        </RecordDialog>
      )}
    </>
  );
}
