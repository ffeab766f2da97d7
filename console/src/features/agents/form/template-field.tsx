import { SelectField, TextareaField } from "../../../ui/fields.tsx";
import { TEMPLATE_TYPES } from "../../saved/kinds.ts";
import { useTemplateChoices } from "../../saved/queries.ts";
import { TemplateHelp } from "../../saved/template-help.tsx";
import type { PartProps } from "./part.ts";
import { OWN } from "./draft.ts";
import { SavedChoice } from "./saved-choice.tsx";

/** The template of the agent's result: a saved one, or the agent's own. */
export function TemplateField({ draft: { template }, set }: PartProps) {
  const { data: saved = [] } = useTemplateChoices();
  const change = (part: Partial<typeof template>) => set({ template: { ...template, ...part } });
  return (
    <>
      <SavedChoice
        label="Output template"
        help="How its result is written."
        path="output_template_id"
        saved={saved}
        value={template.choice}
        onChange={(choice) => change({ choice })}
      />
      {template.choice === OWN && (
        <div className="flex flex-col gap-4 border-s-2 border-line ps-4">
          <SelectField
            label="Type"
            path="output_template.type"
            value={template.type}
            onChange={({ target }) => change({ type: target.value })}
            options={TEMPLATE_TYPES}
          />
          <TextareaField
            label="Template"
            path="output_template.body"
            help={<TemplateHelp />}
            value={template.body}
            onChange={({ target }) => change({ body: target.value })}
            className="font-mono text-mono"
            spellCheck={false}
          />
        </div>
      )}
    </>
  );
}
