import type { ClaimedJob, CrashRange } from "#db/queries/jobs.ts";

/** A process dies this often during a job, without a step passed in between, before the job is given up. */
export const MAX_CRASHES = 3;
/** Suspects that are tried together at first. */
const FIRST_WINDOW = 4;
/** One that has run for so long without ending the process no longer holds others up, in milliseconds. */
const TRIAL_MS = { together: 1_000, alone: 10_000 } as const;

/** The restart of jobs during which a process has died: a few at a time, and one alone if that has happened before. */
export interface Trials {
  /** Which suspects may be claimed now, and how many. */
  next(): { readonly crashes: CrashRange; readonly limit: number } | undefined;
  /** Begins the trial of a suspect. */
  begin(job: ClaimedJob): void;
  /** Ends a job's trial, if it is in one; `hasSurvived` when it has passed a step or ended well. */
  end(jobId: string, hasSurvived: boolean): void;
}

/** How suspicious the jobs are that run alone. */
export const ALONE: CrashRange = { min: 2, max: 2_147_483_647 };
const TOGETHER: CrashRange = { min: 1, max: 1 };

/** Creates a process's trials. @param onRoom called when more may be tried */
export function createTrials(onRoom: () => void): Trials & { readonly wantAlone: () => boolean } {
  const inTrial = new Map<string, { readonly isAlone: boolean; readonly timer: NodeJS.Timeout }>();
  /** Grows with each that has proved harmless so far. */
  let window = FIRST_WINDOW;

  function end(jobId: string, hasSurvived: boolean): void {
    const trial = inTrial.get(jobId);
    if (trial === undefined) return;
    clearTimeout(trial.timer);
    inTrial.delete(jobId);
    if (hasSurvived) window += 1;
    onRoom();
  }

  return {
    end,
    wantAlone: () => inTrial.size === 0,
    next() {
      const isAlone = [...inTrial.values()].some((trial) => trial.isAlone);
      if (isAlone || inTrial.size >= window) return undefined;
      return { crashes: TOGETHER, limit: window - inTrial.size };
    },
    begin({ jobId, crashCount }) {
      const isAlone = crashCount >= ALONE.min;
      const timer = setTimeout(() => end(jobId, true), isAlone ? TRIAL_MS.alone : TRIAL_MS.together);
      inTrial.set(jobId, { isAlone, timer: timer.unref() });
    },
  };
}
