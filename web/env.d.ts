/// <reference types="vite/client" />

/** Name of the product at build time; the running server's own name wins. */
declare const __PRODUCT_NAME__: string;
