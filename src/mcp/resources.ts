import { ResourceNotFoundError, type Server } from "@modelcontextprotocol/server";
import type { ToolList } from "./tool-list.ts";

/** A tool's full documentation. */
export interface Page {
  title: string;
  summary: string;
  /** Markdown. */
  documentation: string;
}

const prefix = "countersign://tools/";
const mimeType = "text/markdown";

/** The second tier of the documentation: `tools/list` is short, and a model that wants more reads `countersign://tools/NAME`. */
export function offerPages(
  server: Server,
  { tools, pages }: { tools: ToolList; pages: ReadonlyMap<string, Page> },
): void {
  const listed = (): readonly (readonly [string, Page])[] =>
    tools.current().flatMap(({ name }) => {
      const page = pages.get(name);
      return page === undefined ? [] : [[name, page] as const];
    });

  server.setRequestHandler("resources/list", () => ({
    resources: listed().map(([name, { title, summary }]) => ({
      uri: prefix + name,
      name,
      title,
      description: summary,
      mimeType,
    })),
  }));

  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [
      {
        uriTemplate: `${prefix}{name}`,
        name: "tool",
        title: "A tool's documentation",
        description: "Risk, use, fields, errors and examples of one tool.",
        mimeType,
      },
    ],
  }));

  server.setRequestHandler("resources/read", ({ params: { uri } }) => {
    const page = listed().find(([name]) => prefix + name === uri)?.[1];
    if (page === undefined) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, mimeType, text: page.documentation }] };
  });
}
