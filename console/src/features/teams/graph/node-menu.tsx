import { useEffect, useRef, useState } from "react";
import { withAlt } from "../../../lib/keys.ts";
import { useSettled } from "../../../lib/use-settled.ts";
import { Bdi } from "../../../ui/bdi.tsx";
import { AgentsIcon, ArrowDownIcon, ArrowUpIcon, EditIcon, ForkIcon, PlusIcon, TrashIcon } from "../../../ui/icons.ts";
import { MenuItem, MenuLabel, MenuSearch } from "../../../ui/menu.tsx";
import { useNames } from "../../pickers/records.ts";
import type { Editing } from "./graph-box.tsx";
import type { AgentAction, GraphNode, NodeAction } from "./nodes.ts";

const ICONS = {
  details: EditIcon,
  change: AgentsIcon,
  add: PlusIcon,
  branch: ForkIcon,
  earlier: ArrowUpIcon,
  later: ArrowDownIcon,
  remove: TrashIcon,
} as const;
const KEYS = { earlier: withAlt("↑"), later: withAlt("↓"), remove: "Delete" } as const;

/** What can be done with a box; for some entries it continues with a list of agents. */
export function NodeMenu({ node, editing }: { readonly node: GraphNode; readonly editing: Editing }) {
  const [only, ...others] = node.actions;
  const [asked, setAsked] = useState(others.length === 0 && isAgentAction(only) ? only : undefined);
  if (asked !== undefined) return <AgentItems action={asked} editing={editing} />;
  return node.actions.map((action) => (
    <ActionItem key={`${action.kind} ${action.label}`} action={action} editing={editing} onAsk={setAsked} />
  ));
}

function ActionItem({
  action,
  editing,
  onAsk,
}: {
  readonly action: NodeAction;
  readonly editing: Editing;
  readonly onAsk: (action: AgentAction) => void;
}) {
  const icon = ICONS[action.kind];
  switch (action.kind) {
    case "change":
    case "add":
    case "branch":
      return (
        <MenuItem
          icon={icon}
          onSelect={(event) => {
            event.preventDefault();
            onAsk(action);
          }}
        >
          {`${action.label}…`}
        </MenuItem>
      );
    case "earlier":
    case "later":
    case "remove":
      return (
        <MenuItem
          icon={icon}
          keys={KEYS[action.kind]}
          look={action.kind === "remove" ? "danger" : "plain"}
          onSelect={() => editing.onEdit(action.apply())}
        >
          {action.label}
        </MenuItem>
      );
    case "details":
      return (
        editing.onDetails !== undefined && (
          <MenuItem icon={icon} onSelect={() => editing.onDetails?.(action.step)}>
            {action.label}
          </MenuItem>
        )
      );
  }
}

/** The agents to choose from; a field narrows them where there are many. */
function AgentItems({ action, editing }: { readonly action: AgentAction; readonly editing: Editing }) {
  const [text, setText] = useState("");
  const all = useNames("agent");
  const found = useNames("agent", useSettled(text.trim()));
  const offered = found?.names.filter(({ id }) => !action.without.includes(id));
  const list = useRef<HTMLDivElement>(null);
  const isLoaded = all !== undefined;
  // The entry that had the focus is gone: it is in the list now.
  useEffect(() => {
    if (isLoaded) list.current?.querySelector<HTMLElement>("input, [role=menuitem]")?.focus();
  }, [isLoaded]);
  return (
    <div ref={list}>
      <MenuLabel>{action.label}</MenuLabel>
      {all?.hasMore === true && <MenuSearch label="Find agents" text={text} onText={setText} />}
      {offered?.map(({ id, name }) => (
        <MenuItem key={id} onSelect={() => editing.onEdit(action.apply(id))}>
          <Bdi>{name}</Bdi>
        </MenuItem>
      ))}
      {offered?.length === 0 && <p className="px-2 py-1.5 text-ink-2">No agent found</p>}
    </div>
  );
}

function isAgentAction(action: NodeAction | undefined): action is AgentAction {
  return action?.kind === "change" || action?.kind === "add" || action?.kind === "branch";
}
