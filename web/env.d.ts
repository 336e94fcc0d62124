/// <reference types="vite/client" />

/** Name of the product while pages are written; the server puts its own in its place. */
declare const __PRODUCT_NAME__: string;
/** Address of the installation while pages are written; the server puts its own in its place. */
declare const __PUBLIC_ADDRESS__: string;
/** The program that agents start, and its arguments, while pages are written; the server puts its own in their place. */
declare const __STDIO_PROGRAM__: string[];

/** A file of code with its colours, made while the browser side is built (scripts/highlighted-samples.ts). */
declare module '*?highlighted' {
  const sample: { code: string; language: string; lines: [kind: string, text: string][][] };
  export default sample;
}

interface Window {
  /** Calls of a signed-in user's page made before its scripts were there (scripts/start-of-pages.ts), by their paths. */
  early?: Record<string, Promise<Response>>;
  /** The form that was sent before there was anything to send it (scripts/start-of-pages.ts). */
  sent?: HTMLFormElement | null;
  /** The button that was pressed before there was anything to answer it (scripts/start-of-pages.ts). */
  pressed?: HTMLButtonElement;
}
