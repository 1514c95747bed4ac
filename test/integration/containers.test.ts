import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { parseSettings } from "../../src/config.ts";
import { settings } from "../../src/config/settings.ts";

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");

/** Returns what is wrong with a value by the schema of another project. */
function faults(schema: string, value: unknown): unknown {
  const { $schema: _, ...body } = JSON.parse(read(`test/fixtures/schemas/${schema}`)) as object & {
    $schema: string;
  };
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  ajv.validate(body, value);
  return ajv.errors ?? [];
}

const environment = z.record(z.string(), z.string()).default({});
const composition = z.object({
  services: z.record(
    z.string(),
    z.looseObject({
      image: z.string(),
      build: z.string().optional(),
      environment,
      ports: z.array(z.string()).default([]),
    }),
  ),
});

describe("compose.yaml", () => {
  const content: unknown = parse(read("compose.yaml"), { merge: true });
  const { services } = composition.parse(content);
  const own = Object.entries(services).filter(([, { build }]) => build !== undefined);

  it("is valid by the Compose specification", () => {
    expect(faults("compose-spec.json", content)).toEqual([]);
  });

  it("starts the server, the intake of mail, a database, an object store and a proxy", () => {
    expect(Object.keys(services)).toEqual(["app", "ingest", "database", "objects", "caddy"]);
    expect(own.map(([name]) => name)).toEqual(["app", "ingest"]);
  });

  it("pins every image of others to a version", () => {
    const others = Object.values(services).filter(({ build }) => build === undefined);
    for (const { image } of others) expect(image).toMatch(/:v?\d+\.\d+\.\d+$/);
  });

  it("publishes mail and HTTPS, and neither the database nor the object store", () => {
    const published = Object.entries(services).flatMap(([name, { ports }]) =>
      ports.map((port) => `${name} ${port}`),
    );
    expect(published).toEqual(["ingest 25:2525", "caddy 80:80", "caddy 443:443"]);
  });

  it.each(own)(
    "gives %s settings that exist and are valid together",
    (_, { environment: given }) => {
      expect(Object.keys(given).filter((name) => !Object.hasOwn(settings, name))).toEqual([]);
      const dotEnv: Record<string, string> = {
        PUBLIC_URL: "https://mcp.example.org",
        HTTP_TOKENS: "alice:0123456789abcdef-token",
        APPROVERS: "me:0123456789abcdef-secret",
        S3_SECRET_ACCESS_KEY: "a-random-text",
        INGEST_RECIPIENTS: "me@in.example.org",
      };
      const filled = Object.entries(given).map(([name, value]): [string, string] => [
        name,
        value.replaceAll(
          /\$\{(\w+):\?[^}]+\}/g,
          (_text, variable: string) => dotEnv[variable] ?? "",
        ),
      ]);
      const config = parseSettings(
        { ...dotEnv, ...Object.fromEntries(filled), COUNTERSIGN_DATA_DIR: "/data" },
        "/data",
      );
      expect(config.database.kind).toBe("remote");
      expect(config.s3).toBeDefined();
    },
  );

  it("starts Caddy with an address that ends with a slash", () => {
    // Caddy did not start, and answered "paths are not allowed".
    const caddy = z.object({ command: z.array(z.string()) }).parse(services["caddy"]);
    const [shell = "", ...words] = caddy.command.map((word) =>
      word.replaceAll(/\$\{PUBLIC_URL:[^}]+\}/g, "https://a.example/").replaceAll("$$", "$"),
    );
    const directory = mkdtempSync(join(tmpdir(), "countersign-"));
    try {
      writeFileSync(join(directory, "caddy"), '#!/bin/sh\necho "$*"\n', { mode: 0o700 });
      const env = { PATH: `${directory}:/usr/bin:/bin`, PUBLIC_URL: "https://a.example/" };
      const { stdout } = spawnSync(shell, words, { env, encoding: "utf8" });
      expect(stdout).toBe("reverse-proxy --from https://a.example --to app:8080\n");
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it("names in its first lines every variable that it needs", () => {
    const text = read("compose.yaml");
    const needed = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name = ""]) => name);
    const described = [...text.matchAll(/^#   (\w+)=/gm)].map(([, name = ""]) => name);
    expect([...new Set(needed)].toSorted()).toEqual(described.toSorted());
  });
});

describe("the Dockerfile", () => {
  const lines = read("Dockerfile").split("\n");
  const after = (word: string): string[] =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

  it("builds in one stage and runs in another, both from the same pinned image", () => {
    const [build, final, ...more] = after("FROM");
    expect(build).toMatch(/^node:\d+\.\d+\.\d+-bookworm-slim AS build$/);
    expect(`${final} AS build`).toBe(build);
    expect(more).toEqual([]);
  });

  it("runs as a user without rights, under an init, and reports its health", () => {
    expect(after("USER")).toEqual(["1000:1000"]);
    expect(after("ENTRYPOINT")).toEqual(['["tini", "--", "node", "/app/bundle/main.js"]']);
    expect(after("HEALTHCHECK")).toHaveLength(1);
  });

  it("copies nothing that .dockerignore leaves out", () => {
    const sent = read(".dockerignore")
      .split("\n")
      .flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []));
    const copied = after("COPY")
      .filter((line) => !line.startsWith("--from"))
      .flatMap((line) => line.split(" ").slice(0, -1));
    expect(copied.toSorted()).toEqual(sent.toSorted());
  });
});

describe("server.json", () => {
  const content = JSON.parse(read("server.json")) as unknown;

  it("is valid by the schema of the MCP registry", () => {
    expect(faults("server.schema.json", content)).toEqual([]);
  });

  it("names the package and its version", () => {
    const manifest = z
      .object({ name: z.string(), version: z.string(), mcpName: z.string() })
      .parse(JSON.parse(read("package.json")));
    const { name, version, packages } = z
      .object({
        name: z.string(),
        version: z.string(),
        packages: z.array(
          z.object({
            identifier: z.string(),
            version: z.string(),
            environmentVariables: z.array(z.object({ name: z.string() })),
          }),
        ),
      })
      .parse(content);
    expect({ name, version }).toEqual({ name: manifest.mcpName, version: manifest.version });
    const [only] = packages;
    expect(only).toMatchObject({ identifier: manifest.name, version: manifest.version });
    for (const { name: setting } of only!.environmentVariables)
      expect(settings).toHaveProperty(setting);
  });
});
