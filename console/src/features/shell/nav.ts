import {
  AgentsIcon,
  AlertsIcon,
  DestinationsIcon,
  FilesIcon,
  HomeIcon,
  KnowledgeIcon,
  MarketplaceIcon,
  ProtocolsIcon,
  QuestionsIcon,
  RunsIcon,
  SchedulesIcon,
  SettingsIcon,
  SystemIcon,
  TeamsIcon,
  ToolsIcon,
  TriggersIcon,
  UsageIcon,
} from "../../ui/icons.ts";
import type { Icon } from "../../ui/icon.tsx";

/** A screen of the sidebar. */
interface NavItem {
  readonly key: string;
  readonly label: string;
  readonly icon: Icon;
  readonly to: `/w/$workspace${string}`;
  /** The second of the keys `g` and this one. */
  readonly letter?: string;
  /** What it shows, by which the palette finds it, too. */
  readonly shows?: readonly string[];
}

/** The screens, in the order of the sidebar; a group may have a heading. */
export const NAV_GROUPS = [
  {
    heading: null,
    items: [
      { key: "home", label: "Home", icon: HomeIcon, to: "/w/$workspace", letter: "h" },
      { key: "questions", label: "Questions", icon: QuestionsIcon, to: "/w/$workspace/questions", letter: "q" },
      { key: "runs", label: "Runs", icon: RunsIcon, to: "/w/$workspace/runs", letter: "r" },
      { key: "agents", label: "Agents", icon: AgentsIcon, to: "/w/$workspace/agents", letter: "a" },
      { key: "teams", label: "Teams", icon: TeamsIcon, to: "/w/$workspace/teams", letter: "t" },
    ],
  },
  {
    heading: "Build",
    items: [
      { key: "knowledge", label: "Knowledge", icon: KnowledgeIcon, to: "/w/$workspace/knowledge", letter: "k" },
      { key: "tools", label: "Tools", icon: ToolsIcon, to: "/w/$workspace/tools", letter: "o" },
      { key: "files", label: "Files", icon: FilesIcon, to: "/w/$workspace/files" },
      { key: "marketplace", label: "Marketplace", icon: MarketplaceIcon, to: "/w/$workspace/marketplace" },
    ],
  },
  {
    heading: "Connect",
    items: [
      { key: "schedules", label: "Schedules", icon: SchedulesIcon, to: "/w/$workspace/schedules" },
      { key: "triggers", label: "Triggers", icon: TriggersIcon, to: "/w/$workspace/triggers" },
      {
        key: "destinations",
        label: "Destinations",
        icon: DestinationsIcon,
        to: "/w/$workspace/destinations",
        shows: ["routes", "deliveries", "webhooks"],
      },
      { key: "alerts", label: "Alerts", icon: AlertsIcon, to: "/w/$workspace/alerts" },
      {
        key: "protocols",
        label: "A2A & MCP",
        icon: ProtocolsIcon,
        to: "/w/$workspace/protocols",
        shows: ["remote agents", "servers", "published"],
      },
    ],
  },
  {
    heading: null,
    items: [
      {
        key: "usage",
        label: "Usage",
        icon: UsageIcon,
        to: "/w/$workspace/usage",
        letter: "u",
        shows: ["budgets", "costs", "pause new work"],
      },
    ],
  },
] as const satisfies readonly { readonly heading: string | null; readonly items: readonly NavItem[] }[];

/** Shown apart, at the bottom of the sidebar. */
export const SETTINGS_NAV = {
  key: "settings",
  label: "Settings",
  icon: SettingsIcon,
  to: "/w/$workspace/settings",
  letter: "s",
} as const satisfies NavItem;

/** Shown above the settings, to those who operate the instance. */
export const INSTANCE_NAV = {
  key: "instance",
  label: "Instance",
  icon: SystemIcon,
  to: "/w/$workspace/instance",
} as const satisfies NavItem;

type GroupedItem = (typeof NAV_GROUPS)[number]["items"][number];

/** All of them in one list. */
export const NAV = [...NAV_GROUPS.flatMap(({ items }): readonly GroupedItem[] => items), SETTINGS_NAV];

/** An item of the sidebar. */
export type ShownItem = (typeof NAV)[number] | typeof INSTANCE_NAV;

/** The shortcut of the page, as in `g r`; undefined for none. */
export function navKeys(item: ShownItem): string | undefined {
  return "letter" in item ? `g ${item.letter}` : undefined;
}

/** What the screen shows, besides what its label says. */
export function navWords(item: (typeof NAV)[number]): readonly string[] {
  return "shows" in item ? item.shows : [];
}
