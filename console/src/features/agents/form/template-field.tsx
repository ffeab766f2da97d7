import { Field, Select, Textarea } from "../../../ui/field.tsx";
import { TEMPLATE_TYPES } from "../../saved/kinds.ts";
import { useTemplates } from "../../saved/queries.ts";
import { TemplateHelp } from "../../saved/template-help.tsx";
import type { PartProps } from "./part.ts";
import { OWN } from "./draft.ts";

/** The template of the agent's result: a saved one, or the agent's own. */
export function TemplateField({ draft: { template }, set, errorOf }: PartProps) {
  const { data: saved = [] } = useTemplates();
  const change = (part: Partial<typeof template>) => set({ template: { ...template, ...part } });
  return (
    <>
      <Field label="Output template" error={errorOf("output_template_id")} help="How its result is written.">
        <Select value={template.choice} onChange={({ target }) => change({ choice: target.value })}>
          <option value="">None</option>
          <option value={OWN}>Its own</option>
          {saved.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      {template.choice === OWN && (
        <div className="flex flex-col gap-4 border-s-2 border-line ps-4">
          <Field label="Type" error={errorOf("output_template.type")}>
            <Select value={template.type} onChange={({ target }) => change({ type: target.value })}>
              {TEMPLATE_TYPES.map((type) => (
                <option key={type}>{type}</option>
              ))}
            </Select>
          </Field>
          <Field label="Template" error={errorOf("output_template.body")} help={<TemplateHelp />}>
            <Textarea
              value={template.body}
              onChange={({ target }) => change({ body: target.value })}
              className="font-mono text-mono"
              spellCheck={false}
            />
          </Field>
        </div>
      )}
    </>
  );
}
