import type { HighlighterCore, LanguageRegistration, ThemedToken } from 'shiki/core';
import { createCssVariablesTheme, createHighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';

// About 200 kB of code on a page blocks a phone for a second; longer code is shown as plain text.
const highlightedCharactersMax = 20_000;

const grammars: Record<string, () => Promise<{ default: LanguageRegistration[] }>> = {
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  csharp: () => import('shiki/langs/csharp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
  elixir: () => import('shiki/langs/elixir.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  graphql: () => import('shiki/langs/graphql.mjs'),
  haskell: () => import('shiki/langs/haskell.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  ini: () => import('shiki/langs/ini.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  jsx: () => import('shiki/langs/jsx.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  lua: () => import('shiki/langs/lua.mjs'),
  make: () => import('shiki/langs/make.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  perl: () => import('shiki/langs/perl.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  powershell: () => import('shiki/langs/powershell.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  scala: () => import('shiki/langs/scala.mjs'),
  shellscript: () => import('shiki/langs/shellscript.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
};

/** Other names of the grammars in documentation. */
const aliases: Record<string, string> = {
  bash: 'shellscript',
  'c++': 'cpp',
  cjs: 'javascript',
  console: 'shellscript',
  cs: 'csharp',
  dockerfile: 'docker',
  golang: 'go',
  js: 'javascript',
  json5: 'json',
  jsonc: 'json',
  kt: 'kotlin',
  makefile: 'make',
  md: 'markdown',
  mjs: 'javascript',
  node: 'javascript',
  pgsql: 'sql',
  plpgsql: 'sql',
  postgresql: 'sql',
  ps1: 'powershell',
  py: 'python',
  py3: 'python',
  pycon: 'python',
  python3: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'shellscript',
  shell: 'shellscript',
  sqlite: 'sql',
  svg: 'xml',
  ts: 'typescript',
  yml: 'yaml',
  zsh: 'shellscript',
};

let highlighter: Promise<HighlighterCore> | undefined;

/**
 * Returns the tokens of `code` line by line, coloured by the `--shiki-…` tokens, or undefined for a language without a
 * grammar.
 */
export async function highlight(code: string, language: string): Promise<ThemedToken[][] | undefined> {
  const name = aliases[language.toLowerCase()] ?? language.toLowerCase();
  const grammar = Object.hasOwn(grammars, name) ? grammars[name] : undefined;
  if (!grammar || code.length > highlightedCharactersMax) return undefined;
  highlighter ??= createHighlighterCore({
    // The JavaScript engine: WebAssembly would need an exception in the content security policy.
    engine: createJavaScriptRegexEngine({ forgiving: true }),
    themes: [createCssVariablesTheme({ name: 'ours' })],
    langs: [],
  });
  const ready = await highlighter;
  if (!ready.getLoadedLanguages().includes(name)) await ready.loadLanguage(await grammar());
  return ready.codeToTokensBase(code, { lang: name, theme: 'ours' });
}
