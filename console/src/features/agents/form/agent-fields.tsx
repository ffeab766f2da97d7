import type { ReactNode } from "react";
import { TextField } from "../../../ui/field.tsx";
import { TextareaField } from "../../../ui/fields.tsx";
import { JsonField } from "../../../ui/json-field.tsx";
import { KnowledgeField } from "./knowledge-field.tsx";
import { ModelField } from "./model-field.tsx";
import type { PartProps } from "./part.ts";
import { RulesField } from "./rules-field.tsx";
import { RunFields } from "./run-fields.tsx";
import { TemplateField } from "./template-field.tsx";
import { ToolsField } from "./tools-field.tsx";
import { VoiceField } from "./voice-field.tsx";

/** All fields of an agent; on a wide screen name, prompt and tools on the left, the rest on the right. */
export function AgentFields({
  isNarrow,
  isNew = false,
  ...part
}: PartProps & {
  readonly isNarrow: boolean;
  /** Its name has the focus. */
  readonly isNew?: boolean;
}) {
  return (
    <div
      className={
        isNarrow ? "flex flex-col gap-8" : "grid grid-cols-[minmax(0,1fr)_23.75rem] gap-x-12 gap-y-8 max-lg:grid-cols-1"
      }
    >
      <Task {...part} isNew={isNew} />
      <Means {...part} />
    </div>
  );
}

/** What it is, and what it uses. */
function Task({ isNew, ...part }: PartProps & { readonly isNew: boolean }) {
  const { draft, set } = part;
  return (
    <div className="flex max-w-[45rem] flex-col gap-5">
      <TextField
        label="Name"
        path="name"
        value={draft.name}
        onChange={({ target }) => set({ name: target.value })}
        dir="auto"
        autoFocus={isNew}
      />
      <TextareaField
        label="Prompt"
        path="system_prompt"
        help="What the agent is, what it knows and what it must not do. Sent before every task."
        value={draft.system_prompt}
        onChange={({ target }) => set({ system_prompt: target.value })}
        className="max-h-[60vh] min-h-64"
      />
      <ToolsField {...part} />
      <RulesField {...part} />
      <KnowledgeField {...part} />
    </div>
  );
}

/** How it works and speaks. */
function Means(part: PartProps) {
  const { draft, set } = part;
  return (
    <div className="flex max-w-[45rem] flex-col gap-8">
      <Group title="Model">
        <ModelField {...part} />
      </Group>
      <Group title="Style">
        <VoiceField {...part} />
        <TemplateField {...part} />
        <JsonField
          label="Output schema"
          aside="optional, JSON Schema"
          path="output_schema"
          help="The result is then JSON that fits this schema."
          text={draft.output_schema}
          onText={(output_schema) => set({ output_schema })}
          rows={2}
          placeholder='{"type": "object"}'
        />
      </Group>
      <Group title="Runs">
        <RunFields {...part} />
      </Group>
      <Group title="About">
        <TextareaField
          label="Description"
          aside="optional"
          path="description"
          value={draft.description}
          onChange={({ target }) => set({ description: target.value })}
          rows={2}
        />
        <TextField
          label="Tags"
          aside="optional"
          path="tags"
          help="Separated by commas."
          value={draft.tags}
          onChange={({ target }) => set({ tags: target.value })}
          dir="auto"
        />
        <JsonField
          label="Config"
          aside="optional, JSON"
          path="config"
          help="Free-form. Stored with the agent and its versions."
          text={draft.config}
          onText={(config) => set({ config })}
          rows={2}
          placeholder="{}"
        />
      </Group>
    </div>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="flex flex-col gap-5">
      <h2 className="border-b border-line pb-2 text-h3 font-semibold">{title}</h2>
      {children}
    </section>
  );
}
