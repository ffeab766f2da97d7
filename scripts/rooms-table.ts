import { FLOORS } from "../test/support/checks/rooms.ts";

const HEADER = ["Layer", "Rooms, from the ground up"] as const;
const TABLE = /^\| Layer +\| Rooms, from the ground up +\|\n(?:\|.*\n)+/m;

/** ARCHITECTURE.md with its table of rooms brought up to date. @throws Error for a page without one. */
export function withRoomsTable(page: string): string {
  if (!TABLE.test(page)) throw new Error("ARCHITECTURE.md has lost its table of rooms.");
  const rows = FLOORS.map(({ folder, rooms }) => [
    `\`${folder}\``,
    [...new Set(rooms.map((room) => room.replace(/\.tsx?$/, "")))].join(", "),
  ]);
  const widths = HEADER.map((title, column) =>
    Math.max(...[HEADER, ...rows].map((row) => (row[column] ?? title).length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |\n`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |\n`;
  return page.replace(TABLE, () => line(HEADER) + rule + rows.map(line).join(""));
}
