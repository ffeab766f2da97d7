import type { Requirements } from "./requirement.ts";

/** Pages of agents: what visitors without an account can do there, and what they never see. */
export const agentPages = {
  "agent-pages.off": {
    states:
      "The page of an agent is off until an admin switches it on; an unknown page, one that is off, an agent that is paused or deleted: each says so in a sentence.",
    source: "goal",
  },
  "agent-pages.slug": {
    states:
      "A slug is unique in the instance; reserved and invalid ones, and a second page of an agent, are rejected with the reason.",
    source: "goal",
  },
  "agent-pages.visit": {
    states:
      "A visitor without an account talks to the agent over AG-UI: the answer streams, goes on after Last-Event-ID without a lost or repeated word, and stops; the run is one of the agent's, and names the page as its source.",
    source: "goal",
  },
  "agent-pages.private": {
    states:
      "No visitor reads, continues or stops another's conversation, and no key reads it by its id; the database has only the hash of a visitor's token.",
    source: "goal",
  },
  "agent-pages.hidden": {
    states:
      "A visitor's stream has what the agent says and asks the visitor: no tool call, argument or result, thought, step, cost, prompt, model, cause of a failure, or id of the run.",
    source: "goal",
  },
  "agent-pages.questions": {
    states:
      "A visitor answers what the agent asks in the conversation; approvals stay with the workspace's people, and the visitor is told that others decide.",
    source: "goal",
  },
  "agent-pages.limits": {
    states:
      "Messages are limited by visitor, network address and page, in a minute and in a day, over all processes; a rejected one counts for nothing, and says when the next is possible. Texts and files have a most size.",
    source: "goal",
  },
  "agent-pages.budget": {
    states: "The runs of a page never cost more than its budgets of a day and a month; a used-up budget is a sentence.",
    source: "goal",
  },
  "agent-pages.code": {
    states:
      "A page may need a code, of which a hash is stored; wrong ones are limited, and a new code sends away who entered the old one, who then comes back to the own conversations.",
    source: "goal",
  },
  "agent-pages.revoke": {
    states:
      "Switching a page off, ending all visits and deleting the page take effect at once, also for open streams; the audit log has each change, and never the code.",
    source: "goal",
  },
  "agent-pages.frame": {
    states:
      "Only sites of the listed origins show a page in a frame, and no script of another site uses it; no page sets a cookie.",
    source: "goal",
  },
  "agent-pages.page": {
    states:
      "On the page a visitor chats, attaches files, answers questions, stops, and finds earlier conversations, which the browser keeps; it fits 360 px and frames, has no violation of WCAG 2.2 AA in either theme, and loads less than 100 kB of scripts.",
    source: "goal",
  },
  "agent-pages.crash": {
    states: "A reload, a lost connection and a killed process during an answer lose and repeat no word on the page.",
    source: "goal",
  },
  "agent-pages.console": {
    states:
      "An admin makes, changes, switches and deletes the page of an agent in the console, with the address and the frame to copy.",
    source: "goal",
  },
  "agent-pages.cli": {
    states: "`muster pages` lists, makes, shows, changes, switches, rotates and deletes pages.",
    source: "goal",
  },
} as const satisfies Requirements<"agent-pages">;
