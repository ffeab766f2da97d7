import type { Reference } from "../resource-kind.ts";

/** Where rules on approvals name tools and people. */
export function approvalReferences(at: string): readonly Reference[] {
  return [
    { at: `${at}.*.when.tool`, to: "tool" },
    { at: `${at}.*.ask.people.*`, to: "member" },
    { at: `${at}.*.after.*.ask.people.*`, to: "member" },
  ];
}
