import { createRequestSealer } from "../../src/core/approvals/request-seal.ts";

/** Seals the steps of requests with the key of no installation. */
export const sealRequest = createRequestSealer(Buffer.alloc(32, 1));
