import { useEffect, useRef, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { PlusIcon } from "../../../ui/icons.ts";
import type { Part } from "./controls.tsx";
import { listAt, moveItem, withFields } from "./fields.ts";
import type { Fields } from "./fields.ts";
import { StepCard } from "./step-card.tsx";

/** What {@link StepList} takes. */
interface StepListProps {
  readonly part: Part;
  /** The step whose settings are shown. */
  readonly open: number | undefined;
  readonly onOpen: (step: number | undefined) => void;
}

/** The steps of a pipeline in their order: moved by their handles or by keys, and edited in place. */
export function StepList({ part, open, onOpen: setOpen }: StepListProps) {
  const { fields, onChange, path, isReadOnly } = part;
  const steps = listAt(fields, "steps");
  const [dragged, setDragged] = useState<number>();
  const [said, setSaid] = useState("");
  const { list, focusNext } = useHandleFocus();
  const set = (next: readonly Fields[]) => onChange(withFields(fields, { steps: next }));
  function move(from: number, to: number): void {
    if (isReadOnly || to < 0 || to >= steps.length || from === to) return;
    set(moveItem(steps, from, to));
    focusNext(to);
    setOpen(open === from ? to : undefined);
    setSaid(`Step ${from + 1} is now step ${to + 1} of ${steps.length}`);
  }

  return (
    <section aria-label="Steps" className="flex flex-col gap-2">
      <p role="status" className="sr-only">
        {said}
      </p>
      <ol ref={list} className="flex flex-col gap-2">
        {steps.map((step, index) => (
          <StepCard
            key={index}
            index={index}
            count={steps.length}
            part={{
              fields: step,
              path: `${path}.steps.${index}`,
              isReadOnly,
              onChange: (next) => set(steps.map((each, at) => (at === index ? next : each))),
            }}
            isOpen={open === index}
            isDragged={dragged === index}
            onToggle={() => setOpen(open === index ? undefined : index)}
            onMove={(to) => move(index, to)}
            onRemove={() => {
              set(steps.filter((_, at) => at !== index));
              setOpen(undefined);
            }}
            onDrag={setDragged}
            onDrop={() => dragged !== undefined && move(dragged, index)}
          />
        ))}
      </ol>
      {!isReadOnly && (
        <AddButtons
          onAdd={(step) => {
            set([...steps, step]);
            setOpen(steps.length);
          }}
        />
      )}
    </section>
  );
}

/** The handle stays under the person's finger: focus follows the step that was moved. */
function useHandleFocus() {
  const list = useRef<HTMLOListElement>(null);
  const next = useRef<number>(undefined);
  useEffect(() => {
    if (next.current === undefined) return;
    list.current?.querySelectorAll<HTMLElement>("[data-handle]")[next.current]?.focus();
    next.current = undefined;
  });
  return { list, focusNext: (step: number) => void (next.current = step) };
}

function AddButtons({ onAdd }: { readonly onAdd: (step: Fields) => void }) {
  return (
    <div className="flex gap-2">
      {ADDED.map(({ label, step }) => (
        <Button key={label} icon={PlusIcon} size="small" onClick={() => onAdd(step)}>
          {label}
        </Button>
      ))}
    </div>
  );
}

/** What can be added. */
const ADDED = [
  { label: "Add step", step: { step_name: "", instructions: "" } },
  { label: "Add fan-out", step: { type: "fan_out", step_name: "", instructions: "", parallel_agents: [] } },
] as const;
