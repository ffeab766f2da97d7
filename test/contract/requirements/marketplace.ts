import type { Requirements } from "./requirement.ts";

/** Agents offered to and installed from the marketplace. */
export const marketplace = {
  "marketplace.description-shown": {
    states: "The marketplace shows an agent's description.",
    source: "contract",
  },
  "marketplace.install.copies": {
    states: "Installing copies the agent into the caller's workspace.",
    source: "decision",
  },
  "marketplace.install.unique-name": {
    states: "A copy with a name that exists in the workspace gets a number at its end.",
    source: "goal",
  },
  "marketplace.install.held-tools": {
    states:
      "A copy has no http_request, a2a_delegate or knowledge_search until a person adds them; the answer names them.",
    source: "goal",
  },
  "marketplace.install.keeps-approvals": {
    states:
      "A copy keeps the publisher's approval rules for held tools, so that they hold when a person adds the tools.",
    source: "goal",
  },
  "marketplace.review.blocks": {
    states:
      "A copy from another workspace starts nothing by any surface until it is confirmed, and nothing that will start it later is stored: 409 says what to do.",
    source: "goal",
  },
  "marketplace.review.confirm": {
    states: "needs_review begins with an agent, and only changes to false; the audit log names who did.",
    source: "goal",
  },
  "marketplace.review.copies": {
    states: "A duplicate of a copy that waits for its review waits too, and so does its import from an export.",
    source: "goal",
  },
  "marketplace.review.own": {
    states: "A copy of the workspace's own agent needs no review.",
    source: "goal",
  },
  "marketplace.install.counts-once": {
    states: "A workspace counts once however often it installs.",
    source: "decision",
  },
  "marketplace.install.answer": {
    states: "The response contains the new count and the new agent's id.",
    source: "decision",
  },
  "marketplace.install.not-offered": {
    states: "An agent that is not listed cannot be installed.",
    source: "decision",
  },
  "marketplace.list.across-workspaces": {
    states: "Agents with is_marketplace are listed to every workspace, other agents to none.",
    source: "goal",
  },
  "marketplace.prompt-hidden": {
    states: "No response contains another workspace's prompt, voice, template, config, ids or own tools.",
    source: "goal",
  },
  "marketplace.list.pages": {
    states: "The list is sorted by newest or by installs and paged without gaps or repeats.",
    source: "decision",
  },
  "marketplace.list.search": {
    states: "The list can be filtered by a text in name or description, and by a marketplace tag.",
    source: "decision",
  },
  "marketplace.install.private": {
    states: "The copy is private, without ids or tools of the publisher's workspace.",
    source: "decision",
  },
  "marketplace.install.concurrent": {
    states: "Concurrent installs of one workspace count once.",
    source: "decision",
  },
  "marketplace.install.needs-member": {
    states: "Installing needs a member; roles that read may view.",
    source: "decision",
  },
  "marketplace.tags": {
    states: "marketplace_tags holds at most 20 tags of 1 to 50 characters, none of them twice.",
    source: "decision",
  },
  "marketplace.database": {
    states: "The database role of requests reaches other workspaces' agents only through the public columns.",
    source: "goal",
  },
  "marketplace.copy.unique-name": {
    states: "A copy with a name that exists in the workspace gets a number.",
    source: "decision",
  },
} as const satisfies Requirements<"marketplace">;
