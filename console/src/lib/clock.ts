/** A smaller difference is not worth a jump: a response names its time in whole seconds, and takes a while. */
const TOLERATED_MS = 20_000;

/** How much the browser's clock is slow. */
let slowMs = 0;

/** The present in Unix milliseconds by the clock of the service, which sets deadlines and ages. */
export function now(): number {
  return Date.now() + slowMs;
}

/** Corrects the clock by what a response that was not cached says. */
export function setClock({ headers }: Response): void {
  const ms = Date.parse(headers.get("Date") ?? "") - Date.now();
  if (Math.abs(ms - slowMs) > TOLERATED_MS) slowMs = ms;
}
