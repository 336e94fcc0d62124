import { describe, expect, test } from 'vitest';
import { pageOf, segmentOf, snippetOf } from '#test/services/random-modules.ts';
import { askedName } from '../analysis/asked-name.ts';
import type { PageRecord } from '../types.ts';
import { searchSegments } from './search-segments.ts';

const site = 'https://x.org';

/** Pages that mention a name more often than the page that defines it. */
const manyMentions = (name: string): PageRecord[] =>
  Array.from({ length: 30 }, (_, at) =>
    pageOf(`${site}/guide/${at}.html`, `${name} in practice ${at}`, [`${name} ${name} ${name}: call ${name} here.`]),
  );

const firstFor = (query: string, pages: PageRecord[], names: string[] = []): string | undefined => {
  const view = { segment: segmentOf(pages), key: 'module' };
  return searchSegments([view], query, { names })[0]?.page.url.replace(`${site}/`, '');
};

describe('a query that is a name ranks the page that defines it first', () => {
  const member = (identifiers: string[], anchor: string) =>
    snippetOf('Does what its name says, at some length, with words of its own.', { identifiers, anchor });

  test.each([
    {
      generator: 'javadoc',
      page: 'api/org/x/io/FileUtils.html',
      title: 'FileUtils',
      defined: member(['copyFile'], 'copyFile(java.io.File)'),
      queries: ['org.x.io.FileUtils.copyFile', 'FileUtils#copyFile', 'FileUtils::copyFile()', 'org.x.io.FileUtils'],
    },
    {
      generator: 'Sphinx',
      page: 'library/pool.html',
      title: 'Pools of workers',
      defined: member(['x.pool.Pool.map'], 'x.pool.Pool.map'),
      queries: ['x.pool.Pool.map', 'Pool.map', 'Pool#map'],
    },
    {
      generator: 'rustdoc',
      page: 'x/bytes/struct.Matcher.html',
      title: 'Struct Matcher',
      defined: member(['find_at'], 'method.find_at'),
      queries: ['x::bytes::Matcher::find_at', 'Matcher::find_at', 'struct Matcher'],
    },
    {
      generator: 'gi-docgen',
      page: 'method.Label.set_text.html',
      title: 'Gtk.Label.set_text',
      defined: member([], 'declaration'),
      queries: ['gtk_label_set_text', 'Gtk.Label.set_text', 'Label.set_text'],
    },
    {
      generator: 'gi-docgen, where C repeats nothing',
      page: 'ctor.Pixbuf.new_from_file.html',
      title: 'GdkPixbuf.Pixbuf.new_from_file',
      defined: member([], 'declaration'),
      queries: ['gdk_pixbuf_new_from_file'],
    },
    {
      generator: 'Haddock',
      page: 'Data-Stream.html',
      title: 'Data.Stream',
      defined: member(['takeC'], 'v:takeC'),
      queries: ['Data.Stream.takeC', 'takeC'],
    },
    {
      generator: 'Crystal',
      page: 'Hash.html',
      title: 'class Hash(K, V)',
      defined: member([], '[]?(key)-instance-method'),
      queries: ['Hash#[]?'],
    },
    {
      generator: "Scaladoc, a class's companion object",
      page: 'shop/Basket$.html',
      title: 'Basket - Shop API - shop.Basket',
      defined: member(['empty'], 'empty:Basket'),
      queries: ['shop.Basket.empty', 'Basket.empty'],
    },
    {
      generator: 'Dokka',
      page: 'shop/org.x.shop/-item-list/add-all.html',
      title: 'addAll',
      defined: member([], ''),
      queries: ['org.x.shop.ItemList.addAll', 'ItemList.addAll', 'ItemList#addAll'],
    },
    {
      generator: 'Dokka, a class',
      page: 'shop/org.x.shop/-item-list/index.html',
      title: 'ItemList',
      defined: member([], ''),
      queries: ['org.x.shop.ItemList', 'shop.ItemList'],
    },
    {
      generator: 'EDoc',
      page: 'proper_gen.html',
      title: 'Module proper_gen',
      defined: member(['pick'], 'pick-2'),
      queries: ['proper_gen:pick/2', 'proper_gen:pick'],
    },
  ])('$generator', ({ page, title, defined, queries }) => {
    const own = { ...pageOf(`${site}/${page}`, title, ['What it is for.']) };
    own.snippets.push(defined);
    for (const query of queries) {
      const mentioned = query.replace(/^struct |[(/].*$/g, '');
      expect([query, firstFor(query, [...manyMentions(mentioned), own])]).toEqual([query, page]);
    }
  });

  test('also ranks the class page first for a member that only this page lists', () => {
    const pages = [
      pageOf(`${site}/structTag.html`, 'Tag Struct Reference', ['| Type | Name |\n|---|---|\n| int | count\\_ |']),
      pageOf(`${site}/structTag-members.html`, 'Member List', ['count\\_ is defined in Tag, count\\_ Tag::count\\_']),
      pageOf(`${site}/tags.html`, 'How tags count', ['Each Tag::count_ is one more than the one before it.']),
    ];
    expect(firstFor('Tag::count_', pages)).toBe('structTag.html');
  });

  test('also the page of a member before the page of its class, which summarizes it', () => {
    const folder = `${site}/shop/org.x.shop/-item-list`;
    const members = ['addAll', 'size', 'itemList'].map((name) =>
      snippetOf(`org x shop ItemList ${name}: adds all of the items`, { identifiers: [name] }),
    );
    const pages = [
      { ...pageOf(`${folder}/index.html`, 'ItemList', []), snippets: members },
      pageOf(`${folder}/add-all.html`, 'addAll', ['Adds everything in the given collection, in its order.']),
    ];
    expect(firstFor('org.x.shop.ItemList.addAll', pages)).toBe('shop/org.x.shop/-item-list/add-all.html');
  });

  test('also for one of many members, even if the text of another page matches better', () => {
    const members = Array.from({ length: 300 }, (_, at) =>
      snippetOf(at === 222 ? 'Applies it to every element.' : `data list member ${at} list data list`, {
        identifiers: [at === 222 ? 'each' : `member${at}`],
      }),
    );
    const pages = [
      { ...pageOf(`${site}/Data-List.html`, 'Data.List', []), snippets: members },
      pageOf(`${site}/guide.html`, 'Each list', ['For each data list: Data.List.each, each and each.']),
    ];
    const view = { segment: segmentOf(pages), key: 'module' };
    const [best] = searchSegments([view], 'Data.List.each');
    expect([best?.page.title, best?.snippet.identifiers, best?.parts.coverage]).toEqual(['Data.List', ['each'], 1]);
  });

  test('also one that five passages of its page say more often', () => {
    const uses = Array.from({ length: 6 }, (_, at) => snippetOf(`data list each ${at}: each each list each each`));
    const own = { ...pageOf(`${site}/Data-List.html`, 'Data.List', []), snippets: uses };
    own.snippets.push(snippetOf('Applies it to every element of one, and each.', { identifiers: ['each'] }));
    const view = { segment: segmentOf([own]), key: 'module' };
    const [best] = searchSegments([view], 'Data.List.each');
    expect([best?.snippet.identifiers, best?.parts.coverage]).toEqual([['each'], 1]);
  });

  test('also of a namespace whose page is titled with its project', () => {
    const pages = [
      pageOf(`${site}/namespaceDepot.html`, 'Depot: Depot Namespace Reference', ['- int **shelfCount** () — Counts.']),
      pageOf(`${site}/depot_8hpp.html`, 'Depot: depot.hpp File Reference', ['- int **Depot::shelfCount** ()']),
      ...manyMentions('Depot::shelfCount').slice(0, 5),
    ];
    expect(firstFor('Depot::shelfCount', pages)).toBe('namespaceDepot.html');
  });

  test('also for an interface whose classes mention its name more often', () => {
    const cipher = pageOf(`${site}/org/x/Cipher.html`, 'Cipher', ['Interface Cipher']);
    const classes = Array.from({ length: 20 }, (_, at) => {
      const page = pageOf(`${site}/org/x/Cipher${at}.html`, `Cipher${at}`, []);
      const text = 'class of org.x.Cipher: org.x.Cipher implements org.x.Cipher';
      return { ...page, snippets: [snippetOf(text, { identifiers: [`Cipher${at}`, 'org.x.Cipher'] })] };
    });
    expect(firstFor('org.x.Cipher', [...classes, cipher])).toBe('org/x/Cipher.html');
  });

  test('also for a Scala class whose companion object says more about it', () => {
    const object = pageOf(`${site}/shop/Basket$.html`, 'Basket', ['Basket: a shop basket, shop.Basket, of Basket.']);
    const own = pageOf(`${site}/shop/Basket.html`, 'Basket', ['What a customer has chosen so far, in its order.']);
    expect(firstFor('shop.Basket', [object, own])).toBe('shop/Basket.html');
    expect(firstFor('shop.Basket', [object, ...manyMentions('shop.Basket')])).toBe('shop/Basket$.html');
  });

  test('also for a module named in the first anchor of its page', () => {
    const own = pageOf(`${site}/api/errors.html`, 'errors – Exceptions', ['What can go wrong.']);
    own.snippets[0] = snippetOf('What can go wrong.', { identifiers: ['errors'], anchor: 'module-pgx.errors' });
    const start = pageOf(`${site}/pgx/`, 'pgx', ['pgx, pgx.errors and errors: `errors` of pgx, pgx.errors again.']);
    expect(firstFor('pgx.errors', [start, own, ...manyMentions('pgx.errors')])).toBe('api/errors.html');
  });

  test.each([
    { before: 'another function, which differs in its capitals', title: 'read.c', names: ['VAR_read'] },
    { before: 'a header that lists it among others', title: 'vars.h', names: ['var_read', 'var_size', 'var_write'] },
    { before: 'a list of remarks about members', title: 'Vars: Deprecated List', names: ['var_read'] },
    { before: 'an index of what a version added', title: 'Index of new symbols in 1.2: Vars', names: ['var_read'] },
  ])('also a C function on the page of its group, before $before', ({ title, names }) => {
    const [heading = ''] = names;
    const documented = snippetOf('Reads a value at an index, and says how that went and what it found there.', {
      identifiers: ['var_read'],
      headingPath: ['Variables', 'var_read()'],
    });
    const listed = snippetOf(`${heading}, ${heading}()`, { identifiers: names, headingPath: [`${heading}()`] });
    const pages = [
      { ...pageOf(`${site}/group__vars.html`, 'Vars: Variables', []), snippets: [documented] },
      { ...pageOf(`${site}/other.html`, title, []), snippets: [listed] },
    ];
    expect(firstFor('var_read', pages)).toBe('group__vars.html');
  });

  test.each([
    { query: 'DB->open', own: ['C/dbopen.html', 'DB->open()'], twin: ['CXX/dbopen.html', 'Db::open()'] },
    { query: 'DB_ENV.open', own: ['C/envopen.html', 'DB_ENV->open()'], twin: ['CXX/envopen.html', 'DbEnv::open()'] },
    {
      query: 'ASTHelper',
      own: ['b/ASTHelper.html', '[Java] Class ASTHelper'],
      twin: ['a/AstHelper.html', '[Java] Class AstHelper'],
    },
  ])('also the page named $query, before its twin in other letters', ({ query, own, twin }) => {
    const [ownPage = '', ownTitle = ''] = own;
    const [twinPage = '', twinTitle = ''] = twin;
    const pages = [
      pageOf(`${site}/${twinPage}`, twinTitle, [`${query}: opens it.`]),
      pageOf(`${site}/${ownPage}`, ownTitle, ['Opens it.']),
    ];
    expect(firstFor(query, pages)).toBe(ownPage);
    expect(firstFor(query, pages.slice(0, 1))).toBe(twinPage);
  });

  test.each(['#has_key', '.has_key', 'Matchers#has_key', 'App::Matchers.has_key'])(
    'also the method %s before a class whose name differs in underscores',
    (query) => {
      const method = snippetOf('Matches an object that has it.', {
        identifiers: ['has_key'],
        anchor: 'has_key-instance_method',
        headingPath: ['Instance Method Details', '#has_key(key)'],
      });
      const pages = [
        pageOf(`${site}/App/Matchers/HasKey.html`, 'Class: App::Matchers::HasKey', ['HasKey has_key has key.']),
        { ...pageOf(`${site}/App/Matchers.html`, 'Module: App::Matchers', ['Matchers.']), snippets: [method] },
      ];
      expect(firstFor(query, pages)).toBe('App/Matchers.html');
    },
  );

  test('never ranks a list of uses or a source page first', () => {
    const pages = [
      pageOf(`${site}/org/x/class-use/Order.html`, 'Uses of Class org.x.Order', ['org.x.Order is used by Order']),
      pageOf(`${site}/org/x/Order.html`, 'Order', ['Says what comes first.']),
    ];
    expect(firstFor('org.x.Order', pages)).toBe('org/x/Order.html');
  });
});

test.each([
  ['StringUtils.isBlank', [], ['stringutils', 'isblank']],
  ['commons-lang StringUtils#isBlank(CharSequence)', ['commons-lang'], ['stringutils', 'isblank']],
  ['lists:map/2', [], ['lists', 'map']],
  ['class `Foo::Bar`', [], ['foo', 'bar']],
  ['Array#<<', [], ['array', '<<']],
  ['#has_key', [], ['has_key']],
  ['x ->open()', ['x'], ['open']],
  ['# open', [], undefined],
  ['Foo::operator==', [], ['foo', 'operator==']],
  ['Mold#width=', [], ['mold', 'width=']],
  ['Hash#[]?(key)', [], ['hash', '[]?']],
  ['a...', [], undefined],
  ['requests', ['requests'], ['requests']],
  ['copy a file', [], undefined],
  ['FileUtils.copyFile overwrite', [], undefined],
  ['--no-verify', [], undefined],
  ['日本語', [], ['日本語']],
  ['', [], undefined],
])('"%s" is a query for a name', (query, names, parts) => {
  expect(askedName(query, names)).toEqual(parts);
});
