import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, read } from "../../api/client.ts";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { storeDraft } from "../../lib/drafts.ts";
import { textIn, useSubmit } from "../../lib/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field, FormError, Input, Textarea } from "../../ui/field.tsx";
import { ChevronRightIcon } from "../../ui/icons.tsx";
import { assigneeOf } from "./assignee.ts";
import { AssigneeField } from "./assignee-field.tsx";
import { CapField } from "./cap-field.tsx";
import { FilePicker } from "./file-picker.tsx";
import { PriorityField, asPriority } from "./priority-field.tsx";
import { useFormDraft } from "./use-form-draft.ts";

const DRAFT = "new-task";
const FIELDS = [
  "title",
  "description",
  "assigned_agent_id",
  "assigned_team_id",
  "budget.max_usd",
  "scheduled_for",
] as const;
const MORE = ["priority", "max_usd", "scheduled_for"] as const;

/** Gives an agent or a team something to do. What was typed is kept until it is sent or discarded. */
export default function NewTask({ onClose }: { readonly onClose: () => void }) {
  const [discards, setDiscards] = useState(0);
  function discard(): void {
    storeDraft(DRAFT, undefined);
    setDiscards(discards + 1);
  }
  return (
    <Dialog title="New task" isOpen onClose={onClose}>
      <TaskForm key={discards} onClose={onClose} onDiscard={discard} />
    </Dialog>
  );
}

function TaskForm({ onClose, onDiscard }: { readonly onClose: () => void; readonly onDiscard: () => void }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { slug } = useWorkspace();
  const { first, uploads, setUploads, isEmpty, write, onChange } = useFormDraft(DRAFT);
  const [hasMore, setMore] = useState(MORE.some((name) => name in first));
  const blockedBy = useBlockedBy("member");
  const { onSubmit, isBusy, errorOf, formError } = useSubmit(async (values) => {
    const body = { ...bodyOf(values), attachments: uploads.flatMap(({ id }) => (id === undefined ? [] : [id])) };
    const task = await read(api.POST("/functions/v1/api-tasks", { body }));
    storeDraft(DRAFT, undefined);
    void client.invalidateQueries({ queryKey: ["runs"] });
    await navigate({ to: "/w/$workspace/runs/$id", params: { workspace: slug, id: task.id } });
  });
  const error = formError(FIELDS);
  return (
    <form onSubmit={onSubmit} onChange={onChange} className="flex flex-col gap-4">
      {error !== undefined && <FormError>{error}</FormError>}
      <AssigneeField
        none="Not assigned"
        initial={first["assignee"]}
        onChange={(assignee) => write("assignee", assignee)}
        error={errorOf("assigned_agent_id") ?? errorOf("assigned_team_id")}
      />
      <Field label="Title" error={errorOf("title")}>
        <Input name="title" defaultValue={first["title"]} required maxLength={200} autoComplete="off" />
      </Field>
      <Field label="Description" aside="optional" error={errorOf("description")}>
        <Textarea name="description" defaultValue={first["description"]} rows={5} className="min-h-28" />
      </Field>
      <FilePicker uploads={uploads} onChange={setUploads} blockedBy={blockedBy} />
      {hasMore ? (
        <MoreFields first={first} errorOf={errorOf} />
      ) : (
        <Button
          look="quiet"
          size="small"
          icon={ChevronRightIcon}
          aria-expanded={false}
          className="-ms-2 self-start touch:-ms-3"
          onClick={() => setMore(true)}
        >
          Priority, cap and time
        </Button>
      )}
      <DialogActions>
        {!isEmpty && (
          <Button look="quiet" className="me-auto" disabled={isBusy} onClick={onDiscard}>
            Discard
          </Button>
        )}
        <Button onClick={onClose}>Close</Button>
        <Button
          look="primary"
          type="submit"
          isBusy={isBusy}
          blockedBy={blockedBy}
          disabled={uploads.some(({ id, error: fault }) => id === undefined && fault === undefined)}
        >
          Give task
        </Button>
      </DialogActions>
    </form>
  );
}

function MoreFields({
  first,
  errorOf,
}: {
  readonly first: Readonly<Record<string, string>>;
  readonly errorOf: (path: string) => string | undefined;
}) {
  return (
    <div className="grid grid-cols-3 gap-4 max-sm:grid-cols-1">
      <PriorityField initial={first["priority"]} />
      <CapField initial={first["max_usd"]} errorOf={errorOf} />
      <Field label="Start at" aside="optional" error={errorOf("scheduled_for")}>
        <Input name="scheduled_for" defaultValue={first["scheduled_for"]} type="datetime-local" />
      </Field>
    </div>
  );
}

function bodyOf(values: FormData) {
  const [cap, time] = [textIn(values, "max_usd"), textIn(values, "scheduled_for")];
  const priority = asPriority(textIn(values, "priority"));
  return {
    title: textIn(values, "title"),
    description: textIn(values, "description"),
    ...assigneeOf(textIn(values, "assignee")),
    ...(priority !== undefined && { priority }),
    ...(cap !== "" && { budget: { max_usd: Number(cap) } }),
    ...(time !== "" && { scheduled_for: new Date(time).toISOString() }),
  };
}
