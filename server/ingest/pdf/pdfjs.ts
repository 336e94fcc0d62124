import { registerHooks } from 'node:module';

/**
 * PDF.js ignores the glyph names of a Type 1 font if the file maps any of its codes to Unicode. TeX's dvipdfmx maps
 * only some: `fi` and `—` were lost. Now the names count for all codes without a mapping.
 */
const mapping =
  /(function adjustType1ToUnicode\(e,t\)\{if\(e\.isInternalFont\|\|)e\.hasIncludedToUnicodeMap\|\|(.{1,200}?\{if\()/;
const hooks = registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/unpdf/dist/pdfjs.mjs')) return loaded;
    const code = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
    const source = code.replace(mapping, '$1$2e.hasIncludedToUnicodeMap&&e.toUnicode.has(i)||');
    return { ...loaded, source };
  },
});

/** PDF.js. */
export const pdfjs = await import('unpdf/pdfjs');
hooks.deregister();
