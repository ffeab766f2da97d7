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
import { Button } from "../../ui/button.tsx";
import { Checkbox, Field, Input } from "../../ui/field.tsx";
import { showToast } from "../../ui/messages.ts";
import { RecordForm } from "../../ui/record-form.tsx";

const FIELDS = ["name", "log_url", "trace_url"] as const;
const TEMPLATE_HELP = "Shown on every run. {run_id} is replaced with the run's id.";

/** The name of the workspace, and its links to logs and traces. */
export function WorkspaceForm({ workspace }: { readonly workspace: components["schemas"]["WorkspaceDetails"] }) {
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
      answer_links: values.get("answer_links") === "on",
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
      fields={FIELDS}
      save={save}
      blockedBy={blockedBy}
      actions={({ isBusy }) => (
        <Button look="primary" type="submit" className="self-start" isBusy={isBusy} blockedBy={blockedBy}>
          Save workspace
        </Button>
      )}
    >
      {({ errorOf }) => (
        <>
          <Field
            label="Name"
            error={errorOf("name")}
            help={`In URLs: /w/${workspace.slug}. A former one still leads here.`}
          >
            <Input name="name" defaultValue={workspace.name} autoComplete="off" />
          </Field>
          <Field label="Link to logs" aside="optional" error={errorOf("log_url")} help={TEMPLATE_HELP}>
            <Input
              name="log_url"
              defaultValue={workspace.log_url ?? ""}
              placeholder="https://logs.example.org/?q={run_id}"
            />
          </Field>
          <Field label="Link to traces" aside="optional" error={errorOf("trace_url")}>
            <Input
              name="trace_url"
              defaultValue={workspace.trace_url ?? ""}
              placeholder="https://traces.example.org/{run_id}"
            />
          </Field>
          <Checkbox
            name="answer_links"
            defaultChecked={workspace.answer_links}
            label="Members may create links that answer one question without an account"
          />
        </>
      )}
    </RecordForm>
  );
}

function linkIn(values: FormData, name: string): string | null {
  const text = textIn(values, name).trim();
  return text === "" ? null : text;
}
