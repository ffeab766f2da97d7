import { FLOORS } from "../test/support/checks/rooms.ts";
import { withTable } from "./with-table.ts";

/** ARCHITECTURE.md with its table of rooms brought up to date. @throws Error for a page without one. */
export function withRoomsTable(page: string): string {
  const rows = FLOORS.map(({ folder, rooms }) => [
    `\`${folder}\``,
    [...new Set(rooms.map((room) => room.replace(/\.tsx?$/, "")))].join(", "),
  ]);
  return withTable(page, { header: ["Layer", "Rooms, from the ground up"], rows });
}
