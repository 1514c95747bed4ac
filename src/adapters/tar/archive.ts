import { createTarDecoder, createTarPacker } from "modern-tar";

/** A file of an archive. `bytes` must be the exact length of the content. */
export interface ArchivedFile {
  name: string;
  bytes: number;
  open: () => ReadableStream<Uint8Array>;
}

/** Packs files into a tar stream, in this order. A file is opened when the reader asks for more. */
export function packed(files: readonly ArchivedFile[]): ReadableStream<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const fill = async (): Promise<void> => {
    for (const { name, bytes, open } of files) {
      await open().pipeTo(controller.add({ name, size: bytes, type: "file", mode: 0o600 }));
    }
    controller.finalize();
  };
  fill().catch((error: unknown) => controller.error(error));
  return readable;
}

/** Unpacks a tar stream. `take` must read or cancel each content. Rejects if the archive is damaged or has no end. */
export async function unpack(
  archive: ReadableStream<Uint8Array>,
  take: (name: string, content: ReadableStream<Uint8Array>) => Promise<void>,
): Promise<void> {
  const { readable, writable } = createTarDecoder({ strict: true });
  const reading = archive.pipeTo(writable);
  // The loop below throws the same error.
  reading.catch(() => undefined);
  for await (const { header, body } of readable) await take(header.name, body);
  await reading;
}
