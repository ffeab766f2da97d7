import type { Schemas } from "#client/index.ts";

type Result = Schemas["GoldenRunDetails"]["results"][number];

const MS = 1_000;

/** A golden run as JUnit XML: a test case for each golden case, as continuous integration reads it. */
export function junitOf(agent: string, { id, cases, passed, results }: Schemas["GoldenRunDetails"]): string {
  const seconds = results.reduce((sum, { after }) => sum + (after.duration_ms ?? 0), 0) / MS;
  const suite = `name="${escaped(agent)}" tests="${cases}" failures="${cases - passed}" time="${seconds.toFixed(3)}" id="${id}"`;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<testsuites>",
    `  <testsuite ${suite}>`,
    ...results.flatMap((result) => caseLines(agent, result)),
    "  </testsuite>",
    "</testsuites>",
  ];
  return `${lines.join("\n")}\n`;
}

function caseLines(agent: string, result: Result): string[] {
  const { name, status, run_id: run, after } = result;
  const time = ((after.duration_ms ?? 0) / MS).toFixed(3);
  const head = `    <testcase classname="${escaped(agent)}" name="${escaped(name)}" time="${time}"`;
  if (status === "passed") return [`${head}/>`];
  const why = whyNotPassed(result);
  return [
    `${head}>`,
    `      <failure type="${status}" message="${escaped(why[0] ?? status)}">${escaped(why.join("\n"))}</failure>`,
    `      <system-out>run ${run}</system-out>`,
    "    </testcase>",
  ];
}

/** Why a case has not passed: a sentence for each check that failed, or the reason of its task. */
export function whyNotPassed({ status, reason, checks }: Result): readonly string[] {
  if (status === "passed" || status === "running") return [];
  const failed = checks.filter(({ passed }) => !passed).map((check) => `${check.type}: ${check.reason}`);
  return failed.length > 0 ? failed : [reason ?? status];
}

/** What XML 1.0 cannot hold is left out. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;");
}
