import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createRunLink, listRunLinks } from "#client/gen/operations/runs.ts";
import type { components } from "#client/gen/schema.ts";
import { call } from "../../../api/client.ts";
import { useBlockedBy } from "../../../api/use-session.ts";
import { textIn } from "../../../forms/use-submit.ts";
import { now } from "../../../lib/clock.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Checkbox, SelectField } from "../../../ui/fields.tsx";
import { OneTimeLink } from "../../../ui/one-time-link.tsx";
import { RecordForm } from "../../../ui/record-form.tsx";
import { SubmitButton } from "../../../ui/form.tsx";
import { Time } from "../../../ui/time.tsx";
import type { RunHead } from "../../records/run-head.ts";
import { RunLinks } from "./run-links.tsx";

const DAY_MS = 86_400_000;
/** How long a link lives, in days. */
const LIVES = { 1: "In a day", 7: "In 7 days", 30: "In 30 days", 365: "In a year" } as const;

/** Makes links with which people without an account read this attempt, and lists and revokes those of the run. */
export default function ShareRun({ head, onClose }: { readonly head: RunHead; readonly onClose: () => void }) {
  const { id, attempt, attempts } = head;
  const [made, setMade] = useState<components["schemas"]["RunLink"]>();
  const links = useQuery({ queryKey: ["run-links", id], queryFn: () => call(listRunLinks)({ id }) });
  const what = attempts.length > 1 ? `attempt ${attempt} of this run` : "this run";
  return (
    <Dialog
      title="Share"
      isOpen
      onClose={onClose}
      description={`Anyone with the link can read ${what}, without an account, and change nothing.`}
    >
      {made === undefined ? (
        <NewLink head={head} onMade={setMade} />
      ) : (
        <OneTimeLink link={made.link}>
          It is shown this once, and ends <Time at={made.expires_at} />.
        </OneTimeLink>
      )}
      <RunLinks runId={id} links={links.data ?? []} />
    </Dialog>
  );
}

function NewLink({
  head: { id, attempt },
  onMade,
}: {
  readonly head: RunHead;
  readonly onMade: (link: components["schemas"]["RunLink"]) => void;
}) {
  const client = useQueryClient();
  const blockedBy = useBlockedBy("member");
  async function create(values: FormData): Promise<void> {
    const body = {
      attempt,
      shows_steps: values.get("shows_steps") === "on",
      shows_cost: values.get("shows_cost") === "on",
      expires_at: new Date(now() + Number(textIn(values, "days")) * DAY_MS).toISOString(),
    };
    onMade(await call(createRunLink)({ id }, body));
    await client.invalidateQueries({ queryKey: ["run-links", id] });
  }
  return (
    <RecordForm
      draft={undefined}
      save={create}
      blockedBy={blockedBy}
      actions={
        <SubmitButton className="self-start" blockedBy={blockedBy}>
          Create link
        </SubmitButton>
      }
    >
      <p className="text-ink-2">It shows the request and the result.</p>
      <Checkbox name="shows_steps" label="Also the steps: replies, tool calls and their results" />
      <Checkbox name="shows_cost" label="Also tokens and cost" />
      <SelectField label="Expires" name="days" path="expires_at" defaultValue="7" options={LIVES} />
    </RecordForm>
  );
}
