import type { components } from "#client/gen/schema.ts";
import {
  AgentsIcon,
  DestinationsIcon,
  FilesIcon,
  KnowledgeIcon,
  ProtocolsIcon,
  RunsIcon,
  SchedulesIcon,
  SettingsIcon,
  TeamsIcon,
  ToolsIcon,
  TriggersIcon,
} from "../../ui/icons.ts";
import type { Icon } from "../../ui/icon.tsx";

type Found = components["schemas"]["FoundRecord"];

/** Where a record of a kind is shown. */
interface RecordScreen {
  readonly heading: string;
  readonly icon: Icon;
  /** The URL inside of the workspace. */
  readonly pathOf: (record: Found) => string;
}

/** The screen of each kind, in the order in which they are shown. */
export const RECORD_SCREENS: Readonly<Record<Found["kind"], RecordScreen>> = {
  run: { heading: "Runs", icon: RunsIcon, pathOf: ({ id }) => `runs/${id}` },
  agent: { heading: "Agents", icon: AgentsIcon, pathOf: ({ id }) => `agents/${id}` },
  team: { heading: "Teams", icon: TeamsIcon, pathOf: ({ id }) => `teams/${id}` },
  knowledge_base: { heading: "Knowledge bases", icon: KnowledgeIcon, pathOf: ({ id }) => `knowledge?base=${id}` },
  document: {
    heading: "Documents",
    icon: KnowledgeIcon,
    pathOf: ({ id, parent_id: base }) => `knowledge?base=${base}&document=${id}`,
  },
  tool: { heading: "Tools", icon: ToolsIcon, pathOf: ({ id }) => `tools?tool=${id}` },
  mcp_server: { heading: "MCP servers", icon: ProtocolsIcon, pathOf: ({ id }) => `protocols?tab=mcp&id=${id}` },
  remote_agent: { heading: "Remote agents", icon: ProtocolsIcon, pathOf: ({ id }) => `protocols?id=${id}` },
  file: { heading: "Files", icon: FilesIcon, pathOf: ({ id }) => `files?file=${id}` },
  schedule: { heading: "Schedules", icon: SchedulesIcon, pathOf: ({ id }) => `schedules/${id}` },
  trigger: { heading: "Triggers", icon: TriggersIcon, pathOf: ({ id }) => `triggers/${id}` },
  route: { heading: "Destinations", icon: DestinationsIcon, pathOf: ({ id }) => `destinations/${id}` },
  voice_profile: { heading: "Voices", icon: SettingsIcon, pathOf: ({ id }) => `settings/voices?open=${id}` },
  output_template: {
    heading: "Output templates",
    icon: SettingsIcon,
    pathOf: ({ id }) => `settings/templates?open=${id}`,
  },
};
