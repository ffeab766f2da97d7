import type { Requirements } from "./requirement.ts";

/** The durable engine: what survives crashes, retries, cancelling and recovery. */
export const engine = {
  "engine.announcements.gathered": {
    states: "A process announces the log changes of 20 ms in one notification, with the events themselves.",
    source: "goal",
  },
  "engine.announcements.quiet": {
    states: "Readers of quiet logs cost each process one notification in 5 s, whatever their number.",
    source: "goal",
  },
  "engine.log.bounded": {
    states:
      "The events of one attempt are limited in number and bytes; beyond the limits the attempt fails with a clear message.",
    source: "goal",
  },
  "engine.writes.linear": {
    states: "What a write of a run costs the database does not depend on how many others share its batch.",
    source: "goal",
  },
  "engine.floods.not-read": {
    states: "A provider is not read while more than 1 MiB of its run's text is unwritten.",
    source: "goal",
  },
  "engine.log.packed": {
    states: "The log of a closed attempt is packed; its streams stay byte-identical.",
    source: "goal",
  },
  "engine.log.packed-size": { states: "A closed run of 500 chunks is stored in 12 KB.", source: "goal" },
  "engine.log.short-not-packed": {
    states: "The log of a short attempt is not packed, because that would write more than it saves.",
    source: "goal",
  },
  "engine.log.packed-once": {
    states: "Several processes pack concurrently, a long log in parts; every event is stored once under its number.",
    source: "goal",
  },
  "engine.log.packed-retention": {
    states: "Packed logs are deleted with their task, and when their events exceed the retention time.",
    source: "goal",
  },
  "engine.retention.stream-ends": {
    states: "The stream of a run whose events are deleted has its first and last event, with the result or the error.",
    source: "goal",
  },
  "engine.retention.runs": {
    states:
      "Ended runs that are older than RETENTION_TASKS_DAYS are deleted with all that belongs to them, by one process at a time; usage stays, and so does a run with a fork in progress.",
    source: "goal",
  },
  "engine.retention.workspace": {
    states: "A workspace may keep ended runs for fewer days than the instance; other workspaces are not touched.",
    source: "goal",
  },
  "engine.partitions.placed": {
    states:
      "Events and steps are in the partition of the week in which their run began; those of any other id have one, too.",
    source: "goal",
  },
  "engine.partitions.ahead": {
    states: "Partitions are made two weeks ahead, also by two processes at once; rows that came before move to theirs.",
    source: "goal",
  },
  "engine.partitions.dropped": {
    states:
      "A partition is dropped when all of its runs have ended and are past RETENTION_DAYS, and not before; runs, usage and sums stay.",
    source: "goal",
  },
  "engine.partitions.locks": {
    states: "A partition that is being read is left for the next pass; nobody waits for its end.",
    source: "goal",
  },
  "engine.partitions.workspaces": {
    states: "A deleted workspace takes no row of another one with it, in whichever partition it is.",
    source: "goal",
  },
  "engine.retention.stops": {
    states: "A process that stops deletes at most one more batch of expired rows.",
    source: "goal",
  },
  "engine.atomic-dispatch": {
    states: "A task's row and its job are committed together; neither exists without the other.",
    source: "goal",
  },
  "engine.text.storable": {
    states:
      "U+0000 and unpaired surrogates in a provider's output become U+FFFD, and the run continues. The ids of its calls may be any text.",
    source: "goal",
  },
  "engine.loop.tools": {
    states:
      "The service executes the model's tool calls and returns their results to the model until it replies with text.",
    source: "goal",
  },
  "engine.loop.several-tools": {
    states: "All tool calls of one reply are executed.",
    source: "goal",
  },
  "engine.loop.unknown-tool": {
    states: "A call of a tool that the agent does not have returns an error to the model, and the run continues.",
    source: "goal",
  },
  "engine.loop.bad-arguments": {
    states: "Arguments that do not fit the tool's schema return an error to the model.",
    source: "goal",
  },
  "engine.loop.tool-error": {
    states: "A failed tool call returns an error to the model, and the run continues.",
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
    states: "Repeated tool calls with the same arguments first warn the model, and then fail the run.",
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
    states: "A finished model or tool call is never repeated.",
    source: "decision",
  },
  "engine.resume.stream-once": {
    states: "A client that reconnects after a crash or an outage of the database sees every event once.",
    source: "goal",
  },
  "engine.resume.partial-answer": {
    states: "Text of a model call that a crash interrupted is not repeated in the result.",
    source: "goal",
  },
  "engine.resume.other-process": {
    states: "When a process is killed, another process on the database takes over its runs.",
    source: "goal",
  },
  "engine.resume.crash-loop": {
    states:
      "A run fails with crash_loop when its quarantine process dies twice while it runs nothing else, or when its execution fails three times.",
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
    states: "A process detects a silently dropped listening connection and reconnects.",
    source: "goal",
  },
  "engine.cancel.notice-lost": {
    states: "A cancel reaches a run even when its notification is lost.",
    source: "goal",
  },
  "engine.cancel.dispatched": {
    states: "A task that is cancelled before it starts never calls the provider.",
    source: "goal",
  },
  "engine.cancel.after-restart": {
    states: "A task that is cancelled while its process is down does not continue.",
    source: "goal",
  },
  "engine.queue.fair": {
    states: "A workspace with many tasks does not delay another workspace's task.",
    source: "goal",
  },
  "engine.queue.priority": {
    states: "Among a workspace's queued tasks, those of higher priority start first.",
    source: "goal",
  },
  "engine.queue.concurrency": {
    states: "A process runs at most as many tasks concurrently as its setting allows.",
    source: "goal",
  },
  "engine.queue.started-at-creation": {
    states: "The transaction that creates a task and claims its job also starts the run and opens its log.",
    source: "goal",
  },
  "engine.queue.claimed-at-creation": {
    states: "A process with a free slot claims a job in the transaction that creates it; a rollback frees the slot.",
    source: "goal",
  },
  "engine.queue.place-given-on": {
    states: "The slot of a run that ends goes to the next queued run, without a poll of the queue.",
    source: "goal",
  },
  "engine.queue.lost-claim": {
    states: "A claimed run still runs when the connection breaks before the process receives the claim.",
    source: "goal",
  },
  "engine.queue.dead-thief": {
    states: "A run is not lost when an execution takes it from a live process and then dies.",
    source: "goal",
  },
  "engine.outage.metrics": {
    states: "`/metrics` answers within 2 s without the database, with `muster_database_up 0`.",
    source: "goal",
  },
  "engine.outage.ready-pooler": {
    states: "`/readyz` says `pooler`, within 2 s, while only the connections of requests get no answer.",
    source: "goal",
  },
  "engine.outage.ready-writer": {
    states: "`/readyz` says `writer`, within 2 s, while what runs write cannot be stored.",
    source: "goal",
  },
  "engine.outage.login-rejected": {
    states: "A pooler that rejects the login of requests' own role with 08P01 leads to the documented fallback.",
    source: "goal",
  },
  "engine.outage.switchover": {
    states:
      "After a switchover that left connections open, the service leaves the server that accepts no writes any more.",
    source: "goal",
  },
  "engine.high-availability.nothing-lost": {
    states:
      "With the configuration of docs/high-availability.md, no run is lost and no stored step or tool call is repeated when the primary dies, its host is cut off, its disk is full, it freezes, or the pooler dies.",
    source: "goal",
  },
  "engine.high-availability.upgrade": {
    states: "Processes are replaced by those of the next version one by one, without a lost run or a repeated step.",
    source: "goal",
  },
  "engine.outage.repeated": {
    states: "What a job asks the database is repeated after an outage; the rest of the service is told of it.",
    source: "decision",
  },
  "engine.outage.nobody-robbed": {
    states: "After a database outage no process takes over runs of live processes.",
    source: "goal",
  },
  "engine.locks.harmless": {
    states:
      "A lock on any table or its rows for twice the lease makes no process lose its runs, and no call is made twice.",
    source: "goal",
  },
  "engine.takeover.living": {
    states:
      "A process that beats again before the takeover of its runs keeps them; after a takeover it detects the loss.",
    source: "goal",
  },
  "engine.end.unwritten": {
    states: "A run whose end could not be written, for any reason, is retried after its last finished step.",
    source: "goal",
  },
  "engine.writes.together": {
    states: "One transaction writes the last step of a run, its usage, its last events and its end.",
    source: "goal",
  },
  "engine.writes.apart": {
    states: "Neither a lock on one run's task or job nor a slow write of one run delays another run.",
    source: "goal",
  },
  "engine.outage.failed-statement": {
    states:
      "A run's statement that fails because PostgreSQL has no memory or cannot read a file is repeated a few times.",
    source: "goal",
  },
  "engine.outage.slow-statement": {
    states: "A run's statement that PostgreSQL cancels, for example because it took too long, is repeated a few times.",
    source: "goal",
  },
  "engine.locks.ordered": {
    states: "Writes for runs and their cancellation take their locks in one order, so they cause no deadlock.",
    source: "goal",
  },
  "engine.jobs.one-owner": {
    states: "A job has at most one owner at any time: no two processes act on it under valid leases.",
    source: "goal",
  },
  "engine.jobs.end": {
    states: "Every job ends once any process can work, whatever happens to other processes.",
    source: "goal",
  },
  "engine.takeover.late-answer": {
    states: "A process that was frozen while it asked whether it still owns a run asks again before it calls a model.",
    source: "goal",
  },
  "engine.takeover.found": {
    states:
      "The death of a process is detected within 10 s, also when the keeper dies with it; if the keeper dies just before it detects it, within 10 s of the death of the keeper.",
    source: "goal",
  },
  "engine.clocks.none": {
    states:
      "The liveness of processes and the ownership of runs do not depend on any clock of a host or of the database.",
    source: "goal",
  },
  "engine.crash-loop.guilty-only": {
    states: "Of many runs, only the one that repeatedly ends its process fails with crash_loop.",
    source: "goal",
  },
  "engine.takeover.paused-call": {
    states: "After a pause of more than a second a process checks that it owns a run before it sends a call.",
    source: "goal",
  },
  "engine.takeover.same-host-name": {
    states: "Whether a process id lives is checked only on its own machine and in its PID namespace.",
    source: "goal",
  },
  "engine.crash-loop.outside-kills": {
    states: "However often processes are killed from outside, no run fails because of it.",
    source: "goal",
  },
  "engine.crash-loop.slow-work": {
    states: "After deaths of processes the runs that were running continue in parallel.",
    source: "goal",
  },
  "engine.crash-loop.deliveries": {
    states: "Deliveries that were running when processes died hold no run back.",
    source: "goal",
  },
  "engine.fencing": {
    states: "A process that lost a run writes no more events and no outcome of it.",
    source: "goal",
  },
  "engine.chaos.nothing-lost": {
    states: "Accepted work exists exactly once and ends, whatever happens to processes, database and provider.",
    source: "goal",
  },
  "engine.chaos.paid-once": {
    states: "A model call with a stored reply is never repeated, however often processes die.",
    source: "goal",
  },
  "engine.chaos.streams": {
    states: "Readers that disconnect and resume on any process get exactly the log, whatever happens meanwhile.",
    source: "goal",
  },
  "engine.chaos.ends-stay": {
    states: "An ended task or run never changes.",
    source: "goal",
  },
  "engine.chaos.processes-stay-up": {
    states: "No process ends because of a broken database connection or a provider's response.",
    source: "goal",
  },
  "engine.prove": {
    states:
      "`muster prove` lets faults strike this very build and counts what was lost, doubled or paid twice: nothing.",
    source: "goal",
  },
  "engine.prove.finds": {
    states: "`muster prove` reports what is lost, doubled or paid twice, and exits with 1.",
    source: "goal",
  },
  "engine.prove.stops": {
    states: "`muster prove` leaves neither its database nor a process behind when it is stopped.",
    source: "goal",
  },
  "engine.statements.pipelined": {
    states: "A read within a workspace is one round trip: no statement of its transaction waits for a response.",
    source: "goal",
  },
  "engine.statements.doors": {
    states:
      "Whatever a request that runs an agent looks up shares the transaction that starts the run; events of a new run are not read from its log.",
    source: "goal",
  },
  "engine.statements.alone": {
    states: "Statements of requests use no parallel workers, through a pooler too.",
    source: "goal",
  },
  "engine.statements.not-compiled": {
    states: "PostgreSQL compiles no plan of the service: its statements are shorter than the compilation.",
    source: "goal",
  },
  "engine.statements.kept": {
    states: "A statement counts as done when PostgreSQL has committed it, not when PostgreSQL has executed it.",
    source: "goal",
  },
  "engine.isolation": {
    states: "A run only reaches data of its workspace.",
    source: "goal",
  },
} as const satisfies Requirements<"engine">;
