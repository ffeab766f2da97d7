import type { KeyboardEvent } from "react";
import { useHasIssues } from "../../../forms/form-context.ts";
import { plural } from "../../../lib/format.ts";
import { IconButton } from "../../../ui/button.tsx";
import { ChevronDownIcon, ChevronRightIcon, CloseIcon, DragIcon } from "../../../ui/icons.ts";
import { useName } from "../../pickers/records.ts";
import type { Part } from "./controls.tsx";
import { idsAt, textAt } from "./fields.ts";
import { StepFields } from "./step-fields.tsx";

/** What {@link StepCard} takes. */
interface StepCardProps {
  readonly index: number;
  readonly count: number;
  readonly part: Part;
  readonly isOpen: boolean;
  readonly isDragged: boolean;
  readonly onToggle: () => void;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
  /** Undefined when the dragging ends. */
  readonly onDrag: (index: number | undefined) => void;
  readonly onDrop: () => void;
}

/** One step: a summary, and below it, while it is open, its settings. */
export function StepCard(props: StepCardProps) {
  const { index, part, isOpen, isDragged, onToggle, onRemove, onDrop } = props;
  const { fields, path, isReadOnly } = part;
  const name = textAt(fields, "step_name");
  const title = name === "" ? `Step ${index + 1}` : name;
  const hasIssues = useHasIssues(path);
  const Chevron = isOpen ? ChevronDownIcon : ChevronRightIcon;
  return (
    <li
      aria-label={`Step ${index + 1}`}
      className={`rounded-panel border bg-canvas ${hasIssues ? "border-failed" : "border-line"} ${isDragged ? "opacity-50" : ""}`}
    >
      <div
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          onDrop();
        }}
        className="flex min-h-11 items-center gap-1 px-1.5"
      >
        {!isReadOnly && <Handle {...props} title={title} />}
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="option min-h-9 min-w-0 flex-1 px-1 hover:bg-raised touch:min-h-11"
        >
          <Chevron className="text-ink-3" />
          <span className="w-4 shrink-0 text-end text-ink-3">{index + 1}</span>
          <span dir="auto" className="truncate font-medium">
            {title}
          </span>
          <Who part={part} />
        </button>
        {!isReadOnly && <IconButton label={`Remove ${title}`} icon={CloseIcon} onClick={onRemove} />}
      </div>
      {isOpen && <StepFields part={part} />}
    </li>
  );
}

/** Dragged with the mouse; with the keys, up and down move the step. */
function Handle({
  index,
  count,
  title,
  onMove,
  onDrag,
}: Pick<StepCardProps, "index" | "count" | "onMove" | "onDrag"> & { readonly title: string }) {
  function onKeyDown(event: KeyboardEvent): void {
    const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: count - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onMove(to);
  }
  return (
    <button
      type="button"
      data-handle
      draggable
      aria-label={`Move ${title}`}
      aria-keyshortcuts="ArrowUp ArrowDown Home End"
      title="Drag, or press the arrow keys up and down"
      onKeyDown={onKeyDown}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = "move";
        onDrag(index);
      }}
      onDragEnd={() => onDrag(undefined)}
      className="icon-button cursor-grab text-ink-3"
    >
      <DragIcon />
    </button>
  );
}

/** Who does the step, in the line of a closed one. */
function Who({ part: { fields } }: { readonly part: Part }) {
  const isFanOut = textAt(fields, "type") === "fan_out";
  const agent = textAt(fields, "agent_id");
  const name = useName({ kind: "agent", id: agent });
  const words = isFanOut
    ? `${plural(idsAt(fields, "parallel_agents").length, "agent")} in parallel`
    : agent === ""
      ? "No agent"
      : name;
  return (
    <span dir="auto" className="ms-auto max-w-[50%] shrink-0 truncate ps-2 text-ink-2">
      {words}
    </span>
  );
}
