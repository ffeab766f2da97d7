import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { use, useState } from "react";
import { createTask } from "#client/gen/operations/tasks.ts";
import { call } from "../../api/client.ts";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { DraftContext } from "../../forms/draft-context.ts";
import { textIn } from "../../forms/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { TextareaField } from "../../ui/fields.tsx";
import { ChevronRightIcon } from "../../ui/icons.ts";
import { RecordDialog } from "../../ui/record-dialog.tsx";
import { UsualPrice } from "../estimates/usual-price.tsx";
import { assigneeOf } from "./assignee.ts";
import { AssigneeField } from "./assignee-field.tsx";
import { CapField } from "./cap-field.tsx";
import { FilePicker, attachmentsIn } from "./file-picker.tsx";
import { keepAssignee, lastAssignee } from "./last-assignee.ts";
import { PriorityField, asPriority } from "./priority-field.tsx";

const MORE = ["priority", "max_usd", "scheduled_for"] as const;

/** Gives an agent or a team something to do. */
export default function NewTask({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { id: workspaceId, slug } = useWorkspace();
  const [assignee, setAssignee] = useState("");
  const [isUploading, setUploading] = useState(false);
  const blockedBy = useBlockedBy("member");
  async function save(values: FormData): Promise<string> {
    const { id } = await call(createTask)(bodyOf(values));
    keepAssignee(workspaceId, textIn(values, "assignee"));
    void client.invalidateQueries({ queryKey: ["runs"] });
    return id;
  }
  return (
    <RecordDialog
      title="New task"
      action="Give task"
      draft="new-task"
      save={save}
      onSaved={(id) => navigate({ to: "/w/$workspace/runs/$id", params: { workspace: slug, id } })}
      isReady={!isUploading}
      blockedBy={blockedBy}
      onClose={onClose}
    >
      <AssigneeField initial={lastAssignee(workspaceId)} none="Not assigned" onCurrent={setAssignee} />
      <UsualPrice whose={assignee} />
      <TextField name="title" label="Title" required maxLength={200} />
      <TextareaField name="description" label="Description" aside="optional" rows={5} className="min-h-28" />
      <FilePicker onUploading={setUploading} blockedBy={blockedBy} />
      <MoreFields assignee={assignee} />
    </RecordDialog>
  );
}

/** What few tasks need. Unfolded where a draft has some of it. */
function MoreFields({ assignee }: { readonly assignee: string }) {
  const draft = use(DraftContext);
  const [isOpen, setOpen] = useState(MORE.some((name) => draft?.valuesOf(name) !== undefined));
  if (!isOpen) {
    return (
      <Button
        look="quiet"
        size="small"
        icon={ChevronRightIcon}
        aria-expanded={false}
        className="-ms-2 self-start touch:-ms-3"
        onClick={() => setOpen(true)}
      >
        Priority, cap and time
      </Button>
    );
  }
  return (
    <div className="grid grid-cols-3 gap-4 max-sm:grid-cols-1">
      <PriorityField />
      <CapField whose={assignee} />
      <TextField name="scheduled_for" label="Start at" aside="optional" type="datetime-local" />
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
    attachments: attachmentsIn(values),
    ...(priority !== undefined && { priority }),
    ...(cap !== "" && { budget: { max_usd: Number(cap) } }),
    ...(time !== "" && { scheduled_for: new Date(time).toISOString() }),
  };
}
