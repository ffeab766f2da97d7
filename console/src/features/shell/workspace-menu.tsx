import { useNavigate } from "@tanstack/react-router";
import { useAccess, useWorkspace } from "../../api/use-session.ts";
import { findWorkspace, slugOf } from "../../lib/workspaces.ts";
import { SelectIcon } from "../../ui/icons.ts";
import { Logo } from "../../ui/logo.tsx";
import { Menu, MenuChoice, MenuLabel } from "../../ui/menu.tsx";
import { WideTrigger } from "./wide-trigger.tsx";

/** The workspace of this tab, with links to the person's others. */
export function WorkspaceMenu() {
  const { workspaces } = useAccess();
  const workspace = useWorkspace();
  const navigate = useNavigate();

  function choose(id: string): void {
    const next = findWorkspace(workspaces, id);
    if (next !== undefined) void navigate({ to: "/w/$workspace", params: { workspace: slugOf(next) } });
  }

  const trigger = (
    <WideTrigger aria-label={`Workspace ${workspace.name}`}>
      <Logo className="size-7" />
      <span dir="auto" className="min-w-0 flex-1 truncate font-semibold max-lg:hidden">
        {workspace.name}
      </span>
      <SelectIcon className="text-ink-3 max-lg:hidden" />
    </WideTrigger>
  );
  return (
    <Menu trigger={trigger} align="start">
      <MenuLabel>Workspaces</MenuLabel>
      <MenuChoice
        value={workspace.id}
        options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={choose}
      />
    </Menu>
  );
}
