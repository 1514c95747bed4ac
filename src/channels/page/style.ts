/** The page's own style sheet, designed for a phone first. Text and controls keep a contrast of at least 4.5 : 1. */
export const style = `
:root {
  color-scheme: light dark;
  --back: #f4f4f1; --card: #ffffff; --text: #1c1d1f; --soft: #55585e; --line: #d5d6d2;
  --link: #0b57a4; --go: #0a6b3d; --go-text: #ffffff; --stop: #a3231c;
  --good: #e3f3e9; --bad: #fbe9e7; --was: #fdeceb; --is: #e6f5ea; --was-mark: #f6c4c0; --is-mark: #b0e0bf;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #16181b; --card: #212429; --text: #ececec; --soft: #b0b4ba; --line: #3c4047;
    --link: #8fc1ff; --go: #62d296; --go-text: #08210f; --stop: #ff9d94;
    --good: #173725; --bad: #452320; --was: #3c2422; --is: #1b3525; --was-mark: #7a332d; --is-mark: #23683d;
  }
}
* { box-sizing: border-box; }
html { font: 1.0625rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 46rem; padding: 0 1rem 3rem; background: var(--back); color: var(--text); }
h1, h2, h3, p, dl, ol { margin: 0; }
h1 { font-size: 1.25rem; }
h2 { font-size: 1.15rem; margin: 1.75rem 0 .75rem; }
h3 { font-size: 1.15rem; line-height: 1.35; overflow-wrap: anywhere; }
a { color: var(--link); }
code { font: .95em ui-monospace, monospace; overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip, .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:focus { position: static; width: auto; height: auto; clip-path: none; }
.small { font-size: .9rem; color: var(--soft); }
header { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .5rem 1.5rem; padding: .75rem 0; border-bottom: 1px solid var(--line); }
nav { display: flex; flex-wrap: wrap; gap: .25rem; }
nav a { padding: .6rem .8rem; border-radius: .4rem; text-decoration: none; color: var(--text); }
nav a[aria-current] { font-weight: 600; text-decoration: underline; text-underline-offset: .35em; text-decoration-thickness: 3px; text-decoration-color: var(--link); }
.cards { list-style: none; padding: 0; display: grid; gap: 1rem; }
.cards + p { margin-top: .75rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.1rem 1.1rem; display: grid; gap: .75rem; grid-template-columns: minmax(0, 1fr); }
.card.over { background: none; border-style: dashed; }
.card.unknown, .card.failed { border-color: var(--stop); }
.head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: .1rem 1rem; }
.head code { font-size: 1.05rem; font-weight: 600; letter-spacing: .04em; }
.effect { display: grid; gap: .35rem; }
.effect > div { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: .1rem .75rem; padding: .3rem 0; }
dt { color: var(--soft); font-size: .9rem; padding-top: .1em; }
dd { margin: 0; }
.effect dd { font: .98rem/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.effect .note, .effect .before, .effect .after { padding-inline: .6rem; }
.effect .note { background: var(--bad); border-radius: .35rem; font-weight: 600; }
.before { background: var(--was); border-left: 4px solid var(--stop); }
.after { background: var(--is); border-left: 4px solid var(--go); }
.before dt::before { content: "\\2212\\a0"; }
.after dt::before { content: "+\\a0"; }
del, ins { text-decoration: none; }
mark { color: inherit; border-radius: .2rem; padding: 0 .1em; }
.before mark { background: var(--was-mark); text-decoration: line-through; }
.after mark { background: var(--is-mark); }
.about { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: .5rem 1rem; padding-top: .75rem; border-top: 1px solid var(--line); }
.about dd { overflow-wrap: anywhere; }
form { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; }
button, .button { font: inherit; font-weight: 600; min-height: 2.9rem; padding: .55rem 1.4rem; border-radius: .5rem; border: 2px solid transparent; cursor: pointer; }
.decide button { flex: 1 1 9rem; }
.decide p { flex: 1 1 100%; }
button.approve { background: var(--go); color: var(--go-text); }
button.deny { background: none; border-color: var(--stop); color: var(--stop); }
button.plain, .button { background: none; border-color: var(--line); color: var(--text); display: inline-block; text-decoration: none; }
button:hover, .button:hover { filter: brightness(1.08); }
.more { flex: 1 1 100%; }
.more button { margin-top: .6rem; }
::placeholder { color: var(--soft); opacity: 1; }
.more textarea { margin-top: .25rem; resize: vertical; }
.tick label { display: flex; gap: .75rem; align-items: center; min-height: 2.9rem; cursor: pointer; }
.tick input { width: 1.5rem; height: 1.5rem; min-height: 0; flex: none; accent-color: var(--go); }
.selection { position: sticky; bottom: 0; background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .9rem 1.1rem; margin-top: 1rem; }
.notice { border-radius: .5rem; padding: .8rem 1rem; margin-top: 1rem; }
.good { background: var(--good); border-left: 4px solid var(--go); }
.bad { background: var(--bad); border-left: 4px solid var(--stop); }
.outcome { font-weight: 500; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 30rem; overflow: auto; margin: 0; font-size: .9rem; }
summary { cursor: pointer; padding: .5rem 0; }
details > dl + dl { margin-top: .75rem; }
.record { list-style: none; margin: 0; padding: 0; }
.record li { display: grid; grid-template-columns: 3.2rem minmax(0, 1fr) auto; gap: .25rem .75rem; align-items: center; padding: .55rem 0; border-bottom: 1px solid var(--line); }
.record time { color: var(--soft); font-variant-numeric: tabular-nums; }
.record .what { overflow-wrap: anywhere; }
section > h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
.tools { list-style: none; padding: 0; flex: 1 1 100%; }
.tools > li { display: grid; gap: .4rem; padding: .9rem 0; border-bottom: 1px solid var(--line); }
.tools code { font-weight: 600; overflow-wrap: anywhere; }
.risk { display: flex; gap: .75rem; align-items: center; }
.risk select { width: auto; }
.pause p { flex: 1 1 100%; }
footer { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; justify-content: space-between; align-items: center; }
.entry { max-width: 28rem; margin: 12vh auto 0; display: grid; gap: 1rem; overflow-wrap: anywhere; }
.entry .button { text-align: center; border-color: var(--soft); }
.entry h1 { font-size: 1.5rem; }
.entry form { display: grid; gap: .6rem; justify-items: stretch; }
[hidden] { display: none !important; }
.entry .about { grid-template-columns: minmax(0, 1fr); }
.add { margin-top: 1rem; }
.add + p { margin-top: .75rem; }
.passkey, .add { display: grid; gap: .6rem; justify-items: stretch; }
.brand { font-weight: 600; color: var(--soft); }
label { font-weight: 600; }
input, select, textarea { font: inherit; min-height: 2.9rem; padding: .5rem .75rem; border: 2px solid var(--soft); border-radius: .5rem; background: var(--card); color: var(--text); width: 100%; }
@media (max-width: 30rem) {
  .effect > div { grid-template-columns: minmax(0, 1fr); }
  .card { padding: .9rem; }
  nav { gap: 0; margin-inline: -.5rem; }
  nav a { padding-inline: .5rem; }
}
@media (prefers-reduced-motion: no-preference) { button { transition: filter .1s; } }
@media (forced-colors: active) { mark { background: Mark; } }
`;

/** The icon of the page's tab. It has no style element, which the page's policy would forbid. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#0a6b3d"/>
<path d="M8 17l6 6L25 10" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/>
</svg>
`;
