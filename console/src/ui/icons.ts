import { icon } from "./icon.tsx";

export const CompareIcon = icon("M8 2v12M5.5 4.5h-3v7h3M10.5 4.5h3v7h-3");
export const HomeIcon = icon("M2.5 7.2 8 2.5l5.5 4.7M4 6.2v7.3h8V6.2M6.7 13.5V9.8h2.6v3.7");
export const QuestionsIcon = icon(
  "M2.5 4.2c0-.9.8-1.7 1.7-1.7h7.6c.9 0 1.7.8 1.7 1.7v5.1c0 .9-.8 1.7-1.7 1.7H7.2l-3 2.5V11c-1 0-1.7-.8-1.7-1.7zM6.5 5.6c.1-.8.8-1.2 1.5-1.2.9 0 1.6.5 1.6 1.3 0 1-1.6 1.1-1.6 1.9M8 9.2v0",
);
export const RunsIcon = icon("M2.5 4h2M2.5 8h2M2.5 12h2M7 4h6.5M7 8h4.5M7 12h5.5");
export const SettingsIcon = icon(
  "M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4M8 1.8v1.9M8 12.3v1.9M1.8 8h1.9M12.3 8h1.9M3.6 3.6l1.4 1.4M11 11l1.4 1.4M3.6 12.4 5 11M11 5l1.4-1.4",
);
export const DestinationsIcon = icon(
  "M2.5 8h6M6 5.2 8.8 8 6 10.8M8.5 2.5h3.3c1 0 1.7.8 1.7 1.7v7.6c0 1-.8 1.7-1.7 1.7H8.5",
);
export const SchedulesIcon = icon("M8 13.8A5.8 5.8 0 1 0 8 2.2a5.8 5.8 0 0 0 0 11.6M8 4.8V8l2.2 1.6");
export const TriggersIcon = icon("M8.7 2 3.5 9h4l-.7 5 5.2-7H8z");
export const MarketplaceIcon = icon(
  "M3 6.5v6.3c0 .4.3.7.7.7h8.6c.4 0 .7-.3.7-.7V6.5M2.2 6.2 3.5 2.5h9l1.3 3.7c0 1-.8 1.6-1.8 1.6s-2-.6-2-1.6c0 1-1 1.6-2 1.6s-2-.6-2-1.6c0 1-1 1.6-2 1.6s-1.8-.6-1.8-1.6",
);
export const ProtocolsIcon = icon(
  "M4.5 6.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4M11.5 13.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4M6.5 4.5h3c1 0 2 .8 2 2v3M9.5 11.5h-3c-1 0-2-.8-2-2v-3",
);
export const PlusIcon = icon("M8 3v10M3 8h10");
export const MinusIcon = icon("M3 8h10");
export const GoldenIcon = icon("M8 2.5 9.7 6l3.8.5-2.8 2.7.7 3.8L8 11.2 4.6 13l.7-3.8-2.8-2.7L6.3 6z");
export const ForkIcon = icon("M5 3.5v9M5 7c0 2.5 6 1 6 3.5v2M3.5 3.5h3M9.5 12.5h3");
export const SearchIcon = icon("M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M10.3 10.3l3.2 3.2");
export const CloseIcon = icon("m4 4 8 8M12 4l-8 8");
export const ChevronDownIcon = icon("m4.5 6.3 3.5 3.5 3.5-3.5");
export const ChevronRightIcon = icon("m6.3 4.5 3.5 3.5-3.5 3.5");
export const SelectIcon = icon("m5 6 3-3 3 3M5 10l3 3 3-3");
export const MoreIcon = icon(
  "M3.2 8.4a.4.4 0 1 0 0-.8.4.4 0 0 0 0 .8M8 8.4a.4.4 0 1 0 0-.8.4.4 0 0 0 0 .8M12.8 8.4a.4.4 0 1 0 0-.8.4.4 0 0 0 0 .8",
);
export const LinkIcon = icon(
  "M6.8 9.2a2.5 2.5 0 0 0 3.5 0l2.4-2.4a2.5 2.5 0 0 0-3.5-3.5l-.9.9M9.2 6.8a2.5 2.5 0 0 0-3.5 0L3.3 9.2a2.5 2.5 0 0 0 3.5 3.5l.9-.9",
);
export const SystemIcon = icon(
  "M3.2 3h9.6c.4 0 .7.3.7.7v6.6c0 .4-.3.7-.7.7H3.2c-.4 0-.7-.3-.7-.7V3.7c0-.4.3-.7.7-.7M5.5 13.5h5M8 11v2.5",
);
export const SunIcon = icon(
  "M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.8.8M11.8 11.8l.8.8M3.4 12.6l.8-.8M11.8 4.2l.8-.8",
);
export const MoonIcon = icon("M13 9.6A5.5 5.5 0 0 1 6.4 3a5.5 5.5 0 1 0 6.6 6.6");
export const SignOutIcon = icon(
  "M6.5 13H4.2c-.7 0-1.2-.5-1.2-1.2V4.2C3 3.5 3.5 3 4.2 3h2.3M6.5 8H13M10.5 5.5 13 8l-2.5 2.5",
);
export const CodeIcon = icon("m5 5-3 3 3 3M11 5l3 3-3 3M9.2 3.5l-2.4 9");
export const PauseIcon = icon("M5.5 3.5v9M10.5 3.5v9");
export const StopIcon = icon("M4.5 4.5h7v7h-7z");
export const PlayIcon = icon("M5 3.5v9l7-4.5z");
export const ArrowRightIcon = icon("M3 8h10M9 4l4 4-4 4");
export const AttachIcon = icon(
  "m12.5 7.5-4.8 4.8a2.6 2.6 0 0 1-3.7-3.7l5-5a1.8 1.8 0 0 1 2.5 2.5l-5 5a.9.9 0 0 1-1.3-1.3l4.4-4.3",
);
export const BellIcon = icon("M4 11V7.2a4 4 0 0 1 8 0V11l1 1.2H3zM6.7 14h2.6");
export const KeyboardIcon = icon(
  "M2.7 4h10.6c.4 0 .7.3.7.7v6.6c0 .4-.3.7-.7.7H2.7c-.4 0-.7-.3-.7-.7V4.7c0-.4.3-.7.7-.7M4.5 6.7h0M7 6.7h0M9.5 6.7h0M11.7 6.7h0M5 9.5h6",
);
export const FoldIcon = icon("M2 8h4.2M4.2 6 6.2 8l-2 2M14 8H9.8M11.8 6l-2 2 2 2");
export const DownloadIcon = icon("M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13.2h10");
export const FilesIcon = icon(
  "M4.2 2.5h4.6l3.2 3.2v6.8c0 .6-.4 1-1 1H4.2c-.6 0-1-.4-1-1v-9c0-.6.4-1 1-1M8.7 2.5v3.3H12",
);
export const KnowledgeIcon = icon(
  "M8 4.2C6.8 3.2 5 2.8 2.5 2.8v9.4c2.5 0 4.3.4 5.5 1.4 1.2-1 3-1.4 5.5-1.4V2.8C11 2.8 9.2 3.2 8 4.2M8 4.2v9.4",
);
export const TeamsIcon = icon(
  "M8 7.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4M4.2 13.2c0-2.2 1.7-3.6 3.8-3.6s3.8 1.4 3.8 3.6M3.6 8.2a1.6 1.6 0 0 1 0-3.2M1.2 12.2c0-1.2.6-2.2 1.6-2.7M12.4 8.2a1.6 1.6 0 0 0 0-3.2M14.8 12.2c0-1.2-.6-2.2-1.6-2.7",
);
export const ArrowUpIcon = icon("M8 13V3M4 7l4-4 4 4");
export const UndoIcon = icon("M5.5 3 2.5 6l3 3M2.5 6h7a3.7 3.7 0 0 1 0 7.4H6.5");
export const RedoIcon = icon("m10.5 3 3 3-3 3M13.5 6h-7a3.7 3.7 0 0 0 0 7.4h3");
export const EditIcon = icon("M10.8 2.9 13.1 5.2 5.6 12.7 2.8 13.2 3.3 10.4zM9.3 4.4l2.3 2.3");
export const ArrowDownIcon = icon("M8 3v10M4 9l4 4 4-4");
export const DragIcon = icon("M6 4h.01M6 8h.01M6 12h.01M10 4h.01M10 8h.01M10 12h.01");
export const TrashIcon = icon("M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5M6.8 7v3.5M9.2 7v3.5");
export const AgentsIcon = icon(
  "M4.2 5.5h7.6c.7 0 1.2.5 1.2 1.2v5.1c0 .7-.5 1.2-1.2 1.2H4.2c-.7 0-1.2-.5-1.2-1.2V6.7c0-.7.5-1.2 1.2-1.2M8 5.5V3M6 9v.8M10 9v.8M1.5 8.5v2M14.5 8.5v2",
);
export const AlertsIcon = icon("M4 11.5V7a4 4 0 0 1 8 0v4.5l1.5 1h-11zM6.7 14h2.6M8 3V1.8");
export const UsageIcon = icon("M2.5 13.5h11M4.2 11V8.2M8 11V3M11.8 11V5.8");
export const ToolsIcon = icon(
  "M13.5 4.6 11.2 6.9 9.1 4.8l2.3-2.3a3.6 3.6 0 0 0-4.6 4.6l-4.3 4.3a1.5 1.5 0 0 0 2.1 2.1l4.3-4.3a3.6 3.6 0 0 0 4.6-4.6z",
);
