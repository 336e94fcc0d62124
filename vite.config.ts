import { resolve } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { placeholders } from './contract/public-page.ts';
import { highlightedSamples } from './scripts/highlighted-samples.ts';
import { scriptGroups } from './scripts/script-groups.ts';
import { smallerZod } from './scripts/smaller-zod.ts';

/** Where `./lectern dev` runs the server while this process serves the browser side. */
const serverAddress = process.env.LECTERN_DEV_SERVER ?? 'http://127.0.0.1:7331';
const forwarded = { target: serverAddress, changeOrigin: false };

/** At /mcp stands a page too, which browsers ask for by its type. */
const pageForPeople = ({ headers, url }: { headers: { accept?: string }; url?: string }) =>
  headers.accept?.includes('text/html') ? url : undefined;

export default defineConfig(({ command }) => ({
  plugins: [highlightedSamples(), smallerZod(), tailwindcss(), reactRouter()],
  cacheDir: '.cache/vite-web',
  define: {
    // Nobody puts anything into the pages of the development server.
    __PRODUCT_NAME__: JSON.stringify(
      command === 'build' ? placeholders.productName : (process.env.PRODUCT_NAME ?? 'Lectern'),
    ),
    __PUBLIC_ADDRESS__: JSON.stringify(command === 'build' ? placeholders.address : ''),
    __STDIO_PROGRAM__: JSON.stringify(
      command === 'build' ? [placeholders.program, placeholders.arguments] : [resolve('lectern'), 'mcp'],
    ),
  },
  publicDir: 'web/public',
  // All packages are prepared before the first page: one found later reloads the page, and a sign-in link works once.
  optimizeDeps: { entries: ['web/**/*.{ts,tsx}', '!web/**/*.test.ts'] },
  build: { target: 'es2023', assetsInlineLimit: 0 },
  worker: { format: 'es' },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: { groups: scriptGroups },
          },
        },
      },
    },
  },
  // Pages are written from a preview of the build, with no server behind it.
  preview: { proxy: {} },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': forwarded,
      '/callable': forwarded,
      '/mcp': { ...forwarded, bypass: pageForPeople },
      '/healthz': forwarded,
    },
  },
}));
