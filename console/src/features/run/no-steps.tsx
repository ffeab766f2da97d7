import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { updateTask } from "#client/gen/operations/tasks.ts";
import { call } from "../../api/client.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { count, plural } from "../../lib/format.ts";
import { stateOf } from "../../lib/run-state.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/states.tsx";
import { Countdown } from "../../ui/time.tsx";
import { showFailure } from "../../ui/messages.ts";
import { RecordPicker } from "../pickers/record-picker.tsx";
import { ASSIGNEE_KINDS, assigneeOf } from "../tasks/assignee.ts";
import { PurgedSteps } from "./purged-steps.tsx";
import { useSetRunStatus } from "../records/run-queries.ts";
import type { RunHead } from "../records/run-head.ts";

/** Runs are counted up to here; more is "1,000+". */
const MAX_COUNTED = 1_000;

/** Why a run has no steps yet, and what helps. */
export function NoSteps({ head }: { readonly head: RunHead }) {
  const state = stateOf(head);
  if (head.details === "purged") return <PurgedSteps head={head} />;
  if (state === "pending" && head.agent === null && head.team === null) return <NotAssigned head={head} />;
  if (state === "pending" || state === "scheduled") return <NotStarted head={head} />;
  if (state === "queued") return <Queued head={head} />;
  if (state === "running" || state === "waiting")
    return <Empty title="Starting">The first step has not ended yet.</Empty>;
  return <Empty title="No steps">This attempt ended before its first step.</Empty>;
}

function NotAssigned({ head: { id } }: { readonly head: RunHead }) {
  const client = useQueryClient();
  const blockedBy = useBlockedBy("member");
  const [value, setValue] = useState("");
  const assignee = assigneeOf(value);
  const assign = useMutation({
    mutationFn: async () => {
      if (assignee === undefined) return;
      await call(updateTask)({ id }, assignee);
    },
    onError: showFailure,
    onSettled: () => client.invalidateQueries({ queryKey: ["run", id] }),
  });
  return (
    <Empty
      title="Not assigned"
      action={
        <form
          className="flex gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            assign.mutate();
          }}
        >
          <RecordPicker
            aria-label="Agent or team"
            kinds={ASSIGNEE_KINDS}
            none="Choose an agent"
            value={value}
            onChange={setValue}
            isDisabled={blockedBy !== undefined}
          />
          <Button
            type="submit"
            look="primary"
            isBusy={assign.isPending}
            blockedBy={blockedBy ?? (assignee === undefined ? "Choose an agent or a team first." : undefined)}
          >
            Assign
          </Button>
        </form>
      }
    >
      It starts once it has an agent or a team.
    </Empty>
  );
}

function NotStarted({ head }: { readonly head: RunHead }) {
  const { mutate, isPending } = useSetRunStatus(head);
  const blockedBy = useBlockedBy("member");
  const at = head.scheduled_for;
  return (
    <Empty
      title={at === null ? "Not started" : "Scheduled"}
      action={
        <Button isBusy={isPending} blockedBy={blockedBy} onClick={() => mutate("again", { onError: showFailure })}>
          Start now
        </Button>
      }
    >
      {at === null ? (
        "It waits to be started."
      ) : (
        <>
          It starts in <Countdown until={at} />.
        </>
      )}
    </Empty>
  );
}

function Queued({ head: { queue } }: { readonly head: RunHead }) {
  if (queue?.paused === true) return <Empty title="Queued">It starts when an admin resumes new work.</Empty>;
  if (queue !== null && queue.processes === 0) {
    return <Empty title="Queued">No process can run it now. It starts as soon as one can.</Empty>;
  }
  if (queue === null || queue.ahead === 0) {
    return <Empty title="Queued">It is next, and starts as soon as a process has a free slot.</Empty>;
  }
  const { ahead, running } = queue;
  return (
    <Empty title="Queued">
      {ahead >= MAX_COUNTED ? `${count(ahead)}+ runs` : plural(ahead, "run")} before it, {upTo(running)} running.
    </Empty>
  );
}

function upTo(value: number): string {
  return value >= MAX_COUNTED ? `${count(value)}+` : count(value);
}
