import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { createAgent } from "#client/gen/operations/agents.ts";
import { createTask } from "#client/gen/operations/tasks.ts";
import { call } from "../../api/client.ts";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { openDraft } from "../../forms/form-draft.ts";
import { textIn } from "../../forms/use-submit.ts";
import { TextField } from "../../ui/field.tsx";
import { SelectField, TextareaField } from "../../ui/fields.tsx";
import { PlayIcon } from "../../ui/icons.ts";
import { SubmitButton } from "../../ui/form.tsx";
import { RecordForm } from "../../ui/record-form.tsx";
import type { ApiCall } from "../../lib/api-calls.ts";
import { useApiCalls } from "../../lib/api-calls.ts";
import { useModels } from "../models/queries.ts";
import { giveTaskCall } from "../tasks/give-task-call.ts";
import { ProviderKeyField } from "../models/provider-key-field.tsx";

const DRAFT = "start";
const DEMO = "demo";
const NAME = "First agent";
const TASK = `Say hello, look up the time in Tokyo, and say what you are.
[[tool:current_time {"time_zone":"Asia/Tokyo"}]]
[[slow:40]]`;
const TOOLS = ["current_time"];

/** The first agent and its first task, in one form. */
export function StartForm() {
  const navigate = useNavigate();
  const { slug } = useWorkspace();
  const blockedBy = useBlockedBy("member");
  const { data: models } = useModels();
  const [model, setModel] = useState(() => openDraft(DRAFT, undefined).valuesOf("model")?.[0] ?? DEMO);
  const chosen = models?.models.find(({ id }) => id === model);
  useApiCalls(callsOf(model));
  return (
    <div className="mx-auto w-full max-w-[38rem] px-page py-10 max-sm:py-6">
      <h2 className="text-h2 font-semibold">Create your first agent and give it a task</h2>
      <p className="mt-1 text-ink-2">
        An agent is a model with a prompt and tools. The demo model follows simple rules, needs no key and costs
        nothing.
      </p>
      <RecordForm
        draft={DRAFT}
        save={create}
        onSaved={(id) =>
          navigate({ to: "/w/$workspace/runs/$id", params: { workspace: slug, id }, search: { offer: "api" } })
        }
        onChange={(field) => field === undefined && setModel(DEMO)}
        className="mt-6 flex flex-col gap-5"
        actions={
          <SubmitButton
            size="large"
            icon={PlayIcon}
            className="self-start"
            blockedBy={blockedBy}
            disabled={chosen !== undefined && !chosen.usable}
          >
            Create and run
          </SubmitButton>
        }
      >
        <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
          <TextField name="name" label="Agent" defaultValue={NAME} required maxLength={100} />
          <ModelField models={models?.models} value={model} onChange={setModel} />
        </div>
        {chosen !== undefined && !chosen.usable && <ProviderKeyField provider={chosen.provider} />}
        <TextareaField
          key={model === DEMO ? "demo" : "model"}
          name="description"
          label="Task"
          path={["description", "title"]}
          help={
            model === DEMO
              ? "Text in double brackets controls the demo model: here it calls a tool and answers slowly."
              : undefined
          }
          required
          rows={5}
          defaultValue={model === DEMO ? TASK : "Say hello, look up the time in Tokyo, and say what you are."}
        />
      </RecordForm>
    </div>
  );
}

/** The models until they are read. */
const UNREAD = [{ id: DEMO, label: "Demo", usable: true }] as const;

function ModelField({
  models = UNREAD,
  value,
  onChange,
}: {
  readonly models: readonly { readonly id: string; readonly label: string; readonly usable: boolean }[] | undefined;
  readonly value: string;
  readonly onChange: (model: string) => void;
}) {
  return (
    <SelectField name="model" label="Model" value={value} onChange={({ target }) => onChange(target.value)}>
      {models.map(({ id, label, usable }) => (
        <option key={id} value={id}>
          {usable ? label : `${label} (no key)`}
        </option>
      ))}
    </SelectField>
  );
}

/** Gives the id of the task. */
async function create(values: FormData): Promise<string> {
  const agent = await call(createAgent)({
    name: textIn(values, "name"),
    model: textIn(values, "model"),
    tools: TOOLS,
  });
  const description = textIn(values, "description");
  const [title = ""] = description.split("\n");
  const task = await call(createTask)({ title: title.slice(0, 120), description, assigned_agent_id: agent.id });
  return task.id;
}

function callsOf(model: string): readonly ApiCall[] {
  return [
    {
      title: "Create the agent",
      method: "POST",
      path: "/functions/v1/api-agents",
      body: { name: NAME, model, tools: TOOLS },
      command: `agents create --name "${NAME}" --model ${model} --tools ${TOOLS.join()}`,
    },
    { ...giveTaskCall(), command: `tasks create --agent "${NAME}" --title "Say hello" --watch` },
  ];
}
