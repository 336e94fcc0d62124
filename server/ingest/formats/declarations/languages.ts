import type { Syntax } from './source-scanner.ts';

/** The context of a statement. */
export interface Place {
  depth: number;
  /** Name of the enclosing class or similar. */
  container: string;
  /** True if declarations are public by default here. */
  isOpen: boolean;
  kind?: string;
  /** True after a label such as `private:`. */
  isHiddenNow?: boolean;
  /** True in a list of comma-separated values; a semicolon ends it. */
  isList?: boolean;
}

/** A statement's declaration. */
export interface Described {
  name: string;
  kind: string;
  isPublic: boolean;
  /** True if its body contains declarations. */
  isContainer: boolean;
  opensMembers: boolean;
  /** True if its body is shown as written: fields, values. */
  keepsBody?: boolean;
  /** True if its body starts with comma-separated values. */
  isList?: boolean;
  /** True for a wrapper whose members are declared in the outer scope. */
  isTransparent?: boolean;
  /** True if its members' names do not include it. */
  isNamespace?: boolean;
}

/** Rules for recognising declarations in one language. */
export interface BraceLanguage {
  syntax: Syntax;
  /** True to keep declarations without a comment too. */
  isDeclarationOnly: boolean;
  hasInnerDocs: boolean;
  /** True if a comment after a statement documents it. */
  hasTrailingDocs?: boolean;
  accessLabel?: RegExp;
  /** True if types may end in an optional mark (`?`, `!`) and return types may be on the next line. */
  hasOptionalTypes?: boolean;
  isPackage?: RegExp;
  /** Matches a list of declarations that has comments in it instead of one above it. */
  documentsWithin?: RegExp;
  /** Returns true if all top-level declarations in this file are public. */
  isOpen: (text: string) => boolean;
  describe: (header: string, place: Place) => Described | undefined;
  /** Returns true if a brace after this text belongs to a type or value rather than opening a body. */
  isLiteral: (header: string) => boolean;
  isValue: (header: string) => boolean;
  /** Returns true if such a brace opens an inline object type. */
  isObjectType?: (header: string, place: Place) => boolean;
}

const syntax = (extra: Partial<Syntax>): Syntax => ({
  quotes: '"\'',
  endsAtLine: false,
  hasLifetimes: false,
  hasExpressions: false,
  anyCommentIsDoc: false,
  ...extra,
});

const never = (): boolean => false;
const annotations = /^(?:\s*@[\w.]+(?:\((?:[^()]|\([^()]*\))*\))?)+\s*/;

function bare(header: string): string {
  return header.slice(0, 4000).replace(annotations, '').replace(/\s+/g, ' ').trim();
}

const tsWords =
  /^((?:export|declare|default|abstract|async|const(?= enum))\s+)*(function\*?|class|interface|type|enum|const|let|var|namespace|module|global)\b\s*(?:\*\s*)?("[^"]*"|'[^']*'|[\w$.]+)?/;
const tsMember =
  /^(?:(?:public|static|readonly|abstract|override|async|declare|accessor|get|set)\s+)*(?:(constructor|new)\b|([\w$]+|"[^"]*"|'[^']*'|\[Symbol\.\w+\]))\s*[?!]?\s*(?=[(<:=]|$)/;

function describeTsMember(text: string): Described | undefined {
  if (/^(?:private|protected|#)/.test(text)) return undefined;
  const member = tsMember.exec(text);
  const name = member?.[1] ?? member?.[2]?.replace(/^["']|["']$/g, '');
  if (name === undefined) return undefined;
  const isContainer = /[:&]$/.test(text);
  return { name, kind: 'interface', isPublic: !name.startsWith('_'), isContainer, opensMembers: false };
}

function isTsObjectType(header: string, { kind }: Place): boolean {
  const text = bare(header);
  if (kind !== 'class' && kind !== 'interface')
    return /^(?:export )?(?:declare )?type\b(?:[^|{]|\{\})*[=&]$/.test(text);
  return /^(?:(?:public|static|readonly|declare|abstract) )*["'\w$-]+ ?[?!]? ?:(?: ?[\w$.<>[\]]+ &)*$/.test(text);
}

/** Creates the rules for TypeScript; names in an export list also count as exported. */
export function typescript(path: string, text: string): BraceLanguage {
  const isDeclarationFile = /\.d\.[cm]?ts$/.test(path);
  const listed = new Set<string>();
  for (const list of text.matchAll(/\bexport\s+(?:type\s+)?\{([^{}]{0,20000})\}/g))
    for (const name of (list[1] as string).split(','))
      listed.add((/^\s*(?:type\s+)?([\w$]+)/.exec(name)?.[1] ?? '').trim());
  const single = /^[ \t]*export\s*(?:=|default)\s*([\w$]+)\s*(?:;\s*)?$/m.exec(text)?.[1];
  if (single !== undefined) listed.add(single);
  const hasExports = /^[ \t]*export\b/m.test(text);
  return {
    syntax: syntax({ quotes: '"\'`', endsAtLine: true, hasExpressions: true }),
    isDeclarationOnly: true,
    hasInnerDocs: false,
    isOpen: () => isDeclarationFile && !hasExports,
    describe(header, place) {
      const text = bare(header);
      if (place.kind === 'class' || place.kind === 'interface') return describeTsMember(text);
      const match = tsWords.exec(text);
      if (!match) return undefined;
      const isObjectType = match[2] === 'type' && /[=&]$/.test(text);
      const kind = match[2] === 'global' ? 'namespace' : isObjectType ? 'interface' : (match[2] as string);
      const name = match[3] ?? (match[2] === 'global' ? 'global' : 'default');
      const isFrame = kind === 'namespace' || kind === 'module';
      const isPublic =
        place.isOpen ||
        /^(?:declare )?export\b/.test(text) ||
        listed.has(name) ||
        (isFrame && /^declare (?:module ["']|global\b)/.test(text));
      return {
        name,
        kind,
        isPublic,
        isContainer: kind === 'class' || kind === 'interface' || isFrame,
        opensMembers: isDeclarationFile || isFrame,
        keepsBody: kind === 'enum',
        isTransparent: isFrame && /^["']|^global$/.test(name),
      };
    },
    isLiteral: (header) => {
      const before = header.slice(-4000).trim();
      return (
        /(?:[:=|&(,<?[]|=>|\b(?:extends|keyof|in|as))$/.test(before) ||
        /^(?:(?:export|import)(?:\s+type)?\s*$|(?:export\s+)?(?:declare\s+)?type\b)/.test(
          header.trimStart().slice(0, 200),
        )
      );
    },
    isObjectType: isTsObjectType,
    isValue: (header) =>
      /(?:=>?|\bas)\s*$/.test(header.slice(-20)) &&
      !/^\s*(?:export\s+)?(?:declare\s+)?(?:type|interface)\b/.test(header.slice(0, 200)),
  };
}

export const go: BraceLanguage = {
  syntax: syntax({ quotes: '"`\'', endsAtLine: true, anyCommentIsDoc: true }),
  isDeclarationOnly: false,
  hasInnerDocs: false,
  isPackage: /^\s*package\s/,
  documentsWithin: /^\s*(?:const|var|type) \((?=[^]*\/[/*])[^]*?\n[ \t]*\p{Lu}/u,
  isOpen: () => true,
  describe(header) {
    // The first exported name of a list stands for it.
    const text = header.replace(/^(\s*(?:const|var|type) \()[^]*?\n(?=[ \t]*\p{Lu})/u, '$1');
    const match = /^(?:func (?:\([^)]*?\*?(\w+)(?:\[[^\]]*\])?\) ?)?(\w+)|(type|const|var) \(? ?(\w+))/.exec(
      bare(text),
    );
    if (!match) return undefined;
    const own = match[2] ?? (match[4] as string);
    const name = match[1] === undefined ? own : `${match[1]}.${own}`;
    const isPublic = /^\p{Lu}/u.test(own) && (match[1] === undefined || /^\p{Lu}/u.test(match[1]));
    return {
      name,
      kind: 'declaration',
      isPublic,
      isContainer: false,
      opensMembers: false,
      keepsBody: match[3] === 'type',
    };
  },
  isLiteral: (header) =>
    /^\s*(?:var|const)\b/.test(header) || /(?:interface|struct)\s*$/.test(header) !== /^\s*type\b/.test(header),
  isValue: (header) => /^\s*(?:var|const)\b/.test(header),
};

const rustWords =
  /^(pub(?:\([^)]*\))? )?(?:(?:default|const|async|unsafe|extern(?: "[^"]*")?) )*(fn|struct|enum|trait|type|const|static|mod|union|macro_rules!|impl)\b ?(?:<(?:[^<>]|<[^<>]*>)*> ?)?([\w:]*)(?:<[^{]*?>)?(?: for (?:&(?:'\w+ )?)?([\w:]+))?/;

export const rust: BraceLanguage = {
  syntax: syntax({ quotes: '"', hasLifetimes: true }),
  isDeclarationOnly: false,
  hasInnerDocs: true,
  isOpen: never,
  describe(header, place) {
    const match = rustWords.exec(bare(header).replace(/^(?:#\[[^\]]*\] ?)+/, ''));
    if (!match) return undefined;
    const kind = match[2] as string;
    const path = kind === 'impl' ? (match[4] ?? match[3] ?? '') : (match[3] ?? '');
    const name = path.split('::').at(-1) ?? '';
    const isPublic = match[1] === 'pub ' || place.isOpen || kind === 'impl' || kind === 'macro_rules!';
    return {
      name: kind === 'macro_rules!' ? `${name}!` : name,
      kind,
      isPublic: isPublic && name !== '' && name !== 'tests',
      isContainer: kind === 'impl' || kind === 'trait' || (kind === 'mod' && name !== 'tests'),
      opensMembers: kind === 'trait' || (kind === 'impl' && match[4] !== undefined),
      keepsBody: kind === 'struct' || kind === 'enum' || kind === 'union',
      isTransparent: kind === 'mod',
    };
  },
  isLiteral: (header) => /=\s*(?:[\w:]+\s*)?$/.test(header),
  isValue: () => true,
};

const javaWords =
  /^((?:(?:public|protected|private|internal|static|final|abstract|sealed|open|override|default|synchronized|native|inline|suspend|operator|infix|data|value|inner|companion|const|lateinit|readonly|non-sealed|strictfp|tailrec|external|annotation|partial|virtual|async|required|ref|unsafe|fun(?= interface)) )*)(?:(class|interface|enum|record|struct|@interface|object|trait|namespace|typealias)\b ?(?:class |struct )?(\w*)|(?:fun|function) ?(?:<[^>]*> ?)?(?:[\w<>?]+\.)?&?(\w+) ?\(|(?:val|var) (\w+)|(?:<[^(]*?> ?)?(?:[\w.<>[\], ?@$]+ )?([\w$]+) ?(?:<[\w, ]+> ?|<[^()]*\[[^<>]*> ?)?(?:\(|=|$))/;
const attributes = /^(?:\[(?:[^[\]]|\[[^[\]]*\])*\]\s*)+/;

/**
 * Replaces tuples in a C# statement with single words, and returns the name of an indexer `this[int at]` or `operator
 * +(A a)`.
 */
function sharpMember(statement: string): { text: string; name?: string } {
  const text = statement.replace(/\((?:[^()]|\([^()]*\))*\)(?=\??(?:[>,[\]]| (?!where\b)\w))/g, 'Tuple');
  const start = (/^[^(={]*/.exec(text)?.[0] ?? '').search(/\b(?:this ?\[|operator\b)/);
  if (start < 0) return { text };
  const sign = /^operator (?:checked )?([^\s(]+)/.exec(text.slice(start))?.[1];
  return { text: `${text.slice(0, start)}member(`, name: sign === undefined ? 'this[]' : `operator ${sign}` };
}

/** Creates the rules for Java, Kotlin, C# and PHP, which differ mainly in their keywords. */
export function classBased(kind: 'java' | 'kotlin' | 'csharp' | 'php'): BraceLanguage {
  const isOpen = kind === 'kotlin' || kind === 'php';
  return {
    syntax: syntax({ endsAtLine: kind === 'kotlin' }),
    isDeclarationOnly: false,
    hasInnerDocs: false,
    isOpen: () => isOpen,
    describe(header, place) {
      const statement = bare(kind === 'csharp' ? header.replace(/^[ \t]*#.*$/gm, '') : header)
        .replace(/^<\?php /, '')
        .replace(attributes, '');
      const { text, name: sign } = kind === 'csharp' ? sharpMember(statement) : { text: statement };
      const match = javaWords.exec(text);
      if (!match || /^(?:package|import|use|return|throw|if|for|while|switch|new|else)\b/.test(text)) return undefined;
      const name = sign ?? match[3] ?? match[4] ?? match[5] ?? match[6] ?? '';
      const isFrame = match[2] === 'namespace';
      // The enum's members are a list with a comment above each.
      const isList = kind === 'csharp' && match[2] === 'enum';
      const isPublic =
        !/\b(?:private|protected|internal)\b/.test(match[1] as string) &&
        (place.isOpen || isFrame || /\bpublic\b/.test(match[1] as string));
      return {
        name,
        kind: match[2] ?? 'member',
        isPublic: isPublic && name !== '',
        isContainer: match[2] !== undefined && match[2] !== 'typealias' && !isList,
        keepsBody: isList,
        opensMembers: isOpen || isFrame || match[2] === 'interface' || match[2] === '@interface',
        isTransparent: isFrame,
      };
    },
    isLiteral: (header) => /[=,(]\s*$/.test(header),
    isValue: () => true,
  };
}

/** Returns the name before the first bracket that does not open a function pointer. */
function calledName(text: string): string | undefined {
  const open = /\((?! ?\*)/.exec(text)?.index ?? -1;
  return open < 0 ? undefined : /([~\w:]+|operator ?\S{1,3}) ?$/.exec(text.slice(Math.max(0, open - 200), open))?.[1];
}

export const c: BraceLanguage = {
  syntax: syntax({}),
  isDeclarationOnly: false,
  hasInnerDocs: false,
  accessLabel: /^(public|private|protected)\s*(?:slots|Q_SLOTS)?\s*:(?!:)/,
  isOpen: () => true,
  describe(header) {
    const text = bare(header)
      .replace(/\[\[[^\]]*\]\] ?/g, '')
      .replace(/__attribute__ ?\(\(.*?\)\) ?/g, '');
    const frame = /^(?:inline )?(namespace\b ?([\w:]*)|extern "C(?:\+\+)?")/.exec(text);
    if (frame)
      return {
        name: frame[2] ?? '',
        kind: 'namespace',
        isPublic: true,
        isContainer: true,
        opensMembers: true,
        isTransparent: true,
      };
    const type =
      /^(?:template ?<.*?> ?)?(?:typedef )?(class|struct|union|enum(?: class)?) (?:[A-Z_]+ (?=\w))?(\w+)(?: final)?(?: ?:[^:].*)?$/.exec(
        text,
      );
    if (type) {
      const isClass = type[1] === 'class' || type[1] === 'struct';
      return {
        name: type[2] as string,
        kind: type[1] as string,
        isPublic: true,
        isContainer: isClass,
        opensMembers: true,
        keepsBody: !isClass,
      };
    }
    const alias = /^(?:typedef .*?\b(\w+)(?: ?\[.*\])?|using (\w+) =.*|typedef .*\(\*(\w+)\).*)$/.exec(text);
    const name = alias
      ? (alias[3] ?? alias[2] ?? alias[1])
      : (calledName(text) ?? /(\w+)(?: ?\[[^\]]*\])?(?: ?=.*)?$/.exec(text.slice(-300))?.[1]);
    if (name === undefined || /^(?:if|for|while|return|switch|else|static_assert|using|friend)$/.test(name))
      return undefined;
    return {
      name,
      kind: 'declaration',
      isPublic: !/^static\b(?! inline)/.test(text),
      isContainer: false,
      opensMembers: false,
    };
  },
  isLiteral: (header) => /=\s*$/.test(header) || /^\s*typedef\s+(?:struct|enum|union)\s*\w*\s*$/.test(header),
  isValue: (header) => /=\s*$/.test(header),
};

const swiftWords =
  /^((?:(?:public|open|internal|private|fileprivate|package|static|class(?= (?:func|var|subscript)\b)|final|override|mutating|nonmutating|required|convenience|lazy|weak|unowned|indirect|dynamic|prefix|postfix|infix|nonisolated|isolated|distributed|consuming|borrowing)(?:\(\w+\))? )*)(?:(class|struct|enum|protocol|extension|actor) ([\w.]+)|func ([^\s(<]+)|(init)\b|(subscript)\b|(?:var|let|case|typealias|associatedtype|macro) `?(\w+))/;

/** Swift: public declarations, and all members of a protocol, enumeration or public extension. */
export const swift: BraceLanguage = {
  syntax: syntax({ quotes: '"', endsAtLine: true }),
  hasOptionalTypes: true,
  isDeclarationOnly: false,
  hasInnerDocs: false,
  isOpen: never,
  describe(header, place) {
    const text = bare(header);
    const [whole, modifiers = '', kind, type, call, ...others] = swiftWords.exec(text) ?? [];
    if (whole === undefined) return undefined;
    const isPublic =
      /\b(?:public|open)\b(?!\()/.test(modifiers) ||
      (place.isOpen && !/\b(?:private|fileprivate|internal|package)\b(?!\()/.test(modifiers)) ||
      (place.kind === 'enum' && /^(?:indirect )?case\b/.test(text)) ||
      kind === 'extension';
    return {
      name: (type ?? call ?? others.find(Boolean) ?? '').replaceAll('`', ''),
      kind: kind ?? 'member',
      isPublic,
      isContainer: kind !== undefined,
      opensMembers: kind === 'protocol' || (kind === 'extension' && /\b(?:public|open)\b/.test(modifiers)),
    };
  },
  isLiteral: (header) => /[=(,:]\s*$/.test(header),
  isValue: () => true,
};

const dartWords =
  /^(?:(?:abstract|base|sealed|interface|final|const|static|late|external|covariant|factory|mixin(?= class)|var) )*(?:(class|mixin|enum|extension type|extension|typedef) ([\w$]*)|(?:[\w.<>[\], ?$]+ )?(operator ?[^\s(]+|[\w$]+(?:\.[\w$]+)?) ?(?:<[^()]*> ?)?(?:\(|=|$))/;

/** Maximum nesting of type bounds. */
const boundsMax = 6;

/** Dart: everything whose name does not start with an underscore. */
export const dart: BraceLanguage = {
  syntax: syntax({}),
  isDeclarationOnly: false,
  hasInnerDocs: false,
  isPackage: /^\s*library\b/,
  isOpen: () => true,
  describe(header, { container }) {
    // Bounds and function types contain names themselves.
    let text = bare(header)
      .replace(/\bFunction\([^()]*\)/g, 'Function')
      .replace(/\((?:[^()]|\([^()]*\))*\)(?=\??(?:[>,]| (?!a?sync\b)\w))/g, 'Record');
    for (let depth = 0; depth < boundsMax; depth += 1) text = text.replace(/<[^<>()]*>/g, '');
    text = text.replace(/^extension on /, 'extension ');
    const [whole, kind, type, member] = dartWords.exec(text) ?? [];
    if (whole === undefined || /^(?:import|export|part|library|return|if|for|while|switch|else)\b/.test(text))
      return undefined;
    const written = (type ?? member ?? '').replace(/^operator ?/, 'operator ');
    const name = written.startsWith(`${container}.`) ? written.slice(container.length + 1) : written;
    return {
      name,
      kind: kind ?? 'member',
      isPublic: name !== '' && !name.startsWith('_'),
      isContainer: kind !== undefined && kind !== 'typedef',
      opensMembers: true,
      keepsBody: kind === 'enum',
      isList: kind === 'enum',
    };
  },
  isLiteral: (header) => /[=(,]\s*$/.test(header),
  isValue: () => true,
};

/** Protocol buffers: messages, fields, values, services and methods. */
export const proto: BraceLanguage = {
  syntax: syntax({ anyCommentIsDoc: true }),
  hasTrailingDocs: true,
  isDeclarationOnly: true,
  hasInnerDocs: false,
  isPackage: /^\s*(?:syntax|edition|package)\b/,
  isOpen: () => true,
  describe(header, place) {
    const [, kind, name, call, field] =
      /^(?:(message|service|enum|extend|oneof|(?:optional|repeated|required) group) ([\w.]+)|rpc (\w+) ?\(|(?!option\b|import\b|package\b|syntax\b|edition\b|reserved\b|extensions\b)(?:.*\s)?(\w+) ?= ?-?\w+)/.exec(
        bare(header),
      ) ?? [];
    const shown = name ?? call ?? (place.depth > 0 ? field : undefined);
    return shown === undefined
      ? undefined
      : {
          name: shown,
          kind: kind ?? 'member',
          isPublic: true,
          isContainer: kind !== undefined,
          opensMembers: true,
          keepsBody: call !== undefined,
          isTransparent: kind === 'oneof',
        };
  },
  isLiteral: (header) => /[=:[{,]\s*$/.test(header) || /\[[^\]]*$/.test(header.slice(-2000)),
  isValue: () => true,
};
