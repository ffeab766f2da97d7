import type { SuspicionRange } from "#db/queries/queue/claim-jobs.ts";
import type { ClaimedJob } from "#db/queries/queue/job-owner.ts";

/** A job that is suspected so much has failed: a process died in two of its trials alone, or three times without any other job. */
export const MAX_SUSPICION = 4;
/** Suspects that are tried together at first. */
const FIRST_WINDOW = 4;
/** How long a suspect is tried that neither passes a step nor ends, in milliseconds; then it holds others up no longer. */
const TRIAL_MS = { together: 1_000, alone: 60_000 } as const;

/** The restart of jobs during which a process has died: a few at a time, and one alone if that has happened before. */
export interface Trials {
  /** Which suspects may be claimed now, and how many. */
  next(): { readonly suspicion: SuspicionRange; readonly limit: number } | undefined;
  /** Whether a suspect may be tried alone now. */
  hasRoomAlone(): boolean;
  /** Begins the trial of a suspect. */
  begin(job: ClaimedJob): void;
  /** Ends a job's trial, if it is in one; `hasSurvived` when it has passed a step or ended well. */
  end(jobId: string, hasSurvived: boolean): void;
}

/** What {@link createTrials} needs. */
export interface TrialEvents {
  /** Called when more may be tried. */
  readonly onRoom: () => void;
  /** Called when a job's trial ends because it has lasted long enough, while the job still runs. */
  readonly onTimeUp: (job: ClaimedJob) => void;
}

/** How suspicious the jobs are that run alone. */
export const ALONE: SuspicionRange = { min: 2, max: 32_767 };
const TOGETHER: SuspicionRange = { min: 1, max: 1 };

/** Creates a process's trials. */
export function createTrials({ onRoom, onTimeUp }: TrialEvents): Trials {
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
      const isAlone = job.suspicion >= ALONE.min;
      const timer = setTimeout(() => endByTime(job), isAlone ? TRIAL_MS.alone : TRIAL_MS.together);
      inTrial.set(job.jobId, { isAlone, timer: timer.unref() });
    },
  };
}
