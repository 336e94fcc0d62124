import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { type ErrorCode, errorTable } from './errors.ts';
import { moduleIdSchema, visibilitySchema } from './library.ts';
import * as limits from './limits.ts';

const codes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]];
const chatId = z.string().min(1).max(100);

/** One passage an answer rests on; the answer names it as `[number]`. */
export const chatCitationSchema = z.object({
  number: z.int().min(1),
  /** Address of the passage, with its anchor. */
  url: z.string(),
  /** Tells the passage from others with the same anchor, for the viewer; none for what was read on of a page. */
  passageId: z.string().optional(),
  title: z.string(),
  headingPath: z.array(z.string()),
  moduleId: z.string(),
  moduleName: z.string(),
  visibility: visibilitySchema,
  /** The passage as it was read for the answer: Markdown others wrote. */
  text: z.string(),
  tokens: z.int(),
});
export type ChatCitation = z.infer<typeof chatCitationSchema>;

/** What an answer took. */
export const chatUsageSchema = z.object({
  searches: z.int(),
  reads: z.int(),
  /** Tokens (o200k_base) of all that was found and read. */
  documentationTokens: z.int(),
  /** What was charged for those searches and reads; a retry costs nothing. */
  credits: z.int(),
  /** As the model counts them; null where it does not say, or none wrote the answer. */
  modelInputTokens: z.int().nullable(),
  modelOutputTokens: z.int().nullable(),
});
export type ChatUsage = z.infer<typeof chatUsageSchema>;

/** Who wrote an answer: a language model, or no one: the best passage itself. */
export const chatWriterSchema = z.enum(['model', 'passages']);

export const chatMessageSchema = z.object({
  id: z.string(),
  role: z.enum(['question', 'answer']),
  /** A question is plain text, an answer Markdown that must be sanitised. */
  text: z.string(),
  /** `writing`: it is being written now. `stopped`: the reader went away or said so; what there was is kept. */
  state: z.enum(['writing', 'complete', 'stopped', 'failed']),
  /** Of an answer. */
  writer: chatWriterSchema.nullable(),
  /** What went wrong: the answer is missing or incomplete, or passages stand in for a model that failed. */
  errorCode: z.enum(codes).nullable(),
  citations: z.array(chatCitationSchema),
  usage: chatUsageSchema.nullable(),
  createdAt: z.int(),
});
export type ChatMessage = z.infer<typeof chatMessageSchema>;

export const chatSchema = z.object({
  chatId: z.string(),
  title: z.string(),
  /** The only module it asks; null for all that may be read. */
  moduleId: z.string().nullable(),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type Chat = z.infer<typeof chatSchema>;

/** One thing said before in a conversation that the server does not keep. */
const earlierTurn = z.object({
  question: z.string().max(limits.chatQuestionCharactersMax),
  answer: z.string().max(limits.chatAnswerCharactersMax),
});

export const askDocsInput = z.object({
  /** One that is too long is refused by the verb, which says the limit. */
  question: z.string(),
  /** Goes on with this conversation; without it a new one begins. */
  chatId: chatId.optional(),
  /** Only this module is asked. A conversation keeps the one it began with. */
  moduleId: moduleIdSchema.optional(),
  /** Takes the place of the last question of the conversation and its answer. */
  replacesLast: z.boolean().optional(),
  /** As a visitor, the caller: the public index alone, nothing kept, nothing charged. */
  isDemo: z.boolean().optional(),
  /** What a visitor said before, since nothing is kept of it here. */
  earlier: z.array(earlierTurn).max(limits.chatEarlierTurnsMax).optional(),
});
export type AskDocsInput = z.infer<typeof askDocsInput>;

/** What a question is answered with, line by line; the last line is `done` or `error`. */
export const chatEventSchema = z.discriminatedUnion('type', [
  /** `chatId` is null where nothing is kept. */
  z.object({ type: z.literal('started'), chatId: z.string().nullable(), title: z.string(), answerId: z.string() }),
  z.object({ type: z.literal('searching'), query: z.string() }),
  z.object({ type: z.literal('reading'), url: z.string() }),
  /** Passages that were found since; their numbers continue from those before. */
  z.object({ type: z.literal('passages'), citations: z.array(chatCitationSchema) }),
  z.object({ type: z.literal('text'), delta: z.string() }),
  /** The text so far does not count: passages stand in for a model that failed. */
  z.object({ type: z.literal('restart'), writer: chatWriterSchema }),
  z.object({ type: z.literal('usage'), usage: chatUsageSchema }),
  /** The whole answer as it is kept. */
  z.object({ type: z.literal('done'), message: chatMessageSchema }),
  z.object({
    type: z.literal('error'),
    code: z.enum(codes),
    message: z.string(),
    requestId: z.string(),
    /** What there is of the answer. */
    answer: chatMessageSchema,
  }),
]);
export type ChatEvent = z.infer<typeof chatEventSchema>;

/** Where a question is sent: POST, JSON in, one JSON event a line out. */
export const askDocsPath = '/api/chat';
export const chatStreamType = 'application/x-ndjson';

/** Marks where the next page of a list begins. */
const cursor = z.string().max(200).optional();

export const chatEndpoints = {
  describeChat: endpoint({
    method: 'GET',
    path: '/api/chat',
    summary: 'Returns whether a language model writes the answers, and the module named in the input.',
    access: 'anyone',
    input: z.object({ moduleId: moduleIdSchema.optional() }),
    output: z.object({
      writer: chatWriterSchema,
      /** Name of the model, where one writes. */
      model: z.string().nullable(),
      /** The module named in the input; a stranger's and a missing one are the same. */
      module: z.object({ moduleId: z.string(), displayName: z.string() }).nullable(),
    }),
  }),
  listChats: endpoint({
    method: 'GET',
    path: '/api/chats',
    summary: 'Lists your conversations in this workspace, the most recent first.',
    input: z.object({ cursor }),
    output: z.object({ chats: z.array(chatSchema), next: z.string().nullable() }),
  }),
  exportChats: endpoint({
    method: 'GET',
    path: '/api/chats/export',
    summary: 'Returns all your conversations in every workspace as a JSON file.',
    input: z.object({}),
    output: z.string(),
    attachment: { mediaType: 'application/json; charset=utf-8', fileName: 'chats.json' },
  }),
  readChat: endpoint({
    method: 'GET',
    path: '/api/chats/:chatId',
    summary: 'Returns one of your conversations with its latest messages. `cursor` selects earlier ones.',
    input: z.object({ chatId, cursor }),
    output: z.object({ chat: chatSchema, messages: z.array(chatMessageSchema), next: z.string().nullable() }),
  }),
  renameChat: endpoint({
    method: 'POST',
    path: '/api/chats/:chatId/name',
    summary: 'Renames a conversation.',
    input: z.object({ chatId, title: z.string().max(limits.chatTitleCharactersMax * 2) }),
    output: z.object({ chat: chatSchema }),
  }),
  removeChat: endpoint({
    method: 'DELETE',
    path: '/api/chats/:chatId',
    summary: 'Deletes a conversation permanently.',
    input: z.object({ chatId }),
    output: z.object({}),
  }),
  removeAllChats: endpoint({
    method: 'DELETE',
    path: '/api/chats',
    summary: 'Deletes all your conversations in this workspace permanently.',
    input: z.object({}),
    output: z.object({ removed: z.int() }),
  }),
};
