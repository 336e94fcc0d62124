import { GraphQLError } from 'graphql/error/GraphQLError.js';
import type {
  DefinitionNode,
  DirectiveDefinitionNode,
  DocumentNode,
  FieldDefinitionNode,
  InputValueDefinitionNode,
  TypeDefinitionNode,
  TypeExtensionNode,
} from 'graphql/language/ast.js';
import { parse } from 'graphql/language/parser.js';
import { print } from 'graphql/language/printer.js';
import type { ExtractedDocument } from '../../document.ts';
import { ParseError } from '../../parse/parse-error.ts';
import { Draft, titleFromUrl } from '../draft.ts';
import { embedMarkdown } from '../embed-markdown.ts';
import { extractCodeFile } from '../plain-text.ts';
import { codeSpan, oneLine } from '../write-markdown.ts';

/** Ten times the size of the largest published schemas. */
const tokensMax = 3_000_000;
const commentCharsMax = 160;
/** Longer argument lists have one argument per line. */
const argumentLineCharsMax = 80;

type TypeNode = TypeDefinitionNode | TypeExtensionNode;
type FieldsNode = Extract<TypeNode, { fields?: readonly FieldDefinitionNode[] }>;

/**
 * Extracts a GraphQL schema: each query, mutation, type and directive is a section named after it, fields are entries
 * named `Type.field`. Queries and damaged files are read as code. Throws `ParseError` for a file nested too deeply.
 */
export function extractGraphql(text: string, page: { url: string }): ExtractedDocument {
  const document = parsed(text, page.url);
  if (!document?.definitions.some((node) => /Type|Schema|Directive/.test(node.kind)))
    return extractCodeFile(text, { url: page.url, language: 'graphql' });
  const draft = new Draft(page.url);
  draft.title = titleFromUrl(page.url);
  const roots = rootTypes(document.definitions);
  for (const node of document.definitions) {
    if (node.kind === 'DirectiveDefinition') addDirective(draft, node);
    else if (isTypeNode(node)) addType(draft, node, roots);
  }
  return draft.finish();
}

function parsed(text: string, url: string): DocumentNode | undefined {
  try {
    return parse(text.replace(/^\ufeff/, ''), { noLocation: true, maxTokens: tokensMax });
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    if (error instanceof RangeError) throw new ParseError('parse-failed', `${url} is nested too deep.`);
    throw error;
  }
}

function isTypeNode(node: DefinitionNode): node is TypeNode {
  return /^(?:Object|Interface|InputObject|Enum|Union|Scalar)Type(?:Definition|Extension)$/.test(node.kind);
}

/** Returns the types whose fields are the operations available to clients. */
function rootTypes(definitions: readonly DefinitionNode[]): Set<string> {
  for (const node of definitions) {
    if (node.kind === 'SchemaDefinition') return new Set(node.operationTypes.map((one) => one.type.name.value));
  }
  return new Set(['Query', 'Mutation', 'Subscription']);
}

function addType(draft: Draft, node: TypeNode, roots: ReadonlySet<string>): void {
  const name = node.name.value;
  const isRoot = roots.has(name);
  draft.addName(name, 2, name, [name], !isRoot);
  embedMarkdown(draft, 'description' in node ? (node.description?.value ?? '') : '');
  if (node.kind === 'ObjectTypeDefinition' || node.kind === 'ObjectTypeExtension') addFields(draft, node, isRoot);
  else if (node.kind === 'InterfaceTypeDefinition' || node.kind === 'InterfaceTypeExtension')
    addFields(draft, node, false);
  else draft.addCode(shortDefinition(node), 'graphql');
}

function addFields(draft: Draft, node: FieldsNode, isRoot: boolean): void {
  const name = node.name.value;
  const kind = node.kind.startsWith('Interface') ? 'interface' : 'type';
  const interfaces = (node.interfaces ?? []).map((one) => one.name.value);
  if (interfaces.length > 0) draft.addCode(`${kind} ${name} implements ${interfaces.join(' & ')}`, 'graphql');
  for (const field of node.fields ?? []) {
    const own = `${name}.${field.name.value}`;
    if (isRoot) {
      draft.addName(own, 3, own, [own, field.name.value]);
      draft.addCode(fieldSignature(field, argumentLineCharsMax), 'graphql');
    } else draft.openTerm(codeSpan(fieldSignature(field, Number.POSITIVE_INFINITY)), [own], own);
    embedMarkdown(draft, field.description?.value ?? '');
    addArguments(draft, field.arguments ?? []);
    const deprecation = deprecationOf(field);
    if (deprecation !== undefined) draft.addText('admonition', `> **Deprecated:** ${oneLine(deprecation)}`);
    if (!isRoot) draft.closeTerm();
  }
}

function fieldSignature(field: FieldDefinitionNode, lineCharsMax: number): string {
  const all = (field.arguments ?? []).map(inputSignature);
  const oneLineForm = all.length === 0 ? '' : `(${all.join(', ')})`;
  const list = oneLineForm.length > lineCharsMax ? `(\n  ${all.join(',\n  ')}\n)` : oneLineForm;
  return `${field.name.value}${list}: ${print(field.type)}`;
}

function inputSignature(input: InputValueDefinitionNode): string {
  const value = input.defaultValue === undefined ? '' : ` = ${print(input.defaultValue)}`;
  return `${input.name.value}: ${print(input.type)}${value}`;
}

function addArguments(draft: Draft, inputs: readonly InputValueDefinitionNode[]): void {
  const lines = inputs
    .filter((input) => oneLine(input.description?.value ?? '') !== '')
    .map((input) => `- \`${input.name.value}\`: ${oneLine(input.description?.value ?? '')}`);
  draft.addText('list', lines.join('\n'));
}

function addDirective(draft: Draft, node: DirectiveDefinitionNode): void {
  const name = `@${node.name.value}`;
  draft.addName(name, 2, name, [name]);
  const inputs = (node.arguments ?? []).map(inputSignature);
  const places = node.locations.map((place) => place.value).join(' | ');
  draft.addCode(`directive ${name}${inputs.length > 0 ? `(${inputs.join(', ')})` : ''} on ${places}`, 'graphql');
  embedMarkdown(draft, node.description?.value ?? '');
  addArguments(draft, node.arguments ?? []);
}

/** Returns an input, enumeration, union or scalar with one member and its description per line. */
function shortDefinition(node: TypeNode): string {
  const name = node.name.value;
  switch (node.kind) {
    case 'InputObjectTypeDefinition':
    case 'InputObjectTypeExtension':
      return braced(
        `input ${name}`,
        (node.fields ?? []).map((field) => [inputSignature(field), noteOf(field)]),
      );
    case 'EnumTypeDefinition':
    case 'EnumTypeExtension':
      return braced(
        `enum ${name}`,
        (node.values ?? []).map((value) => [value.name.value, noteOf(value)]),
      );
    case 'UnionTypeDefinition':
    case 'UnionTypeExtension':
      return `union ${name} = ${(node.types ?? []).map((type) => type.name.value).join(' | ')}`;
    default:
      return `scalar ${name}`;
  }
}

function braced(head: string, members: readonly [string, string][]): string {
  const lines = members.map(([member, note]) => `  ${member}${note === '' ? '' : ` # ${note}`}`);
  return [`${head} {`, ...lines, '}'].join('\n');
}

type Described = Pick<FieldDefinitionNode, 'description' | 'directives'>;

function noteOf(node: Described): string {
  const text = oneLine(node.description?.value ?? '');
  const short = text.length > commentCharsMax ? `${text.slice(0, commentCharsMax - 1)}…` : text;
  const deprecation = deprecationOf(node);
  return [short, ...(deprecation === undefined ? [] : [`deprecated: ${oneLine(deprecation)}`])]
    .filter(Boolean)
    .join('; ');
}

function deprecationOf(node: Described): string | undefined {
  const directive = node.directives?.find((one) => one.name.value === 'deprecated');
  if (!directive) return undefined;
  const reason = directive.arguments?.find((one) => one.name.value === 'reason')?.value;
  return reason?.kind === 'StringValue' ? reason.value : 'No longer supported';
}
