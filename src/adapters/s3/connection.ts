import type * as Sdk from "@aws-sdk/client-s3";
import { setTimeout as pause } from "node:timers/promises";
import type { Secret } from "../../core/shared/secret.ts";
import { boundResponses } from "./bounded-response.ts";
import { failureOf, isTransient, late, StoreFailure, stopped } from "./errors.ts";

export interface S3Settings {
  bucket: string;
  /** Undefined for Amazon's, by region. */
  endpoint: string | undefined;
  region: string;
  accessKeyId: string;
  secretAccessKey: Secret;
  forcePathStyle: boolean;
  /** For tests. Milliseconds, see `limits`. */
  requestTimeoutMs?: number;
}

/** Three attempts of 8 s with their pauses take less than the 30 s of a tool. */
const limits = {
  connectTimeoutMs: 3_000,
  requestTimeoutMs: 8_000,
  attempts: 3,
  /** Doubled each time, half of it random, so that waiting processes do not retry together. */
  firstPauseMs: 200,
  longestPauseMs: 3_000,
  /** The slowest connection for which a body gets enough time. Bytes per millisecond: 128 kB/s. */
  slowestBytesPerMs: 128,
};

export interface S3Request<T> {
  signal?: AbortSignal | undefined;
  /** The size of the body, which extends the timeout. */
  bodyBytes?: number;
  /** One attempt, which must be safe to repeat. It calls `moreTime` when the size of the response is known. */
  attempt: (tools: S3Attempt) => Promise<T>;
}

export interface S3Attempt {
  client: Sdk.S3Client;
  sdk: typeof Sdk;
  options: { abortSignal: AbortSignal };
  moreTime: (bytes: number) => void;
}

export interface S3Connection {
  /** The form of ETags in conditions, learned from the first refusal (conditions.ts). */
  takesBareEtags: boolean;
  /**
   * Makes up to three attempts, the later ones only after temporary failures. The caller ensures that repeating is
   * safe.
   * @throws {StoreFailure} open if any attempt was
   */
  request<T>(request: S3Request<T>): Promise<T>;
  close(): void;
}

/** Creates a connection. The first request loads the SDK, which takes half a second, and connects. */
export function createConnection(settings: S3Settings): S3Connection {
  let opened: Promise<{ sdk: typeof Sdk; client: Sdk.S3Client }> | undefined;
  const requestTimeoutMs = settings.requestTimeoutMs ?? limits.requestTimeoutMs;

  return {
    takesBareEtags: false,
    request: async ({ signal, bodyBytes = 0, attempt }) => {
      const { sdk, client } = await (opened ??= open(settings));
      if (signal?.aborted) throw new StoreFailure(stopped, {});
      let wasOpen = false;
      for (let count = 1; ; count += 1) {
        const deadline = createDeadline(signal, requestTimeoutMs);
        deadline.moreTime(bodyBytes);
        try {
          const options = { abortSignal: deadline.signal };
          return await attempt({ client, sdk, options, moreTime: deadline.moreTime });
        } catch (error) {
          const failure = deadline.explain(error);
          wasOpen ||= failure.isOpen;
          if (count === limits.attempts || !isTransient(failure)) throw failure.with(wasOpen);
          await backOff(count, failure.retryAfterSeconds, signal).catch((cause: unknown) => {
            throw new StoreFailure(stopped, { isOpen: wasOpen, cause });
          });
        } finally {
          deadline.end();
        }
      }
    },
    close: () => {
      void opened?.then(({ client }) => client.destroy()).catch(() => undefined);
    },
  };
}

async function open(settings: S3Settings): Promise<{ sdk: typeof Sdk; client: Sdk.S3Client }> {
  const sdk = await import("@aws-sdk/client-s3");
  const client = new sdk.S3Client({
    region: settings.region,
    forcePathStyle: settings.forcePathStyle,
    credentials: {
      accessKeyId: settings.accessKeyId,
      secretAccessKey: settings.secretAccessKey.reveal(),
    },
    // Only our settings determine the destination, not AWS_ENDPOINT_URL or a profile of other programs.
    ignoreConfiguredEndpointUrls: true,
    ...(settings.endpoint !== undefined && { endpoint: settings.endpoint }),
    // Retries are ours. The SDK would repeat a conditional write and report a conflict with its own first try.
    maxAttempts: 1,
    // No checksum trailers, because many stores reject them or store their framing. The signature protects the sent
    // body, and our own SHA-256 the received one.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: limits.connectTimeoutMs },
  });
  boundResponses(client);
  return { sdk, client };
}

interface Deadline {
  signal: AbortSignal;
  moreTime: (bytes: number) => void;
  explain(error: unknown): StoreFailure;
  end(): void;
}

/** Creates the timeout of one attempt. It includes the body, unlike the SDK's own timeouts. */
function createDeadline(caller: AbortSignal | undefined, timeoutMs: number): Deadline {
  const over = new AbortController();
  let endsAt = Date.now() + timeoutMs;
  let timer: ReturnType<typeof setTimeout>;
  const arm = (): void => {
    timer = setTimeout(() => over.abort(), endsAt - Date.now());
  };
  arm();
  return {
    signal: caller === undefined ? over.signal : AbortSignal.any([caller, over.signal]),
    moreTime: (bytes) => {
      clearTimeout(timer);
      endsAt += bytes / limits.slowestBytesPerMs;
      arm();
    },
    explain: (error) => {
      const failure = failureOf(error);
      const ours = caller?.aborted ? stopped : over.signal.aborted ? late : undefined;
      if (ours === undefined) return failure;
      return new StoreFailure(ours, { isOpen: true, cause: failure.cause });
    },
    end: () => clearTimeout(timer),
  };
}

async function backOff(
  count: number,
  retryAfterSeconds: number | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const step = limits.firstPauseMs * 2 ** (count - 1) * (0.5 + Math.random() / 2);
  const wished = Math.max(step, (retryAfterSeconds ?? 0) * 1000);
  await pause(Math.min(wished, limits.longestPauseMs), undefined, signal ? { signal } : {});
}
