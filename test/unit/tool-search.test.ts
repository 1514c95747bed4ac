import { describe, expect, it } from "vitest";
import { createToolSearch } from "../../src/adapters/stemmer/tool-search.ts";
import { manyTools } from "../fixtures/upstream-tools.ts";

const search = createToolSearch(manyTools);

const named = {
  server: "s",
  title: "",
  description: "",
  argumentNames: [],
  argumentTexts: [],
  readsOnly: false,
};

describe("the search for tools", () => {
  it("reads a verb whose second word follows its object", () => {
    const found = createToolSearch([
      { ...named, id: "get", name: "get_event" },
      { ...named, id: "update", name: "reschedule_event" },
    ]);
    expect(found("Push the team meeting back by half an hour")[0]).toBe("update");
  });

  // "Report" and "List" were read as verbs: a tool that creates a report came first, and one that adds to a list last.
  it("reads the operation of a request without a verb, and of a name with a noun like a verb", () => {
    const reports = createToolSearch(
      ["create_report", "get_report", "get_event", "create_event"].map((name) => ({
        ...named,
        id: name,
        name,
      })),
    );
    expect(reports("my latest report")[0]).toBe("get_report");
    expect(reports("add a report")[0]).toBe("create_report");
    const lists = createToolSearch([
      { ...named, id: "queue", name: "AddToQueue", description: "Add an item to the queue" },
      { ...named, id: "list", name: "HassListAddItem", description: "Add item to a todo list" },
    ]);
    expect(lists("add an item to the shopping list")[0]).toBe("list");
  });

  it("hardly looks for names, quotations and the words of a message", () => {
    const found = createToolSearch([
      { ...named, id: "invoices", name: "create_invoice" },
      { ...named, id: "directory", name: "create_directory" },
      { ...named, id: "send", name: "send_message" },
    ]);
    expect(found("Create a directory called Invoices 2026")[0]).toBe("directory");
    expect(found("Tell Ann that the invoice is paid")[0]).toBe("send");
    expect(found('Send "create the invoice" to Ann')[0]).toBe("send");
  });

  it("counts a word of a tool once, even if several words of a request mean it", () => {
    const found = createToolSearch([
      { ...named, id: "people", server: "forge", name: "search_users" },
      { ...named, id: "code", server: "forge", name: "search_code" },
      { ...named, id: "web", server: "web", name: "web_search", description: "News and facts" },
    ]);
    expect(found("Find the latest news about the elections in France")[0]).toBe("web");
  });

  it("prefers a tool whose whole name a request has", () => {
    const found = createToolSearch([
      { ...named, id: "requests", name: "search_pull_requests" },
      { ...named, id: "any", name: "search" },
    ]);
    expect(found("Search the climate of Mars")[0]).toBe("any");
  });

  // "Termine" was read as the English word "terminate", and then as the French one for what is done.
  it("reads a German word that begins as an English or a French one", () => {
    const found = createToolSearch([
      { ...named, id: "ended", name: "list_terminated_processes" },
      { ...named, id: "closed", name: "list_closed_issues" },
      { ...named, id: "events", name: "list_events" },
    ]);
    expect(found("Welche Termine habe ich diese Woche?")[0]).toBe("events");
  });

  it("reads a German compound of which one part is a word of the tools", () => {
    const found = createToolSearch([
      { ...named, id: "message", name: "create_message" },
      { ...named, id: "channel", name: "create_text_channel" },
    ]);
    expect(found("Erstelle einen Textkanal für Ankündigungen")[0]).toBe("channel");
  });

  // Portuguese and Spanish have words in common that mean something else.
  it("reads Italian, Portuguese and Dutch by their own words", () => {
    const found = createToolSearch([
      { ...named, id: "delete", name: "delete_file" },
      { ...named, id: "off", name: "turn_off_light" },
      { ...named, id: "move", name: "move_event" },
      { ...named, id: "click", name: "click_button" },
    ]);
    expect(found("Apaga o arquivo do meu projeto")[0]).toBe("delete");
    expect(found("Apaga las luces del salón")[0]).toBe("off");
    expect(found("Sposta l'appuntamento con il medico a giovedì")[0]).toBe("move");
    expect(found("Klik op de knop Bestellen")[0]).toBe("click");
  });

  it("knows what well-known servers are for", () => {
    const found = createToolSearch([
      { ...named, id: "shop", server: "shopify", name: "get-order-by-id" },
      { ...named, id: "stock", server: "broker", name: "get_order" },
    ]);
    expect(found("Look up order 1042 in the store")[0]).toBe("shop");
  });

  it("reads the operation of a verb of two words", () => {
    const found = createToolSearch([
      { ...named, id: "add", name: "add_access", description: "Give a person access to a file" },
      { ...named, id: "remove", name: "remove_access", description: "Revoke access" },
    ]);
    expect(found("Take Tom's access to the file away")[0]).toBe("remove");
  });

  it("takes no relative clause for a question for a place", () => {
    const found = createToolSearch([
      { ...named, id: "place", name: "search_location_link" },
      { ...named, id: "link", name: "share_checkout_link" },
    ]);
    expect(found("I need a link where people check out")[0]).toBe("link");
  });

  // The phrase "is done" was no word for a ticket, and hid that "done" means resolved.
  it("reads the words of a phrase also alone", () => {
    const found = createToolSearch([
      { ...named, id: "open", name: "open_ticket" },
      { ...named, id: "dashboard", name: "update_dashboard" },
    ]);
    expect(found("Keep an eye on it with a panel")[0]).toBe("dashboard");
  });

  it("reads the irregular form of a verb", () => {
    const found = createToolSearch([
      { ...named, id: "sell", name: "sell_item" },
      { ...named, id: "buy", name: "buy_item" },
    ]);
    expect(found("sold")[0]).toBe("sell");
    expect(found("bought")[0]).toBe("buy");
  });

  it("takes no frequent word for a misspelt one", () => {
    const found = createToolSearch([{ ...named, id: "contact", name: "create_contact" }]);
    expect(found("contract")).toEqual([]);
  });

  it("prefers a server whose other tools are about the words of the request", () => {
    const found = createToolSearch([
      { ...named, id: "other", server: "shop", name: "list_names" },
      { ...named, id: "crew", server: "ship", name: "list_names" },
      { ...named, id: "port", server: "ship", name: "list_harbours" },
    ]);
    expect(found("List who is in the harbour")).toEqual(["port", "crew", "other"]);
  });

  it("reads names in camelCase and other scripts, and other forms of a word", () => {
    const found = createToolSearch([
      { ...named, id: "a", name: "deleteInvoice" },
      { ...named, id: "b", name: "x", description: "Создать счёт" },
    ]);
    expect(found("deleting invoices")).toEqual(["a"]);
    expect(found("счёт")).toEqual(["b"]);
  });

  it("finds a tool by words that mean the same as those of its name", () => {
    const found = createToolSearch([
      { ...named, id: "directory", name: "create_directory" },
      { ...named, id: "move", name: "move_file" },
      { ...named, id: "diff", name: "git_diff" },
      { ...named, id: "payments", name: "list_transactions" },
      { ...named, id: "zone", name: "get_timezone" },
    ]);
    expect(found("Make a folder")[0]).toBe("directory");
    expect(found("Rename my photos")[0]).toBe("move");
    expect(found("Compare both branches")[0]).toBe("diff");
    // Other forms of a related word, and a word that the tool writes together.
    expect(found("My purchases of last week")[0]).toBe("payments");
    expect(found("In which time zone is Lima?")[0]).toBe("zone");
  });

  it("prefers a tool that does what is wanted", () => {
    const found = createToolSearch([
      { ...named, id: "delete", name: "delete_note" },
      { ...named, id: "list", name: "list_notes" },
      { ...named, id: "create", name: "create_note" },
      { ...named, id: "update", name: "update_note" },
    ]);
    expect(found("Which notes are there?")[0]).toBe("list");
    expect(found("Please change the note")[0]).toBe("update");
    expect(found("Could you remove that note")[0]).toBe("delete");
    expect(found("Add a note")[0]).toBe("create");
  });

  it("knows from an address, a file name or a place what a tool has to take", () => {
    const found = createToolSearch([
      { ...named, id: "place", name: "reverse_geocode", description: "Coordinates to address" },
      { ...named, id: "image", name: "read_media", description: "Reads an image" },
      { ...named, id: "page", name: "fetch_page", description: "Fetches a URL" },
      { ...named, id: "other", name: "show_calendar" },
    ]);
    expect(found("Show me 48.8584, 2.2945")[0]).toBe("place");
    expect(found("Show me holiday.jpg")[0]).toBe("image");
    expect(found("Show me https://example.org/a")[0]).toBe("page");
  });

  it.each([
    ["Put =SUM(B2:B9) there", "formula"],
    ["Open budget.xlsx", "sheet"],
    ["Open offer.docx", "word"],
    ["Email the minutes to Ann", "send"],
    ["Text +49 30 123456 that we are late", "sms"],
    ["Find a place in the listings of last week", "adverts"],
  ])("knows from the form of %j what a tool has to do", (request, id) => {
    const found = createToolSearch([
      { ...named, id: "lists", name: "list_minutes" },
      { ...named, id: "last", name: "get_last_week" },
      { ...named, id: "formula", name: "apply_formula" },
      { ...named, id: "sheet", name: "read_worksheet" },
      { ...named, id: "word", name: "read_word" },
      { ...named, id: "send", name: "send_email" },
      { ...named, id: "mails", name: "list_emails" },
      { ...named, id: "sms", name: "send_sms" },
      { ...named, id: "adverts", name: "search_listings" },
    ]);
    expect(found(request)[0]).toBe(id);
  });

  it("reads words that mean something else together than alone", () => {
    const found = createToolSearch([
      { ...named, id: "look", name: "search_images" },
      { ...named, id: "picture", name: "take_screenshot" },
      { ...named, id: "remember", name: "add_observations" },
    ]);
    expect(found("What does it look like right now?")[0]).toBe("picture");
    expect(found("Keep in mind that Ann is allergic to nuts")[0]).toBe("remember");
  });

  // No word of the request is one of the tool or its synonym, so that nothing was found.
  it("knows what earlier requests with the same words were for", () => {
    const found = createToolSearch(
      ["get_channel_history", "get_state", "create_refund"].map((name) => ({
        ...named,
        id: name,
        name,
      })),
    );
    expect(found("Did I leave the oven on?")[0]).toBe("get_state");
  });

  it("finds a misspelt word, and the short name of a server", () => {
    const found = createToolSearch([
      { ...named, id: "directory", name: "create_directory" },
      { ...named, id: "branch", name: "create_branch" },
      { ...named, id: "documents", server: "mongodb", name: "find" },
      { ...named, id: "mails", server: "mailbox", name: "find" },
    ]);
    expect(found("Create a brnach")[0]).toBe("branch");
    expect(found("Make a driectory")[0]).toBe("directory");
    expect(found("Find all orders in mongo")[0]).toBe("documents");
  });

  it.each([
    ["Lösche bitte die Datei notes.txt", "delete"],
    ["Welche Kanäle gibt es?", "channels"],
    ["Supprime le fichier notes.txt", "delete"],
    ["Envoie un message à l'équipe", "send"],
    ["¿Qué canales hay?", "channels"],
    ["Borra el archivo notes.txt", "delete"],
    ["ファイルを削除してください", "delete"],
    ["チャンネルの一覧を見せて", "channels"],
    // A separated verb, a compound and a phrase.
    ["Leg bitte die Datei notes.txt neu an", "create"],
    ["Welche Nachrichtenkanäle gibt es?", "channels"],
    ["Haz clic en enviar mensaje", "send"],
    // A word of a tool and an English request stay as they are.
    ["Delete the old file", "delete"],
  ])("reads %j in its language", (request, id) => {
    const found = createToolSearch([
      { ...named, id: "delete", name: "delete_file" },
      { ...named, id: "create", name: "create_file" },
      { ...named, id: "channels", name: "list_channels" },
      { ...named, id: "send", name: "send_message" },
    ]);
    expect(found(request)[0]).toBe(id);
  });

  it("finds a word with the same beginning, and what is to be done again", () => {
    const found = createToolSearch([
      { ...named, id: "coverage", name: "get_coverage" },
      { ...named, id: "cover", name: "close_curtain" },
      { ...named, id: "resend", name: "resend_invoice" },
      { ...named, id: "send", name: "list_invoice" },
    ]);
    expect(found("What is covered by tests?")[0]).toBe("coverage");
    expect(found("Send the invoice again")[0]).toBe("resend");
    // Few of the letters are the same.
    expect(found("covenant")).toEqual([]);
  });

  it("reads words that only look foreign", () => {
    const found = createToolSearch([
      { ...named, id: "category", name: "get_category" },
      { ...named, id: "archive", name: "archive_board" },
      { ...named, id: "records", name: "resetDNSRecords" },
    ]);
    expect(found("détails de la catégorie")[0]).toBe("category");
    expect(found("Board archivieren")[0]).toBe("archive");
    expect(found("reset records")[0]).toBe("records");
  });

  it("reads descriptions of arguments and their possible values", () => {
    const found = createToolSearch([
      { ...named, id: "a", name: "run", argumentTexts: ["drain", "The node of the cluster"] },
      { ...named, id: "b", name: "go" },
    ]);
    expect(found("drain the node")).toEqual(["a"]);
  });

  it.each(["", "  ", "the of a", "\u0000", "__proto__", "constructor"])(
    "finds nothing for %j",
    (request) => {
      expect(search(request)).toEqual([]);
    },
  );
});
