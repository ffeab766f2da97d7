import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { withMod } from "../../../lib/keys.ts";
import { AT_EDGE, IconButton } from "../../../ui/button.tsx";
import { RedoIcon, UndoIcon } from "../../../ui/icons.ts";
import type { Fields } from "../config/fields.ts";
import type { TeamDraft } from "../draft.ts";
import { graphOf } from "./graph.ts";
import type { GraphEdit } from "./nodes.ts";
import { TeamGraph } from "./team-graph.tsx";
import { useUndoKeys } from "./undo-keys.ts";
import { nodeAt } from "./walk.ts";

/** Edits the config of a team as a graph. The form beside it edits the same config, and what either did is undone here. */
export function GraphEditor({
  draft,
  isReadOnly,
  onChange,
  onDetails,
}: {
  readonly draft: TeamDraft;
  readonly isReadOnly: boolean;
  readonly onChange: (config: Fields) => void;
  /** Opens the settings of a step; undefined while they are not on the page. */
  readonly onDetails: ((step: number) => void) | undefined;
}) {
  const { design, undo, redo } = draft;
  const [said, setSaid] = useState("");
  const box = useRef<HTMLDivElement>(null);

  function onEdit({ config, focus, said: words }: GraphEdit): void {
    // The box that gets the focus may be a new one.
    flushSync(() => onChange(config));
    setSaid(words);
    if (box.current) nodeAt(box.current, focus)?.focus();
  }
  function go(act: (() => void) | undefined, words: string): void {
    if (act === undefined) return;
    act();
    setSaid(words);
  }
  const undoEdit = () => go(undo, "Edit undone");
  const redoEdit = () => go(redo, "Edit made again");
  useUndoKeys({ undo: undoEdit, redo: redoEdit });

  return (
    <div ref={box} className="flex flex-col gap-3">
      <header className="flex min-h-7 items-center justify-between gap-2">
        <h2 className="text-h3 font-semibold">Graph</h2>
        {!isReadOnly && (
          <div className={`flex gap-1 ${AT_EDGE}`}>
            <IconButton
              label="Undo edit"
              title={`Undo edit (${withMod("Z")})`}
              icon={UndoIcon}
              disabled={undo === undefined}
              onClick={undoEdit}
            />
            <IconButton label="Redo edit" icon={RedoIcon} disabled={redo === undefined} onClick={redoEdit} />
          </div>
        )}
      </header>
      <p role="status" className="sr-only">
        {said}
      </p>
      <TeamGraph
        graph={graphOf(design.mode, design.config)}
        editing={isReadOnly || draft.fault !== undefined ? undefined : { onEdit, onDetails }}
      />
    </div>
  );
}
