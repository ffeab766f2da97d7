import { FactRow } from "../../ui/fact-list.tsx";
import { AssigneeName } from "./assignee-name.tsx";
import type { Template } from "./records.ts";
import { Bdi } from "../../ui/bdi.tsx";

/** The tasks that a schedule or a trigger creates, as rows of its facts. */
export function TaskFacts({ of }: { readonly of: Template }) {
  const { title, description, priority } = of;
  return (
    <>
      <FactRow name="For">
        <AssigneeName of={of} />
      </FactRow>
      <FactRow name="Task">
        <Bdi>{title}</Bdi>
        {description !== "" && <Bdi className="line-clamp-3 block max-w-[72ch] text-ink-2">{description}</Bdi>}
      </FactRow>
      <FactRow name="Priority">
        <span className="inline-block first-letter:uppercase">{priority}</span>
      </FactRow>
    </>
  );
}
