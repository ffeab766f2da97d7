import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const MAIN = join(import.meta.dirname, "../src/main.ts");
const READY = /Muster is ready at (\S+)\n/;

/** Settings that a service of the demo does not take over from this shell: it must not touch a real database. */
const FOREIGN = /^(DATABASE_|MUSTER_|S3_|OPS_|PUBLIC_URL$|HOST$|ENCRYPTION_KEY(?:_COMMAND)?$)/;

/** A running service of the demo. */
export interface DemoService {
  readonly url: string;
  readonly process: ChildProcess;
}

/** Starts a service on a data folder and waits until it is ready. @throws Error with its output when it ends before. */
export async function startDemoService(
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<DemoService> {
  const inherited = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
  const env = { ...Object.fromEntries(inherited), MUSTER_DATA: folder, ...settings };
  const child = spawn(process.execPath, [MAIN], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const [, address] = READY.exec(output) ?? [];
      if (address !== undefined) resolve(address);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", (code) => reject(new Error(`The service ended with code ${code}:\n${output}`)));
  });
  return { url, process: child };
}

/** Asks a service to stop, and waits until it has. */
export async function stopDemoService({ process: child }: DemoService): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}
