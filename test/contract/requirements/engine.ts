import type { Requirements } from "./requirement.ts";

/** The durable engine: what survives crashes, retries, cancelling and recovery. */
export const engine = {
  "engine.announcements.gathered": {
    states: "What a process tells another about logs within 20 ms is one notification, with the events themselves.",
    source: "goal",
  },
  "engine.announcements.quiet": {
    states: "Readers of quiet logs cost each process one notification in 5 s, however many they are.",
    source: "goal",
  },
  "engine.log.bounded": {
    states: "The events of one attempt are bounded in number and bytes; beyond them it fails with a clear text.",
    source: "goal",
  },
  "engine.log.packed": {
    states: "The log of a closed attempt is packed, and its streams stay byte for byte what they were.",
    source: "goal",
  },
  "engine.log.packed-size": { states: "A closed run of 500 chunks is stored in 12 KB.", source: "goal" },
  "engine.log.short-not-packed": {
    states: "The log of a short attempt is not packed, which would write more than it saves.",
    source: "goal",
  },
  "engine.log.packed-once": {
    states: "Several processes pack at the same time, a long log in parts; every event stays once under its number.",
    source: "goal",
  },
  "engine.log.packed-retention": {
    states: "Packed logs are deleted with their task, and when their events are older than the retention time.",
    source: "goal",
  },
  "engine.atomic-dispatch": {
    states: "A task's row and its work are committed together: neither exists without the other.",
    source: "goal",
  },
  "engine.text.storable": {
    states:
      "U+0000 and halves of surrogate pairs in what a model or its provider says become U+FFFD; the run continues, whatever the ids of its calls are.",
    source: "goal",
  },
  "engine.loop.tools": {
    states: "A tool call of the model is executed and its result goes back to the model until it answers with text.",
    source: "goal",
  },
  "engine.loop.several-tools": {
    states: "Several tool calls of one answer are all executed.",
    source: "goal",
  },
  "engine.loop.unknown-tool": {
    states: "A call of a tool that the agent does not have goes back to the model as an error, and the run continues.",
    source: "goal",
  },
  "engine.loop.bad-arguments": {
    states: "Arguments that do not fit the tool's schema go back to the model as an error.",
    source: "goal",
  },
  "engine.loop.tool-error": {
    states: "A tool that fails goes back to the model as an error, and the run continues.",
    source: "goal",
  },
  "engine.loop.turn-limit": {
    states: "A model that never stops calling tools fails the task with a message that names the limit.",
    source: "goal",
  },
  "engine.loop.last-turn-notice": {
    states: "The model is warned once before the last call that its run may make.",
    source: "goal",
  },
  "engine.loop.repeats": {
    states:
      "The same tool call with the same arguments, asked for too often, warns the model once and then fails the run.",
    source: "goal",
  },
  "engine.task-timeout": {
    states: "A run that takes longer than the setting allows is aborted and fails.",
    source: "goal",
  },
  "engine.resume.at-last-step": {
    states: "A run whose process died continues after its last finished step.",
    source: "decision",
  },
  "engine.resume.kill-at-each-step": {
    states: "A run of five steps killed with SIGKILL in any of them completes after a restart.",
    source: "goal",
  },
  "engine.resume.paid-once": {
    states: "A finished model or tool call is never made again.",
    source: "decision",
  },
  "engine.resume.stream-once": {
    states: "A client that reconnects after the crash sees every event once.",
    source: "goal",
  },
  "engine.resume.partial-answer": {
    states: "Text of a model call that was cut by the crash is not doubled in the result.",
    source: "goal",
  },
  "engine.resume.other-process": {
    states: "Of two processes on one database the other takes over the runs of one that was killed.",
    source: "goal",
  },
  "engine.resume.crash-loop": {
    states:
      "A run during which alone the process died three times, or which three times does not get behind its last step, fails with crash_loop.",
    source: "decision",
  },
  "engine.cancel.aborts-model-call": {
    states: "Cancelling aborts the provider's request.",
    source: "decision",
  },
  "engine.cancel.aborts-tools": { states: "Cancelling aborts running tools.", source: "decision" },
  "engine.cancel.aborts-remote": {
    states: "Cancelling aborts calls of remote agents.",
    source: "decision",
  },
  "engine.cancel.aborts-child-runs": {
    states: "Cancelling aborts child runs.",
    source: "decision",
  },
  "engine.cancel.across-processes": {
    states: "Cancelling reaches a run on another process.",
    source: "decision",
  },
  "engine.notices.silent-network": {
    states:
      "A process whose listening connection the network has dropped without a word learns of it and connects again.",
    source: "goal",
  },
  "engine.cancel.notice-lost": {
    states: "A cancel reaches a run even when the notification of it was lost.",
    source: "goal",
  },
  "engine.cancel.dispatched": {
    states: "A task cancelled before it started never calls the provider.",
    source: "goal",
  },
  "engine.cancel.after-restart": {
    states: "A task cancelled while its process was down does not run on.",
    source: "goal",
  },
  "engine.queue.fair": {
    states: "One workspace with many tasks does not keep another's task waiting behind them.",
    source: "goal",
  },
  "engine.queue.priority": {
    states: "Of waiting tasks of a workspace the one of higher priority starts first.",
    source: "goal",
  },
  "engine.queue.concurrency": {
    states: "A process runs no more tasks at once than its setting allows.",
    source: "goal",
  },
  "engine.queue.started-at-creation": {
    states: "the transaction that creates a task and claims its job also starts the run and opens its log",
    source: "goal",
  },
  "engine.queue.claimed-at-creation": {
    states:
      "a process with a free slot claims a job in the transaction that creates it; a rolled-back one keeps no slot",
    source: "goal",
  },
  "engine.queue.place-given-on": {
    states: "The place of a run that ends goes to the next one that waits, without a look at the queue.",
    source: "goal",
  },
  "engine.queue.lost-claim": {
    states: "A run that a process has claimed over a connection that broke before the answer is run all the same.",
    source: "goal",
  },
  "engine.queue.dead-thief": {
    states: "A run that was taken from a living process by an execution that then died is not lost.",
    source: "goal",
  },
  "engine.outage.nobody-robbed": {
    states: "When the database was away no process takes over the runs of others that live.",
    source: "goal",
  },
  "engine.takeover.living": {
    states: "A process that is heard again before its runs are taken over keeps them, and knows when they were taken.",
    source: "goal",
  },
  "engine.end.unwritten": {
    states: "A run whose end could not be written, for whatever reason, is done again behind its last finished step.",
    source: "goal",
  },
  "engine.writes.together": {
    states: "the last step of a run, its usage, its last events and its end are written by one transaction",
    source: "goal",
  },
  "engine.writes.apart": {
    states: "a lock that somebody holds on one task's row holds up no other run",
    source: "goal",
  },
  "engine.locks.ordered": {
    states:
      "What many runs write together locks them in one order: who cancels several of them is not brought to a stop.",
    source: "goal",
  },
  "engine.jobs.one-owner": {
    states: "A job has at most one owner at any time: no two processes act on it on the strength of their leases.",
    source: "goal",
  },
  "engine.jobs.end": {
    states: "Whatever happens to the processes, every job ends once some process can work.",
    source: "goal",
  },
  "engine.takeover.found": {
    states: "The death of a process is found within 10 s, also when the keeper dies with it.",
    source: "goal",
  },
  "engine.clocks.none": {
    states: "No clock of a host or of the database takes part in judging who is alive or who owns a run.",
    source: "goal",
  },
  "engine.crash-loop.guilty-only": {
    states: "Of many runs and one that ends its process each time, that one alone fails with crash_loop.",
    source: "goal",
  },
  "engine.fencing": {
    states: "A process that lost a run writes neither events nor an outcome of it any more.",
    source: "goal",
  },
  "engine.chaos.nothing-lost": {
    states:
      "Whatever happens to processes, database and provider, all work that was accepted is there once and comes to its end.",
    source: "goal",
  },
  "engine.chaos.paid-once": {
    states: "A model call whose answer is stored is never made again, however often processes die.",
    source: "goal",
  },
  "engine.chaos.streams": {
    states: "Readers that are cut off and come back at any process get exactly the log, whatever happens meanwhile.",
    source: "goal",
  },
  "engine.chaos.ends-stay": {
    states: "A task or run that has ended stays as it is.",
    source: "goal",
  },
  "engine.chaos.processes-stay-up": {
    states: "No process ends because of a broken database connection or a provider's answer.",
    source: "goal",
  },
  "engine.statements.pipelined": {
    states: "A read within a workspace is one round trip: nothing of its transaction waits for an answer.",
    source: "goal",
  },
  "engine.statements.kept": {
    states: "A statement counts as done when PostgreSQL keeps what it did, not when it has executed it.",
    source: "goal",
  },
  "engine.isolation": {
    states: "A run only reaches what belongs to its workspace.",
    source: "goal",
  },
} as const satisfies Requirements<"engine">;
