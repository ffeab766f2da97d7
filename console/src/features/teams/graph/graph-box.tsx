import { useRef } from "react";
import type { ComponentProps } from "react";
import { MoreIcon, PlusIcon } from "../../../ui/icons.ts";
import { Menu } from "../../../ui/menu.tsx";
import { useName } from "../../pickers/records.ts";
import { useHasIssues } from "../../../forms/form-context.ts";
import { NodeMenu } from "./node-menu.tsx";
import type { GraphEdit, GraphNode } from "./nodes.ts";

/** What the boxes of a graph do. */
export interface Editing {
  readonly onEdit: (edit: GraphEdit) => void;
  /** Opens the settings of a step; undefined while they are not on the page. */
  readonly onDetails: ((step: number) => void) | undefined;
}

/** How each kind of box looks. */
export const LOOKS = {
  box: "rounded-panel border bg-canvas p-2.5",
  head: "rounded-control p-1 touch:min-h-11",
  member: "rounded-control border bg-canvas px-2 py-1 touch:min-h-11",
  add: "min-h-8 rounded-control border border-dashed px-2 py-1 text-ink-2 touch:min-h-11",
} as const;
const KEYS = { Delete: "remove", Backspace: "remove", "Alt+ArrowUp": "earlier", "Alt+ArrowDown": "later" } as const;

/** A box as it is drawn. */
export interface DrawnBox {
  readonly node: GraphNode;
  readonly look: keyof typeof LOOKS;
  /** How the agents of a group work, at its head. */
  readonly how?: string | undefined;
}

interface BoxProps extends DrawnBox {
  readonly editing: Editing | undefined;
}

/** One box: a button with a menu, or plain where nothing can be done with it. */
export function GraphBox({ node, editing, look, how }: BoxProps) {
  // An edit has moved the focus to the box that it is about.
  const hasMoved = useRef(false);
  const hasIssues = useHasIssues(`config.${node.key}`);
  const border = look === "head" ? "" : hasIssues ? "border-failed" : look === "add" ? "border-control" : "border-line";
  const className = `flex w-full items-center gap-2 text-start ${LOOKS[look]} ${border}`;
  if (editing === undefined || node.actions.length === 0) {
    return (
      <div className={className}>
        <BoxText node={node} look={look} how={how} />
      </div>
    );
  }
  const own: Editing = {
    onEdit(edit) {
      hasMoved.current = true;
      editing.onEdit(edit);
    },
    onDetails:
      editing.onDetails &&
      ((step) => {
        hasMoved.current = true;
        editing.onDetails?.(step);
      }),
  };
  return (
    <Menu
      align="start"
      onCloseFocus={(event) => {
        if (hasMoved.current) event.preventDefault();
        hasMoved.current = false;
      }}
      trigger={
        <BoxButton node={node} editing={editing} className={className}>
          <BoxText node={node} look={look} how={how} />
          {look === "add" ? null : <MoreIcon className="ms-auto text-ink-3" />}
        </BoxButton>
      }
    >
      <NodeMenu node={node} editing={own} />
    </Menu>
  );
}

/** The button of a box; some entries of its menu have a key of their own. */
function BoxButton({
  node,
  editing,
  className,
  ...rest
}: ComponentProps<"button"> & { readonly node: GraphNode; readonly editing: Editing }) {
  const keys = new Map<string, string>(Object.entries(KEYS));
  return (
    <button
      {...rest}
      type="button"
      data-node={node.key}
      aria-keyshortcuts={shortcutsOf(node)}
      onKeyDown={(event) => {
        const kind = keys.get(`${event.altKey ? "Alt+" : ""}${event.key}`);
        if (kind === undefined) return rest.onKeyDown?.(event);
        event.preventDefault();
        const action = node.actions.find((each) => each.kind === kind);
        if (action?.kind === "earlier" || action?.kind === "later" || action?.kind === "remove") {
          editing.onEdit(action.apply());
        }
      }}
      className={`${className} scroll-m-32 transition-colors hover:bg-raised aria-expanded:bg-accent-soft`}
    />
  );
}

function shortcutsOf({ actions }: GraphNode): string | undefined {
  const own = Object.entries(KEYS).filter(([, kind]) => actions.some((action) => action.kind === kind));
  return own.length === 0 ? undefined : own.map(([key]) => key).join(" ");
}

/** What a box says: its part in the work, and its agent. */
export function BoxText({ node, look, how }: DrawnBox) {
  const { title, agent } = node;
  const name = useName({ kind: "agent", id: agent ?? "" });
  if (look === "add") {
    return (
      <>
        <PlusIcon className="-ms-0.5" />
        <span className="truncate">{title}</span>
      </>
    );
  }
  return (
    <span className="flex min-w-0 flex-1 flex-col">
      {title !== undefined && (
        <span className="flex justify-between gap-2 text-caption text-ink-3">
          <span dir="auto" className="truncate">
            {title}
          </span>
          {how !== undefined && <span className="shrink-0">{how}</span>}
        </span>
      )}
      {agent === "" && <span className="text-waiting">No agent yet</span>}
      {agent !== undefined && agent !== "" && (
        <span dir="auto" title={name} className="truncate font-medium">
          {name}
        </span>
      )}
    </span>
  );
}
