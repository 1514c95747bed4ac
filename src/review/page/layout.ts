import { html } from "hono/html";

/** Safe HTML: made by the `html` tag only, which escapes every value. */
export type Html = ReturnType<typeof html>;

/** The frame of every page. `root`: where style and script lie. */
export function layout(page: {
  root: string;
  title: string;
  body: Html;
  script?: "live" | "enter";
}): Html {
  const { root, title, body, script } = page;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title} - Countersign</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="stylesheet" href="${root}/style.css" />
        ${script === undefined ? "" : html`<script src="${root}/${script}.js" defer></script>`}
      </head>
      <body>
        ${body}
      </body>
    </html>`;
}
