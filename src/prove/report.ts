import type { Proof } from "./prove.ts";

/** How many sentences of a broken claim are shown. */
const SHOWN = 10;

/** The result of a proof as lines of text: a table, and what was found. */
export function reportLines(proof: Proof): readonly string[] {
  const { version, seed, seconds, faults, writes, claims, resume } = proof;
  const total = Object.values(faults).reduce((sum, count) => sum + count, 0);
  const numbers = claims.map(({ name, broken, checked }) => [name, String(broken.length), `of ${checked}`] as const);
  const width = (column: 0 | 1) => Math.max(...numbers.map((row) => row[column].length));
  return [
    `Muster ${version}, seed ${seed}: ${total} faults in ${Math.round(seconds)} s`,
    ...Object.entries(faults).map(([kind, count]) => `  ${count} × ${kind}`),
    `  at ${writes.struck} of ${writes.seen} statements that write`,
    "",
    ...numbers.map(([name, broken, of]) => `${name.padEnd(width(0))}  ${broken.padStart(width(1))} ${of}`),
    `seconds until interrupted work went on: half within ${inTenths(resume.p50)}, 9 of 10 within ${inTenths(resume.p90)}, all within ${inTenths(resume.max)} (${resume.count} measured)`,
    ...claims.flatMap(({ name, broken }) => broken.slice(0, SHOWN).map((sentence) => `${name}: ${sentence}`)),
  ];
}

function inTenths(seconds: number): string {
  return seconds.toFixed(1);
}
