import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import * as Base from "radix-ui/dialog";
import { useState } from "react";
import { useAccess, useWorkspace } from "../../api/use-session.ts";
import { withAlt } from "../../lib/keys.ts";
import { THEMES, chooseTheme } from "../../lib/theme.ts";
import { slugOf } from "../../lib/workspaces.ts";
import { signOut } from "../../api/sign-out.ts";
import { Bdi } from "../../ui/bdi.tsx";
import {
  CodeIcon,
  KeyboardIcon,
  MoonIcon,
  PlusIcon,
  SearchIcon,
  SelectIcon,
  SettingsIcon,
  SignOutIcon,
} from "../../ui/icons.ts";
import { useReturnedFocus } from "../../ui/return-focus.ts";
import { SETTINGS_TABS } from "../settings/tabs.ts";
import { useDialogs } from "../../ui/dialogs.tsx";
import { FoundRecords } from "./found-records.tsx";
import { Group, Item } from "./items.tsx";
import { NEW_RECORDS } from "./new-records.ts";
import { PAUSE_LABELS, PauseItem } from "./pause-item.tsx";
import { NAME_END, rank } from "./rank.ts";
import { readScreenActions } from "./screen-actions.ts";
import { useFirstSelected } from "./use-first-selected.ts";
import { INSTANCE_NAV, NAV, navKeys, navWords } from "../shell/nav.ts";
import { useIsOperator } from "../workspace/queries.ts";

const NEW_TASK = "New task";

/** Whether a group below has an action of this name, too. */
function isListed(label: string, text: string): boolean {
  if (label === NEW_TASK) return true;
  return text !== "" && (PAUSE_LABELS.includes(label) || NEW_RECORDS.some((record) => record.label === label));
}

/** The command palette: navigation and actions of every screen; a pasted id opens its record. @param begin its first text */
export default function Palette({ begin, onClose }: { readonly begin: string; readonly onClose: () => void }) {
  const [text, setText] = useState(begin);
  const giveBack = useReturnedFocus(true);
  const { listRef, value, onValueChange, onText, onKey, onPointerMove } = useFirstSelected();

  function then(act: () => unknown): () => void {
    return () => {
      onClose();
      act();
    };
  }

  return (
    <Base.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
        <Base.Content
          aria-describedby={undefined}
          onCloseAutoFocus={giveBack}
          className="dialog inset-x-4 max-w-[35rem] overflow-hidden"
        >
          <Base.Title className="sr-only">Search and go</Base.Title>
          <Command
            label="Search and go"
            loop
            vimBindings={false}
            filter={rank}
            value={value}
            onValueChange={onValueChange}
            onKeyDown={({ key }) => onKey(key)}
            onPointerMove={onPointerMove}
          >
            <div className="flex h-12 items-center gap-2.5 border-b border-line px-4">
              <SearchIcon className="text-ink-3" />
              <Command.Input
                value={text}
                onValueChange={(next) => {
                  onText();
                  setText(next);
                }}
                placeholder="Find by name, title or id, go to a screen, or do something"
                className="h-full flex-1 bg-transparent text-h3 outline-none"
              />
            </div>
            <Command.List ref={listRef} className="max-h-[50vh] overflow-y-auto p-2">
              <Command.Empty className="px-3 py-8 text-center text-ink-2">Nothing matches.</Command.Empty>
              <FoundRecords text={text} onOpen={onClose} />
              <HereGroup text={text} then={then} />
              <PlaceGroup text={text} then={then} />
              <DoGroup text={text} then={then} />
            </Command.List>
          </Command>
        </Base.Content>
      </Base.Portal>
    </Base.Root>
  );
}

interface GroupProps {
  readonly text: string;
  /** Closes the palette, and then does something. */
  readonly then: (act: () => unknown) => () => void;
}

/** What the screen itself offers. */
function HereGroup({ text, then }: GroupProps) {
  const [screenActions] = useState(readScreenActions);
  const actions = screenActions.filter(({ label }) => !isListed(label, text));
  if (actions.length === 0) return null;
  return (
    <Group isFlat={text !== ""} heading="On this screen">
      {actions.map(({ label, press }) => (
        <Item key={label} icon={SelectIcon} value={`${label}${NAME_END}here`} onSelect={then(press)}>
          {label}
        </Item>
      ))}
    </Group>
  );
}

function PlaceGroup({ text, then }: GroupProps) {
  const { slug } = useWorkspace();
  const isOperator = useIsOperator();
  const navigate = useNavigate();
  return (
    <Group isFlat={text !== ""} heading="Go to">
      {NAV.map((item) => (
        <Item
          key={item.key}
          icon={item.icon}
          keys={navKeys(item)}
          keywords={navWords(item)}
          onSelect={then(() => void navigate({ to: item.to, params: { workspace: slug } }))}
        >
          {item.label}
        </Item>
      ))}
      {isOperator === true && (
        <Item
          icon={INSTANCE_NAV.icon}
          keywords={["processes", "queues", "log level", "plans"]}
          onSelect={then(() => void navigate({ to: INSTANCE_NAV.to, params: { workspace: slug } }))}
        >
          {INSTANCE_NAV.label}
        </Item>
      )}
      {text !== "" &&
        SETTINGS_TABS.map(({ key, label, to }) => (
          <Item key={key} icon={SettingsIcon} onSelect={then(() => void navigate({ to, params: { workspace: slug } }))}>
            {`Settings: ${label}`}
          </Item>
        ))}
    </Group>
  );
}

function DoGroup({ text, then }: GroupProps) {
  const { slug } = useWorkspace();
  const navigate = useNavigate();
  const { open } = useDialogs();
  return (
    <Group isFlat={text !== ""} heading="Do">
      <Item
        icon={PlusIcon}
        keys="c"
        onSelect={then(() => void navigate({ to: ".", search: (before) => ({ ...before, new: "task" as const }) }))}
      >
        {NEW_TASK}
      </Item>
      {text !== "" &&
        NEW_RECORDS.map(({ label, path }) => (
          <Item key={label} icon={PlusIcon} onSelect={then(() => void navigate({ href: `/w/${slug}/${path}` }))}>
            {label}
          </Item>
        ))}
      {text !== "" && <PauseItem then={then} />}
      <Item icon={CodeIcon} keys={withAlt("A")} onSelect={then(() => open("api"))}>
        Show this screen by the API
      </Item>
      <Item icon={KeyboardIcon} keys="?" onSelect={then(() => open("keys"))}>
        Show all keys
      </Item>
      {THEMES.map((theme) => (
        <Item key={theme} icon={MoonIcon} onSelect={then(() => chooseTheme(theme))}>
          {`Use the ${theme} theme`}
        </Item>
      ))}
      <WorkspaceItems then={then} />
      <Item icon={SignOutIcon} onSelect={then(() => void signOut())}>
        Sign out
      </Item>
    </Group>
  );
}

function WorkspaceItems({ then }: Pick<GroupProps, "then">) {
  const { workspaces } = useAccess();
  const { id: here } = useWorkspace();
  const navigate = useNavigate();
  const others = workspaces.filter(({ id }) => id !== here);
  return others.map((workspace) => (
    <Item
      key={workspace.id}
      icon={SelectIcon}
      value={`Switch to ${workspace.name} ${workspace.id}`}
      onSelect={then(() => void navigate({ to: "/w/$workspace", params: { workspace: slugOf(workspace) } }))}
    >
      Switch to <Bdi>{workspace.name}</Bdi>
    </Item>
  ));
}
