import type { SuspicionRange } from "#db/queries/queue/claim-jobs.ts";
import type { ClaimedJob } from "#db/queries/queue/job-owner.ts";

/**
 * A job fails at this suspicion: a process died in two of its trials alone, or three times with no other job running.
 */
export const MAX_SUSPICION = 4;
/** How many suspects are tried together at first. */
const FIRST_WINDOW = 8;
/**
 * After this time a suspect that neither passes a step nor ends no longer blocks other trials, in milliseconds. A
 * suspect that blocks the event loop blocks this timer too, so its trial continues.
 */
const TRIAL_MS = { together: 300, alone: 60_000 } as const;

/** Restarts the jobs that ran when a process died: a few at a time, and one alone if it happened before. */
export interface Trials {
  /** Which suspects may be claimed now, and how many. */
  next(): { readonly suspicion: SuspicionRange; readonly limit: number } | undefined;
  /** Whether a suspect may be tried alone now. */
  hasRoomAlone(): boolean;
  /** Begins the trial of a suspect. */
  begin(job: ClaimedJob): void;
  /** Ends a job's trial, if it has one; `hasSurvived` is true when it passed a step or ended without a crash. */
  end(jobId: string, hasSurvived: boolean): void;
}

/** Dependencies of {@link createTrials}. */
export interface TrialEvents {
  /** Called when further suspects may be tried. */
  readonly onRoom: () => void;
  /** Called when a trial reaches its time limit while the job still runs. */
  readonly onTimeUp: (job: ClaimedJob) => void;
}

/** The suspicion of the jobs that are tried alone. */
export const TRIED_ALONE: SuspicionRange = { min: 2, max: 32_767 };
const TOGETHER: SuspicionRange = { min: 1, max: 1 };

/** Creates the trials of a process. */
export function createTrials({ onRoom, onTimeUp }: TrialEvents): Trials {
  const inTrial = new Map<string, { readonly isAlone: boolean; readonly timer: NodeJS.Timeout }>();
  /** Grows with each suspect that proves harmless. */
  let window = FIRST_WINDOW;

  function end(jobId: string, hasSurvived: boolean): void {
    const trial = inTrial.get(jobId);
    if (trial === undefined) return;
    clearTimeout(trial.timer);
    inTrial.delete(jobId);
    if (hasSurvived) window += 1;
    onRoom();
  }

  function endByTime(job: ClaimedJob): void {
    onTimeUp(job);
    end(job.jobId, true);
  }

  return {
    end,
    hasRoomAlone: () => inTrial.size === 0,
    next() {
      const isAlone = [...inTrial.values()].some((trial) => trial.isAlone);
      if (isAlone || inTrial.size >= window) return undefined;
      return { suspicion: TOGETHER, limit: window - inTrial.size };
    },
    begin(job) {
      const isAlone = job.suspicion >= TRIED_ALONE.min;
      const timer = setTimeout(() => endByTime(job), isAlone ? TRIAL_MS.alone : TRIAL_MS.together);
      inTrial.set(job.jobId, { isAlone, timer: timer.unref() });
    },
  };
}
