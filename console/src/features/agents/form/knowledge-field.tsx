import { useIssue } from "../../../forms/form-context.ts";
import { Bdi } from "../../../ui/bdi.tsx";
import { Checkbox } from "../../../ui/fields.tsx";
import { useBases } from "../../knowledge/queries.ts";
import type { PartProps } from "./part.ts";

/** The knowledge that the tool knowledge_search finds; shown with the tool. */
export function KnowledgeField({ draft, set }: PartProps) {
  const bases = useBases().data;
  const error = useIssue("knowledge_base_ids");
  const ids = draft.knowledge_base_ids;
  if (!draft.tools.includes("knowledge_search") && ids.length === 0) return null;
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 font-medium">Knowledge</legend>
      {bases?.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={<Bdi>{name}</Bdi>}
          checked={ids.includes(id)}
          onChange={() =>
            set({ knowledge_base_ids: ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id] })
          }
        />
      ))}
      {error !== undefined && <p className="text-small text-failed">{error}</p>}
      <p className="text-small text-ink-3">
        {bases?.length === 0
          ? "The workspace has no knowledge base yet."
          : ids.length === 0
            ? "None chosen: the agent searches all of the workspace."
            : "The agent searches these only."}
      </p>
    </fieldset>
  );
}
