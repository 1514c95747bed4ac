import { errors } from "./library.ts";

const again = "Nothing was granted. Start again in the client.";

/** Returns the text for a person about a failed request: what failed, what was not done, and what to do next. */
export function wordsFor(failure: Error & { error?: string }): string {
  if (failure instanceof errors.SessionNotFound) return `This sign-in has ended. ${again}`;
  return wordsForError(failure.error);
}

/** Returns the text for the error code of a failed request. */
export function wordsForError(error: string | undefined): string {
  switch (error) {
    case "invalid_client":
      return "The client is not registered here, or its registration has ended. Nothing was granted. Remove the connection in the client, and add it again.";
    case "invalid_redirect_uri":
      return "The browser would be sent to an address that the client did not register (redirect_uri). Nothing was granted. Do not follow the link that led here.";
    case "server_error":
    case undefined:
      return `The server failed. ${again}`;
    default:
      return `The request of this client is not valid (${error}). ${again}`;
  }
}
