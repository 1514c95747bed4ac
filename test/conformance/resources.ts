import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { pixel } from "./content-tools.ts";

export function addResources(server: McpServer): void {
  const fixed = (name: string, uri: string, content: { text: string } | { blob: string }) => {
    const mimeType = "text" in content ? "text/plain" : "image/png";
    server.registerResource(name, uri, { mimeType }, () => ({
      contents: [{ uri, mimeType, ...content }],
    }));
  };
  fixed("static-text", "test://static-text", {
    text: "This is the content of the static text resource.",
  });
  fixed("static-binary", "test://static-binary", { blob: pixel });
  fixed("watched", "test://watched-resource", { text: "Watched." });
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { mimeType: "application/json" },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: "application/json",
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
  // The resources never change, so a subscription is accepted and receives no notice.
  server.server.setRequestHandler("resources/subscribe", () => ({}));
  server.server.setRequestHandler("resources/unsubscribe", () => ({}));
}
