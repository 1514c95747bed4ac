/**
 * Submits the form at once, so that the code's minute does not depend on the person. A POST by script, because link
 * previews only use GET.
 */
export const enterScript = `"use strict";
document.forms[0].requestSubmit();
`;

/**
 * Adds new requests below the others and marks ended ones in place, so that nothing moves under the pointer. Without
 * script a reload shows the same. The browser parses the answer as a document, without running scripts in it, and an
 * update does not keep the session alive.
 */
export const liveScript = `"use strict";
(() => {
  const everyMs = 3000;
  const byId = (id, where = document) => where.getElementById(id);
  const say = (text) => { byId("said").textContent = text; };

  function end(card) {
    const form = card.querySelector(".decide");
    if (form === null) return;
    const hadFocus = form.contains(document.activeElement);
    const note = document.createElement("p");
    note.className = "outcome";
    note.textContent = "This request was decided elsewhere or has expired.";
    form.replaceWith(note);
    card.classList.add("over");
    if (hadFocus) card.focus();
  }

  function update(fresh) {
    const heading = byId("waiting");
    const freshHeading = byId("waiting", fresh);
    if (freshHeading.dataset.paused !== heading.dataset.paused) return location.replace(location.pathname);
    const there = new Map(Array.from(byId("cards", fresh).children, (card) => [card.id, card]));
    for (const card of byId("cards").children) {
      const now = there.get(card.id);
      if (now === undefined) end(card);
      else card.querySelector(".about").replaceWith(document.adoptNode(now.querySelector(".about")));
      there.delete(card.id);
    }
    const isNewReview = byId("cards", fresh).dataset.review === "yes" && byId("cards").dataset.review === "no";
    if (isNewReview) say("More requests came in: look again to decide them together.");
    else for (const card of there.values()) byId("cards").append(document.adoptNode(card));
    if (there.size > 0 && !isNewReview) say(there.size === 1 ? "A new request came in below." : there.size + " new requests came in below.");
    heading.textContent = freshHeading.textContent.trim() + (isNewReview ? ". Look again to decide them together." : "");
    document.title = fresh.title;
    for (const part of ["under-way", "recent"])
      if (!byId(part).contains(document.activeElement))
        byId(part).replaceWith(document.adoptNode(byId(part, fresh)));
  }

  function look() {
    const ask = new XMLHttpRequest();
    ask.open("GET", location.pathname);
    ask.responseType = "document";
    ask.timeout = 10000;
    ask.setRequestHeader("x-countersign-look", "1");
    ask.onload = () => {
      const fresh = ask.response;
      if (fresh !== null && byId("cards", fresh) !== null) {
        update(fresh);
        setTimeout(look, everyMs);
      } else {
        for (const card of byId("cards").children) end(card);
        byId("waiting").textContent = "This page has ended. Reload it to continue.";
      }
    };
    ask.onerror = ask.ontimeout = () => setTimeout(look, everyMs);
    ask.send();
  }

  setTimeout(look, everyMs);
})();
`;
