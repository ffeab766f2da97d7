import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { SETTING_GROUPS } from "#config/config.ts";
import { installPackages } from "../support/clients/install-packages.ts";
import { eventually } from "../support/eventually.ts";
import { startBucket } from "../support/providers/bucket.ts";
import { ENCRYPTION_KEY, createDatabase, startProcess } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";

const MINUTE = 60_000;
const ROOT = join(import.meta.dirname, "../..");
const MANIFESTS = join(ROOT, "deploy/kubernetes");
const MODELS = join(ROOT, "scripts/kubernetes-models");
const SECRETS = "/run/secrets/muster";

const manifest = z.looseObject({ apiVersion: z.string(), kind: z.string() });
const kustomization = z.looseObject({
  resources: z.array(z.string()),
  configMapGenerator: z.tuple([z.looseObject({ literals: z.array(z.string()) })]),
});
const variable = z.object({ name: z.string(), value: z.string() });
const probe = z.looseObject({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const container = z.looseObject({
  env: z.array(variable),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
  startupProbe: probe,
  readinessProbe: probe,
  livenessProbe: probe,
});
const deployment = z.looseObject({
  spec: z.looseObject({
    template: z.looseObject({
      spec: z.looseObject({ terminationGracePeriodSeconds: z.number(), containers: z.tuple([container]) }),
    }),
  }),
});
const yaml = z.looseObject({ parse: z.custom<(text: string) => unknown>((parse) => typeof parse === "function") });
const model = z.custom<new (data: unknown) => { validate(): void }>((found) => typeof found === "function");

beforeAll(() => installPackages(MODELS, "kubernetes-models"), 5 * MINUTE);

async function load(path: string): Promise<unknown> {
  return import(pathToFileURL(join(MODELS, "node_modules", path)).href);
}

async function read(name: string): Promise<unknown> {
  const { parse } = yaml.parse(await load("yaml/dist/index.js"));
  return parse(await readFile(join(MANIFESTS, name), "utf8"));
}

verifies("workshop.kubernetes", "the manifests satisfy the schemas of the Kubernetes API", async () => {
  const { resources } = kustomization.parse(await read("kustomization.yaml"));
  const files = (await readdir(MANIFESTS)).filter((name) => name !== "kustomization.yaml");
  expect(resources.toSorted()).toEqual(files.toSorted());
  for (const name of resources) {
    const document = manifest.parse(await read(name));
    const { [document.kind]: Known } = z
      .record(z.string(), model)
      .parse(await load(`kubernetes-models/${document.apiVersion}/${document.kind}.js`));
    if (Known === undefined) throw new Error(`There is no schema of ${document.kind}.`);
    expect(() => new Known({ ...document, spec: 7 }).validate(), name).toThrow("must be object");
    expect(() => new Known(document).validate(), name).not.toThrow();
  }
});

verifies(
  "workshop.kubernetes",
  "a process starts with the settings of the manifests, and leaves in the time that they give it",
  async () => {
    const { spec } = deployment.parse(await read("deployment.yaml")).spec.template;
    const [{ env, ports, ...probes }] = spec.containers;
    const [{ literals }] = kustomization.parse(await read("kustomization.yaml")).configMapGenerator;
    const settings = new Set(Object.values(SETTING_GROUPS).flatMap(({ shape }) => Object.keys(shape)));
    const names = [...env.map(({ name }) => name), ...literals.map((literal) => literal.split("=")[0] ?? "")];
    expect(names.filter((name) => !settings.has(name.replace(/_FILE$/, "")))).toEqual([]);

    const folder = await mkdtemp(join(tmpdir(), "muster-kubernetes-"));
    const bucket = await startBucket();
    const database = await createDatabase();
    try {
      await mkdir(join(folder, "data"));
      const secrets = {
        DATABASE_URL: database.url,
        ENCRYPTION_KEY,
        S3_ACCESS_KEY_ID: bucket.accessKeyId,
        S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
      };
      for (const [name, value] of Object.entries(secrets)) await writeFile(join(folder, name), value, { mode: 0o440 });
      const given = env.map(({ name, value }) => [name, value.replace(SECRETS, folder)]);
      const service = await startProcess({
        databaseUrl: "",
        env: {
          ...Object.fromEntries(given),
          // The image's own, and those of this place.
          HOST: "0.0.0.0",
          MUSTER_DATA: join(folder, "data"),
          ENCRYPTION_KEY: "",
          OPS_PORT: "0",
          S3_BUCKET: bucket.bucket,
          S3_ENDPOINT: bucket.endpoint,
        },
      });
      const local = service.url.replace("0.0.0.0", "127.0.0.1");
      const statusOf = async (path: string) => (await fetch(local + path)).status;
      for (const { httpGet } of [probes.startupProbe, probes.readinessProbe, probes.livenessProbe]) {
        expect(ports.map(({ name }) => name)).toContain(httpGet.port);
        expect(await statusOf(httpGet.path)).toBe(200);
      }
      const asked = performance.now();
      const stopping = service.stop();
      await eventually("it says that it leaves", async () => (await statusOf("/readyz")) === 503);
      expect(await statusOf("/healthz"), "it still takes requests").toBe(200);
      await stopping;
      expect(service.process.exitCode).toBe(0);
      expect((performance.now() - asked) / 1_000).toBeLessThan(spec.terminationGracePeriodSeconds);
    } finally {
      await bucket.close();
      await database.drop();
      await rm(folder, { recursive: true });
    }
  },
  MINUTE,
);
