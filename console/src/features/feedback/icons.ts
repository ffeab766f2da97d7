import { icon } from "../../ui/icon.tsx";

export const NoteIcon = icon("M3.5 2.5h9v11h-9zM6 6h4M6 9h4");
export const ThumbUpIcon = icon(
  "M5 7 7.6 2.5c1 0 1.7.8 1.5 1.8L8.7 6.4h3.6c.9 0 1.5.8 1.3 1.7l-1 4.2c-.2.7-.7 1.1-1.4 1.1H5M5 7v6.4H2.5V7z",
);
export const ThumbDownIcon = icon(
  "M11 9 8.4 13.5c-1 0-1.7-.8-1.5-1.8l.4-2.1H3.7c-.9 0-1.5-.8-1.3-1.7l1-4.2c.2-.7.7-1.1 1.4-1.1H11M11 9V2.6h2.5V9z",
);
