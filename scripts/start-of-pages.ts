import { createHash } from 'node:crypto';
import * as limits from '../contract/limits.ts';
import { statusReadAgainSeconds } from '../contract/status-parts.ts';
import { teamHeader } from '../contract/team-header.ts';
import { startedEvent } from '../web/lib/started-event.ts';
import { firstCalls, firstCallsOfUser } from './first-calls.ts';

/** Pages that can be read and navigated without scripts; the server writes a search and the status into two of them. */
const pagesOfText = /^\/(?:|status|privacy|mcp|subscribe|test_doc2|blog(?:\/.+)?|use-case\/.+|docs(?:\/.+)?)$/;

/** The end of the script in `web/lib/signed-in-note.ts`. */
const signedInNote = 'dataset.signedIn=""}catch{}';
const inlineStart = /(<script type="module" async="">)([^<]*)(<\/script>)/;
const preload = /<link rel="modulepreload"[^>]*href="([^"]+)"[^>]*\/>/g;

/**
 * Starts the calls that every page of a signed-in user waits for while its scripts load; `web/lib/request.ts` uses the
 * responses. A screen's calls follow the session call, so that later changes are included in the live updates that
 * follow the session.
 */
const earlyCalls = (ofScreen: string) => `if("signedIn"in document.documentElement.dataset){
const early=window.early={},get=(path,headers)=>fetch(path,{headers,cache:"no-store",signal:AbortSignal.timeout(${limits.callTimeoutSeconds * 1_000})});
const note=(name,call)=>{call.catch(()=>0);early[name]=call};
for(const path of["/api/session","/api/site"])note(path,get(path));${ofScreen}}`;

/** Reads the workspace that `web/lib/workspace.ts` has stored; if storage is off, no team is selected. */
const callsOfScreen = `
if(!location.search)document.documentElement.dataset.screen=location.pathname;
let team="individual";try{team=localStorage.getItem("workspace")??team}catch{}
const user=early["/api/session"].then((answer)=>answer.clone().json()).then(({user})=>user??Promise.reject());
for(const path of ${JSON.stringify(firstCallsOfUser)})note(path,user.then(()=>get(path)));
for(const path of ${JSON.stringify(firstCalls)}[location.pathname]??[])note(team+path,user.then(()=>get(path,team==="individual"?{}:{"${teamHeader}":team})))`;

/**
 * On pages that begin at once: keeps the form that was sent too early and stays (`web/ui/staying-form.ts`), until something else is
 * typed, and the button that was pressed last. React prevents the submissions that it handles, and puts properties of its own on the
 * buttons that it handles. `web/lib/started.ts` does what is kept.
 */
const earlyPresses = `
addEventListener("submit",(event)=>{if(!event.defaultPrevented&&event.target.method==="dialog")sent=event.target});
addEventListener("input",(event)=>{if(event.isTrusted)sent=null});
addEventListener("click",({target})=>{const button=target.closest?.("button[type=button]");if(button&&!Object.keys(button).length)pressed=button});
`;

/**
 * How the page of all screens that are made in the browser starts: once its words are painted, and script by script, so that none keeps
 * a phone busy for long.
 */
const shellStart = `if(!document.hidden)await new Promise((go)=>requestAnimationFrame(()=>setTimeout(go)));
const pause=()=>globalThis.scheduler?.yield?.()??new Promise((go)=>setTimeout(go));
for(const{href}of document.querySelectorAll("link[rel=modulepreload]:not([href*='/entry.client-'])")){
await import(href).catch(()=>0);
await pause()}
`;

/** Smaller scripts run in less time than a pause takes. */
const pieceBytesMin = 15_000;

interface PageOfBuild {
  path: string;
  /** Returns the size of a file of the build, by path. */
  bytesOf(file: string): number;
}

interface StartedPage {
  html: string;
  /** The script that starts a text page: its path in the build, and its content. */
  script: { path: string; text: string } | undefined;
}

/**
 * Delays the scripts of a text page until the user interacts with it, then runs them in pieces, so that none blocks a
 * phone from responding to touch. Other pages start as the build tool intended, because text typed into their forms
 * must not wait. Throws if the build tool starts a page in an unknown way.
 */
export function startPage(written: string, { path, bytesOf }: PageOfBuild): StartedPage {
  const isShell = path === '/__spa-fallback.html';
  const isText = pagesOfText.test(path);
  const html = written.replace(signedInNote, (note) =>
    isShell ? note + earlyCalls(callsOfScreen) : note + (isText ? '' : earlyPresses) + earlyCalls(''),
  );
  if (html === written) throw new Error(`the head of ${path} does not note who is signed in`);
  const text = inlineStart.exec(html)?.[2];
  if (text === undefined) throw new Error(`the scripts of ${path} begin in an unknown way`);
  if (!isText) {
    // The build tool's own preloads come first, with the priority of style sheets: what the page is painted with goes before them.
    const preloads = [...html.matchAll(preload)].map(([link]) => link.replace(' href', ' fetchpriority="low" href'));
    const later = html.replaceAll(preload, '').replace('</head>', `${preloads.join('')}</head>`);
    const start = isShell ? shellStart + withoutStaticImports(text) : text;
    return {
      html: later.replace(inlineStart, (_, before: string, __, after: string) => before + start + after),
      script: undefined,
    };
  }
  const pieces = [...html.matchAll(preload)].map(([, piece = '']) => piece);
  const script = inPieces(
    pieces.filter((piece) => !piece.includes('/entry.client-') && bytesOf(piece) >= pieceBytesMin),
    text,
  );
  const start = `/assets/start-${createHash('sha256').update(script).digest('hex').slice(0, 8)}.js`;
  const begin = startScript(start, { preloaded: [start, ...pieces], isReadAgain: path === '/status' });
  return {
    html: html
      .replaceAll(preload, '')
      .replace(inlineStart, (_, before: string, __, after: string) => before + begin + after),
    script: { path: start, text: script },
  };
}

/**
 * Returns imports that run piece by piece. Each piece loads its own dependencies; the browser can handle input in
 * between.
 */
function inPieces(pieces: readonly string[], rest: string): string {
  return [
    `for (const piece of ${JSON.stringify(pieces)}) {`,
    '  await import(piece);',
    '  await new Promise((go) => setTimeout(go));',
    '}',
    withoutStaticImports(rest),
  ].join('\n');
}

/** Converts a script's leading static imports to sequential dynamic ones. */
function withoutStaticImports(script: string): string {
  return script
    .replaceAll(
      /^import (?:\* as (\w+) from )?"([^"]+)";$/gm,
      (_, name: string | undefined, file: string) => `${name ? `const ${name} = ` : ''}await import("${file}");`,
    )
    .trim();
}

interface StartOptions {
  preloaded: readonly string[];
  isReadAgain: boolean;
}

const readAgain = `setTimeout(begin, ${statusReadAgainSeconds * 1_000});
addEventListener("pageshow", ({ persisted }) => persisted && begin());
document.addEventListener("visibilitychange", () => document.hidden || begin());
`;

/**
 * Returns the script that starts a page on the first user interaction: pointer movement, touch, key, focus or any
 * click. Clicks made before the scripts respond are stored and replayed. The start is immediate for signed-in users,
 * for addresses with parameters, and for a page that the server could not fill. A page that users watch for updates
 * (`isReadAgain`) also starts after its reload interval, and when the user returns to it.
 */
function startScript(start: string, { preloaded, isReadAgain }: StartOptions): string {
  return `
const signs = ["pointermove", "pointerdown", "touchstart", "wheel", "keydown", "focusin"];
const held = ["click", "submit", "keydown"];
let wanted;
function hold(event) {
  const { target, type } = event;
  const key = type === "keydown" && event.key === "/" && !target.closest("input, textarea, select");
  const press = type === "click" && target.closest("button, [role=radio]");
  if (!event.isTrusted || !(key || press || type === "submit")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  wanted = () => (press ? press.click() : key ? target.dispatchEvent(new KeyboardEvent(type, event)) : target.requestSubmit());
  begin();
}
let isBegun = false;
function begin() {
  if (isBegun) return;
  isBegun = true;
  for (const sign of signs) removeEventListener(sign, begin, true);
  for (const href of ${JSON.stringify(preloaded)})
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
  import(${JSON.stringify(start)}).catch(letGo);
}
function letGo() {
  for (const type of held) removeEventListener(type, hold, true);
}
for (const sign of signs) addEventListener(sign, begin, { capture: true, passive: true });
for (const type of held) addEventListener(type, hold, true);
addEventListener(${JSON.stringify(startedEvent)}, () => {
  letGo();
  wanted?.();
}, { once: true });
const isAsking = /[?#&]\\w+=/.test(location.search + location.hash);
const isBare = document.querySelector("[data-written] > noscript") !== null;
if (isAsking || isBare || document.documentElement.dataset.signedIn !== undefined) begin();
${isReadAgain ? readAgain : ''}`;
}
