import { describe, expect, it } from 'vitest';
import { splitDocument } from '../../split/index.ts';
import { documentationFormatOf } from '../format-of.ts';
import { docOfXml } from './doc-comment.ts';
import { extractDeclarations } from './extract-declarations.ts';

const read = (path: string, language: string, text: string) =>
  extractDeclarations(text, { url: `https://docs.example/${path}`, path, language });
/** Returns the name of each declaration and member with its first text. */
const outline = (path: string, language: string, text: string): string[] =>
  read(path, language, text)
    .blocks.filter((block) => block.identifiers !== undefined)
    .map((block) => block.identifiers?.[0] ?? '');
const textOf = (path: string, language: string, text: string): string =>
  read(path, language, text)
    .blocks.map((block) => block.markdown)
    .join('\n\n');

const router = `
/** @file Routes. */
import { x } from './x.js';
/**
 * Finds the way.
 * @typeParam T what it leads to
 */
export declare class Router<T extends { a: string }> extends Base<T> {
    private secret;
    #own;
    /**
     * Goes to {@link Page}.
     * @param url - where to
     * @param {string} [how] the way
     * @returns nothing
     * @deprecated use \`go\`
     * @example
     * router.push('/a');
     */
    push(url: string, how?: string): void;
    push(page: { id: number }): void;
    plain: { a: string; b: () => void };
    /** @internal */
    hidden(): void;
}
export type Shape =
  | { kind: 'a' }
  | { kind: 'b' };
declare function listed(a: string): Promise<void>;
declare function unlisted(): void;
export interface Options { /** How many */ count?: number; deep: { x: string } }
export declare const limit: number;
export declare enum Kind { A = 1, B }
declare namespace ns { interface Inner { a: 1 } }
export { listed as other };
`;

describe('TypeScript', () => {
  it('reads inline types like named ones', () => {
    const config = `
export interface Config {
  /** The files to write. */
  output?: {
    /** Names of files. */
    names: Map<string, string>,
    hash: {
      /** Its length. */
      size?: number;
    };
    plain: { a: 1 },
    /** How it is parted. */
    split?: 'one' | 'many'
  };
  /** Either. */
  either: { /** A */ a: 1 } | { b: 2 };
}
/** What is shown. */
export type Props<T = {}> = Base<T> & {
  /** Its colour. */
  color: string;
  size: number;
};
export type One = { /** A */ a: 1 } & Props;
`;
    expect(outline('a.ts', 'ts', config)).toEqual([
      'Config',
      'Config.either',
      'Config.output',
      'Config.output.names',
      'Config.output.split',
      'Config.output.hash',
      'Config.output.hash.size',
      'Props',
      'Props.color',
      'One',
    ]);
    const text = textOf('a.ts', 'ts', config);
    expect(text).toContain('```ts\noutput?: { … }\n```\n\nThe files to write.');
    expect(text).toContain('`names: Map<string, string>`\n\nNames of files.');
    expect(text).toContain('```ts\nhash: { … }\nplain: { a: 1 }\n```');
    expect(text).toContain('```ts\nexport type Props<T = {}> = Base<T> & { … }\n```');
  });

  it('finds exports of every form and nothing else', () => {
    expect(outline('a.d.ts', 'ts', router)).toEqual([
      'Router',
      'Router.push',
      'Shape',
      'listed',
      'Options',
      'Options.count',
      'limit',
      'Kind',
    ]);
    expect(
      outline(
        'a.ts',
        'ts',
        'const a = /["\'{]/;\nexport function b() { return "}" + `${"{"}`; }\nexport const c = (d: string) => { e() };\nfunction f() {}',
      ),
    ).toEqual(['b', 'c']);
    expect(
      outline('global.d.ts', 'ts', 'declare function a(): void;\ndeclare module "x" { export class B { c(): void } }'),
    ).toEqual(['a', 'B']);
    expect(outline('a.d.ts', 'ts', 'declare function a(): void;\ndeclare const b: 1;\nexport = a;')).toEqual(['a']);
  });

  it('ignores braces and quotes in strings, including escaped ones', () => {
    const text = 'export const a = () => { f("\\"}", \'\\\'{\', `\\`}`); };\nexport function b() {}\nconst own = 1;';
    expect(outline('a.ts', 'ts', text)).toEqual(['a', 'b']);
  });

  it('is empty for a file without exports or shows only its comment', () => {
    expect(read('a.ts', 'ts', '/** Ours. */\nconst own = 1;\nrun(own);\n').blocks).toEqual([]);
    expect(textOf('doc.go', 'go', '// Package tea makes tea.\npackage tea\n')).toBe(
      '`doc.go`\n\nPackage tea makes tea.',
    );
  });

  it('shows signatures, comments as Markdown, and undocumented members together', () => {
    const text = textOf('a.d.ts', 'ts', router);
    expect(text).toContain(
      'Routes.\n\n`Router`\n\n```ts\nexport declare class Router<T extends { a: string }> extends Base<T>\n```\n\nFinds the way.',
    );
    expect(text).toContain('```ts\nplain: { a: string; b: () => void }\n```');
    expect(text).toContain(
      '`push(url: string, how?: string): void`, `push(page: { id: number }): void`\n\nGoes to `Page`.',
    );
    expect(text).toContain(
      "**Returns:** nothing\n\n**Deprecated:** use `go`\n\n**Example**\n\n```\nrouter.push('/a');\n```",
    );
    expect(text).toContain('- `url`: where to\n- `[how]` (`string`): the way');
    expect(text).toContain("```ts\nexport type Shape =\n  | { kind: 'a' }\n  | { kind: 'b' }\n```");
    expect(text).toContain('export declare enum Kind { A = 1, B }');
    expect(text).not.toContain('secret');
    expect(textOf('a.ts', 'ts', 'export const c = (d: string) => { e() };')).toBe(
      '`c`\n\n```ts\nexport const c = (d: string) => { … }\n```',
    );
  });

  it('makes one snippet per declaration', () => {
    const snippets = splitDocument(read('a.d.ts', 'ts', router), { url: 'https://docs.example/a.d.ts' });
    expect(snippets.filter((one) => one.kind === 'api').map((one) => one.anchor)).toContain('Shape');
    expect(snippets.filter((one) => one.identifiers.includes('Shape'))).toHaveLength(1);
    expect(snippets.find((one) => one.identifiers.includes('Shape'))?.identifiers).toEqual(['Shape']);
    expect(snippets.every((one) => one.kind === 'api' || one.anchor === '')).toBe(true);
  });
});

describe('Python', () => {
  const source = `"""About *this* module."""
import x

def read(path: str,
         mode: str = "r") -> bytes:
    """Read a file.

    Args:
        path (str): Where it is,
            if anywhere.
        mode: How.

    Returns:
        What is in it.
    """
    def inner():
        """No."""

class Frame(Base):
    r'''A frame.

    Parameters
    ----------
    data : array
        The values, see :func:\`read\`.

    Examples
    --------
    >>> Frame()
    '''

    @property
    def size(self) -> int:
        "How many."

    def _own(self):
        """No."""

    def silent(self): pass

def _private():
    """No."""

TEXT = """
def not_code():
    '''No.'''
"""
`;

  it('finds public classes, methods and functions with a docstring', () => {
    expect(outline('a.py', 'python', source)).toEqual(['read', 'Frame', 'Frame.size']);
    expect(outline('a.pyi', 'python', 'def a(x: int) -> str: ...\nclass B:\n    def c(self): ...')).toEqual(['a', 'B']);
  });

  it('ends a class at the next statement on its indentation level', () => {
    const text =
      'class A:\n    """A."""\n    def b(self):\n        """B."""\nif fast:\n    def c():\n        """No."""\n';
    expect(outline('a.py', 'python', text)).toEqual(['A', 'A.b']);
  });

  it('does not mistake strings for code', () => {
    const escaped = 'X = "a\\"(" + \'\\\'[\'\ndef a():\n    "A."\n\ny = "\\\\"\ndef b():\n    "B."\n';
    expect(outline('a.py', 'python', escaped)).toEqual(['a', 'b']);
    const long = 'X = """a \\""" \ndef no(): ...\n"""\ndef a(): ...';
    expect(outline('a.pyi', 'python', long)).toEqual(['a']);
    expect(outline('a.pyi', 'python', 'z = "never closed\ndef a(): ...')).toEqual(['a']);
    // An unclosed bracket costs only the next definition.
    expect(outline('a.pyi', 'python', 'z = (1,\ndef a(): ...\ndef b(): ...')).toEqual(['b']);
    expect(outline('a.pyi', 'python', 'X = """\ndef no(): ...\n"""\ny = (\ndef_ := 1)\ndef a(): ...')).toEqual(['a']);
  });

  it('keeps signatures, and Google and NumPy sections readable', () => {
    const text = textOf('a.py', 'python', source);
    expect(text).toContain('About *this* module.');
    expect(text).toContain('```python\ndef read(path: str,\n         mode: str = "r") -> bytes\n```\n\nRead a file.');
    expect(text).toContain('**Args**\n\n- `path` (str): Where it is,\n  if anywhere.\n- `mode`: How.');
    expect(text).toContain('- `data` (array):\n  The values, see `read`.');
    expect(text).toContain('```python\n>>> Frame()\n```');
    expect(text).toContain('`@property def size(self) -> int`\n\nHow many.');
  });
});

describe('other languages', () => {
  it('shows public, documented declarations', () => {
    const goCode =
      '// Package a does.\npackage a\n\n// Read reads.\nfunc (b *Buf) Read(p []byte) (int, error) {\n\treturn 0, nil\n}\n\n// own does not.\nfunc own() {}\n\n// Far away.\n\nfunc Silent() {}\n\n// Mode says how.\ntype Mode struct {\n\tA int // a\n}\n\n// Limits.\nconst (\n\tMax = 1\n)\n';
    expect(outline('a.go', 'go', goCode)).toEqual(['a.go', 'Buf.Read', 'Mode', 'Max'].slice(1));
    expect(textOf('a.go', 'go', goCode)).toContain('Package a does.');
    const rustCode =
      "//! Crate.\n\n/// A thing.\n#[derive(Debug)]\npub struct Thing<'a> {\n    /// Name\n    pub name: &'a str,\n}\nimpl<'a> Thing<'a> {\n    /// Makes one.\n    ///\n    /// # Errors\n    pub fn new(c: char) -> Self { if c == '{' {} }\n    /// No.\n    fn own() {}\n}\n/// No.\nfn hidden() {}\nmod tests {\n    /// No.\n    pub fn t() {}\n}\n";
    expect(outline('a.rs', 'rust', rustCode)).toEqual(['Thing', 'Thing::new']);
    expect(textOf('a.rs', 'rust', rustCode)).toContain("pub name: &'a str,");
    const java =
      '/** A list. */\n@Deprecated\npublic class Box<T> extends Base<T> {\n  /** Adds.\n   * @param item what\n   * @throws Full when {@code full}\n   */\n  public boolean add(T item) throws Full { return "}"; }\n  /** No. */\n  private int x = 1;\n  /** Size. */\n  public static final int SIZE = 4;\n}\n';
    expect(outline('Box.java', 'java', java)).toEqual(['Box', 'Box.add', 'Box.SIZE']);
    expect(textOf('Box.java', 'java', java)).toContain('**Throws:** Full when `full`');
    expect(
      outline(
        'a.kt',
        'kotlin',
        '/** A. */\nclass A(val b: Int) {\n  /** C. */\n  fun c(): String = "x"\n  /** No. */\n  private val d = 1\n}\n',
      ),
    ).toEqual(['A', 'A.c']);
    expect(
      outline(
        'a.php',
        'php',
        '<?php\nnamespace A;\n/** B. */\nclass B {\n  /** C. */\n  public function c(int $x): void {}\n  /** No. */\n  protected $d;\n}\n',
      ),
    ).toEqual(['B', 'B.c']);
    const header =
      '/** @file a.h Things. */\n#ifndef A_H\n#define A_H\n/** How many. */\n#define A_MAX(x) \\\n  (x)\n#ifdef __cplusplus\nextern "C" {\n#endif\n/**\n * \\brief Opens.\n * \\param[in] path where\n * \\return a handle\n */\nint a_open(const char *path, int (*call)(void));\n/// One.\n/// Two.\nstruct a_point { int x; };\nvoid a_silent(void);\n}\n/** C. */\nclass C {\n public:\n  /** D. */\n  void d();\n private:\n  /** No. */\n  void e();\n};\n#endif\n';
    expect(outline('a.h', 'c', header)).toEqual(['A_MAX', 'a_open', 'a_point', 'C', 'C.d']);
    expect(textOf('a.h', 'c', header)).toContain(
      'Opens.\n\n**Returns:** a handle\n\n**Parameters**\n\n- `path`: where',
    );
  });

  it('shows lists in Go whose comments are in them, and long types with all comments', () => {
    const fields = Array.from({ length: 50 }, (_, at) => `\t// Field${at} is ${at}.\n\tField${at} int\n`).join('\n');
    const goCode = `package a\n\nconst (\n\tlower = 1\n\t// Upper is up.\n\tUpper = 2\n\tLast // at the end\n)\n\nvar (\n\t// own is not.\n\town int\n)\n\nvar (\n\tSilent int\n)\n\ntype (\n\t// One is one.\n\tOne int\n)\n\n// Long has fields.\ntype Long struct {\n${fields}}\n`;
    expect(outline('a.go', 'go', goCode)).toEqual(['Upper', 'One', 'Long']);
    const text = textOf('a.go', 'go', goCode);
    expect(text).toContain('\t// Upper is up.\n\tUpper = 2\n\tLast // at the end\n)');
    expect(text).toContain('\t// Field49 is 49.\n\tField49 int\n}');
  });

  it('shows XML comments in C#', () => {
    const source = `namespace Shop.Orders;

/// <summary>Counts the <c>open</c> orders.</summary>
/// <remarks>See <see cref="Cart{T}"/> and <see href="https://shop.example"/>.</remarks>
/// <typeparam name="T">What is sold.</typeparam>
[Serializable]
#pragma warning disable X1
public sealed partial class Counter<T> : Base where T : class
{
    /// <summary>Gets the most.</summary>
    /// <value>10, unless <see langword="null"/>.</value>
    [Range(1, Limits.Most[0])]
    public int Most { get; private set; } = 10;

    /// <summary>Adds an order.</summary>
    /// <param name="order">The &lt;order&gt;, with <paramref name="order"/> set.</param>
    /// <exception cref="System.ArgumentException">It is empty.</exception>
    /// <exception cref='System.TimeoutException'/>
    /// <returns>
    /// The count.
    /// </returns>
    /// <example><code>
    ///     if (a &lt; b)
    ///         counter.Add(a);
    /// </code></example>
    public async Task<int> Add<TOrder>(TOrder order) => await Task.FromResult(1);

    /// <summary>Doubles.</summary>
    public Func<int, int> Double = (x) => x * 2;

    /// <summary>Shows \`a &lt; b\`.</summary>
    /// <example><code>var name = 'x';</code></example>
    public string Show(string arrow = "=>") => arrow;

    /// <summary>Finds one.</summary>
    public string this[int at] => names[at];

    /// <summary>Adds two.</summary>
    public static Counter operator +(Counter a, Counter b) => a;

    /// <summary>Compares two.</summary>
    public static bool operator ==(Counter a, Counter b)
    {
        return true;
    }

    /// <summary>Is a number.</summary>
    public static implicit operator int(Counter a) => 1;

    /// <summary>Splits.</summary>
    public (int Left, string Name) Split((int, int) at) => (1, "");

    /// <summary>Splits later.</summary>
    public async Task<(int Left, int Right)> SplitLater(int at)
    {
    }

    /// <summary>Hidden.</summary>
    internal void Forget() { }
}

/// <summary>States.</summary>
public enum State
{
    /// <summary>Open.</summary>
    Open,
}

/// <summary>Not for others.</summary>
class Inner { }
`;
    expect(outline('Counter.cs', 'csharp', source)).toEqual([
      'Counter',
      'Counter.Most',
      'Counter.Add',
      'Counter.Double',
      'Counter.Show',
      'Counter.this[]',
      'Counter.operator +',
      'Counter.operator ==',
      'Counter.operator int',
      'Counter.Split',
      'Counter.SplitLater',
      'State',
    ]);
    const text = textOf('Counter.cs', 'csharp', source);
    expect(text).toContain('```csharp\npublic sealed partial class Counter<T> : Base where T : class\n```');
    expect(text).toContain('Counts the `open` orders.\n\nSee `Cart<T>` and <https://shop.example>.');
    expect(text).toContain('`public int Most`\n\nGets the most.\n\n**Value:** 10, unless `null`.');
    expect(text).toContain('`public async Task<int> Add<TOrder>(TOrder order)`');
    expect(text).toContain(
      '**Throws:** `System.ArgumentException` It is empty.\n\n**Throws:** `System.TimeoutException`\n\n**Returns:** The count.',
    );
    expect(text).toContain('```csharp\nif (a < b)\n    counter.Add(a);\n```');
    expect(text).toContain('- `order`: The \\<order>, with `order` set.');
    expect(text).toContain('`public Func<int, int> Double = (x) => x * 2');
    expect(text).toContain('`public string Show(string arrow = "=>")`');
    expect(text).toContain("Shows `a < b`.\n\n**Example**\n\n```csharp\nvar name = 'x';\n```");
    for (const signature of [
      'string this[int at]',
      'static bool operator ==(Counter a, Counter b)',
      '(int Left, string Name) Split((int, int) at)',
      'async Task<(int Left, int Right)> SplitLater(int at)',
    ])
      expect(text).toContain(`\`public ${signature}\``);
    expect(text).toContain('public enum State {');
    expect(documentationFormatOf('src/Shop/Counter.cs', Buffer.from(source))).toBe('declarations');
    expect(documentationFormatOf('src/Shop.UnitTests/Counter.cs', Buffer.from(source))).toBeUndefined();
  });

  it('shows modules in Elixir, with their functions, types and callbacks', () => {
    const source = String.raw`defmodule Tea.Pot do
  @moduledoc """
  Makes tea.

      Tea.Pot.pour(1)
  """

  @typedoc "How hot \"it\" is."
  @type heat :: integer

  @doc ~S"""
  Pours #{cups} cups.
  """
  @doc since: "1.1"
  @spec pour(
          integer,
          keyword
        ) :: :ok
  def pour(cups, opts \\ [strong: true, hot: true])
      when cups > 0 do
    text = """
    @doc "No doc."
    def hidden(1)
    """
    text
  end

  @doc "Pours one."
  def pour(), do: pour(1)

  @doc "Adds two."
  def left + right, do: left

  @doc "Is \#{plus}."
  def +value, do: value

  @doc "From one to another."
  defmacro first..last do
    first
  end

  @doc "By a step."
  defmacro first..last//step, do: step

  @doc "All."
  defmacro (..) do
    nil
  end

  @doc "Is a type."
  defmacro left :: right, do: left

  @doc "Makes a map."
  defmacro unquote(:%{})(args), do: args

  @doc false
  def secret(a), do: a

  defmacro __using__(_) do
    quote do
      @moduledoc false
    end
  end

  defimpl Inspect do
    @moduledoc false
    @doc "Inspects."
    def inspect(pot, _), do: pot
  end

  @doc "Runs."
  # closes the """
  def run(a, do: block) when a > 0, do: block

  @doc "Of no one."
  defp private(a), do: a
  def bare(a), do: a

  defmodule Lid do
    @moduledoc false
    @doc "Shuts."
    def shut(), do: nil
  end

  defmodule Filter do
    @doc "Is called."
    @callback filter(term) :: term
  end
end
`;
    expect(outline('lib/pot.ex', 'elixir', source)).toEqual([
      'Tea.Pot',
      'Tea.Pot.heat',
      'Tea.Pot.pour/2',
      'Tea.Pot.pour/0',
      ...['Tea.Pot.+/2', 'Tea.Pot.+/1', 'Tea.Pot.../2', 'Tea.Pot...//', 'Tea.Pot.../0', 'Tea.Pot.::', 'Tea.Pot.%{}'],
      'Tea.Pot.run',
      'Tea.Pot.Filter',
      'Tea.Pot.Filter.filter',
    ]);
    const text = textOf('lib/pot.ex', 'elixir', source);
    expect(text).toContain('Makes tea.\n\n```\nTea.Pot.pour(1)\n```');
    expect(text).toContain('`@type heat :: integer`\n\nHow hot "it" is.');
    expect(text).toContain(
      'def pour(cups, opts \\\\ [strong: true, hot: true])`, `@spec pour( integer, keyword ) :: :ok`',
    );
    expect(text).toContain('Pours #{cups} cups.');
    expect(text).not.toMatch(/secret|private|bare|Shuts|No doc|Inspects/);
    expect(text).toContain('`def run(a, do: block) when a > 0`');
    expect(documentationFormatOf('lib/pot.ex', Buffer.from(source))).toBe('declarations');
    expect(documentationFormatOf('test/pot.ex', Buffer.from(source))).toBeUndefined();
    expect(documentationFormatOf('lib/pot.ex', Buffer.from('defmodule A do\nend'))).toBeUndefined();
  });

  it('shows public declarations in Swift, and all members of protocols, cases and public extensions', () => {
    const source = `/// A pot of \`tea\`.
///
/// - Note: Hot.
@available(iOS 13, *)
public final class Pot<Leaf>: Vessel {
  /// How hot.
  public private(set) var heat: Int { get { 90 } }
  /// May be there.
  public let request: URLRequest?

  /// Says all.
  @available(*, deprecated, renamed: "said(all:)")
  @inlinable
  public func say(all: Int)
    -> Int
  { all }
  /// Ours.
  var secret = 1
  /// Makes one.
  @inlinable public init(
    cups: Int = 1
  ) throws { }
  #if DEBUG
  /// Pours.
  @discardableResult
  public func pour<T>(_ cups: T) async -> [String: Int] where T: Sendable {
    return [:]
  }
  #endif
  /// The cup at a place.
  public subscript(index: Int) -> Cup { cups[index] }
  /// Ours too.
  fileprivate func hidden() {}
}

/// What holds tea.
public protocol Vessel {
  /// Fills it.
  func fill()
}

/// Kinds.
public enum Kind {
  /// Black.
  case black(Int)
  /// Why.
  public struct Reason {
    /// Words.
    public let words: String
  }
}

public extension Pot {
  /// Adds two.
  static func + (left: Pot, right: Pot) -> Pot { left }
}

extension Pot {
  /// Ours.
  func own() {}
  /// Rinses.
  @inlinable
  #if compiler(>=6)
  @_transparent
  #endif
  public static func \`default\`() {}
}

/// Ours.
struct Inner {}
`;
    expect(outline('Sources/Pot.swift', 'swift', source)).toEqual([
      ...['Pot', 'Pot.heat', 'Pot.request', 'Pot.say', 'Pot.init', 'Pot.pour', 'Pot.subscript', 'Pot.+', 'Pot.default'],
      ...['Vessel', 'Vessel.fill', 'Kind', 'Kind.black', 'Kind.Reason', 'Kind.Reason.words'],
    ]);
    const text = textOf('Sources/Pot.swift', 'swift', source);
    expect(text).toContain('`@inlinable public init( cups: Int = 1 ) throws`\n\nMakes one.');
    expect(text).toContain('A pot of `tea`.\n\n- Note: Hot.');
    expect(text).toContain('public func say(all: Int) -> Int`\n\nSays all.');
    expect(text).toContain('@inlinable @_transparent public static func');
    expect(text).not.toMatch(/Ours|secret|hidden/);
    expect(documentationFormatOf('Sources/Pot.swift', Buffer.from(source))).toBe('declarations');
  });

  it('skips names with a leading underscore in Dart', () => {
    const source = `/// All about tea.
library;

/// A [Cup] of tea, see [pour()] and [docs](https://tea.example).
abstract class Pot<T extends Object> extends Base with Lid implements Vessel {
  /// Makes one.
  const Pot({this.heat = 90, super.key});

  /// Makes a big one.
  factory Pot.big() => Pot(heat: 95);

  /// How hot.
  int get heat => _heat;

  /// Same.
  @override
  bool operator ==(Object other) => true;

  /// Pours.
  Future<Map<String, List<int>>> pour<S>(S cups, {required bool isHot}) async {
    return {};
  }

  /// Like \`[code]\`:
  ///
  /// \`\`\`dart
  /// final a = [one];
  /// \`\`\`
  static T of<T extends Leaf<Object?>>(int a) => null;

  /// Called.
  final void Function(int) callback;

  /// Text.
  String text() => '''
it's { open
''';

  /// A pair.
  Future<(int, String?)> pair((int, int) from) async {}

  /// Another.
  ({int a, String b})? another() => null;

  /// Last.
  void last() {}

  /// Ours.
  Pot._(this.heat);

  /// Ours.
  void _hidden() {}
}

/// Kinds.
enum Kind { black, green }

/// Sizes.
enum Size implements Comparable<Size> {
  /// Small, for [one].
  small(ml: 100, 'S'),
  large(ml: 500, 'L'),

  /// Huge.
  @Deprecated('too large, really')
  huge(ml: 900, 'H');

  const Size(this.name, {required this.ml});

  /// Millilitres,
  /// or so.
  final Map<String, int> ml;

  /// Ours.
  int get _ours => 1;
}

/// Boils.
typedef Boil = void Function(int heat);

/// For words.
extension Words on String {
  /// Is tea.
  bool isTea() => true;
}

/// Ours.
class _Inner {}
`;
    expect(outline('lib/pot.dart', 'dart', source)).toEqual([
      ...[
        'Pot',
        'Pot.Pot',
        'Pot.big',
        'Pot.heat',
        'Pot.operator ==',
        'Pot.pour',
        'Pot.of',
        'Pot.callback',
        'Pot.text',
        'Pot.pair',
        'Pot.another',
        'Pot.last',
      ],
      ...['Kind', 'Size', 'Size.small', 'Size.huge', 'Size.ml', 'Boil', 'Words', 'Words.isTea'],
    ]);
    const text = textOf('lib/pot.dart', 'dart', source);
    expect(text).toContain('A `Cup` of tea, see `pour()` and [docs](https://tea.example/).');
    expect(text).toMatch(/^`pot.dart`\n\nAll about tea\./);
    expect(text).toContain('Like `[code]`:\n\n```dart\nfinal a = [one];\n```');
    expect(text).toContain('enum Kind { black, green }');
    expect(text).toContain("enum Size implements Comparable<Size> {\n  small(ml: 100, 'S'),\n  large(ml: 500, 'L'),\n");
    expect(text).toContain("`small(ml: 100, 'S')`\n\nSmall, for `one`.");
    expect(text.match(/Millilitres/g)).toHaveLength(1);
    expect(text).not.toMatch(/Ours|_hidden|_Inner|_heat/);
    expect(documentationFormatOf('lib/pot.dart', Buffer.from(source))).toBe('declarations');
  });

  it('reads comments before and after declarations in protocol buffers', () => {
    const source = `// Licensed.
syntax = "proto3";

// The tea service.
package tea.v1;

option (tea.owner) = { name: "us" };

// Makes tea.
service Teas {
  // Pours a cup.
  rpc Pour(PourRequest) returns (stream Cup) {
    option (http) = { get: "/v1/cups" };
  }
}

message PourRequest {
  string id = 1 [(field) = { required: true }]; // Whose cup.
  oneof size {
    // In millilitres.
    int32 volume = 2;
    bool full = 3;
  }
  // How hot.
  enum Heat {
    COLD = 0;
    HOT = 1; // Boils.
  }
  reserved 4;
}
`;
    const text = textOf('tea.proto', 'proto', source);
    for (const part of ['Makes tea.', 'Pours a cup.', 'get: "/v1/cups"', 'In millilitres.', 'How hot.', 'COLD = 0'])
      expect(text).toContain(part);
    expect(text).toMatch(/string id = 1 [^\n]*\n\nWhose cup\.\n\n/);
    expect(text).toMatch(/HOT = 1`\n\nBoils\./);
    expect(text).not.toMatch(/reserved|owner/);
    expect(documentationFormatOf('api/tea.proto', Buffer.from(source))).toBe('declarations');
  });

  it('reads very many declarations of the same name once', () => {
    const source = 'export class A { b: number }\n'.repeat(100_000);
    expect(textOf('a.d.ts', 'ts', source)).toContain('class A');
    expect(textOf('a.d.ts', 'ts', source.replaceAll('\n', ' '))).toContain('class A');
  });

  it('reads RDoc and YARD comments in Ruby', () => {
    const source = `# frozen_string_literal: true

module Tea
  # = The pot
  #
  # Makes +tea+:
  #
  #   pot = Pot.new
  #
  #   pot.pour # => :tea
  #
  # * one
  #   more of it
  # [+:heat+]
  #   How hot.
  class Pot < Vessel
    # How hot it is.
    attr_reader :heat

    class_methods do
      # Warms.
      def warm; end

      private

      # Ours.
      def cool; end
    end

    # \\Pot of \\Tea
    # @leaf is kept:
    #   @leaf = [+1+]
    #--
    # Not for readers.
    #++
    # @example Twice
    #   @pot = +a+
    def keep; end

    # Makes one.
    def self.make(cups:,
                  heat: 90)
    end

    # @param [Integer] cups how many
    # @param name [String]
    # @return [Array<Cup>] the cups
    # @raise [Dry] if empty
    def pour!(cups, name = "a"); end

    def silent; end

    # :nodoc:
    def secret; end

    # Adds:
    # \`\`\`
    # if a
    #   +b+
    # end
    # \`\`\`
    def +(other)
      self
    end

    class << self
      # Opens.
      def open?
      end
    end

    private

    # Ours.
    def hidden
    end
  end

  # Ours too.
  class Inner # :nodoc:
    # No.
    def a
    end

    # For all.
    class Lid
    end
  end
end
`;
    expect(outline('lib/pot.rb', 'ruby', source)).toEqual([
      ...[
        'Tea::Pot',
        'Tea::Pot#heat',
        'Tea::Pot.warm',
        'Tea::Pot#keep',
        'Tea::Pot.make',
        'Tea::Pot#pour!',
        'Tea::Pot#+',
        'Tea::Pot.open?',
      ],
      'Tea::Inner::Lid',
    ]);
    const text = textOf('lib/pot.rb', 'ruby', source);
    expect(text).toContain('Makes `tea`:\n\n```ruby\npot = Pot.new\n\npot.pour # => :tea\n```');
    expect(text).toContain('- **`:heat`**: \n  How hot.');
    expect(text).toContain(
      'Pot of Tea\n`@leaf` is kept:\n\n```ruby\n@leaf = [+1+]\n```\n\n**Example**: Twice\n\n```ruby\n@pot = +a+\n```',
    );
    expect(text).toContain('`def self.make(cups:, heat: 90)`');
    expect(text).toContain('**Returns:** `Array<Cup>` the cups\n\n**Throws:** `Dry` if empty');
    expect(text).toContain('- `cups` (`Integer`): how many\n- `name` (`String`)');
    expect(text).toContain('Adds:\n\n```\nif a\n  +b+\nend\n```');
    expect(text).not.toMatch(/secret|Ours|hidden|frozen|Not for/);
    expect(documentationFormatOf('lib/pot.rb', Buffer.from(source))).toBe('declarations');
    expect(documentationFormatOf('spec/pot.rb', Buffer.from(source))).toBeUndefined();
  });

  it('reads constants, lists of names and comment-only declarations in Ruby', () => {
    const source = `
class Pot
  # Most cups.
  LIMIT =
    10

  # How much is in it.
  attr_reader :size, :weight,
              :heat # :nodoc: not

  # Ours.
  OWN = 1
  # Ours.
  class Secret
    # Ours.
    class Inner; end
  end
  private_constant :OWN,
                   :Secret

  # Of all pots.
  def self.count; end
  # Of one.
  def count; end
  # Ours.
  def self.hide; end
  private_class_method :hide
  # Ours.
  def hide; end
  private :hide

  ##
  # :method: fill
  # :call-seq: fill(cups, **options)
  #
  # Fills it.

  # :call-seq:
  #   pour -> cup
  #   pour(cups) {|cup| ... } -> array
  #
  # Pours.
  def pour(*args); end

  # @!attribute [rw] lid
  #   @return [Lid] what closes it
  # @!method self.brew(leaf)
  #   Brews.

  # @overload steep(leaf)
  #   @param leaf [Leaf] the leaf
  # @param [Hash] options the options
  # @option options [Integer] :minutes how long
  # @option cold [String] without a key
  # @yield [cup] each cup
  # @yieldparam [Cup] cup the cup
  # @yieldreturn [Boolean] go on
  def steep(*args); end

  private

  # Shown all the same.
  def helper # :doc:
  end
  private :helper

  public

  # Open again.
  def open; end

  # :stopdoc:

  # Ours.
  def a; end

  # Ours.
  class Own
    # Ours.
    def b; end
  end

  # :startdoc:

  # See {the \\Guide}[https://tea.example], {Pot}[rdoc-ref:Pot],
  # Time[https://time.example], [Cup](rdoc-ref:Cup) and +cups: 1, hot: true+:
  #
  # * first:
  #
  #     pot.pour(
  #       1
  #     )
  #
  #   more of it
  #
  # [label]
  #   Text.
  #
  #     pot.label
  # done
  def last; end
end

# A cup.
Cup = Struct.new(:size) do
  # Is full.
  def full?; end
end

# Of the top.
class ::Top; end
__END__
# Ours.
class Data; end
`;
    expect(outline('lib/pot.rb', 'ruby', source)).toEqual([
      ...['Pot', 'Pot::LIMIT', 'Pot#size', 'Pot.count', 'Pot#count', 'Pot#fill', 'Pot#pour', 'Pot#lid'],
      ...['Pot.brew', 'Pot#steep', 'Pot#helper', 'Pot#open', 'Pot#last', 'Cup', 'Cup#full?', 'Top'],
    ]);
    const { blocks } = read('lib/pot.rb', 'ruby', source);
    expect(blocks.find(({ identifiers }) => identifiers?.[0] === 'Pot#size')?.identifiers).toEqual([
      ...['Pot#size', 'Pot#weight', 'Pot#heat'],
    ]);
    const text = textOf('lib/pot.rb', 'ruby', source);
    expect(text).toContain('`fill(cups, **options)`\n\nFills it.');
    expect(text).toContain('`pour -> cup`, `pour(cups) {|cup| ... } -> array`\n\nPours.');
    expect(text).toContain('`lid`\n\n**Returns:** `Lid` what closes it\n\n`self.brew(leaf)`\n\nBrews.');
    expect(text).toContain('`steep(leaf)`\n\n**Yields:** `cup` each cup\n\n**Block returns:** `Boolean` go on');
    expect(text).toContain(
      '- `leaf` (`Leaf`): the leaf\n- `options` (`Hash`): the options\n- `:minutes` (`Integer`): how long\n- `cold` (`String`): without a key\n- `cup` (`Cup`): the cup',
    );
    expect(text).toContain(
      'See [the Guide](https://tea.example/), Pot,\n[Time](https://time.example/), Cup and `cups: 1, hot: true`:',
    );
    expect(text).toMatch(/\* first:\n+ {2}```ruby\n {2}pot\.pour\(\n {4}1\n {2}\)\n {2}```\n+ {2}more of it\n/);
    expect(text).toMatch(/- \*\*label\*\*: \n {2}Text\.\n+ {2}```ruby\n {2}pot\.label\n {2}```\n+done/);
    expect(text).not.toMatch(/Ours|Secret|Own|hide/);
  });

  it('reads Julia docstrings above their declarations', () => {
    const source = String.raw`"""
The pot of tea.
"""
module Tea

const about = """
no doc
"""

"""
    pour(cups;
         hot = true)

Pours, see [\`fill!\`](@ref) and \\$cups.

# Examples
\`\`\`jldoctest
julia> pour(1)
\`\`\`
"""
function pour(cups; hot = true) end

    """
    Has a lid.
    """
    Base.@kwdef struct Pot{T}
        lid::T
    end

@doc raw"""
Fills to \\$1.
""" fill!

"""Pours two."""
pour(a, b) where {A <: B} = pour(a + b)

"""
    @steep cups
Steeps.
"""
macro steep(cups) end

x = """
a"""
y(1)

# Ends in """
#=
"""
Old.
"""
old(x) = 1
=#
"Counts."
count(x) = 1

"""
    Base.:+(a, b)
Adds.
"""
Base.:+(a::Pot, b::Pot) = 1

"""
Calls it.
"""
function (m::Model)(x) end

function usage()
    """
    usage
    """
end

struct Cup
    """
    How wide.
    """
    size::Int
    "What closes it."
    lid
    "No field."
end

"""
Holds leaves.
""" # of all kinds
Base.@kwdef mutable struct Jar end

"""
Writes \\""" for you.
"""
write(x) = 1

@doc md"""
Is wide.
""" wide

@doc "Is old." old
end
`
      .replaceAll('\\`', '`')
      .replaceAll('\\\\', '\\');
    expect(outline('src/Tea.jl', 'julia', source)).toEqual([
      ...[
        'Tea',
        'pour',
        'Pot',
        'fill!',
        '@steep',
        'count',
        '+',
        'Model',
        'Cup',
        'Cup.size',
        'Cup.lid',
        'Jar',
        'write',
        'wide',
        'old',
      ],
    ]);
    const text = textOf('src/Tea.jl', 'julia', source);
    expect(text).toContain('```julia\npour(cups;\n     hot = true)\npour(a, b) where {A <: B}\n```');
    expect(text).toContain(
      'Pours, see `fill!` and $cups.\n\n**Examples**\n\n```julia\njulia> pour(1)\n```\n\nPours two.',
    );
    expect(text).toContain('```julia\nBase.@kwdef struct Pot{T}\n```\n\nHas a lid.');
    expect(text).toContain('Fills to \\$1.');
    expect(text).toContain('```julia\n@steep cups\n```\n\nSteeps.');
    expect(text).toContain('Writes """ for you.');
    expect(text).toContain('```julia\nstruct Cup\n```\n\n`size::Int`\n\nHow wide.\n\n`lid`\n\nWhat closes it.');
    expect(text).not.toMatch(/no doc|y\(1\)|Old|usage/);
    expect(documentationFormatOf('src/Tea.jl', Buffer.from(source))).toBe('declarations');
  });

  it('terminates on any input', () => {
    /** So long that quadratic work would exceed the time limit. */
    const long = (part: string): string => part.repeat(200_000 / part.length);
    const inputs = [
      long('{'),
      long('/** a */'),
      long('class a {'),
      long('export class a {\n'),
      long('"'),
      long('/'),
      'export const a = {'.repeat(2000),
      long('export type a = '),
      long('def a(\n'),
      long('class a:\n"""\n'),
      long('('),
      long('x'),
      long('@param {'),
      long('"""\n'),
      long('@doc """\na\n  """\ndef a(\n'),
      long('@spec a(\n  b,\n'),
      long('defmodule A do\n@doc "x"\ndef f, do: 1\n'),
      `defmodule A do\n@doc "x"\ndef f("${long('\\"')}`,
      `"""\nA\n"""\nf("${long('\\"')}`,
      long('# a\ndef a(\n'),
      `class A${long(' ')}x`,
      long('class A\n'),
      long('# d\nattr_reader :a, :b\n'),
      `"a"${long(' ')}(`,
      `struct A\n${long('"b"\nc\n')}struct ${long('a')} end`,
      `defmodule A do\n@doc "x"\ndef ${long('a..')}\n@doc "x"\ndef ${long('unquote(:')}`,
      `enum A { ${long('/// b\nb(1), ')}`,
      `class A { ${long('(a(b)')} c() {}`,
      `# d\nattr_reader ${long(':a, ')}\n# d\nA = Struct.new${long('do |')}\nB = Struct.${long('a')}`,
      `${long('# @!method a\n')}# ${long('{a}[')}\n# ${long('a[http:')}\nclass A; end`,
      `${long('# * a\n#     b\n')}class A; end`,
      `${Array.from({ length: 400 }, (_, at) => `#${' '.repeat(at)}* a\n`).join('')}class A; end`,
      `${long('#\n')}def a`,
      `# -${' '.repeat(20_000)}x\n${'#   y\n'.repeat(20_000)}class A; end`,
      `${'#   a\n'.repeat(200_000)}class A; end\n${'# @!method a\n'.repeat(200_000)}`,
      `# d\ndef a ${long('"\\')}`,
      `# ${long('+a')}\n# ${long('[a')}\n# @param ${long('a ')}\nclass A; end`,
      `/// A.\npublic func a(${long('(a: ')}`,
      `/// A.\n${long('List<')} a();`,
      `/** ${long('{@link ')}*/ export class A {}`,
      `export { ${long('a, ')}`,
      `/// <summary>${long('<c>')}\npublic class A {}`,
      `/// <summary>${'<item><c>'.repeat(4_000)}\npublic class A {}`,
    ];
    for (const input of inputs)
      for (const language of 'ts python go rust java csharp php c elixir julia swift dart ruby'.split(' '))
        expect(() => read(`a.${language}`, language, input), `${language} ${input.slice(0, 20)}`).not.toThrow();
  }, 120_000);

  it('reads lists in C# comments in linear time', () => {
    // Quadratic work would exceed the time limit.
    const comment = `<summary><item>${'<'.repeat(40_000)}</item></summary>`;
    for (let times = 0; times < 40; times += 1) expect(docOfXml(comment)).toContain('- <');
  });

  it('treats a file as declarations only if documented, outside of tests and copies', () => {
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    const documented = '/** A. */\nexport const a = 1;';
    expect(documentationFormatOf('src/a.ts', bytes(documented))).toBe('declarations');
    expect(documentationFormatOf('src/a.ts', bytes('export const a = 1;'))).toBeUndefined();
    expect(documentationFormatOf('src/a.test.ts', bytes(documented))).toBeUndefined();
    expect(documentationFormatOf('vendor/a.ts', bytes(documented))).toBeUndefined();
    expect(documentationFormatOf('types/a.d.ts', bytes('export const a: 1;'))).toBe('declarations');
    expect(documentationFormatOf('stubs/a.pyi', bytes('def a() -> int: ...'))).toBe('declarations');
    expect(documentationFormatOf('tests/a.pyi', bytes('def a() -> int: ...'))).toBeUndefined();
    expect(documentationFormatOf('test/types/a.d.ts', bytes('export const a: 1;'))).toBeUndefined();
    expect(documentationFormatOf('a.py', bytes('def a():\n    """A."""'))).toBe('declarations');
    expect(documentationFormatOf('a.py', bytes('def a():\r\n    """A."""\r\n'))).toBe('declarations');
    expect(documentationFormatOf('numpy/testing/utils.py', bytes('def a():\n    """A."""'))).toBe('declarations');
    expect(documentationFormatOf('numpy/testing/tests/a.py', bytes('def a():\n    """A."""'))).toBeUndefined();
    expect(documentationFormatOf('a.go', bytes('package a\n\nvar (\n\t// ErrA is a.\n\tErrA = f()\n)'))).toBe(
      'declarations',
    );
    expect(documentationFormatOf('a.json', bytes('{}'))).toBeUndefined();
    for (const start of ['/** ', '*/ ', '// a\ntype (', 'def a:\n', '/// ', '= a\n:b', '.TH'])
      for (const name of ['a.ts', 'a.py', 'a.go', 'a.rs', 'a.h', 'a.txt', 'a.1', 'a.json', 'a.yaml'])
        expect(documentationFormatOf(name, bytes(start.repeat(500_000))), `${name} ${start}`).not.toBe('html');
  });
});
