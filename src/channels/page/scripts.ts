/**
 * Submits the form immediately, so that the code's minute does not depend on the person. A POST by script, because link
 * previews only use GET.
 */
export const enterScript = `"use strict";
document.forms[0].requestSubmit();
`;

/**
 * Adds new requests below the others and marks ended ones in place, so that nothing moves under the pointer. Without
 * script a reload shows the same. The browser parses the response as a document, without running scripts in it, and an
 * update does not keep the session alive. While the server does not answer, the heading says so.
 *
 * Reports the requests that were in view for a second while a person used the page. A page that was left open, is
 * hidden or is scrolled elsewhere has shown a new request to no person.
 *
 * On this computer it reports that the page goes away, so that a later request opens another one. A page that the
 * person goes to reports itself again.
 */
export const liveScript = `"use strict";
(() => {
  const everyMs = 3000;
  const byId = (id, where = document) => where.getElementById(id);
  const say = (text) => { byId("said").textContent = text; };

  const presentMs = 60000;
  const dwellMs = 1000;
  let usedAt = -Infinity;
  const used = (event) => { if (event.isTrusted) usedAt = performance.now(); };
  for (const kind of ["pointermove", "pointerdown", "keydown", "wheel", "touchmove"])
    addEventListener(kind, used, { capture: true, passive: true });

  const inView = new Map();
  const reported = new Set();
  const views = new IntersectionObserver((entries) => {
    for (const { target, intersectionRect, boundingClientRect } of entries) {
      const enough = Math.min(boundingClientRect.height, innerHeight) / 2;
      if (intersectionRect.height === 0 || intersectionRect.height < enough) inView.delete(target);
      else if (!inView.has(target)) inView.set(target, performance.now());
    }
  }, { threshold: [0, 0.1, 0.25, 0.5, 0.75, 1] });
  const watch = (card) => views.observe(card);
  document.addEventListener("visibilitychange", () => {
    for (const card of inView.keys()) inView.set(card, performance.now());
  });

  function report() {
    const now = performance.now();
    if (document.visibilityState !== "visible" || now - usedAt > presentMs) return;
    const seen = [];
    for (const [card, since] of inView)
      if (now - since >= dwellMs && card.querySelector(".decide") !== null && !reported.has(card.id)) seen.push(card.id);
    if (seen.length === 0) return;
    const post = new XMLHttpRequest();
    post.open("POST", location.pathname.replace(/\\/$/, "") + "/seen");
    post.setRequestHeader("x-countersign-look", "1");
    post.setRequestHeader("content-type", "application/x-www-form-urlencoded");
    post.onload = () => { if (post.status === 204) for (const id of seen) reported.add(id); };
    post.send(new URLSearchParams({ nonce: byId("cards").dataset.seen, seen: seen.slice(0, 20).join() }));
  }

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
    const isNewSelection = byId("cards", fresh).dataset.selection === "yes" && byId("cards").dataset.selection === "no";
    if (isNewSelection) say("More requests arrived. Reload to decide them together.");
    else for (const card of there.values()) {
      byId("cards").append(document.adoptNode(card));
      watch(card);
    }
    if (there.size > 0 && !isNewSelection) say(there.size === 1 ? "A new request arrived below." : there.size + " new requests arrived below.");
    heading.textContent = freshHeading.textContent.trim() + (isNewSelection ? ". Reload to decide them together." : "");
    document.title = fresh.title;
    for (const part of ["under-way", "recent"])
      if (!byId(part).contains(document.activeElement))
        byId(part).replaceWith(document.adoptNode(byId(part, fresh)));
  }

  let missed = 0;
  function noAnswer() {
    missed += 1;
    // A single one is usual when a computer wakes up.
    if (missed === 2) {
      byId("waiting").textContent = byId("waiting").textContent.trim() + ". The server does not answer now.";
      document.title = "No answer - Countersign";
      say("The server does not answer. This page is out of date until it does.");
    }
    setTimeout(poll, everyMs);
  }

  function poll() {
    const ask = new XMLHttpRequest();
    ask.open("GET", location.pathname);
    ask.responseType = "document";
    ask.timeout = 10000;
    ask.setRequestHeader("x-countersign-look", "1");
    ask.onload = () => {
      const fresh = ask.response;
      if (fresh !== null && byId("cards", fresh) !== null) {
        if (missed > 1) say("The server answers again.");
        missed = 0;
        update(fresh);
        setTimeout(poll, everyMs);
      } else {
        for (const card of byId("cards").children) end(card);
        byId("waiting").textContent = "This page has ended. Reload it to continue.";
      }
    };
    ask.onerror = ask.ontimeout = noAnswer;
    ask.send();
  }

  if (location.pathname.startsWith("/s/")) addEventListener("pagehide", () => {
    const init = { method: "POST", keepalive: true, headers: { "x-countersign-look": "1" } };
    void fetch(location.pathname.replace(/\\/$/, "") + "/gone", init).catch(() => undefined);
  });

  for (const card of byId("cards").children) watch(card);
  setInterval(report, dwellMs);
  setTimeout(poll, everyMs);
})();
`;
