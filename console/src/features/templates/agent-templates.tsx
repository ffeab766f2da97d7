import { Button } from "../../ui/button.tsx";
import { DialogActions } from "../../ui/dialog.tsx";
import type { AgentDraft } from "../agents/form/draft.ts";
import { AllTemplates, TemplateGallery } from "./gallery.tsx";
import type { Template } from "./queries.ts";

/** The templates of agents. Using one fills in the form of a new agent. */
export default function AgentTemplates({
  chosen,
  onChoose,
  onUse,
  onClose,
}: {
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
  readonly onUse: (id: string, draft: Partial<AgentDraft>) => void;
  readonly onClose: () => void;
}) {
  return (
    <TemplateGallery kind="agent" chosen={chosen} onChoose={onChoose} onClose={onClose}>
      {({ id, file }) => (
        <DialogActions>
          <AllTemplates onChoose={onChoose} />
          <Button look="primary" onClick={() => onUse(id, draftOf(file))}>
            Use this template
          </Button>
        </DialogActions>
      )}
    </TemplateGallery>
  );
}

/** What a template says of an agent; the model stays as it is chosen in the form. */
function draftOf({ type, data }: Template["file"]): Partial<AgentDraft> {
  if (type === "team") return {};
  const {
    name,
    description = "",
    tags = [],
    system_prompt = "",
    temperature,
    tools = [],
    output_schema: schema,
  } = data;
  return {
    name,
    description,
    tags: tags.join(", "),
    system_prompt,
    temperature: temperature == null ? "" : String(temperature),
    tools,
    output_schema: schema == null ? "" : JSON.stringify(schema, null, 2),
  };
}
