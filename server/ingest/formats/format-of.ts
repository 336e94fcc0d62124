import { isDocbook } from './docbook/prolog.ts';

/** How the bytes of a page or file are read. */
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
  /** And DITA. */
  | 'docbook'
  | 'declarations'
  | 'text'
  | 'code';

/** Names by the endings of files that mean them. */
function byEndings<Name extends string>(endings: Partial<Record<Name, string>>): Map<string, Name> {
  const names = Object.entries(endings) as [Name, string][];
  return new Map(names.flatMap(([name, list]) => list.split(' ').map((ending): [string, Name] => [ending, name])));
}

const byEnding = byEndings<DocumentFormat>({
  html: 'html htm xhtml',
  // Markdoc's `mdoc`; manual pages of that ending say in their macros what they are.
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

/** Endings of files that are read as one block of code, by their language. */
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

/** Returns true if a media type names a format of documentation: no HTML, no code and no data. */
export function isDocumentType(type: string): boolean {
  const format = byType.find(([pattern]) => pattern.test(type))?.[1];
  return format !== undefined && format !== 'html' && format !== 'code' && format !== 'openapi';
}

/**
 * Format of a document, from what its server says, what its name says, and what its bytes say. A kilobyte of them is enough, save
 * for data (JSON, YAML), XML and Perl: whether it describes an API or carries POD may show at its very end. Undefined for what is not text: pictures, archives, PDF.
 */
export function formatOf(path: string, contentType: string | undefined, bytes: Uint8Array): DocumentFormat | undefined {
  const format = textFormatOf(path, contentType, bytes);
  if (format === 'code' && /\.(?:d\.[cm]?ts|pyi)$/.test(fileName(path))) return 'declarations';
  if (format === 'code' && codeLanguageOf(path) === 'perl' && hasDocComments(path, bytes)) return 'pod';
  if (format === 'code' && looksLikeApiDescription(path, bytes)) return 'openapi';
  if (format === 'rd' && bytes.length > 0 && !/^\\name\{/m.test(new TextDecoder('latin1').decode(bytes))) {
    // Ruby had a format of that ending, too.
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
    // Servers send Markdown and RST under many names, but none of them as HTML.
    return format === 'code' && named !== undefined && named !== 'html' ? named : format;
  }
  if (named !== undefined && named !== 'html') return named;
  const isSilent = type === '' || type === 'application/octet-stream' || type.startsWith('text/');
  if (!isSilent) return undefined;
  if (looksLikeHtml(firstBytes)) return 'html';
  return named ?? (type === 'text/plain' || type === '' ? 'text' : undefined);
}

/** Language of a file that is read as code; empty when its name does not say. */
export function codeLanguageOf(path: string): string {
  return codeEndings.get(endingOf(path)) ?? '';
}

function formatByName(path: string): DocumentFormat | undefined {
  const name = fileName(path);
  // Sphinx publishes its sources with a second ending.
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

/** Zero bytes mean no text, except in UTF-16, which says so at its start. */
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

/** Data whose name does not say otherwise, with the key that every API description has at its root. */
function looksLikeApiDescription(path: string, bytes: Uint8Array): boolean {
  const language = codeLanguageOf(path);
  if (language !== '' && language !== 'json' && language !== 'yaml') return false;
  const text = new TextDecoder('latin1').decode(bytes);
  const isJson = /^(?:ï»¿)?\s*\{/.test(text);
  return isJson
    ? /"(?:openapi|swagger|asyncapi)"\s*:\s*"[23]\./.test(text)
    : /^["']?(?:openapi|swagger|asyncapi)["']?\s*:\s*["']?[23]\b/m.test(text);
}

/** Plain text that starts with a title of AsciiDoc and has something else of it below. */
function looksLikeAsciidoc(bytes: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, 16_384)).replace(/\r\n?/g, '\n');
  const isTitled = /^(?:ï»¿)?(?:\/\/.*\n|\[\[.*\]\]\n|:[\w-]+:.*\n|\n)*(?:= \S.*|[\w.+-]+\(\d\)\n=+)\n/.test(text);
  return (
    isTitled && /^(?:(?:ifn?def|include)::[^\s[]*\[|:[\w-]+:|\[\[?[\w-]+[^\]]*\]$|NAME\n----$|={2,5} \S)/m.test(text)
  );
}

/** Some projects name their files of reStructuredText `.txt`: directives and targets have two dots before them. */
function looksLikeRst(bytes: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, 16_384)).replace(/\r\n?/g, '\n');
  const isTitled = /^(?:([=~*#-])\1{2,}\n *)?\S.*\n([=~*#^-])\2{2,}$/m.test(text);
  return isTitled && /^\.\. (?:_[^\s:][^\n:]*:|[a-z][\w-]*(?::[\w-]+)*::)(?: |$)/m.test(text);
}

/** Manual pages end in the number of their section: `tool.1`, `call.3pm`, `tool.1.gz`. */
export function isManualName(path: string): boolean {
  return /\.(?:[1-9][a-z]{0,6}|man|mdoc|roff|n)(?:\.gz)?$/.test(fileName(path));
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** A page names itself by one of two macros, often below a long comment; of Markdoc's files, none begins like the others. */
function looksLikeManual(path: string, bytes: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, 65_536));
  if (/^[.'][ \t]*(?:TH|Dt)[ \t]+\S/m.test(text)) return true;
  return endingOf(path) === 'mdoc' && /^(?:'\\" |\.so[ \t]+\S+\s*$)/.test(text);
}

/** Doc comments as each language writes them; one is enough for a file to be read for what it declares. */
const docComments: Record<string, RegExp> = {
  ts: /\*\/\s*export\b/,
  python: /^[ \t]*(?:async +)?(?:def|class) [^\n]*(?:\n[^\n]*){0,12}?:[ \t]*\n[ \t]*[rRuU]?(?:"{3}|''')/m,
  go: /^\/\/[^\n]*\n(?:func (?:\([^)\n]*\) ?)?|(?:type|const|var) \(?\s*)\p{Lu}/mu,
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

/** Where sources are that no one calls: tests, copies, what is built. */
const unofferedPath =
  /(?:^|\/)(?:tests?|__tests__|specs?|__mocks__|fixtures?|testdata|vendor|third_party|dist|build|out|target|generated|benchmarks?|migrations|internal)\/|(?:[._-](?:test|tests|spec|stories|min|pb|gen|generated)\.\w+|(?:^|\/)(?:test_|conftest|setup\.)[\w.]*|Tests?\.(?:java|kt|cs|php)|(?:^|\/)[\w.]*\.[\w.]*Tests?\/.*\.cs)$/;

/** Inputs and expected outputs of tests, whatever their format. */
const testDataPath =
  /(?:^|\/)(?:tests?|__tests__)\/(?:[^/]+\/)*(?:fixtures?|testdata|assets|data|resources|snapshots)\/|(?:^|\/)(?:spec\/fixtures|testdata|__fixtures__|__snapshots__|_snaps)\//;

/** Documentation that is about tests, where that name stands below the folder of the documentation. */
const documentedPath =
  /^(?:docs?|documentation)\/|(?<!(?:^|\/)(?:packages|libs?|apps|modules|plugins|crates))\/(?:docs?|documentation|content)\/(?:(?!src\/)[a-z0-9][^/]*\/)*tests?\//i;

/** Returns true if a file of a folder or repository is data of its tests. `path` is that below the root. */
export function isTestData(path: string): boolean {
  return testDataPath.test(path) && !documentedPath.test(path);
}

/**
 * Format of a file of a folder or repository; undefined for one that is no documentation. Beside what is documentation by its kind
 * these are sources with doc comments on what they offer, outside of tests and copies. `path` is that below the root.
 */
export function documentationFormatOf(path: string, bytes: Uint8Array): DocumentFormat | undefined {
  if (isTestData(path) || templates.test(path)) return undefined;
  const format = formatOf(path, undefined, bytes);
  // Many files end in a number; only what is in them tells whether they are manual pages.
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

/** Folders of Jekyll and Hugo. */
const partOfPages = /(?:^|\/)(?:_includes|_layouts)\//;
/** Folders of Hugo and Sphinx. */
const templates = /(?:^|\/)(?:layouts\/(?:_default|_?partials|_?shortcodes|_markup)|_templates)\//;

/** A page that leads to another says little more than that. */
const redirectCharactersMax = 400;

/**
 * Returns true for a page that a program has yet to fill in: one that begins with a mark of a template, has one for a title, is a part
 * of a page with conditions in it, or only leads to another. Jekyll's pages begin with their settings.
 */
function isTemplate(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, 16_384)).replace(/^\ufeff/, '');
  const isPart = !/^\s*---|<html\b|<!doctype\b/i.test(text);
  const outside = isPart ? text.replace(/<(pre|code|samp|tt|kbd)\b[^>]*>[^]*?(?:<\/\1>|$)/gi, '') : '';
  if (/\{%-?\s*(?:if|for|block|case)\b/.test(outside) && /\{%-?\s*end/.test(outside)) return true;
  if (/^\s*(?:\{[{%#]|<[%?](?!xml\b)(?:=|php\b|@|\s))|<title>\s*(?:\{\{\s*[\w.$]|\{%|<%)/i.test(text)) return true;
  const page = text.replace(/<!--[^]*?-->|<noscript\b[^]*?<\/noscript>/gi, '');
  if (!/<meta [^<>]*http-equiv=["']?refresh["']?[^<>]*content=["']?\d+\s*;/i.test(page)) return false;
  const words = page.replace(/<head\b[^]*?<\/head>|<(script|style)\b[^]*?(?:<\/\1>|$)|<[^>]*>/gi, '').trim();
  return words.length < redirectCharactersMax;
}

/** Returns true for a topic of Writerside that only keeps parts for other pages. */
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

/** Returns true if a file's name has an ending that documentation has; what is in the file decides. */
export function mayBeDocumentation(name: string): boolean {
  const language = codeLanguageOf(name);
  const isData = language === 'json' || language === 'yaml' || language === 'xml';
  return byEnding.has(endingOf(name)) || isData || Object.hasOwn(docComments, language);
}

/** Returns true if a file is by its name a source that others may call, in a language whose doc comments are read. */
export function mayOfferDeclarations(path: string): boolean {
  // Headers say what C offers; the rest is how it is done.
  const isImplementation = /\.(?:c|cc|cpp)$/.test(path);
  return Object.hasOwn(docComments, codeLanguageOf(path)) && !unofferedPath.test(path) && !isImplementation;
}
