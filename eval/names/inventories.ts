import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inflateSync } from 'node:zlib';

/** A name that a documentation set defines, and the page that defines it. */
export interface NamedPage {
  /** The fully qualified name in its language's notation. */
  full: string;
  /** Unqualified names that people use for it. */
  shorter: string[];
  /** Path of the page in the set. */
  page: string;
}

export type Generator = 'javadoc' | 'Sphinx' | 'Doxygen' | 'rustdoc' | 'gi-docgen' | 'Haddock' | 'Erlang';

/**
 * Returns all names of a set, from its generator's search index if there is one, otherwise from its page and anchor
 * names.
 */
export function namesOfSet(generator: Generator, folder: string): NamedPage[] {
  return [...readers[generator](folder)];
}

const readers: Record<Generator, (folder: string) => Iterable<NamedPage>> = {
  javadoc: javadocNames,
  Sphinx: sphinxNames,
  Doxygen: doxygenNames,
  rustdoc: rustNames,
  'gi-docgen': introspectionNames,
  Haddock: haskellNames,
  Erlang: erlangNames,
};

function* javadocNames(folder: string): Iterable<NamedPage> {
  const list = (file: string): Record<string, string>[] => {
    const text = readFileSync(join(folder, file), 'utf8');
    return JSON.parse(text.slice(text.indexOf('['), text.lastIndexOf(']') + 1)) as Record<string, string>[];
  };
  for (const { p: pack, l: name = '' } of list('type-search-index.js')) {
    if (pack === undefined) continue;
    yield { full: `${pack}.${name}`, shorter: [name], page: `${pack.replaceAll('.', '/')}/${name}.html` };
  }
  for (const { p: pack = '', c: type = '', l: label = '' } of list('member-search-index.js')) {
    const name = label.replace(/\(.*$/, '');
    // Skips constructors, which have their class's name.
    if (name === type.replace(/^.*\./, '')) continue;
    const shorter = [name, `${type}.${name}`, `${type}#${name}`, `${type}::${name}`];
    yield { full: `${pack}.${type}.${name}`, shorter, page: `${pack.replaceAll('.', '/')}/${type}.html` };
  }
}

function* sphinxNames(folder: string): Iterable<NamedPage> {
  const bytes = readFileSync(join(folder, 'objects.inv'));
  let start = 0;
  for (let line = 0; line < 4; line++) start = bytes.indexOf(10, start) + 1;
  for (const line of inflateSync(bytes.subarray(start)).toString('utf8').split('\n')) {
    const [, name = '', domain, href = ''] = /^(.+?) +(\w+):\S+ +-?\d+ +(\S+) /.exec(line) ?? [];
    if (domain !== 'py' && domain !== 'c' && domain !== 'cpp') continue;
    const page = href.replace(/\$$/, name).replace(/#.*$/, '');
    yield { full: name, shorter: membersOf(name, '.'), page };
  }
}

function* doxygenNames(folder: string): Iterable<NamedPage> {
  const entry = /\['((?:\.\.\/)[^'#]+)(?:#\w*)?',\d,'([^']*)'/g;
  for (const file of globSync('search/all_*.js', { cwd: folder })) {
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const name = /^ *\['[^']*',\['([^']*)'/.exec(line)?.[1];
      if (name === undefined || !/^~?[A-Za-z_]\w*$/.test(name)) continue;
      for (const [, href = '', scope = ''] of line.matchAll(entry)) {
        const scoped = entities(scope.replace(/\(.*$/, ''));
        // In C the scope is the header, which people do not write before a name.
        const full = /\.(?:h|hh|hpp|hxx|c|cc|cpp|cxx)$/.test(scoped) ? name : scoped;
        const qualified =
          full === name || full.endsWith(`::${name}`) ? full : [...(full === '' ? [] : [full]), name].join('::');
        // Files and pages without a scope are not names in the language.
        if (full !== '')
          yield { full: qualified, shorter: membersOf(qualified, '::'), page: href.replace(/^\.\.\//, '') };
      }
    }
  }
}

/** Matches item pages in a crate's folder. */
const rustItem = /^(?:struct|enum|trait|fn|macro|type|constant|union)\.(\w+)\.html$/;

function* rustNames(folder: string): Iterable<NamedPage> {
  for (const page of globSync('**/*.html', { cwd: folder })) {
    const parts = page.split('/');
    const item = rustItem.exec(parts.pop() ?? '')?.[1];
    if (item === undefined) continue;
    const full = [basename(folder), ...parts, item].join('::');
    yield { full, shorter: [item], page };
    const html = readFileSync(join(folder, page), 'utf8');
    for (const [, method = ''] of html.matchAll(/ id="(?:ty)?method\.(\w+)"/g)) {
      yield { full: `${full}::${method}`, shorter: membersOf(`${item}::${method}`, '::'), page };
    }
  }
}

function* introspectionNames(folder: string): Iterable<NamedPage> {
  const kinds =
    /^(class|iface|struct|enum|flags|func|method|ctor|type_func|vfunc|property|signal|callback)\.(.+)\.html$/;
  for (const page of globSync('*.html', { cwd: folder })) {
    const [, kind = '', name = ''] = kinds.exec(page) ?? [];
    if (name === '') continue;
    const html = readFileSync(join(folder, page), 'utf8');
    // Methods have their C name; all other languages use the name with dots.
    const called = /^(?:func|method|ctor|type_func)$/.test(kind)
      ? /(\w+)\s*\(/.exec(declarationOf(html))?.[1]
      : undefined;
    const namespace = /<title>(\w+)[ .–-]/.exec(html)?.[1] ?? '';
    const full = called ?? `${namespace}.${name}`;
    yield { full, shorter: [name, ...(called === undefined ? [] : [`${namespace}.${name}`])], page };
  }
}

function declarationOf(html: string): string {
  const code = /<h[24] id="declaration"[\s\S]*?<pre[^>]*>([\s\S]*?)<\/pre>/.exec(html)?.[1] ?? '';
  return entities(code.replace(/<[^>]+>/g, '')).replace(/\s+/g, ' ');
}

function* haskellNames(folder: string): Iterable<NamedPage> {
  const files = existsSync(join(folder, 'doc-index-All.html'))
    ? ['doc-index-All.html']
    : globSync('doc-index*.html', { cwd: folder });
  for (const file of files) {
    for (const [, module = '', kind, name = ''] of readFileSync(join(folder, file), 'utf8').matchAll(
      /href="([A-Z][\w-]*)\.html#(v|t):([^"]+)"/g,
    )) {
      const written = decodeURIComponent(name).replace(/-(\d+)-/g, (_, code: string) =>
        String.fromCodePoint(Number(code)),
      );
      const own = module.replaceAll('-', '.');
      // Operators are asked for differently, so they are skipped.
      if (kind !== undefined && /^[A-Za-z]/.test(written))
        yield { full: `${own}.${written}`, shorter: [written], page: `${module}.html` };
    }
  }
}

function* erlangNames(folder: string): Iterable<NamedPage> {
  for (const page of globSync('*.html', { cwd: folder })) {
    const module = page.replace(/\.html$/, '');
    const html = readFileSync(join(folder, page), 'utf8');
    for (const [, name = '', arity = ''] of html.matchAll(/(?:name|id)="([a-z]\w*)[-/](\d+)"/g)) {
      yield { full: `${module}:${name}/${arity}`, shorter: [`${module}:${name}`, `${module}.${name}`, name], page };
    }
  }
}

/** Returns the last part, and the last two joined in each usual way. */
function membersOf(full: string, separator: string): string[] {
  const parts = full.split(separator);
  const [name = '', owner] = parts.reverse();
  return owner === undefined ? [name] : [name, ...['.', '#', '::'].map((mark) => owner + mark + name)];
}

function entities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
