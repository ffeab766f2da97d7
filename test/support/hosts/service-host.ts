import type { ChildProcess } from "node:child_process";
import { newId } from "#lib/ids.ts";
import { askHost, forkHost } from "./forked-host.ts";
import { hostReport } from "./service-host-messages.ts";
import type { HostOrder } from "./service-host-messages.ts";

/** A service in the host's process. */
export interface HostedService {
  readonly url: string;
  /** What it has written so far. */
  output(): { readonly stdout: string; readonly stderr: string };
  stop(): Promise<void>;
}

/** Which of this worker's hosts: services of one database that must be in two processes have one in each. */
export type HostName = "first" | "second";

const hosts = new Map<HostName, ChildProcess>();

/**
 * Starts a service in a process that this worker keeps for all its services: most of the time that a service takes to
 * start is spent on its thousand modules, which are loaded once this way.
 * @throws Error with the message of the start that failed.
 */
export async function startHosted(env: Readonly<Record<string, string>>, name: HostName): Promise<HostedService> {
  const child = hostOf(name);
  const id = newId();
  const written = { stdout: "", stderr: "" };
  const hear = (message: unknown) => {
    const report = hostReport.parse(message);
    if (report.id === id && report.type === "written") written[report.stream] += report.text;
  };
  child.on("message", hear);
  async function stop(): Promise<void> {
    const outcome = await sendOrder(child, { type: "stop", id });
    child.off("message", hear);
    if (outcome.type === "failed") throw new Error(`The service did not stop in good order: ${outcome.message}`);
  }
  const outcome = await sendOrder(child, { type: "start", id, env });
  if (outcome.type === "started") return { url: outcome.url, output: () => ({ ...written }), stop };
  child.off("message", hear);
  const reason = outcome.type === "failed" ? outcome.message : outcome.type;
  throw new Error(`The service did not start.\n${reason}\n${written.stdout}${written.stderr}`);
}

function hostOf(name: HostName): ChildProcess {
  const known = hosts.get(name);
  if (known?.connected === true) return known;
  const host = forkHost("service-host-process.ts");
  hosts.set(name, host);
  return host;
}

/** Sends an order and waits for its outcome. */
function sendOrder(child: ChildProcess, order: HostOrder) {
  return askHost(child, order, (message) => {
    const report = hostReport.parse(message);
    return report.id === order.id && report.type !== "written" ? report : undefined;
  });
}
