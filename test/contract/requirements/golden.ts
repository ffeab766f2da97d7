import type { Requirements } from "./requirement.ts";

/** Golden runs: kept runs whose results later versions of an agent are held to. */
export const golden = {
  "golden.keep": {
    states:
      "Keeping an ended task as golden stores its input, the results of its tools by tool and arguments, its result and what people said of it; it expects the newest correction, else the result.",
    source: "goal",
  },
  "golden.keep.refused": {
    states:
      "A run that is no ended task of an agent, has neither result nor correction, is kept already or exceeds the maximum is rejected in one sentence.",
    source: "goal",
  },
  "golden.run": {
    states:
      "A golden run tries an agent, a version, another model or changes on all cases, with tools answered from the record: no tool is called.",
    source: "goal",
  },
  "golden.run.diverged": {
    states:
      "A call or a question that the record does not answer ends the case as diverged; nothing is called and nobody asked.",
    source: "goal",
  },
  "golden.run.refused": {
    states: "A golden run of an unknown agent or version, or without cases, is rejected in one sentence.",
    source: "goal",
  },
  "golden.run.apart": {
    states:
      "Runs of golden cases count as usage, and are marked: they are in no statistics of runs, and cause no delivery; lists show them when asked.",
    source: "goal",
  },
  "golden.run.concurrent": {
    states:
      "Two golden runs of an agent at once have the same results as one after the other; 50 cases take less than 60 seconds.",
    source: "goal",
  },
  "golden.run.durable": {
    states: "A golden run continues after its process was killed, and no case is counted twice.",
    source: "goal",
  },
  "golden.run.cancel": {
    states:
      "Cancelling a golden run ends its cases; a result that is there is never replaced, not by running the task again.",
    source: "goal",
  },
  "golden.checks": {
    states:
      "Cases are checked by exact text, text that is contained, patterns in linear time, JSON Schema, numbers within a distance, tools called, cost and time.",
    source: "goal",
  },
  "golden.judge": {
    states:
      "A judge votes by a rubric, without tools and in a bounded number of calls; its votes are recorded, more than half decide, and a judge that fails or loops does not pass.",
    source: "goal",
  },
  "golden.cli": {
    states:
      "muster golden keeps, tries, gates and publishes; a golden run ends with exit code 1 unless all cases passed, and writes JUnit XML and JSON.",
    source: "goal",
  },
  "golden.console": {
    states:
      "The console keeps a run as golden, and an agent's tab tries versions, shows results before and after, publishes a version and sets the gate.",
    source: "goal",
  },
  "golden.console.gate": {
    states:
      "Unsaved changes that an agent's gate refuses are tried on its golden cases from the form, and published from the result, by admins also without meeting the gate, with a reason.",
    source: "goal",
  },
  "golden.console.case": {
    states:
      "The console edits what a golden case expects and all types of its checks, keeps a draft, and shows the server's issues at the fields.",
    source: "goal",
  },
  "golden.sets": {
    states:
      "All runs of an agent that match the filters of the list of runs are kept at once, as those that failed and were corrected; what cannot be kept is listed with the reason.",
    source: "goal",
  },
  "golden.gate": {
    states:
      "An agent's gate holds back every change of its versions and publications, on every surface, until a golden run of these very fields has passed all or a number of its cases.",
    source: "goal",
  },
  "golden.gate.admin": {
    states: "Only admins set a gate, or publish without meeting it, with a reason that the audit log records.",
    source: "goal",
  },
} as const satisfies Requirements<"golden">;
