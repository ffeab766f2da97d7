import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useAccess, useWorkspace } from "../../api/use-session.ts";
import { chooseDensity, useDensity } from "../../lib/density.ts";
import { THEMES, chooseTheme, chosenTheme } from "../../lib/theme.ts";
import type { Theme } from "../../lib/theme.ts";
import { chosenTimes, storeTimes } from "../../lib/times.ts";
import type { Times } from "../../lib/times.ts";
import { signOut } from "../../api/sign-out.ts";
import { BellIcon, KeyboardIcon, MoonIcon, SettingsIcon, SignOutIcon, SunIcon, SystemIcon } from "../../ui/icons.ts";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from "../../ui/menu.tsx";
import { showToast } from "../../ui/messages.ts";
import { useDialogs } from "../../ui/dialogs.tsx";
import { useServiceOptions } from "../accounts/options.ts";
import { CAN_NOTIFY, setNotifies, useNotifies } from "../live/notifier.ts";
import { WideTrigger } from "./wide-trigger.tsx";

const THEME_LOOKS = {
  system: { label: "Match system", icon: SystemIcon },
  light: { label: "Light", icon: SunIcon },
  dark: { label: "Dark", icon: MoonIcon },
} as const;

const DENSITY_LABELS = [
  { value: "comfortable", label: "Comfortable" },
  { value: "compact", label: "Compact" },
] as const;

const TIMES_LABELS = [
  { value: "local", label: "Local time" },
  { value: "utc", label: "UTC" },
] as const;

/** Who is signed in, and what belongs to them alone. */
export function PersonMenu() {
  const { user, role } = useAccess();
  const trigger = (
    <WideTrigger>
      <Initials className="size-7 bg-raised text-small text-ink-2" />
      <span className="min-w-0 flex-1 max-lg:sr-only">
        <span dir="auto" className="block truncate leading-4 font-medium">
          {user.name}
        </span>
        <span className="block truncate text-caption text-ink-3 first-letter:uppercase">{role}</span>
      </span>
    </WideTrigger>
  );
  return (
    <Menu trigger={trigger} align="start">
      <PersonItems />
    </Menu>
  );
}

/** The same in the bar of a phone. @param className of its other items */
export function PersonInBar({ className }: { readonly className: string }) {
  const trigger = (
    <button type="button" className={className}>
      <Initials className="size-5 bg-ink-2 text-[0.5625rem] text-canvas" />
      You
    </button>
  );
  return (
    <Menu trigger={trigger} align="end">
      <PersonItems />
    </Menu>
  );
}

function Initials({ className }: { readonly className: string }) {
  const { user } = useAccess();
  return (
    <span
      aria-hidden="true"
      className={`flex shrink-0 items-center justify-center rounded-full font-semibold ${className}`}
    >
      {initialsOf(user.name)}
    </span>
  );
}

function PersonItems() {
  const { user } = useAccess();
  const { open } = useDialogs();
  const navigate = useNavigate();
  const { slug } = useWorkspace();
  const [theme, setTheme] = useState(chosenTheme);
  const density = useDensity();
  function choose(next: Theme): void {
    chooseTheme(next);
    setTheme(next);
  }
  const notifies = useNotifies();
  async function toggle(): Promise<void> {
    const isOn = await setNotifies(!notifies);
    if (isOn) showToast("Notifications are on. They appear while this page is in the background.");
    else
      showToast(notifies ? "Notifications are off." : "The browser blocks notifications. Allow them in its settings.");
  }
  return (
    <>
      <MenuLabel>{user.email}</MenuLabel>
      <MenuSeparator />
      <MenuLabel>Theme</MenuLabel>
      <MenuChoice value={theme} options={THEMES.map((value) => ({ value, ...THEME_LOOKS[value] }))} onChange={choose} />
      <MenuSeparator />
      <MenuLabel>List density</MenuLabel>
      <MenuChoice value={density} options={DENSITY_LABELS} onChange={chooseDensity} />
      <MenuSeparator />
      <MenuLabel>Times</MenuLabel>
      <MenuChoice value={chosenTimes()} options={TIMES_LABELS} onChange={chooseTimes} />
      <MenuSeparator />
      {CAN_NOTIFY && (
        <MenuItem icon={BellIcon} onSelect={() => void toggle()}>
          {notifies ? "Turn off notifications" : "Notify me of questions"}
        </MenuItem>
      )}
      <MenuItem
        icon={SettingsIcon}
        onSelect={() => void navigate({ to: "/w/$workspace/settings/profile", params: { workspace: slug } })}
      >
        Profile and sessions
      </MenuItem>
      <MenuItem icon={KeyboardIcon} keys="?" onSelect={() => open("keys")}>
        Keyboard
      </MenuItem>
      <MenuItem icon={SignOutIcon} onSelect={() => void signOut()}>
        Sign out
      </MenuItem>
      <Version />
    </>
  );
}

/** What to name in a report of a fault: the release and its commit. */
function Version() {
  const { data } = useServiceOptions();
  return data && <MenuLabel>Muster {data.version}</MenuLabel>;
}

/** The page is loaded again: its URL holds its state. */
function chooseTimes(times: Times): void {
  storeTimes(times);
  location.reload();
}

function initialsOf(name: string): string {
  const words = name.split(/[\s@.]+/).filter((word) => word !== "");
  return words
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0).toUpperCase())
    .join("");
}
