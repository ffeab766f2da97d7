import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { updateWorkspace } from "#client/gen/operations/workspaces.ts";
import { call } from "../../api/client.ts";
import type { components } from "#client/gen/schema.ts";
import { refresh } from "../../api/session.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { changedFields } from "../../lib/changed-fields.ts";
import { textIn } from "../../forms/use-submit.ts";
import { TextField } from "../../ui/field.tsx";
import { Checkbox } from "../../ui/fields.tsx";
import { showToast } from "../../ui/messages.ts";
import { SubmitButton } from "../../ui/form.tsx";
import { RecordForm } from "../../ui/record-form.tsx";

const TEMPLATE_HELP = "Shown on every run. {run_id} is replaced with the run's id.";

type Details = components["schemas"]["WorkspaceDetails"];

/** The name of the workspace, and its links to logs and traces. */
export function WorkspaceForm({ workspace }: { readonly workspace: Details }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const blockedBy = useBlockedBy("admin");
  // What a save is compared with: a change by another person stays.
  const [opened, setOpened] = useState(workspace);
  async function save(values: FormData): Promise<void> {
    const body = {
      name: textIn(values, "name"),
      log_url: linkIn(values, "log_url"),
      trace_url: linkIn(values, "trace_url"),
      retention_tasks_days: daysIn(values),
      run_links: values.get("run_links") === "on",
      answer_links: values.get("answer_links") === "on",
      require_passkeys: values.get("require_passkeys") === "on",
    };
    const changed = changedFields(body, opened);
    const isChanged = Object.keys(changed).length > 0;
    const saved = isChanged ? await call(updateWorkspace)(changed) : opened;
    if (isChanged) client.setQueryData(["workspace"], saved);
    setOpened(saved);
    showToast("Workspace saved.");
    if (saved.slug === workspace.slug) return;
    // The URL of the page has its name in it.
    await refresh();
    await navigate({ to: "/w/$workspace/settings/workspace", params: { workspace: saved.slug }, replace: true });
  }
  return (
    <RecordForm
      draft="workspace"
      save={save}
      blockedBy={blockedBy}
      actions={
        <SubmitButton className="self-start" blockedBy={blockedBy}>
          Save workspace
        </SubmitButton>
      }
    >
      <Fields workspace={workspace} />
    </RecordForm>
  );
}

function daysIn(values: FormData): number | null {
  const text = textIn(values, "retention_tasks_days").trim();
  return text === "" ? null : Number(text);
}

function Fields({ workspace }: { readonly workspace: Details }) {
  return (
    <>
      <TextField
        name="name"
        label="Name"
        help={`In URLs: /w/${workspace.slug}. Former names still lead here.`}
        defaultValue={workspace.name}
      />
      <TextField
        name="log_url"
        label="Link to logs"
        aside="optional"
        help={TEMPLATE_HELP}
        defaultValue={workspace.log_url ?? ""}
        placeholder="https://logs.example.org/?q={run_id}"
      />
      <TextField
        name="trace_url"
        label="Link to traces"
        aside="optional"
        defaultValue={workspace.trace_url ?? ""}
        placeholder="https://traces.example.org/{run_id}"
      />
      <TextField
        name="retention_tasks_days"
        label="Days to keep ended runs"
        aside="optional"
        help="Then runs, results and files are deleted; usage stays. Empty: as long as this instance keeps them."
        type="number"
        min={1}
        defaultValue={String(workspace.retention_tasks_days ?? "")}
      />
      <Checkbox
        name="answer_links"
        defaultChecked={workspace.answer_links}
        label="Members may create links that answer one question without an account"
      />
      <Checkbox
        name="run_links"
        defaultChecked={workspace.run_links}
        label="Members may create links that show one run without an account"
      />
      <Checkbox
        name="require_passkeys"
        defaultChecked={workspace.require_passkeys}
        label="A password alone does not open this workspace: people add a passkey"
      />
    </>
  );
}

function linkIn(values: FormData, name: string): string | null {
  const text = textIn(values, name).trim();
  return text === "" ? null : text;
}
