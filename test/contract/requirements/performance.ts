import type { Requirements } from "./requirement.ts";

const BENCH = "the benchmark measures it; tests assert no clock times";

/** Figures that the benchmark measures. */
export const performance = {
  "performance.start.second-ready": {
    states: "A second start is ready within two seconds.",
    source: "goal",
    open: BENCH,
  },
  "performance.dispatch.latency": {
    states:
      "From POST to the provider's first request it takes 25 ms at the median and 60 ms at the 99th percentile on an idle process.",
    source: "goal",
    open: BENCH,
  },
  "performance.idle.cpu": {
    states: "An idle process uses at most 5 % of a core.",
    source: "goal",
    open: BENCH,
  },
  "performance.runs.latency": {
    states: "A durable run of one step takes at most 35 ms at the median when runs are sequential.",
    source: "goal",
    open: BENCH,
  },
  "performance.runs.throughput": {
    states: "At a concurrency of 16 at least 200 durable runs of one step finish per second.",
    source: "goal",
    open: BENCH,
  },
  "performance.runs.cpu": {
    states: "A run costs at most 5 ms of CPU.",
    source: "goal",
    open: BENCH,
  },
  "performance.runs.memory": {
    states: "Memory stays flat over 10,000 runs.",
    source: "goal",
    open: BENCH,
  },
  "performance.list.cpu": {
    states: "Listing 50 agents costs at most three times the CPU of a bare route that returns the same bytes.",
    source: "goal",
    open: BENCH,
  },
  "performance.stream.added-latency": {
    states: "A delta takes at most 10 ms more from provider to client at the 99th percentile with 20 streams.",
    source: "goal",
    open: BENCH,
  },
  "performance.stream.idle-readers": {
    states: "2,000 readers of quiet streams take at most 100 MB of memory.",
    source: "goal",
    open: BENCH,
  },
  "performance.cancel.same-process": {
    states: "A cancel takes effect within 100 ms of reaching the process that runs the task.",
    source: "decision",
    open: BENCH,
  },
  "performance.cancel.other-process": {
    states: "A cancel takes effect on another process within a second.",
    source: "decision",
    open: BENCH,
  },
  "performance.takeover": {
    states: "Runs of a killed process are taken over within 10 seconds.",
    source: "goal",
    open: BENCH,
  },
} as const satisfies Requirements<"performance">;
