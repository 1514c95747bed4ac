import type { Tickets } from "../../../core/approvals/ticket.ts";
import type { Database } from "../driver/database.ts";

/** Creates tickets in libSQL. Errors: those of the database. */
export function createTickets(database: Database): Tickets {
  // The query builder takes 100 ms to load, so it is loaded with the first approval.
  let loading: Promise<Tickets> | undefined;
  const store = (): Promise<Tickets> =>
    (loading ??= import("./ticket-store.ts").then(({ ticketStore }) => ticketStore(database)));
  return {
    open: async (request, ttlMs) => (await store()).open(request, ttlMs),
    find: async (ticketId) => (await store()).find(ticketId),
    findIdentical: async (call) => (await store()).findIdentical(call),
    findDenied: async (...call) => (await store()).findDenied(...call),
    list: async (filter) => (await store()).list(filter),
    putQuestion: async (...question) => (await store()).putQuestion(...question),
    findQuestion: async (stateHash) => (await store()).findQuestion(stateHash),
    repeatQuestion: async (...question) => (await store()).repeatQuestion(...question),
    closeQuestion: async (...question) => (await store()).closeQuestion(...question),
    decide: async (...decision) => (await store()).decide(...decision),
    claim: async (...claim) => (await store()).claim(...claim),
    renew: async (...renewal) => (await store()).renew(...renewal),
    finish: async (...end) => (await store()).finish(...end),
    deliver: async (ticketId) => (await store()).deliver(ticketId),
    pauseOf: async (principal) => (await store()).pauseOf(principal),
    pauses: async () => (await store()).pauses(),
    pause: async (...pause) => (await store()).pause(...pause),
    resume: async (...resume) => (await store()).resume(...resume),
    purge: async (olderThanMs) => (await store()).purge(olderThanMs),
  };
}
