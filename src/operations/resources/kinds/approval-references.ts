import type { Reference } from "../resource-kind.ts";

/** Where rules on approvals name tools, people and routes. */
export function approvalReferences(at: string): readonly Reference[] {
  return [
    { at: `${at}.*.when.tool`, to: "tool" },
    ...[`${at}.*.ask`, `${at}.*.after.*.ask`].flatMap((ask): Reference[] => [
      { at: `${ask}.people.*`, to: "member" },
      { at: `${ask}.channel`, to: "route" },
    ]),
  ];
}
