import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTemplate } from "#client/gen/operations/templates.ts";
import { call } from "../../api/client.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { openDraft } from "../../forms/form-draft.ts";
import { textIn } from "../../forms/use-submit.ts";
import { DialogActions } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { SubmitButton } from "../../ui/form.tsx";
import { RecordForm } from "../../ui/record-form.tsx";
import { modelsQuery } from "../models/queries.ts";
import { runTeamDraft } from "../teams/run-team.tsx";
import { AllTemplates, TemplateGallery } from "./gallery.tsx";
import type { Template } from "./queries.ts";

const DEMO = { id: "demo", label: "Demo model", usable: true };

/** The templates of teams. Using one creates the team with its agents, and opens it. */
export default function TeamTemplates({
  chosen,
  onChoose,
  onClose,
}: {
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
  readonly onClose: () => void;
}) {
  return (
    <TemplateGallery kind="team" chosen={chosen} onChoose={onChoose} onClose={onClose}>
      {(template) => <UseForm template={template} onChoose={onChoose} />}
    </TemplateGallery>
  );
}

function UseForm({ template, onChoose }: { readonly template: Template; readonly onChoose: (id: string) => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { slug } = useWorkspace();
  const { data: catalogue } = useQuery(modelsQuery);
  const models = catalogue?.models.filter(({ usable }) => usable) ?? [DEMO];
  async function save(values: FormData): Promise<string> {
    const choice = { name: textIn(values, "name"), model: textIn(values, "model") };
    const { team, task } = await call(useTemplate)({ id: template.id }, choice);
    if (team === null) throw new Error("The template of a team must create one.");
    // The example waits in the form of its first run.
    openDraft(runTeamDraft(team.id), undefined).write("input_task", [task]);
    await Promise.all(["teams", "agents"].map((key) => client.invalidateQueries({ queryKey: [key] })));
    return team.id;
  }
  return (
    <RecordForm
      draft={`team-template.${template.id}`}
      save={save}
      onSaved={(id) => navigate({ to: "/w/$workspace/teams/$id", params: { workspace: slug, id } })}
      actions={
        <DialogActions>
          <AllTemplates onChoose={onChoose} />
          <SubmitButton>Use this template</SubmitButton>
        </DialogActions>
      }
    >
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <TextField name="name" label="Name" defaultValue={template.file.data.name} required maxLength={100} />
        <SelectField name="model" label="Model of its agents" defaultValue={DEMO.id}>
          {models.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
    </RecordForm>
  );
}
