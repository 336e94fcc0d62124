import { isDocbook } from './docbook/prolog.ts';

/** Formats in which a page or file can be read. */
export type DocumentFormat =
  | 'html'
  | 'markdown'
  | 'mdx'
  | 'rst'
  | 'asciidoc'
  | 'notebook'
  | 'openapi'
  | 'graphql'
  | 'man'
  | 'org'
  | 'pod'
  | 'texinfo'
  | 'rd'
  | 'rdoc'
  | 'topic'
  /** Also DITA. */
  | 'docbook'
  | 'declarations'
  | 'text'
  | 'code';

/** Maps file extensions to names. */
function byEndings<Name extends string>(endings: Partial<Record<Name, string>>): Map<string, Name> {
  const names = Object.entries(endings) as [Name, string][];
  return new Map(names.flatMap(([name, list]) => list.split(' ').map((ending): [string, Name] => [ending, name])));
}

const byEnding = byEndings<DocumentFormat>({
  html: 'html htm xhtml',
  // `mdoc` is Markdoc here; manual pages with that extension are recognised by their macros.
  markdown: 'md markdown mdown mkd mdoc mdc rmd qmd livemd cheatmd',
  mdx: 'mdx',
  rst: 'rst rest',
  text: 'txt text',
  asciidoc: 'adoc asciidoc',
  org: 'org',
  pod: 'pod',
  texinfo: 'texi texinfo txi',
  rd: 'rd',
  rdoc: 'rdoc',
  topic: 'topic',
  docbook: 'dbk docbook dita',
  notebook: 'ipynb',
  graphql: 'graphql graphqls gql',
  man: 'man roff',
});

/** Extensions of files that are read as one block of code, by language. */
const codeEndings = byEndings({
  json: 'json jsonc json5',
  yaml: 'yaml yml',
  toml: 'toml',
  ini: 'ini cfg',
  xml: 'xml',
  csv: 'csv',
  js: 'js mjs cjs',
  jsx: 'jsx',
  ts: 'ts mts cts',
  tsx: 'tsx',
  python: 'py pyi',
  ruby: 'rb',
  go: 'go',
  rust: 'rs',
  java: 'java',
  kotlin: 'kt',
  c: 'c h',
  cpp: 'cc cpp hpp',
  csharp: 'cs',
  php: 'php',
  sh: 'sh bash',
  sql: 'sql',
  css: 'css',
  scss: 'scss',
  swift: 'swift',
  proto: 'proto',
  lua: 'lua',
  r: 'r',
  perl: 'pl pm',
  hcl: 'tf',
  vue: 'vue',
  elixir: 'ex',
  julia: 'jl',
  dart: 'dart',
});

const byType: [RegExp, DocumentFormat][] = [
  [/^(?:text\/html|application\/xhtml\+xml)$/, 'html'],
  [/^text\/(?:x-)?markdown$/, 'markdown'],
  [/^text\/mdx$/, 'mdx'],
  [/^text\/(?:x-)?org$/, 'org'],
  [/^text\/(?:x-)?pod$/, 'pod'],
  [/^(?:text|application)\/(?:x-)?texinfo$/, 'texinfo'],
  [/^application\/(?:x-)?(?:docbook|dita)\+xml$/, 'docbook'],
  [/^text\/(?:x-)?asciidoc$/, 'asciidoc'],
  [/^(?:text\/troff|application\/x-troff(?:-man)?)$/, 'man'],
  [/^application\/(?:x-)?graphql$/, 'graphql'],
  [/^application\/(?:x-)?ipynb\+json$/, 'notebook'],
  [/^application\/(?:vnd\.)?(?:oai\.|aai\.)?(?:openapi|asyncapi)(?:\+(?:json|yaml))?$/, 'openapi'],
  [/^text\/(?:x-rst|prs\.fallenstein\.rst|restructuredtext)$/, 'rst'],
  [
    /^(?:application\/(?:\w[\w.-]*\+)?(?:json|yaml|x-yaml|toml|xml|javascript)|text\/(?:x-|css|csv|javascript|xml|yaml).*)$/,
    'code',
  ],
];

/** Returns true if a media type means a documentation format: not HTML, code or data. */
export function isDocumentType(type: string): boolean {
  const format = byType.find(([pattern]) => pattern.test(type))?.[1];
  return format !== undefined && format !== 'html' && format !== 'code' && format !== 'openapi';
}

/**
 * Returns a document's format from its content type, name and bytes. The first kilobyte is enough, except for data
 * (JSON, YAML), XML and Perl, where an API description or POD may only be recognisable near the end. Undefined if it is
 * not text: images, archives, PDF.
 */
export function formatOf(path: string, contentType: string | undefined, bytes: Uint8Array): DocumentFormat | undefined {
  const format = textFormatOf(path, contentType, bytes);
  if (format === 'code' && /\.(?:d\.[cm]?ts|pyi)$/.test(fileName(path))) return 'declarations';
  if (format === 'code' && codeLanguageOf(path) === 'perl' && hasDocComments(path, bytes)) return 'pod';
  if (format === 'code' && looksLikeApiDescription(path, bytes)) return 'openapi';
  if (format === 'rd' && bytes.length > 0 && !/^\\name\{/m.test(new TextDecoder('latin1').decode(bytes))) {
    // Ruby also had a format with this extension.
    return contentType?.startsWith('text/') ? 'text' : undefined;
  }
  if (format === 'code' && codeLanguageOf(path) === 'xml' && isDocbook(new TextDecoder('latin1').decode(bytes)))
    return 'docbook';
  if (format !== 'text') return format;
  return looksLikeRst(bytes) ? 'rst' : looksLikeAsciidoc(bytes) ? 'asciidoc' : 'text';
}

function textFormatOf(
  path: string,
  contentType: string | undefined,
  firstBytes: Uint8Array,
): DocumentFormat | undefined {
  if (isManualName(path) && (isGzip(firstBytes) || looksLikeManual(path, firstBytes))) return 'man';
  if (isBinary(firstBytes)) return undefined;
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const named = formatByName(path);
  for (const [pattern, format] of byType) {
    if (!pattern.test(type)) continue;
    // Servers send Markdown and RST with many content types, but never as HTML.
    return format === 'code' && named !== undefined && named !== 'html' ? named : format;
  }
  if (named !== undefined && named !== 'html') return named;
  const isSilent = type === '' || type === 'application/octet-stream' || type.startsWith('text/');
  if (!isSilent) return undefined;
  if (looksLikeHtml(firstBytes)) return 'html';
  return named ?? (type === 'text/plain' || type === '' ? 'text' : undefined);
}

/** Returns the language of a code file; empty if its name does not show it. */
export function codeLanguageOf(path: string): string {
  return codeEndings.get(endingOf(path)) ?? '';
}

function formatByName(path: string): DocumentFormat | undefined {
  const name = fileName(path);
  // Sphinx publishes its sources with an added extension.
  const source = /\.(rst|rest|md|markdown)\.txt$/.exec(name);
  if (source) return byEnding.get(source[1] as string);
  if (/^llms(?:-\w+)?\.txt$/.test(name)) return 'markdown';
  const ending = endingOf(path);
  const named = byEnding.get(ending);
  if (named !== undefined) return named;
  if (codeEndings.has(ending)) return 'code';
  return /^(?:readme|changelog|changes|news|license|copying|install|authors|contributing|todo)$/.test(name)
    ? 'text'
    : undefined;
}

function endingOf(path: string): string {
  const name = fileName(path);
  return name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : '';
}

function fileName(path: string): string {
  return (path.split(/[?#]/, 1)[0] as string).split('/').at(-1)?.toLowerCase() ?? '';
}

/** Returns true for PDF and for data with zero bytes, except UTF-16, which starts with a byte order mark. */
function isBinary(bytes: Uint8Array): boolean {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16) return false;
  const start = bytes.subarray(0, 1024);
  const isPdf = start[0] === 0x25 && start[1] === 0x50 && start[2] === 0x44 && start[3] === 0x46;
  return isPdf || start.includes(0);
}

function looksLikeHtml(bytes: Uint8Array): boolean {
  const start = new TextDecoder('latin1')
    .decode(bytes.subarray(0, 1024))
    .replace(/^(?:\ufeff|ï»¿)/, '')
    .trimStart()
    .toLowerCase();
  return /^(?:<!doctype html|<html|<head|<body|<\?xml[^>]*>\s*<(?:!doctype html|html))/.test(start);
}

/**
 * Returns true for data with the key that every API description has at its root, unless the file name implies another
 * format.
 */
function looksLikeApiDescription(path: string, bytes: Uint8Array): boolean {
  const language = codeLanguageOf(path);
  if (language !== '' && language !== 'json' && language !== 'yaml') return false;
  const text = new TextDecoder('latin1').decode(bytes);
  const isJson = /^(?:ï»¿)?\s*\{/.test(text);
  return isJson
    ? /"(?:openapi|swagger|asyncapi)"\s*:\s*"[23]\./.test(text)
    : /^["']?(?:openapi|swagger|asyncapi)["']?\s*:\s*["']?[23]\b/m.test(text);
}

/** Returns true for plain text with an AsciiDoc title at the start and other AsciiDoc syntax below. */
function looksLikeAsciidoc(bytes: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, 16_384)).replace(/\r\n?/g, '\n');
  const isTitled = /^(?:ï»¿)?(?:\/\/.*\n|\[\[.*\]\]\n|:[\w-]+:.*\n|\n)*(?:= \S.*|[\w.+-]+\(\d\)\n=+)\n/.test(text);
  return (
    isTitled && /^(?:(?:ifn?def|include)::[^\s[]*\[|:[\w-]+:|\[\[?[\w-]+[^\]]*\]$|NAME\n----$|={2,5} \S)/m.test(text)
  );
}

/**
 * Returns true for reStructuredText in a `.txt` file, recognised by directives and targets with two dots before them.
 */
function looksLikeRst(bytes: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, 16_384)).replace(/\r\n?/g, '\n');
  const isTitled = /^(?:([=~*#-])\1{2,}\n *)?\S.*\n([=~*#^-])\2{2,}$/m.test(text);
  return isTitled && /^\.\. (?:_[^\s:][^\n:]*:|[a-z][\w-]*(?::[\w-]+)*::)(?: |$)/m.test(text);
}

/** Returns true for manual pages, which end in their section number: `tool.1`, `call.3pm`, `tool.1.gz`. */
export function isManualName(path: string): boolean {
  return /\.(?:[1-9][a-z]{0,6}|man|mdoc|roff|n)(?:\.gz)?$/.test(fileName(path));
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Returns true for a page with one of the two title macros, often after a long comment. The other openings accepted for
 * `mdoc` do not occur in Markdoc.
 */
function looksLikeManual(path: string, bytes: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, 65_536));
  if (/^[.'][ \t]*(?:TH|Dt)[ \t]+\S/m.test(text)) return true;
  return endingOf(path) === 'mdoc' && /^(?:'\\" |\.so[ \t]+\S+\s*$)/.test(text);
}

/** Doc comments in each language; a file with at least one is read for its declarations. */
const docComments: Record<string, RegExp> = {
  ts: /\*\/\s*export\b/,
  python: /^[ \t]*(?:async +)?(?:def|class) [^\n]*(?:\n[^\n]*){0,12}?:[ \t]*\n[ \t]*[rRuU]?(?:"{3}|''')/m,
  go: /^(?:\/\/[^\n]*\n(?:func (?:\([^)\n]*\) ?)?|(?:type|const|var) \(?\s*)|\t\/\/[^\n]*\n\t)\p{Lu}/mu,
  rust: /^[ \t]*\/\/[/!] ?\S/m,
  java: /\/\*\*\s/,
  kotlin: /\/\*\*\s/,
  csharp: /^[ \t]*\/\/\/ ?<\w/m,
  php: /\/\*\*\s/,
  c: /\/\*[*!]\s|^[ \t]*\/\/[/!] /m,
  perl: /^=head1[ \t]+\S/m,
  proto: /^[ \t]*\/\/ ?\S|\/\*/m,
  ruby: /^[ \t]*#[^\n]*\n[ \t]*(?:class|module|def|attr_)/m,
  swift: /^[ \t]*\/\/\/ ?\S|\/\*\*\s/m,
  dart: /^[ \t]*\/\/\/ ?\S|\/\*\*\s/m,
  elixir: /^[ \t]*@(?:module|type)?doc[ \t]+(?:~[sS])?(?:"""|'''|")/m,
  julia: /^[ \t]*(?:@doc[ \t]+)?(?:raw|doc)?"""/m,
};
docComments.tsx = docComments.ts as RegExp;
docComments.cpp = docComments.c as RegExp;

/** Paths of sources that users do not call: tests, copies, build output. */
const unofferedPath =
  /(?:^|\/)(?:tests?|__tests__|specs?|__mocks__|fixtures?|testdata|vendor|third_party|dist|build|out|target|generated|benchmarks?|migrations|internal)\/|(?:[._-](?:test|tests|spec|stories|min|pb|gen|generated)\.\w+|(?:^|\/)(?:test_|conftest|setup\.)[\w.]*|Tests?\.(?:java|kt|cs|php)|(?:^|\/)[\w.]*\.[\w.]*Tests?\/.*\.cs)$/;

/** Paths of test inputs and expected outputs in any format. */
const testDataPath =
  /(?:^|\/)(?:tests?|__tests__)\/(?:[^/]+\/)*(?:fixtures?|testdata|assets|data|resources|snapshots)\/|(?:^|\/)(?:spec\/fixtures|testdata|__fixtures__|__snapshots__|_snaps)\//;

/** Paths of documentation about tests, where such a name is inside the documentation folder. */
const documentedPath =
  /^(?:docs?|documentation)\/|(?<!(?:^|\/)(?:packages|libs?|apps|modules|plugins|crates))\/(?:docs?|documentation|content)\/(?:(?!src\/)[a-z0-9][^/]*\/)*tests?\//i;

/** Returns true for test data in a folder or repository. `path` is relative to the root. */
export function isTestData(path: string): boolean {
  return testDataPath.test(path) && !documentedPath.test(path);
}

/**
 * Returns the format of a file in a folder or repository; undefined if it is not documentation. Sources count if they
 * have doc comments on public declarations and are not tests or copies. `path` is relative to the root.
 */
export function documentationFormatOf(path: string, bytes: Uint8Array): DocumentFormat | undefined {
  if (isTestData(path) || templates.test(path)) return undefined;
  const format = formatOf(path, undefined, bytes);
  // Many files end in a number; only their content shows whether they are manual pages.
  if (format === 'text' && isManualName(path)) return undefined;
  if (format === 'topic' && isLibrary(bytes)) return undefined;
  if (format === 'html' && isTemplate(bytes)) return undefined;
  if (
    format === 'text' &&
    /^\s*\{%-?\s*(?:extends|load|block|if|autoescape|blocktrans)\s/.test(
      new TextDecoder().decode(bytes.subarray(0, 200)),
    )
  )
    return undefined;
  if (format === 'html' && partOfPages.test(path)) return undefined;
  if (format === 'declarations') return mayOfferDeclarations(path) ? format : undefined;
  if (format !== 'code') return format;
  if (!mayOfferDeclarations(path)) return undefined;
  return hasDocComments(path, bytes) ? 'declarations' : undefined;
}

/** Folders of Jekyll and Hugo with page fragments. */
const partOfPages = /(?:^|\/)(?:_includes|_layouts)\//;
/** Folders of Hugo and Sphinx with templates. */
const templates = /(?:^|\/)(?:layouts\/(?:_default|_?partials|_?shortcodes|_markup)|_templates)\//;

/** A redirect page has hardly any text besides the link. */
const redirectCharactersMax = 400;

/**
 * Returns true for a page that a program must fill in: one that starts with a template tag, has one as its title, or is
 * a fragment with conditions; and for a page that only redirects. Jekyll pages are recognised by their front matter.
 */
function isTemplate(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, 16_384)).replace(/^\ufeff/, '');
  const isPart = !/^\s*---|<html\b|<!doctype\b/i.test(text);
  const outside = isPart ? text.replace(/<(pre|code|samp|tt|kbd)\b[^>]*(?:>[^]*?(?:<\/\1>|$)|$)/gi, '') : '';
  if (/\{%-?\s*(?:if|for|block|case)\b/.test(outside) && /\{%-?\s*end/.test(outside)) return true;
  if (/^\s*(?:\{[{%#]|<[%?](?!xml\b)(?:=|php\b|@|\s))|<title>\s*(?:\{\{\s*[\w.$]|\{%|<%)/i.test(text)) return true;
  const page = text.replace(/<!--[^]*?(?:-->|$)|<noscript\b[^]*?(?:<\/noscript>|$)/gi, '');
  if (!/<meta [^<>]*http-equiv=["']?refresh["']?[^<>]*content=["']?\d+\s*;/i.test(page)) return false;
  const words = page.replace(/<head\b[^]*?<\/head>|<(script|style)\b[^]*?(?:<\/\1>|$)|<[^>]*(?:>|$)/gi, '').trim();
  return words.length < redirectCharactersMax;
}

/** Returns true for a Writerside topic that only contains snippets for other pages. */
function isLibrary(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  const outside = text.split('</snippet>').map((part) => part.split('<snippet', 1)[0]);
  const isEmpty = !/<(?:include|chapter|code-block|img|section-starting-page)\b/.test(outside.join(''));
  return (
    outside.length > 1 &&
    isEmpty &&
    outside
      .join('')
      .replace(/<[^<>]*>/g, '')
      .trim() === ''
  );
}

function hasDocComments(path: string, bytes: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(bytes).replace(/\r\n?/g, '\n');
  return docComments[codeLanguageOf(path)]?.test(text) === true;
}

/** Returns true if a file's extension may be documentation; its content decides. */
export function mayBeDocumentation(name: string): boolean {
  const language = codeLanguageOf(name);
  const isData = language === 'json' || language === 'yaml' || language === 'xml';
  return byEnding.has(endingOf(name)) || isData || Object.hasOwn(docComments, language);
}

/** Returns true if a file's name suggests public source code in a language with supported doc comments. */
export function mayOfferDeclarations(path: string): boolean {
  // In C and C++, only headers declare the public interface.
  const isImplementation = /\.(?:c|cc|cpp)$/.test(path);
  return Object.hasOwn(docComments, codeLanguageOf(path)) && !unofferedPath.test(path) && !isImplementation;
}
