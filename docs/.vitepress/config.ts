import { defineConfig } from "vitepress";

/** A page's entry in the contents. */
const page = (text: string, link: string): { text: string; link: string } => ({ text, link });

export default defineConfig({
  title: "Countersign",
  description: "A self-hosted MCP server in which high-risk calls run only after you approve them.",
  // The contents are README.md, so that the folder can be read without the site.
  rewrites: { "README.md": "index.md" },
  // Files of the repository beside docs/ are not part of the site; test/unit/links.test.ts follows these links.
  ignoreDeadLinks: [/\/(README|SECURITY|CHANGELOG)$/],
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    sidebar: [
      {
        text: "Guides",
        items: [
          page("Mail", "/guides/mail"),
          page("Clients", "/guides/clients"),
          page("Calendar", "/guides/calendar"),
          page("Storage", "/guides/storage"),
          page("Approvals", "/guides/approvals"),
          page("Rules", "/guides/rules"),
          page("Operations", "/guides/operations"),
        ],
      },
      {
        text: "Reference",
        items: [
          page("Tools", "/reference/tools"),
          page("Settings", "/reference/settings"),
          page("Commands", "/reference/commands"),
          page("Errors", "/reference/errors"),
          page("Approval requests", "/reference/approvals"),
          page("Dependencies", "/reference/dependencies"),
        ],
      },
      {
        text: "Background",
        items: [
          page("Security", "/security"),
          page("Protocol", "/protocol"),
          page("Architecture", "/architecture"),
          page("Decisions", "/decisions"),
          page("Glossary", "/glossary"),
        ],
      },
    ],
  },
});
