import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SETTING_GROUPS } from "../../src/config/config.ts";
import packageFile from "../../package.json" with { type: "json" };
import { verifies } from "../support/verifies.ts";

const ROOT = join(import.meta.dirname, "../..");
const DOCKERFILE = read("deploy/Dockerfile");
const COMPOSE = read("deploy/compose.yaml");
const UNIT = read("deploy/muster.service");
const PROXY = read("deploy/nginx.conf");
const ALERTS = read("deploy/alerts.yaml");
const DASHBOARD = read("deploy/grafana.json");
const CONTEXT = lines(read("deploy/Dockerfile.dockerignore")).filter((line) => !line.startsWith("#"));
const SETTINGS = new Map(Object.values(SETTING_GROUPS).flatMap(({ shape }) => Object.entries(shape)));
/** Variables of the image and its build that are not settings of ours. */
const FOREIGN = new Set([
  "PATH",
  "NODE_ENV",
  "COMMIT",
  "NODE_COMPILE_CACHE",
  "POSTGRES_USER",
  "POSTGRES_PASSWORD",
  "POSTGRES_DB",
]);
/** The highest exposure that the unit may have. */
const MAX_EXPOSURE = 2;

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

function lines(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => line.trim() || []);
}

function all(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].flatMap((found) => found.slice(1).filter((part) => part !== ""));
}

function defaultOf(name: string): number {
  return Number(SETTINGS.get(name)?.parse(undefined));
}

verifies("workshop.deploy", "the files that the image, the compose file and the unit run are in the repository", () => {
  const copied = all(DOCKERFILE, /^COPY (?!-)(.+) \.\/$/gm).flatMap((names) => names.split(" "));
  const run = [
    ...all(DOCKERFILE, /^RUN node (\S+)/gm),
    ...all(DOCKERFILE, /^CMD \["node", "\/app\/([^"]+)"\]$/gm),
    ...all(COMPOSE, /^ +dockerfile: (\S+)$/gm),
    ...all(UNIT, /^ExecStart=\/usr\/bin\/node \/opt\/muster\/(\S+)$/gm),
    ...all(read("docs/deploy.md"), /\bnode (?:\/app\/)?((?:src|scripts)\/\S+?\.m?[jt]s)/g),
  ];
  expect(copied.length).toBeGreaterThan(0);
  expect(run).toHaveLength(5);
  expect([...copied, ...run].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

verifies("workshop.deploy", "the image holds every folder that the program imports from", () => {
  const own = Object.values(packageFile.imports).filter((path) => path.startsWith("./"));
  const folders = own.map((path) => path.split("/")[1] ?? "");
  const needed = new Set([...folders, "src", "scripts", "console", "bin", "package.json", "openapi.json"]);
  const sent = new Set(CONTEXT.flatMap((line) => (line.startsWith("!") ? line.slice(1).split("/", 1) : [])));
  expect([...needed].filter((folder) => !sent.has(folder))).toEqual([]);
});

verifies("workshop.deploy", "the image holds no secrets and no packages of the machine that builds it", () => {
  // Only what is named is sent: deploy/.env and .muster, which have secrets, are not.
  expect(CONTEXT[0]).toBe("*");
  expect(CONTEXT.filter((line) => /^!(deploy|\.(?!npmrc$))/.test(line))).toEqual([]);
  const afterwards = CONTEXT.slice(CONTEXT.findLastIndex((line) => line.startsWith("!")) + 1);
  expect(afterwards).toEqual(expect.arrayContaining(["**/node_modules", "**/.env", "**/.muster"]));
});

verifies(
  "workshop.deploy",
  "the image holds the packages that the service imports, and not those of the console",
  () => {
    const [, pruned = ""] = /'dependencies\.%s ' ([^)]+)\)/.exec(DOCKERFILE) ?? [];
    const dropped = pruned.split(/[\s\\]+/).filter((name) => name !== "");
    const files = globSync(["src/**/*.ts", "clients/typescript/src/**/*.ts"], { cwd: ROOT });
    const sources = files.filter((file) => !file.endsWith(".test.ts")).map(read);
    const program = [...sources, JSON.stringify(packageFile.imports)].join("\n");
    const isNamed = (name: string) => program.includes(`"${name}"`) || program.includes(`"${name}/`);
    expect(dropped).toEqual(Object.keys(packageFile.dependencies).filter((name) => !isNamed(name)));
  },
);

verifies("workshop.deploy", "images are pinned by digest", () => {
  const images = [...all(DOCKERFILE, /^FROM (\S+:\S+)/gm), ...all(COMPOSE, /^ +image: (\S+)$/gm)];
  expect(images).toHaveLength(2);
  for (const image of images) expect(image).toMatch(/^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
});

verifies("workshop.deploy", "the variables that are set are settings", () => {
  const set = [
    ...all(DOCKERFILE, /\b([A-Z][A-Z_]+)=/g),
    ...all(COMPOSE, /^ {6}([A-Z_]+):/gm),
    ...all(UNIT, /^Environment=([A-Z_]+)=/gm),
    ...all(PROXY, /\b([A-Z]+(?:_[A-Z]+)+)\b/g),
  ];
  expect(set.length).toBeGreaterThan(8);
  expect(set.filter((name) => !SETTINGS.has(name) && !FOREIGN.has(name))).toEqual([]);
});

verifies("workshop.deploy", "ports, sizes and times fit the defaults of the settings", () => {
  const port = String(defaultOf("PORT"));
  expect(all(DOCKERFILE, /^EXPOSE (\d+)$/gm)).toEqual([port]);
  expect(all(DOCKERFILE, /127\.0\.0\.1:(\d+)\//g)).toEqual([port]);
  expect(all(COMPOSE, /^ +- 127\.0\.0\.1:(\d+):(\d+)$/gm)).toEqual([port, port]);
  expect(all(PROXY, /proxy_pass http:\/\/127\.0\.0\.1:(\d+);/g)).toEqual([port]);
  const longest = Math.max(defaultOf("MAX_FILE_BYTES") / 2 ** 20, defaultOf("KNOWLEDGE_MAX_FILE_MIB"));
  expect(Number(all(PROXY, /client_max_body_size (\d+)m;/g)[0])).toBeGreaterThan(longest);
  const grace = defaultOf("SHUTDOWN_GRACE");
  expect(Number(all(UNIT, /^TimeoutStopSec=(\d+)$/gm)[0])).toBeGreaterThan(grace);
  expect(Number(all(COMPOSE, /^ {4}stop_grace_period: (\d+)s$/gm)[0])).toBeGreaterThan(grace);
});

const hasSystemd = spawnSync("systemd-analyze", ["security", "--help"]).status === 0;

test.runIf(hasSystemd)("systemd rates the exposure of the unit as low", () => {
  const unit = join(ROOT, "deploy/muster.service");
  const report = execFileSync("systemd-analyze", ["security", "--offline=true", unit], { encoding: "utf8" });
  const [exposure] = all(report, /Overall exposure level for muster\.service: ([\d.]+)/g);
  expect(Number(exposure)).toBeLessThanOrEqual(MAX_EXPOSURE);
});

verifies("workshop.deploy", "the proxy's configuration is read by the nginx of current distributions", () => {
  // "http2 on;" came with 1.25.1: those of Debian 12 and Ubuntu 24.04 stop at it.
  expect(PROXY).toMatch(/^ *listen 443 ssl http2;$/m);
  expect(PROXY).not.toMatch(/^ *http2 on;/m);
});

verifies("workshop.deploy", "alerts and dashboard use metrics that exist, each explained in the docs", () => {
  const files = ["metric-counters", "database-metrics", "certificate-gauge", "process-gauges"];
  const metrics = files.flatMap((file) => all(read(`src/service/${file}.ts`), /"(muster_\w+)"/g));
  const explained = all(read("docs/deploy.md"), /^\| `(muster_\w+)`/gm);
  expect([...explained].sort()).toEqual([...metrics].sort());
  const usedBy = (text: string) =>
    all(text, /\b(muster_\w+)\b/g).map((name) => name.replace(/_(?:bucket|count|sum)$/, ""));
  expect(usedBy(ALERTS).length).toBeGreaterThan(5);
  expect([...usedBy(ALERTS), ...usedBy(DASHBOARD)].filter((name) => !metrics.includes(name))).toEqual([]);
});

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

test.runIf(hasPromtool)("Prometheus accepts the alerts; all fire when they should, and none on a calm day", () => {
  const promtool = (...args: readonly string[]) => spawnSync("promtool", args, { cwd: ROOT, encoding: "utf8" });
  const checked = promtool("check", "rules", "deploy/alerts.yaml");
  expect(checked).toMatchObject({ status: 0, stdout: expect.stringMatching(/SUCCESS: \d+ rules found/) });
  expect(promtool("test", "rules", "deploy/alerts.test.yaml")).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("SUCCESS"),
  });
});

test("the test in which all alerts fire counts them", () => {
  const [firing] = all(read("deploy/alerts.test.yaml"), /exp_samples: \[\{ value: (\d+) \}\]/g);
  expect(Number(firing)).toBe(all(ALERTS, /- alert: (\w+)/g).length);
});
