import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { type ErrorCode, errorTable } from './errors.ts';
import { moduleIdSchema, visibilitySchema } from './library.ts';
import * as limits from './limits.ts';

const codes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]];
const chatId = z.string().min(1).max(100);

/** A passage that an answer is based on; the answer refers to it as `[number]`. */
export const chatCitationSchema = z.object({
  number: z.int().min(1),
  /** The passage's address, with its anchor. */
  url: z.string(),
  /** Distinguishes passages with the same anchor, for the viewer; missing for text from reading further in a page. */
  passageId: z.string().optional(),
  title: z.string(),
  headingPath: z.array(z.string()),
  moduleId: z.string(),
  moduleName: z.string(),
  visibility: visibilitySchema,
  /** The passage as read for the answer: third-party Markdown. */
  text: z.string(),
  tokens: z.int(),
});
export type ChatCitation = z.infer<typeof chatCitationSchema>;

/** What an answer cost. */
export const chatUsageSchema = z.object({
  searches: z.int(),
  reads: z.int(),
  /** Tokens (o200k_base) of everything found and read. */
  documentationTokens: z.int(),
  /** Credits charged for those searches and reads; a retry costs nothing. */
  credits: z.int(),
  /** As counted by the model; null if it does not report a count or no model wrote the answer. */
  modelInputTokens: z.int().nullable(),
  modelOutputTokens: z.int().nullable(),
});
export type ChatUsage = z.infer<typeof chatUsageSchema>;

/** The answer's writer: a language model, or none, in which case the answer is the best passage itself. */
export const chatWriterSchema = z.enum(['model', 'passages']);

export const chatMessageSchema = z.object({
  id: z.string(),
  role: z.enum(['question', 'answer']),
  /** A question is plain text; an answer is Markdown that must be sanitised. */
  text: z.string(),
  /** `writing`: in progress. `stopped`: the reader left or stopped it; the text so far is kept. */
  state: z.enum(['writing', 'complete', 'stopped', 'failed']),
  /** Set for answers only. */
  writer: chatWriterSchema.nullable(),
  /** The error: the answer is missing or incomplete, or passages replace a model that failed. */
  errorCode: z.enum(codes).nullable(),
  citations: z.array(chatCitationSchema),
  usage: chatUsageSchema.nullable(),
  createdAt: z.int(),
});
export type ChatMessage = z.infer<typeof chatMessageSchema>;

export const chatSchema = z.object({
  chatId: z.string(),
  title: z.string(),
  /** The only module searched; null for all readable modules. */
  moduleId: z.string().nullable(),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type Chat = z.infer<typeof chatSchema>;

/** An earlier message of a conversation that the server does not store. */
const earlierTurn = z.object({
  question: z.string().max(limits.chatQuestionCharactersMax),
  answer: z.string().max(limits.chatAnswerCharactersMax),
});

export const askDocsInput = z.object({
  /** Its length is checked by the verb, whose error states the limit. */
  question: z.string(),
  /** The conversation to continue; without it, a new one begins. */
  chatId: chatId.optional(),
  /** The only module to search. A conversation keeps the module it began with. */
  moduleId: moduleIdSchema.optional(),
  /** Replaces the conversation's last question and its answer. */
  replacesLast: z.boolean().optional(),
  /** Treats the caller as a visitor: searches the public index only, stores nothing and charges nothing. */
  isDemo: z.boolean().optional(),
  /** A visitor's earlier messages, since the server does not store them. */
  earlier: z.array(earlierTurn).max(limits.chatEarlierTurnsMax).optional(),
});
export type AskDocsInput = z.infer<typeof askDocsInput>;

/** One line of the response to a question; the last line is `done` or `error`. */
export const chatEventSchema = z.discriminatedUnion('type', [
  /** `chatId` is null if the conversation is not stored. */
  z.object({ type: z.literal('started'), chatId: z.string().nullable(), title: z.string(), answerId: z.string() }),
  z.object({ type: z.literal('searching'), query: z.string() }),
  z.object({ type: z.literal('reading'), url: z.string() }),
  /** Newly found passages; their numbers continue from the earlier ones. */
  z.object({ type: z.literal('passages'), citations: z.array(chatCitationSchema) }),
  z.object({ type: z.literal('text'), delta: z.string() }),
  /** The text so far is discarded: passages replace a model that failed. */
  z.object({ type: z.literal('restart'), writer: chatWriterSchema }),
  z.object({ type: z.literal('usage'), usage: chatUsageSchema }),
  /** The complete answer as stored. */
  z.object({ type: z.literal('done'), message: chatMessageSchema }),
  z.object({
    type: z.literal('error'),
    code: z.enum(codes),
    message: z.string(),
    requestId: z.string(),
    /** The answer so far. */
    answer: chatMessageSchema,
  }),
]);
export type ChatEvent = z.infer<typeof chatEventSchema>;

/** Where questions are sent: POST with a JSON body; the response is JSON events, one per line. */
export const askDocsPath = '/api/chat';
export const chatStreamType = 'application/x-ndjson';

/** Marks the start of a list's next page. */
const cursor = z.string().max(200).optional();

export const chatEndpoints = {
  describeChat: endpoint('GET /api/chat', {
    summary: 'Returns whether a language model writes the answers, and the module named in the input.',
    access: 'anyone',
    input: z.object({ moduleId: moduleIdSchema.optional() }),
    output: z.object({
      writer: chatWriterSchema,
      /** The model's name, if one writes answers. */
      model: z.string().nullable(),
      /** The module named in the input; null if it is missing or not readable. */
      module: z.object({ moduleId: z.string(), displayName: z.string() }).nullable(),
    }),
  }),
  listChats: endpoint('GET /api/chats', {
    summary: 'Lists your conversations in this workspace, the most recent first.',
    input: z.object({ cursor }),
    output: z.object({ chats: z.array(chatSchema), next: z.string().nullable() }),
  }),
  exportChats: endpoint('GET /api/chats/export', {
    summary: 'Returns all your conversations in every workspace as a JSON file.',
    output: z.custom<AsyncIterable<Uint8Array>>(),
    attachment: { mediaType: 'application/json; charset=utf-8', fileName: 'chats.json' },
  }),
  readChat: endpoint('GET /api/chats/:chatId', {
    summary: 'Returns one of your conversations with its latest messages. `cursor` selects earlier ones.',
    input: z.object({ chatId, cursor }),
    output: z.object({ chat: chatSchema, messages: z.array(chatMessageSchema), next: z.string().nullable() }),
  }),
  renameChat: endpoint('POST /api/chats/:chatId/name', {
    summary: 'Renames a conversation.',
    input: z.object({ chatId, title: z.string().max(limits.chatTitleCharactersMax * 2) }),
    output: z.object({ chat: chatSchema }),
  }),
  removeChat: endpoint('DELETE /api/chats/:chatId', {
    summary: 'Deletes a conversation permanently.',
    input: z.object({ chatId }),
    output: z.object({}),
  }),
  removeAllChats: endpoint('DELETE /api/chats', {
    summary: 'Deletes all your conversations in this workspace permanently.',
    output: z.object({ removed: z.int() }),
  }),
};
