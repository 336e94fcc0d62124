import type { Draft } from '../draft.ts';
import { embedMarkdown } from '../embed-markdown.ts';
import { type Fields, fieldsOf, isFields, listOf, textOf } from '../parsed-data.ts';
import { oneLine } from '../write-markdown.ts';
import { exampleCode, parameterTable } from './operation.ts';
import { type Description, referenceName } from './references.ts';
import { renderSchema } from './render-schema.ts';

/** Number of reference levels expanded in message schemas; deeper schemas are named and have separate sections. */
const messageLevels = 2;
const examplesMax = 3;
/** Messages are repeated for each operation that uses them, up to this total per file. */
const repeatsMax = 2_000;

interface Shown {
  messages: Set<Fields>;
  repeats: number;
}

interface Channel {
  name: string;
  address: string;
  fields: Fields;
  messages: readonly unknown[];
  operations: ChannelOperation[];
}

interface ChannelOperation {
  /** `send` or `receive`; before AsyncAPI 3 `publish` or `subscribe`. */
  action: string;
  id: string;
  fields: Fields;
  messages: readonly unknown[];
}

/**
 * Adds the channels of an AsyncAPI description (2 or 3), each with its operations, then the messages that no channel
 * uses.
 */
export function addChannels(draft: Draft, description: Description): void {
  const channels = channelsOf(description);
  const shown: Shown = { messages: new Set(), repeats: 0 };
  if (channels.length > 0) draft.add({ type: 'heading', markdown: 'Channels', depth: 2, anchor: 'channels' });
  for (const channel of channels) {
    const names = [...new Set([channel.address, channel.name])];
    draft.addName(channel.address, 3, `channel-${channel.name}`, names);
    addTexts(draft, channel.fields);
    const parameters = Object.entries(fieldsOf(channel.fields.parameters)).map(([name, value]) => {
      const parameter = description.resolve(value);
      // In version 3, parameters are strings and have no schema.
      const { enum: values, default: preset } = parameter;
      return { schema: { type: 'string', enum: values, default: preset }, ...parameter, name };
    });
    draft.add({ type: 'table', markdown: parameterTable(description, parameters) });
    addData(draft, 'Bindings', channel.fields.bindings);
    if (channel.operations.length === 0) addMessages(draft, description, channel.messages, shown);
    for (const operation of channel.operations) addOperation(draft, description, channel, operation, shown);
  }
  const unused = Object.entries(fieldsOf(fieldsOf(description.root.components).messages))
    .map(([name, value]) => ({ name, value: description.resolve(value) }))
    .filter(({ value }) => !shown.messages.has(value));
  if (unused.length > 0) draft.add({ type: 'heading', markdown: 'Messages', depth: 2, anchor: 'messages' });
  for (const { name, value } of unused) {
    draft.addName(name, 3, `message-${name}`, [name]);
    addMessages(draft, description, [value], shown);
  }
}

function channelsOf(description: Description): Channel[] {
  const channels = new Map<Fields, Channel>();
  for (const [name, value] of Object.entries(fieldsOf(description.root.channels))) {
    const fields = description.resolve(value);
    const operations = ['publish', 'subscribe'].flatMap((action) => {
      if (fields[action] === undefined) return [];
      const operation = description.resolve(fields[action]);
      const message = fieldsOf(operation.message);
      const messages = message.oneOf === undefined ? [operation.message] : listOf(message.oneOf);
      return [{ action, id: textOf(operation.operationId), fields: operation, messages }];
    });
    channels.set(fields, {
      name,
      address: textOf(fields.address) || name,
      fields,
      messages: messagesOf(fields),
      operations,
    });
  }
  for (const [id, value] of Object.entries(fieldsOf(description.root.operations))) {
    const fields = description.resolve(value);
    const messages = listOf(fields.messages);
    const key = description.resolve(fields.channel);
    // For a channel in another file, only the name is known.
    const name = referenceOf(fields.channel) || id;
    const channel = channels.get(key) ?? { name, address: name, fields: key, messages: [], operations: [] };
    channels.set(key, channel);
    channel.operations.push({
      ...{ action: textOf(fields.action), id, fields },
      messages: messages.length > 0 ? messages : channel.messages,
    });
  }
  return [...channels.values()];
}

const messagesOf = ({ messages }: Fields): unknown[] => Object.values(fieldsOf(messages));

function addOperation(
  draft: Draft,
  description: Description,
  { address }: Channel,
  { action, id, fields, messages }: ChannelOperation,
  shown: Shown,
): void {
  const name = `${action} ${address}`;
  const anchor = id || name.replace(/[^\w]+/g, '-').replace(/^-|-$/g, '');
  draft.addName(name, 4, anchor, [name, ...(id === '' ? [] : [id])]);
  draft.addText('paragraph', id === '' ? '' : `Operation id: \`${id}\``);
  const operation = withTraits(description, fields);
  addTexts(draft, operation);
  addMessages(draft, description, messages, shown);
  const reply = description.resolve(fields.reply);
  const answer = description.resolve(reply.channel);
  if (reply.channel !== undefined)
    draft.addText('paragraph', `**Reply** on \`${textOf(answer.address) || referenceOf(reply.channel)}\``);
  addMessages(draft, description, listOf(reply.messages), shown);
  addData(draft, 'Bindings', operation.bindings);
}

function addMessages(draft: Draft, description: Description, messages: readonly unknown[], shown: Shown): void {
  for (const one of messages) {
    const own = description.resolve(one);
    if (shown.messages.has(own) && ++shown.repeats > repeatsMax) {
      draft.addText('paragraph', 'Its messages are shown with other operations.');
      break;
    }
    shown.messages.add(own);
    const message = withTraits(description, own);
    const name = textOf(message.name) || referenceOf(one);
    const type = textOf(message.contentType) || textOf(description.root.defaultContentType);
    draft.addText('paragraph', `**Message**${name === '' ? '' : ` \`${name}\``}${type === '' ? '' : ` \`${type}\``}`);
    addTexts(draft, message);
    addSchema(draft, description, 'Headers', message.headers);
    addSchema(draft, description, 'Payload', message.payload, textOf(message.schemaFormat));
    for (const example of listOf(message.examples).slice(0, examplesMax)) addData(draft, 'Example', example);
    addData(draft, 'Bindings', message.bindings);
  }
}

/** Merges an operation's or message's traits with its own fields, which take precedence. */
function withTraits(description: Description, fields: Fields): Fields {
  return Object.assign({}, ...listOf(fields.traits).map((trait) => description.resolve(trait)), fields) as Fields;
}

const referenceOf = (value: unknown): string => {
  const reference = textOf(fieldsOf(value).$ref);
  return reference === '' ? '' : referenceName(reference);
};

/** Adds a schema; those in other languages, such as Avro, are shown as written. */
function addSchema(draft: Draft, description: Description, label: string, value: unknown, format = ''): void {
  if (value === undefined) return;
  const { schemaFormat, schema } = fieldsOf(value);
  if (schemaFormat !== undefined && schema !== undefined)
    addSchema(draft, description, label, schema, textOf(schemaFormat));
  else if (/avro|protobuf|raml|xml/i.test(format)) addData(draft, label, value);
  else {
    draft.addText('paragraph', `**${label}**`);
    draft.addCode(renderSchema(description, value, messageLevels), 'ts');
  }
}

function addData(draft: Draft, label: string, data: unknown): void {
  if (data === undefined || (isFields(data) && Object.keys(data).length === 0)) return;
  const { code, language } = exampleCode(data);
  draft.addText('paragraph', `**${label}**`);
  draft.addCode(code, language);
}

function addTexts(draft: Draft, fields: Fields): void {
  const summary = oneLine(textOf(fields.summary) || textOf(fields.title));
  draft.addText('paragraph', summary === '' ? '' : `**${summary}**`);
  if (oneLine(textOf(fields.description)) !== summary) embedMarkdown(draft, textOf(fields.description));
}
