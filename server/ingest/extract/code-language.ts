import { childElements, findElement, type HtmlElement, textOf } from './html-tree.ts';

// Class names that name a language without a prefix such as `language-`.
const LANGUAGES = new Set(
  (
    'abap ada apache apacheconf applescript asm assembly awk bash basic bat batch c c++ cc clojure cmake cobol coffee ' +
    'coffeescript conf console cpp crystal cs csharp csh css cuda cypher cython d dart diff django dockerfile dos elisp elixir elm ' +
    'erb erlang fortran fsharp fish gherkin gitignore glsl go golang gradle graphql groovy haml handlebars haskell hbs hcl hlsl ' +
    'html http idris ini ipython ipython3 irb java javascript jinja js json json5 jsonc jsx julia kotlin kt latex less lisp llvm ' +
    'lua make makefile markdown mathematica matlab md mermaid mysql nasm nginx nim nix nu objc objective-c objectivec ocaml octave ' +
    'pascal perl pgsql php plpgsql plsql postgres postgresql powershell prisma prolog properties protobuf proto ps1 psql pug puppet ' +
    'purescript py pycon python python2 python3 qml r racket rb re reason rest rkt rst ruby rs rust sass scala scheme scss sed sh ' +
    'shell shell-session shellsession smalltalk solidity sql sqlite svelte svg swift systemd tcl terraform tex text toml ts tsql ' +
    'tsx twig typescript vala vb vba verilog vhdl vim vue wasm wat xhtml xml xquery xslt yaml yml zig zsh'
  ).split(' '),
);

// Values that mean "no language": there is nothing to highlight.
const NO_LANGUAGE = new Set([
  'none',
  'nohighlight',
  'no-highlight',
  'plain-text-none',
  'undefined',
  'null',
  'unknown',
  'default',
  'literal',
  'false',
]);

const PREFIXED =
  /^(?:language|lang|mw-highlight-lang|highlight-source|highlight|brush|syntax|src|sourcecode|hljs-language)[-:=_](.+)$/i;
const VALID = /^[a-z0-9][a-z0-9+#._-]{0,29}$/;

// A code wrapper contains little besides the code: a caption, a copy label.
const WRAPPER_LEVELS_MAX = 4;
const WRAPPER_TEXT_MAX = 80;

/** Returns a code block's language in lower case, as named on the block, inside it or on its wrapper. */
export function codeLanguage(pre: HtmlElement, code: string): string | undefined {
  const inner = findElement(pre, ({ name }) => name === 'code') ?? childElements(pre)[0];
  const named = (inner && languageOf(inner, true)) ?? languageOf(pre, true) ?? wrapperLanguage(pre);
  if (named === '') return undefined;
  return named ?? (/^\s*>>> \S/.test(code) ? 'pycon' : undefined);
}

function wrapperLanguage(pre: HtmlElement): string | undefined {
  let wrapper = pre.parent;
  for (let level = 0; wrapper && level < WRAPPER_LEVELS_MAX; level++, wrapper = wrapper.parent) {
    if (wrapper.textLength > pre.textLength + WRAPPER_TEXT_MAX && wrapper.textLength > pre.textLength * 1.5)
      return undefined;
    // Sphinx marks the document's default language this way; it is Python unless highlighting failed.
    if (wrapper.hasClass('highlight-default')) return isHighlighted(pre) ? 'python' : '';
    const language = languageOf(wrapper, false);
    if (language !== undefined) return language;
  }
  return undefined;
}

// Keywords, imports, prompts and decorators: shell or configuration that happens to lex as Python has none.
const PYTHON_TOKENS = new Set(['k', 'kn', 'kc', 'gp', 'nd', 'sd', 'ow']);
// Only built-in functions that do not occur in configuration, where `type` and `input` are common keys.
const PYTHON_BUILTINS = /^(?:print|len|range|isinstance|super|enumerate|zip|sorted|repr|[gs]etattr|hasattr)$/;

function isHighlighted(pre: HtmlElement): boolean {
  return (
    findElement(
      pre,
      (child) =>
        child.name === 'span' &&
        child.classes.length === 1 &&
        (PYTHON_TOKENS.has(child.classes[0]!) || (child.hasClass('nb') && PYTHON_BUILTINS.test(textOf(child)))),
    ) !== undefined
  );
}

/** Returns the language named by one element; the empty string if it declares none. */
function languageOf(element: HtmlElement, isCode: boolean): string | undefined {
  if (element.attributes.length === 0) return undefined;
  const data =
    element.attribute('data-lang') ?? element.attribute('data-language') ?? element.attribute('data-code-lang');
  if (data) return normal(data) ?? undefined;
  const { classes } = element;
  for (let i = 0; i < classes.length; i++) {
    const prefixed =
      PREFIXED.exec(classes[i]!)?.[1] ?? (/^(brush|lang|language):$/i.test(classes[i]!) ? classes[i + 1] : undefined);
    if (prefixed === undefined) continue;
    const language = normal(prefixed.replace(/;.*$/, ''));
    if (language !== undefined && !isFurnitureName(language)) return language;
  }
  if (!isCode && !classes.some((name) => /^(sourceCode|highlight|codehilite|example|listing)$/.test(name)))
    return undefined;
  for (const name of classes)
    if (LANGUAGES.has(name.toLowerCase()) && !(name === 'text' && !isCode)) return name.toLowerCase();
  return undefined;
}

/** Returns true for names such as `code-block` and `highlight-wrapper`, which look like prefixed languages. */
function isFurnitureName(name: string): boolean {
  return /^(block|box|wrapper|container|example|snippet|toolbar|copy|line|lines|content|frame|body|area|inner|outer|group|header|title|tab|tabs|text-only|fence|sample|view|viewer|highlight|rouge|highlighter.*|source)$/.test(
    name,
  );
}

function normal(name: string): string | undefined {
  const language = name
    .trim()
    .toLowerCase()
    .replace(/^language-/, '')
    .split(/[\s,{:]/)[0]!;
  if (NO_LANGUAGE.has(language)) return '';
  if (language === 'plaintext' || language === 'plain' || language === 'txt') return 'text';
  return VALID.test(language) ? language : undefined;
}
