import { chatEndpoints } from '#contract/chat.ts';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import type { Catalog } from '#server/features/catalog/index.ts';
import type { CallMeter } from '#server/features/credits/index.ts';
import { createSearch } from '#server/features/search/index.ts';
import { openLanguageModel } from '#server/platform/language-model/open-language-model.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import { outboundLimits } from '#server/platform/outbound/index.ts';
import type { Accounts } from '../accounts/index.ts';
import type { Credits } from '../credits/index.ts';
import { feature, serve } from '../feature.ts';
import type { SearchFeature } from '../search/index.ts';
import type { Teams } from '../teams/index.ts';
import { AnswersInProgress } from './answers-in-progress.ts';
import { type Asker, askDocs } from './ask-docs.ts';
import type { ChatDependencies, ChatSearch } from './dependencies.ts';
import { describeChat } from './find-module.ts';
import { exportChats, listChats, readAllChats, readChat, removeAllChats, removeChat, renameChat } from './history.ts';
import { deleteChatsOfUser, deleteTeamChats } from './store.ts';

export type Chat = ReturnType<typeof openChat>;

/** Limit for all users together; each answer holds a connection to the model from start to end. */
const answersAtOnceMax = 64;

interface Below {
  accounts: Accounts;
  teams: Teams;
  credits: Credits;
  catalog: Catalog;
  search: SearchFeature;
}

/**
 * Opens chat: users' conversations with the documentation. Answers are streamed, so they are served outside of the
 * endpoints.
 */
export function openChat(
  { config: { chatModel }, outboundTo }: Platform,
  { accounts, teams, credits: { meter }, catalog: { shelf }, search: { meaning } }: Below,
) {
  const outbound = outboundTo([chatModel.kind === 'none' ? undefined : chatModel.url], {
    ...outboundLimits,
    connectionsPerOriginMax: answersAtOnceMax,
  });
  const needs: ChatDependencies = {
    search: createChatSearch({ shelf, meaning, meter }),
    model: openLanguageModel(chatModel, { outbound, silenceMs: limits.chatModelSilenceSeconds * 1_000 }),
    inProgress: new AnswersInProgress(),
    answerSeconds: limits.chatAnswerSeconds,
  };
  accounts.deleted.on(deleteChatsOfUser);
  teams.memberLeft.on((tx, { teamId, userId }) => deleteTeamChats(tx, teamId, userId));
  teams.teamDeleted.on((tx, { id }) => deleteTeamChats(tx, id));
  return feature({
    name: 'chat',
    verbs: {
      askDocs: (ctx: Context, input: Parameters<typeof askDocs>[1], asker: Asker) => askDocs(ctx, input, needs, asker),
    },
    endpoints: serve(chatEndpoints, {
      describeChat: (ctx, input) => describeChat(ctx, input, needs),
      listChats,
      exportChats,
      readChat,
      renameChat: async (ctx, input) => ({ chat: await renameChat(ctx, input) }),
      removeChat: async (ctx, input) => {
        await removeChat(ctx, input);
        return {};
      },
      removeAllChats: async (ctx) => ({ removed: await removeAllChats(ctx) }),
    }),
    personalData: {
      chats: (ctx) => readAllChats(ctx),
    },
  });
}

/**
 * Creates the search for chats: the normal search, plus the credits charged per question. It fetches no pages: the text
 * of a page must not be able to make this server request an address.
 */
export function createChatSearch(deps: {
  shelf: Parameters<typeof createSearch>[0]['shelf'];
  meaning?: Parameters<typeof createSearch>[0]['meaning'];
  meter: CallMeter;
}): ChatSearch {
  const charged = new WeakMap<Context, number>();
  const meter: CallMeter = {
    admit: deps.meter.admit,
    async settle(ctx, call, receipt) {
      const settled = await deps.meter.settle(ctx, call, receipt);
      charged.set(ctx, (charged.get(ctx) ?? 0) + settled.credits);
      return settled;
    },
  };
  const search = createSearch({ shelf: deps.shelf, meaning: deps.meaning, meter });
  return { ...search, admit: deps.meter.admit, creditsOf: (ctx) => charged.get(ctx) ?? 0 };
}
