import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { plural } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FactList, FactRow } from "../../ui/fact-list.tsx";
import { ChevronRightIcon } from "../../ui/icons.ts";
import { QueryPart } from "../../ui/query-part.tsx";
import { MODE_LABELS, ModePicture } from "../teams/modes.tsx";
import { templatesQuery } from "./queries.ts";
import type { Template } from "./queries.ts";

/** In the URL, that all templates are shown instead of one. */
export const ALL = "all";

/** Templates of agents or of teams: all with what they are for, or one with what it consists of. */
export function TemplateGallery({
  kind,
  chosen,
  onChoose,
  onClose,
  children,
}: {
  readonly kind: Template["file"]["type"];
  /** The id of the template that is looked at, or {@link ALL}. */
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
  readonly onClose: () => void;
  /** What can be done with the one that is looked at. */
  readonly children: (template: Template) => ReactNode;
}) {
  const query = useQuery(templatesQuery);
  const offered = query.data?.filter(({ file }) => file.type === kind);
  const open = offered?.find(({ id }) => id === chosen);
  return (
    <Dialog
      key={open?.id}
      title={open?.file.data.name ?? "Templates"}
      description={open?.purpose ?? `Begin with ${kind === "agent" ? "an agent" : "a team"} that works, and change it.`}
      isOpen
      onClose={onClose}
    >
      <QueryPart query={{ ...query, data: offered }}>
        {(templates) =>
          open === undefined ? (
            <TemplateList templates={templates} onChoose={onChoose} />
          ) : (
            <div className="flex flex-col gap-5">
              <Preview template={open} />
              {children(open)}
            </div>
          )
        }
      </QueryPart>
    </Dialog>
  );
}

function TemplateList({
  templates,
  onChoose,
}: {
  readonly templates: readonly Template[];
  readonly onChoose: (id: string) => void;
}) {
  return (
    <ul className="-mx-2 flex flex-col">
      {templates.map(({ id, purpose, file }) => (
        <li key={id}>
          <button
            type="button"
            onClick={() => onChoose(id)}
            className="option w-full gap-3 p-2 transition-colors hover:bg-raised"
          >
            {file.type === "team" && <ModePicture mode={file.data.mode} />}
            <span className="min-w-0 flex-1">
              <span className="block font-medium">{file.data.name}</span>
              <span className="block text-ink-2">{purpose}</span>
            </span>
            <ChevronRightIcon className="text-ink-3" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Preview({ template: { file, tools, task } }: { readonly template: Template }) {
  return (
    <>
      <FactList>
        {file.type === "team" && (
          <FactRow name="Mode">
            {MODE_LABELS[file.data.mode].label}, {plural(file.data.agents.length, "agent")}
          </FactRow>
        )}
        <FactRow name="Tools">{tools.length === 0 ? "None" : tools.join(", ")}</FactRow>
        <FactRow name="Example">{task}</FactRow>
      </FactList>
      {file.type === "agent" ? (
        <Prompt title="Prompt" text={file.data.system_prompt} />
      ) : (
        file.data.agents.map(({ ref_id, agent }) => (
          <Prompt key={ref_id} title={agent.name} text={agent.system_prompt} />
        ))
      )}
    </>
  );
}

function Prompt({ title, text }: { readonly title: string; readonly text: string | undefined }) {
  return (
    <section>
      <h3 className="font-medium">{title}</h3>
      <p className="mt-1 max-w-[72ch] whitespace-pre-wrap text-ink-2">{text}</p>
    </section>
  );
}

/** Leads back to all templates. */
export function AllTemplates({ onChoose }: { readonly onChoose: (id: string) => void }) {
  return <Button onClick={() => onChoose(ALL)}>All templates</Button>;
}
