import terminal from "node:console";

/** Loads the library without its warning about Node 20, which our tests cover. */
async function load() {
  const warn = terminal.warn.bind(terminal);
  terminal.warn = () => undefined;
  try {
    return await import("oidc-provider");
  } finally {
    terminal.warn = warn;
  }
}

export const { Provider, errors, interactionPolicy } = await load();
