import type { components } from "#client/schema.gen.ts";
import {
  AgentsIcon,
  DestinationsIcon,
  FilesIcon,
  KnowledgeIcon,
  RunsIcon,
  SchedulesIcon,
  TeamsIcon,
  ToolsIcon,
  TriggersIcon,
} from "../../ui/icons.tsx";
import type { Icon } from "../../ui/icons.tsx";

type Found = components["schemas"]["FoundRecord"];

/** Where a record of a kind is shown. */
interface RecordScreen {
  readonly kind: Found["kind"];
  readonly heading: string;
  readonly icon: Icon;
  /** The URL inside of the workspace. */
  readonly pathOf: (record: Found) => string;
}

/** The kinds of records that have a screen, in the order in which they are shown. */
export const RECORD_SCREENS: readonly RecordScreen[] = [
  { kind: "run", heading: "Runs", icon: RunsIcon, pathOf: ({ id }) => `runs/${id}` },
  { kind: "agent", heading: "Agents", icon: AgentsIcon, pathOf: ({ id }) => `agents/${id}` },
  { kind: "team", heading: "Teams", icon: TeamsIcon, pathOf: ({ id }) => `teams/${id}` },
  {
    kind: "knowledge_base",
    heading: "Knowledge bases",
    icon: KnowledgeIcon,
    pathOf: ({ id }) => `knowledge?base=${id}`,
  },
  {
    kind: "document",
    heading: "Documents",
    icon: KnowledgeIcon,
    pathOf: ({ id, parent_id: base }) => `knowledge?base=${base}&document=${id}`,
  },
  { kind: "tool", heading: "Tools", icon: ToolsIcon, pathOf: ({ id }) => `tools?tool=${id}` },
  { kind: "file", heading: "Files", icon: FilesIcon, pathOf: ({ id }) => `files?file=${id}` },
  { kind: "schedule", heading: "Schedules", icon: SchedulesIcon, pathOf: ({ id }) => `schedules/${id}` },
  { kind: "trigger", heading: "Triggers", icon: TriggersIcon, pathOf: ({ id }) => `triggers/${id}` },
  { kind: "route", heading: "Destinations", icon: DestinationsIcon, pathOf: ({ id }) => `destinations/${id}` },
];
