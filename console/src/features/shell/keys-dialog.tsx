import { useState } from "react";
import { withAlt, withMod } from "../../lib/keys.ts";
import { areSingleKeysOn, setSingleKeys } from "../../lib/shortcuts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Checkbox } from "../../ui/fields.tsx";
import { NAV, navKeys } from "./nav.ts";

const KEYS: readonly { readonly keys: string; readonly does: string }[] = [
  { keys: withMod("K"), does: "Search and go" },
  ...NAV.flatMap((item) => {
    const keys = navKeys(item);
    return keys === undefined ? [] : [{ keys, does: `Go to ${item.label}` }];
  }),
  { keys: "c", does: "New task" },
  { keys: "/", does: "Filter the list" },
  { keys: "j k", does: "Next and previous row, step or question" },
  { keys: "Enter", does: "Open the row" },
  { keys: "Esc", does: "Close, clear the selection, or go back" },
  { keys: "Shift Space", does: "Select all rows since the last selected one" },
  { keys: "y n, then Enter", does: "Approve or reject a question" },
  { keys: withMod("Enter"), does: "Send the answer" },
  { keys: "x", does: "Cancel the run" },
  { keys: "f", does: "Fork the run from a step" },
  { keys: "Left, Right", does: "Close and open a group of steps" },
  { keys: "e E", does: "Next and previous step that failed or is open" },
  { keys: "1 to 4", does: "Timeline, list, conversation, events" },
  { keys: "+ - 0", does: "Zoom the timeline" },
  { keys: "l", does: "Follow the newest step" },
  { keys: "R", does: "Run again" },
  { keys: withMod("Z"), does: "Undo an edit of a team" },
  { keys: withMod("Shift Z"), does: "Redo an edit of a team" },
  { keys: `${withAlt("↑")}, ${withAlt("↓")}`, does: "Move a box in the graph of a team" },
  { keys: "Delete", does: "Remove a box in the graph of a team" },
  { keys: withMod("."), does: "Copy the id of a run, an agent or a team" },
  { keys: withAlt("A"), does: "This screen by the API" },
  { keys: "?", does: "This list" },
];

/** All keys, and the switch for single ones. */
export default function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useState(areSingleKeysOn);
  return (
    <Dialog title="Keyboard" isOpen onClose={onClose} width="small">
      <Checkbox
        className="mb-2"
        label="Single-key shortcuts"
        checked={isOn}
        onChange={({ target }) => {
          setSingleKeys(target.checked);
          setOn(target.checked);
        }}
      />
      <dl className="flex flex-col">
        {KEYS.map(({ keys, does }) => (
          <div
            key={keys}
            className="flex min-h-8 items-center justify-between gap-4 border-b border-line last:border-0"
          >
            <dt>{does}</dt>
            <dd>
              <kbd className="font-sans text-ink-2">{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
