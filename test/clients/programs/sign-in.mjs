import { once } from "node:events";
import { createServer } from "node:http";

/**
 * The OAuth provider of a program at the command line: prints the address of the sign-in, and takes the code at a port
 * of this machine.
 */
async function loopbackProvider() {
  const listener = createServer();
  await once(listener.listen(0, "127.0.0.1"), "listening");
  const redirectUrl = `http://127.0.0.1:${listener.address().port}/callback`;
  const code = new Promise((resolve) => {
    listener.on("request", ({ url }, response) => {
      response.end("You may close this page.");
      resolve(new URL(url, redirectUrl).searchParams);
    });
  });
  const kept = {};
  const provider = {
    redirectUrl,
    clientMetadata: {
      client_name: "Library",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    redirectToAuthorization: (address) => console.log(`Sign in: ${address}\n`),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    codeVerifier: () => kept.verifier,
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    state: () => (kept.state ??= crypto.randomUUID()),
    storedState: () => kept.state,
    saveState: (state) => void (kept.state = state),
    authorizationServerInformation: () => kept.server,
    saveAuthorizationServerInformation: (server) => void (kept.server = server),
    discoveryState: () => kept.discovery,
    saveDiscoveryState: (discovery) => void (kept.discovery = discovery),
  };
  return { provider, code, close: () => listener.close().closeAllConnections() };
}

/** Signs in with the library's own `auth`. Returns the provider with its tokens. */
export async function signedIn(auth, serverUrl) {
  const { provider, code, close } = await loopbackProvider();
  await auth(provider, { serverUrl });
  const answer = await code;
  close();
  await auth(provider, {
    serverUrl,
    authorizationCode: answer.get("code"),
    callbackState: answer.get("state"),
    iss: answer.get("iss") ?? undefined,
  });
  return provider;
}
