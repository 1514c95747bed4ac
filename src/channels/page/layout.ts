import { html } from "hono/html";

/** Safe HTML: made only by the `html` tag, which escapes every value. */
export type Html = ReturnType<typeof html>;

/**
 * Renders the frame of every page.
 * @param page `root` is the path of style, icon and script
 */
export function layout(page: {
  root: string;
  title: string;
  body: Html;
  script?: "live" | "enter" | "passkey" | undefined;
}): Html {
  const { root, title, body, script } = page;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title} - Countersign</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="${root}/icon.svg" />
        <link rel="stylesheet" href="${root}/style.css" />
        ${script === undefined ? "" : html`<script src="${root}/${script}.js" defer></script>`}
      </head>
      <body>
        ${body}
      </body>
    </html>`;
}
