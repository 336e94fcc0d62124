import type { Generator } from '../names/inventories.ts';

/**
 * Location of a set of pages and, based on its generator, which parts of its pages are content and which are furniture.
 */
export interface Corpus {
  name: string;
  generator: string;
  /** Folder below `--corpora`. */
  folder: string;
  /** Selectors of the main content's element; the first match counts. */
  content: string[];
  /** Selectors of navigation and other furniture, inside or outside the content. */
  furniture: string;
  /** Selectors of code outside `pre`: each element is a block, each row or paragraph in it a line. */
  code?: string;
  /** Paths that are not separate pages. */
  exclude?: RegExp;
  /** The generator whose name listing `eval names` reads. */
  inventory?: Generator;
}

export const SPHINX_FURNITURE =
  '.headerlink, .sphinxsidebar, .related, .footer, .viewcode-link, .contents.local, .contents.topic, nav.contents, .mobile-nav, .deck';

/** The corpora of Debian documentation packages, and further generators if their packages are unpacked too. */
export const CORPORA: readonly Corpus[] = [
  {
    name: 'python3',
    generator: 'Sphinx, python.org theme',
    folder: 'python3.11-doc/usr/share/doc/python3.11/html',
    content: ['div.body'],
    furniture: SPHINX_FURNITURE,
  },
  {
    name: 'postgresql',
    generator: 'DocBook XSL',
    folder: 'postgresql-doc-15/usr/share/doc/postgresql-doc-15/html',
    content: ['body'],
    furniture: '.navheader, .navfooter, .id_link',
  },
  {
    name: 'nodejs',
    generator: 'Node doctool',
    folder: 'nodejs-doc/usr/share/doc/nodejs/api',
    content: ['#apicontent'],
    furniture: '#column2, header, #toc, .mark, #gtoc, .alt-docs',
    exclude: /(^|\/)all\.html$/,
  },
  {
    name: 'git',
    generator: 'AsciiDoc',
    folder: 'git-doc/usr/share/doc/git-doc',
    content: ['body'],
    furniture: '#footer, #toc, #author, #revnumber, #revdate',
  },
  {
    name: 'sqlite',
    generator: 'hand-written',
    folder: 'sqlite3-doc/usr/share/doc/sqlite3',
    content: ['div.fancy', 'body'],
    furniture: '.nosearch, .menu, .searchmenu, .fancy_toc, .toc_header',
  },
  {
    name: 'django',
    generator: 'Sphinx, YUI theme',
    folder: 'python-django-doc/usr/share/doc/python-django-doc/html',
    content: ['.yui-g'],
    furniture: `${SPHINX_FURNITURE}, #hd, #ft, .nav, #sidebar`,
  },
  {
    name: 'flask',
    generator: 'Sphinx, Pallets theme',
    folder: 'python-flask-doc/usr/share/doc/python-flask-doc/html',
    content: ['div.body'],
    furniture: SPHINX_FURNITURE,
  },
  {
    name: 'sqlalchemy',
    generator: 'Sphinx, Mako theme',
    folder: 'python-sqlalchemy-doc/usr/share/doc/python-sqlalchemy-doc/html',
    content: ['#docs-body'],
    furniture: `${SPHINX_FURNITURE}, #docs-top-navigation-container, #fixed-sidebar, #narrow-index-nav, #docs-narrow-top-navigation, #docs-bottom-navigation, #docs-copyright`,
  },
  {
    name: 'apache2',
    generator: 'httpd XSLT',
    folder: 'apache2-doc/usr/share/doc/apache2-doc/manual/en',
    content: ['#page-content', 'body'],
    furniture:
      '#page-header, .up, #path, .top, .toplang, .bottomlang, #footer, .permalink, #toc, #topics, .lang-toggle',
  },
  {
    name: 'cmake',
    generator: 'Sphinx',
    folder: 'cmake-doc/usr/share/doc/cmake-data/html',
    content: ['div.body'],
    furniture: SPHINX_FURNITURE,
  },
  {
    name: 'rust',
    generator: 'rustdoc and mdBook',
    folder: 'rust-doc/usr/share/doc/rust-doc/html',
    content: ['#main-content', 'main', 'body'],
    furniture:
      'nav, .sidebar, .srclink, .rightside, .out-of-band, #menu-bar, .nav-chapters, .nav-wrapper, .notable-traits, .test-arrow, .sub, .anchor, summary.hideme, #copy-path, #sidebar-toggle, .mobile-topbar',
    exclude: /(^|\/)print\.html$|^(core|alloc|test)\/|^src\//,
  },
  {
    name: 'go',
    generator: 'hand-written fragments',
    folder: 'golang-1.19-doc/usr/share/doc/golang-1.19-doc/html',
    content: ['body'],
    furniture: '#nav',
  },
  {
    name: 'requests',
    generator: 'Sphinx, Alabaster',
    folder: 'python-requests-doc/usr/share/doc/python-requests-doc/html',
    content: ['div.body'],
    furniture: SPHINX_FURNITURE,
  },
  {
    name: 'pytest',
    generator: 'Sphinx',
    folder: 'python-pytest-doc/usr/share/doc/python-pytest-doc/html',
    content: ['div.body'],
    furniture: SPHINX_FURNITURE,
  },
  {
    name: 'pandas',
    generator: 'Sphinx, pydata theme',
    folder: 'python-pandas-doc/usr/share/doc/python-pandas-doc/html',
    content: ['main'],
    furniture: `${SPHINX_FURNITURE}, nav, .bd-sidebar, .bd-toc, footer, .prev-next-area, .prev-next-bottom`,
  },
  {
    name: 'drf',
    generator: 'MkDocs',
    folder: 'python-djangorestframework-doc/usr/share/doc/python3-djangorestframework/html',
    content: ['#main-content'],
    furniture:
      '.navbar, #mkdocs_search_modal, footer, .side-nav, #table-of-contents, .toclink-mark, .headerlink, .promo',
  },
  {
    name: 'celery',
    generator: 'Sphinx, Celery theme',
    folder: 'python-celery-doc/usr/share/doc/python-celery-doc/html',
    content: ['div.body'],
    furniture: SPHINX_FURNITURE,
  },
  {
    name: 'bash',
    generator: 'Texinfo and man2html',
    folder: 'bash-doc/usr/share/doc/bash',
    content: ['body'],
    furniture:
      '.header, .contents, .shortcontents, .contents-heading, .Contents_element, .copiable-anchor, .copiable-link, ul.section-toc, ul.mini-toc, table.menu',
  },
  {
    name: 'geos',
    generator: 'doxygen',
    folder: 'libgeos-doc/usr/share/doc/libgeos-dev/html',
    content: ['div.contents'],
    furniture:
      '#top, div.header .summary, hr.footer, .footer, address, #nav-path, .permalink, #titlearea, .textblock > .dynheader',
    exclude: /_source\.html$|-members\.html$|^dir_|^globals|^functions/,
  },
  {
    name: 'jsoup',
    generator: 'javadoc',
    folder: 'libjsoup-java-doc/usr/share/doc/libjsoup-java/api',
    content: ['main', 'div.contentContainer', 'body'],
    furniture: 'nav, header nav, footer, .topNav, .subNav, .bottomNav, .legalCopy, .skipNav, .fixedNav',
    exclude: /src-html|class-use|-frame\.html$|^index-all/,
  },
  {
    name: 'glib',
    generator: 'gtk-doc',
    folder: 'libglib2.0-doc/usr/share/gtk-doc/html/glib',
    content: ['div.refentry', 'div.chapter', 'div.book', 'body'],
    furniture: 'table.navigation, div.footer, td.listing_lines, .shortcut',
  },
  {
    name: 'ghc',
    generator: 'Haddock',
    folder: 'ghc-doc/usr/share/doc/ghc-doc/html/libraries',
    content: ['#content'],
    furniture: '#package-header, #footer, #table-of-contents, .link, .selflink, #style-menu-holder',
    exclude: /\/src\/|doc-index|mini_/,
  },
  {
    name: 'asciidoctor',
    generator: 'RDoc',
    folder: 'asciidoctor-doc/usr/share/doc/asciidoctor-doc/html',
    content: ['main'],
    furniture: 'nav, footer, .method-click-advice, #navigation',
  },
  {
    name: 'yard',
    generator: 'YARD',
    folder: 'yard-doc/usr/share/doc/yard/doc',
    content: ['#content'],
    furniture: '#menu, #search, #footer, #nav, .summary_toggle, td .lines, pre.lines',
    exclude: /_list\.html$|frames\.html$/,
  },
  {
    name: 'bind9',
    generator: 'Sphinx, Read the Docs theme',
    folder: 'bind9-doc/usr/share/doc/bind9-doc/arm',
    content: ['[itemprop=articleBody]'],
    furniture: 'nav, footer, .wy-nav-side, .rst-versions, .headerlink, .wy-breadcrumbs, .contents.local',
  },
  {
    name: 'attrs',
    generator: 'Sphinx, Furo',
    folder: 'python-attr-doc/usr/share/doc/python-attr-doc/html',
    content: ['[itemprop=articleBody]'],
    furniture: `${SPHINX_FURNITURE}, .sidebar-drawer, .toc-drawer, footer, .mobile-header, .content-icon-container`,
  },
  {
    name: 'mkdocs',
    generator: 'MkDocs, own theme',
    folder: 'mkdocs-doc/usr/share/doc/mkdocs/html',
    content: ['[role=main]', 'div.col-md-9'],
    furniture: '.navbar, .bs-sidebar, footer, .modal, .headerlink, #toc-collapse',
  },
  {
    name: 'freetype',
    generator: 'MkDocs Material',
    folder: 'freetype2-doc/usr/share/doc/libfreetype-dev/reference',
    content: ['article'],
    furniture: 'header, footer, nav, .md-sidebar, .headerlink, .md-search',
  },
  {
    name: 'qtsvg',
    generator: 'QDoc',
    folder: 'qtsvg5-doc-html/usr/share/qt5/doc/qtsvg',
    content: ['.mainContent'],
    furniture: '.navigationbar, .sidebar, .footer',
  },
  {
    name: 'libadwaita',
    generator: 'gi-docgen',
    folder: 'libadwaita-1-doc/usr/share/doc/libadwaita-1',
    content: ['#main'],
    furniture: '#sidebar, footer, nav, .sidebar, #search, .anchor, #btn-to-top',
  },
  {
    name: 'weechat',
    generator: 'Asciidoctor',
    folder: 'weechat-doc/usr/share/doc/weechat-doc/html',
    content: ['#content'],
    furniture: '#toc, #footer, #header .details',
  },
  {
    name: 'r',
    generator: 'Texinfo',
    folder: 'r-doc-html/usr/share/R/doc/manual',
    content: ['body'],
    furniture:
      '.header, .contents, .shortcontents, .contents-heading, .Contents_element, ul.section-toc, ul.mini-toc, table.menu',
  },
  {
    name: 'exim',
    generator: 'XSLT of its own',
    folder: 'exim4-doc-html/usr/share/doc/exim4-doc-html/spec_html',
    content: ['#chapter', '#content'],
    furniture: '#nav_flow, #footer, .previous_page, .next_page, #header, .toc_toggle, #branding',
  },
  {
    name: 'racket',
    generator: 'Scribble',
    folder: 'racket-doc/usr/share/doc/racket',
    content: ['div.main'],
    furniture: '.navsettop, .navsetbottom, .tocset, .RBackgroundLabel, .versionbox, .heading-source',
    code: '.SCodeFlow table.RktBlk, table.SVerbatim',
    exclude: /(^|\/)(search|local-redirect|bug-report)\//,
  },
  {
    name: 'debian-reference',
    generator: 'DocBook XSL, XHTML 1.0',
    folder: 'debian-reference-en/usr/share/doc/debian-reference-en/docs',
    content: ['body'],
    furniture: '.navheader, .navfooter, .toc',
  },
  {
    name: 'eigen',
    generator: 'doxygen with groups',
    folder: 'libeigen3-doc/usr/share/doc/libeigen3-dev/html',
    content: ['div.contents'],
    furniture:
      '#top, div.header .summary, hr.footer, .footer, address, #nav-path, .permalink, #titlearea, .dynheader, .dyncontent, .ttc, .memitem .mlabels',
    exclude: /_source\.html$|-members\.html$|^dir_|^globals|^functions|^unsupported\/(?:dir_|functions)/,
  },
  {
    name: 'erlang',
    generator: 'erl_docgen',
    folder: 'erlang-doc/usr/share/doc/erlang-doc',
    content: ['#content .innertube', '#content'],
    furniture: '#leftnav, .footer',
  },
  {
    name: 'scipy',
    generator: 'Sphinx, pydata theme',
    folder: 'python-scipy-doc/usr/share/doc/python-scipy-doc/html',
    content: ['main article', 'main', 'div.body'],
    furniture: `${SPHINX_FURNITURE}, nav, .bd-sidebar, .bd-toc, footer, .prev-next-area, .prev-next-bottom, .bd-header-article`,
  },
  {
    name: 'gtk4',
    generator: 'gi-docgen',
    folder: 'libgtk-4-doc/usr/share/doc/libgtk-4-doc/gtk4',
    content: ['#main'],
    furniture: '#sidebar, footer, nav, .sidebar, #search, .anchor, #btn-to-top, .srclink',
  },
  {
    name: 'swi-prolog',
    generator: 'PlDoc',
    folder: 'swi-prolog-doc/usr/share/swi-prolog/doc',
    content: ['body'],
    furniture: '.navigation, .navbar, .footer',
  },
  {
    name: 'octave',
    generator: 'Texinfo',
    folder: 'octave-doc/usr/share/doc/octave',
    content: ['body'],
    furniture:
      '.header, .nav-panel, .contents, .shortcontents, .contents-heading, .copiable-anchor, .copiable-link, ul.section-toc, ul.mini-toc, table.menu',
  },
  {
    name: 'fpc',
    generator: 'fpdoc and tex4ht',
    folder: 'fp-docs-3.2.2/usr/share/doc/fp-docs',
    content: ['body'],
    furniture: '.crosslinks, .bar, .footer',
  },
  {
    name: 'qtbase',
    generator: 'QDoc',
    folder: 'qtbase5-doc-html/usr/share/qt5/doc',
    content: ['.mainContent'],
    furniture: '.navigationbar, .sidebar, .footer',
    exclude: /-members\.html$|-obsolete\.html$|-example\.html$/,
  },
  {
    name: 'commons-lang',
    generator: 'javadoc 17',
    folder: 'libcommons-lang3-java-doc/usr/share/doc/libcommons-lang3-java/api',
    content: ['main', 'div.contentContainer'],
    furniture: 'nav, header nav, footer, .topNav, .subNav, .bottomNav, .legalCopy, .skipNav, .fixedNav',
    exclude: /src-html|class-use|-frame\.html$|^index-all/,
  },
  {
    name: 'aeson',
    generator: 'Haddock',
    folder: 'libghc-aeson-doc/usr/share/doc/libghc-aeson-doc/html',
    content: ['#content'],
    furniture: '#package-header, #footer, #table-of-contents, .link, .selflink, #style-menu-holder, #synopsis',
    exclude: /src\/|doc-index|mini_/,
  },
  {
    name: 'ocamlgraph',
    generator: 'odoc',
    folder: 'libocamlgraph-ocaml-doc/usr/share/doc/libocamlgraph-ocaml-doc/html/ocamlgraph',
    content: ['div.content', 'body'],
    furniture: 'nav, a.anchor',
  },
  {
    name: 'cppreference',
    generator: 'MediaWiki',
    folder: 'cppreference-doc-en-html/usr/share/cppreference/doc/html/en',
    content: ['#mw-content-text'],
    furniture: '.t-navbar, .toc, .printfooter, .catlinks, .editsection, .coliru-btn',
  },
  {
    name: 'giac',
    generator: 'HeVeA',
    folder: 'giac-doc/usr/share/giac/doc/en/cascmd_en',
    content: ['body'],
    furniture: 'ul.ftoc1, ul.ftoc2',
    code: 'table.lstframe',
  },
  {
    name: 'awesome',
    generator: 'LDoc',
    folder: 'awesome-doc/usr/share/doc/awesome/doc',
    content: ['#content'],
    furniture: '#navigation, #about',
  },
  {
    name: 'scala',
    generator: 'Scaladoc 2.11',
    folder: 'scala-doc/usr/share/doc/scala-2.11/api/library',
    content: ['#template', 'body'],
    furniture: '#mbrsel, .permalink, p.shortcomment',
    exclude: /^index(\/|\.html$)/,
  },
  {
    name: 'pike',
    generator: 'Pike autodoc',
    folder: 'pike8.0-doc/usr/share/doc/pike8.0-doc/html/manual',
    content: ['div.content', '#content', 'body'],
    furniture: '.sidebar, .navbar, .navigation, #nav, .header, .footer',
  },
];
