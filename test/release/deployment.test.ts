import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { generate } from "selfsigned";
import { expect } from "vitest";
import { z } from "zod";
import packageFile from "../../package.json" with { type: "json" };
import { freePort } from "../support/free-port.ts";
import { eventually } from "../support/eventually.ts";
import { useSharedService } from "../support/shared-service.ts";
import { verifies } from "../support/verifies.ts";

const MINUTE = 60_000;
const ROOT = join(import.meta.dirname, "../..");
const HOST = "muster.example.org";
const HSTS = "max-age=31536000";
/** More than the burst, so that some are above the rate. */
const REQUESTS = 300;
const bill = z.looseObject({ components: z.array(z.looseObject({ group: z.string().optional(), name: z.string() })) });

verifies(
  "workshop.bill-of-materials",
  "npm run sbom lists every package of the service",
  async () => {
    const options = { cwd: ROOT, maxBuffer: 100_000_000 };
    const { stdout } = await promisify(execFile)("npm", ["run", "--silent", "sbom"], options);
    const { components } = bill.parse(JSON.parse(stdout));
    const listed = components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
    expect(listed).toEqual(expect.arrayContaining(Object.keys(packageFile.dependencies)));
    expect(listed).not.toContain("vitest");
  },
  MINUTE,
);

verifies("workshop.proxy", "nginx takes the configuration, redirects, and limits requests without a key", async () => {
  const hasNginx = spawnSync("nginx", ["-v"]).status === 0;
  if (!hasNginx) return console.log("skipped: nginx is not installed");
  const service = await useSharedService();
  const folder = await mkdtemp(join(tmpdir(), "muster-nginx-"));
  const [http, https] = [await freePort(), await freePort()];
  await writeFile(join(folder, "nginx.conf"), await configuration({ folder, http, https, service: service.url }));
  const args = ["-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")];
  expect(spawnSync("nginx", ["-t", ...args], { encoding: "utf8" })).toMatchObject({ status: 0 });
  const nginx = spawn("nginx", [...args, "-g", "daemon off;"], { stdio: "ignore" });
  try {
    await eventually("nginx answers", async () => (await get(https, {}).catch(() => undefined))?.status === 200);
    expect(await get(https, {})).toMatchObject({ status: 200, hsts: HSTS });
    const redirected = await fetch(`http://127.0.0.1:${http}/x`, { headers: { host: HOST }, redirect: "manual" });
    expect([redirected.status, redirected.headers.get("location")]).toEqual([
      301,
      expect.stringMatching(/^https:.*\/x$/),
    ]);
    const strangers = await Promise.all(Array.from({ length: REQUESTS }, () => get(https, {})));
    const rejected = strangers.find(({ status }) => status === 429);
    expect(JSON.parse(rejected?.body ?? "{}")).toMatchObject({ error: { code: "rate_limit_exceeded" } });
    expect(rejected).toMatchObject({ hsts: HSTS, retryAfter: "1" });
    const known = { "x-api-key": service.keys.api };
    const answers = await Promise.all(Array.from({ length: REQUESTS }, () => get(https, known)));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  } finally {
    nginx.kill();
    await once(nginx, "exit");
    await rm(folder, { recursive: true });
  }
});

verifies("workshop.bill-of-materials", "the console links to the licences of the packages in it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "muster-notice-"));
  const { build } = await import("vite");
  const output = { outDir: folder, emptyOutDir: true };
  await build({ root: join(ROOT, "console"), configLoader: "native", logLevel: "error", build: output });
  const [, notice = ""] =
    /rel="license" href="\/([^"]+)"/.exec(await readFile(join(folder, "index.html"), "utf8")) ?? [];
  const text = await readFile(join(folder, notice), "utf8");
  await rm(folder, { recursive: true });
  for (const name of ["react", "radix-ui", "uplot", "tailwindcss", "@fontsource-variable/inter"]) {
    expect(text).toMatch(new RegExp(`^${name} [\\d.]+ \\(`, "m"));
  }
  expect(text).toContain("SIL OPEN FONT LICENSE");
});

interface Place {
  readonly folder: string;
  readonly http: number;
  readonly https: number;
  readonly service: string;
}

/** The shipped file, at free ports, with a certificate of its own and in front of the test's service. */
async function configuration({ folder, http, https, service }: Place): Promise<string> {
  const { cert, private: key } = await generate([{ name: "commonName", value: HOST }]);
  await writeFile(join(folder, "muster.pem"), cert);
  await writeFile(join(folder, "muster.key"), key);
  const shipped = await readFile(join(ROOT, "deploy/nginx.conf"), "utf8");
  const site = shipped
    .replace("listen 80;", `listen 127.0.0.1:${http};`)
    .replace("listen 443 ssl http2;", `listen 127.0.0.1:${https} ssl http2;`)
    .replaceAll("/etc/ssl/", `${folder}/`)
    .replace("http://127.0.0.1:4400", service);
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `pid ${folder}/pid;\nevents { worker_connections 4096; }\nhttp {\naccess_log off;\n${paths.join("\n")}\n${site}\n}\n`;
}

/** Reads the version of the service by https; nobody vouches for the certificate. */
async function get(port: number, headers: Readonly<Record<string, string>>) {
  const asked = request({
    port,
    path: "/version",
    headers: { host: HOST, ...headers },
    rejectUnauthorized: false,
  }).end();
  const [response] = await once(asked, "response");
  let body = "";
  for await (const piece of response) body += String(piece);
  const { "strict-transport-security": hsts, "retry-after": retryAfter } = response.headers;
  return { status: response.statusCode, hsts, retryAfter, body };
}
