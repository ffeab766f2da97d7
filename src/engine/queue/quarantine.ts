import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { newId } from "#lib/ids.ts";
import { createBeatJudge } from "./beat-judge.ts";
import { QUARANTINE_GROUPS } from "./quarantine-groups.ts";
import type { QuarantineGroup } from "./quarantine-groups.ts";

/** Quarantine processes of this process, in total and of one group. Each costs about as much memory as a service. */
const MAX_PROCESSES = 4;
const MAX_PER_GROUP = 3;
/** What ends this process as well, ends it within this time: then no job is blamed. */
const SURVIVAL_MS = 1_000;

/** A started quarantine process. */
export interface QuarantineProcess {
  /** Resolves when it has ended; `isClean`: by itself, without a failure. */
  readonly ended: Promise<{ readonly isClean: boolean }>;
  /** How often it has reported that its event loop runs: once before it claims jobs, then each second. */
  beats(): number;
  kill(signal: "SIGTERM" | "SIGKILL"): void;
}

/** Starts a quarantine process. */
export type StartQuarantine = (as: {
  readonly executorId: string;
  readonly parentId: string;
  readonly group: QuarantineGroup;
}) => QuarantineProcess;

/** Dependencies of {@link createQuarantine}. */
export interface QuarantineOptions {
  readonly start: StartQuarantine;
  /** This process under its current id. */
  readonly executorId: () => string;
  readonly leaseMs: number;
  /** Requeues the jobs of a quarantine process that has ended, and blames them or not. */
  readonly recover: (executorId: string, isBlamed: boolean) => Promise<void>;
  readonly log: Logger;
}

/**
 * The jobs that ran when two processes died run in processes of their own, which serve nothing: first in groups, then
 * alone. So the job that ends processes is found while everything else runs on.
 */
export interface Quarantine {
  /** Starts processes for queued jobs of these suspicions; call it again while there are some. */
  open(suspicions: readonly number[]): void;
  /** Stops them all, within about the grace period: their jobs are released, and blamed for nothing. */
  stop(graceMs: number): Promise<void>;
}

interface Open extends QuarantineProcess {
  readonly id: string;
  readonly group: QuarantineGroup;
  /** Until its jobs are recovered. */
  readonly recovered: Promise<void>;
}

/** Creates the quarantine of a process. */
export function createQuarantine({ start, executorId, leaseMs, recover, log }: QuarantineOptions): Quarantine {
  const processes = new Map<string, Open>();
  const judge = createBeatJudge(leaseMs);
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;

  function open(suspicions: readonly number[]): void {
    if (isStopping) return;
    for (const group of QUARANTINE_GROUPS) {
      const isWanted = suspicions.some((suspicion) => suspicion >= group.min && suspicion <= group.max);
      if (isWanted && hasRoom(group)) add(group);
    }
  }

  /** One that has just started may claim all that is queued. */
  function hasRoom(group: QuarantineGroup): boolean {
    const same = [...processes.values()].filter((one) => one.group === group);
    return processes.size < MAX_PROCESSES && same.length < MAX_PER_GROUP && same.every((one) => one.beats() > 1);
  }

  function add(group: QuarantineGroup): void {
    const id = newId();
    const started = start({ executorId: id, parentId: executorId(), group });
    processes.set(id, { ...started, id, group, recovered: started.ended.then(({ isClean }) => end(id, isClean)) });
    timer ??= setInterval(endSilent, leaseMs / 5);
  }

  /** A job that blocks the event loop also keeps its process from ending. */
  function endSilent(): void {
    const started = [...processes.values()].map(({ id, beats }) => ({ id, beat: beats() }));
    for (const { id } of judge.observe(started.filter(({ beat }) => beat > 0))) processes.get(id)?.kill("SIGKILL");
  }

  async function end(id: string, isClean: boolean): Promise<void> {
    if (!isClean && !isStopping) await sleep(SURVIVAL_MS);
    const isBlamed = !isClean && !isStopping;
    if (isBlamed) log.warn({ executor: id }, "a quarantine process died; its jobs are tried in smaller groups");
    await recoverSurely(id, isBlamed);
    processes.delete(id);
    if (processes.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  /** While this process lives, no other one does it. */
  async function recoverSurely(id: string, isBlamed: boolean): Promise<void> {
    try {
      await recover(id, isBlamed);
    } catch (error) {
      log.warn({ err: error }, "could not recover the jobs of a quarantine process");
      if (isStopping) return;
      await sleep(SURVIVAL_MS);
      await recoverSurely(id, isBlamed);
    }
  }

  return {
    open,
    async stop(graceMs) {
      isStopping = true;
      const ending = [...processes.values()];
      for (const one of ending) one.kill("SIGTERM");
      const late = setTimeout(() => ending.forEach((one) => one.kill("SIGKILL")), graceMs + SURVIVAL_MS);
      await Promise.all(ending.map(({ recovered }) => recovered));
      clearTimeout(late);
    },
  };
}
