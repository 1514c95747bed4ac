import type { Config } from "../../../config.ts";
import { defineCommand, form } from "../../command-line/define-command.ts";
import { envFile, requiredText } from "../../command-line/options.ts";
import { type OpenedStores, withStores } from "../../compose/with-stores.ts";
import { copyStores } from "../../copy/copy-stores.ts";
import { nothingCopied, targetSettings } from "../../copy/target-settings.ts";
import { refuseUnused } from "../../platform/data-directory.ts";

export const command = defineCommand({
  about:
    "Copies everything that is stored to the database and object store of another settings file, and compares both by count and hash. Stop serve and ingest first. After an interruption, run it again.",
  forms: [
    form({
      options: {
        to: requiredText(
          "ENV_FILE",
          "the settings of the destination: DATABASE_URL and S3_BUCKET, or another data directory",
        ),
        envFile,
      },
      run: copy,
    }),
  ],
});

async function copy(options: { to: string; envFile: string | undefined }): Promise<number> {
  const { to, envFile: file } = options;
  const act = async ({ config, stores, log }: OpenedStores): Promise<number> => {
    const target = targetSettings(to, config);
    console.log(`from ${formatStores(config)}`);
    console.log(`to   ${formatStores(target)}`);
    const { database, objects, configHash: source } = stores;
    await copyStores({
      from: { database, objects },
      source,
      config,
      target,
      log,
      print: (line) => console.log(line),
    });
    console.log(
      `The copy is complete, and the source is unchanged. To use it, start Countersign with these settings: move them to ${target.dataDir}/.env, or add --env-file.`,
    );
    return 0;
  };
  return await withStores(file, act, { refuse: (dir) => refuseUnused(dir, nothingCopied) });
}

/** Names the stores without a secret, which an address may contain. */
function formatStores({ database, s3, dataDir }: Config): string {
  const rows = database.kind === "file" ? database.path : `the server ${hostOf(database.url)}`;
  const objects = s3 === undefined ? `${dataDir}/objects.db` : `the bucket ${s3.bucket}`;
  return `${rows} and ${objects}`;
}

const hostOf = (url: string): string => new URL(url).host;
