import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

/** Where `./lectern dev` runs the server while this process serves the browser side. */
const serverAddress = process.env.LECTERN_DEV_SERVER ?? 'http://127.0.0.1:7331';
const forwarded = { target: serverAddress, changeOrigin: false };

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  cacheDir: '.cache/vite-web',
  define: {
    // Public pages are written at build time; the running server's name replaces this one as soon as it is known.
    __PRODUCT_NAME__: JSON.stringify(process.env.PRODUCT_NAME ?? 'Lectern'),
  },
  publicDir: 'web/public',
  build: { target: 'es2023', assetsInlineLimit: 0 },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': forwarded, '/callable': forwarded, '/mcp': forwarded, '/healthz': forwarded },
  },
});
