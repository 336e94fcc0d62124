/// <reference types="vite/client" />

/** Placeholder for the product's name in prerendered pages; the server replaces it. */
declare const __PRODUCT_NAME__: string;
/** Placeholder for the installation's address in prerendered pages; the server replaces it. */
declare const __PUBLIC_ADDRESS__: string;
/** Placeholder for the command that agents start, with its arguments, in prerendered pages; the server replaces it. */
declare const __STDIO_PROGRAM__: string[];

/** A code file highlighted during the browser build (scripts/highlighted-samples.ts). */
declare module '*?highlighted' {
  const sample: { code: string; language: string; lines: [kind: string, text: string][][] };
  export default sample;
}

interface Window {
  /** Calls by path that a signed-in user's page made before its scripts loaded (scripts/start-of-pages.ts). */
  early?: Record<string, Promise<Response>>;
  /** The form submitted before the page's scripts ran (scripts/start-of-pages.ts). */
  sent?: HTMLFormElement | null;
  /** The button pressed before the page's scripts ran (scripts/start-of-pages.ts). */
  pressed?: HTMLButtonElement;
}
