/* global MiniSearch */
"use strict";

const box = document.querySelector(".search");
const input = box.querySelector("input");
const results = box.querySelector("#results");
const status = results.querySelector("p");
const list = results.querySelector("ol");

/** The address of the site's root, seen from this page: empty or some "../". */
const root = document.body.dataset.root.replace(/index\.html$/, "");
const mostResults = 12;

let index;

/** Loads a script of the site. Pages that are opened as files can load scripts, but not data. */
const load = (name) =>
  new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = root + name;
    script.addEventListener("load", resolve);
    script.addEventListener("error", reject);
    document.head.append(script);
  });

/** Returns the search index, which is made once, when the person first uses the search. */
function ready() {
  index ??= Promise.all([load("minisearch.js"), load("search-index.js")]).then(() => {
    const search = new MiniSearch({
      fields: ["heading", "page", "text"],
      storeFields: ["heading", "page", "text"],
      searchOptions: {
        prefix: true,
        fuzzy: (term) => (term.length > 4 ? 0.2 : false),
        combineWith: "AND",
        boost: { heading: 4, page: 2 },
        // A person who looks for a word wants to know how to use it first, and why it is so later.
        boostDocument: (id) => (id.startsWith("docs/decisions") ? 0.4 : 1),
      },
    });
    search.addAll(globalThis.searchEntries);
    return search;
  });
  return index;
}

/** Cuts a section's text to what surrounds the first of the words. */
function excerpt(text, words) {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const first = places.length > 0 ? Math.min(...places) : 0;
  const from = first < 60 ? 0 : text.indexOf(" ", first - 50) + 1;
  const end = text.length - from > 160 ? text.lastIndexOf(" ", from + 150) : text.length;
  return `${from > 0 ? "... " : ""}${text.slice(from, end)}${end < text.length ? " ..." : ""}`;
}

function resultItem({ id, page, heading, text, terms }) {
  const link = document.createElement("a");
  const title = document.createElement("strong");
  const where = document.createElement("small");
  link.href = root + id;
  title.textContent = heading === "" ? page : `${page}: ${heading}`;
  where.textContent = excerpt(text, terms);
  link.append(title, where);
  const item = document.createElement("li");
  item.append(link);
  return item;
}

async function show() {
  const query = input.value.trim();
  results.hidden = query === "";
  if (query === "") return;
  const search = await ready();
  // The person has typed on while the index was loaded: a later call shows that.
  if (query !== input.value.trim()) return;
  const found = search.search(query);
  list.replaceChildren(...found.slice(0, mostResults).map(resultItem));
  status.textContent =
    found.length === 0
      ? "Nothing found."
      : `${found.length} ${found.length === 1 ? "result" : "results"}`;
}

function move(event) {
  const links = [input, ...list.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || results.hidden || at < 0) return;
  event.preventDefault();
  links[at + step]?.focus();
}

box.hidden = false;
input.addEventListener("focus", () => void ready());
input.addEventListener("input", () => void show());
box.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    results.hidden = true;
    input.focus();
  } else if (event.key === "Enter" && document.activeElement === input) {
    list.querySelector("a")?.click();
  } else move(event);
});
document.addEventListener("click", ({ target }) => {
  results.hidden =
    !box.contains(target) || input.value.trim() === "" || target.closest("a") !== null;
});
document.addEventListener("keydown", (event) => {
  const typing = /^(?:INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  input.focus();
});
