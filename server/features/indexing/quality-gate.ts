import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { RunQuality } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import { type SegmentView, searchSegments } from '#server/engine/index.ts';

/** A question and the address, without fragment, of the page that answers it. */
export interface ProbeQuestion {
  question: string;
  address: string;
}

interface ProbeResult {
  isAnswered: boolean;
  /** Tokens of the passages up to the page's first; without one, of all passages read. */
  tokens: number;
}

interface AskedProbe extends ProbeResult {
  /** Of `tokens`, those of the page's passage. */
  answerTokens: number;
  /** Returns the characters of all the page's passages, except headings and white space; estimated for long pages. */
  bodyLength: () => number;
}

const passagesAsked = 20;
/** Passages measured in a page, spread evenly: reading all of a page with tens of thousands would block requests. */
const passagesMeasured = 200;
/** A page that keeps less than this share of the text below its headings has lost its text, however short it was. */
const emptiedShare = 0.2;
const missedNamedMax = 20;
/** A difference within this many standard errors counts as chance. */
const standardErrors = 2;
/** The probability of a difference of this many standard errors. */
const chanceMax = 0.025;
/** A smaller drop is not worth a user's attention, however certain. */
const shareMin = 0.05;

export interface QualityVerdict {
  quality: RunQuality;
  /** True if the new version answers less per token, by more than chance explains. */
  isLower: boolean;
  /** The drop as a share of the old value. */
  drop: number;
}

/**
 * Asks both versions the same questions. Undefined if there are too few of them for statistics: then a site counts as
 * worse only if it answers none of them any longer, like a site that shows a sign-in page at every address.
 */
export async function compareVersions(
  before: SegmentView[],
  after: SegmentView[],
  probes: ProbeQuestion[],
  { isSite }: { isSite: boolean },
): Promise<QualityVerdict | undefined> {
  const areFew = probes.length < limits.probesJudgedMin;
  if (areFew && !isSite) return undefined;
  const asked = await askProbes(before, probes);
  const askedNext = await withoutEmptied(await askProbes(after, probes), asked);
  const old = atOnePrice(asked, askedNext);
  const next = notForNothing(atOnePrice(askedNext, asked), old);
  const isMissed = (_: ProbeQuestion, at: number) => old[at]?.isAnswered === true && next[at]?.isAnswered === false;
  const missed = probes.filter(isMissed).slice(0, missedNamedMax);
  const quality = { probes: probes.length, before: scoreOf(old), after: scoreOf(next), missed };
  const { isLower, drop } = judge(old, next);
  if (!areFew) return { quality, isLower, drop };
  const areAllLost = quality.before.answered > 0 && quality.after.answered === 0;
  return areAllLost ? { quality, isLower: true, drop } : undefined;
}

/** Counts questions as missed if the page is still found by its headings but has lost its text. */
async function withoutEmptied(next: AskedProbe[], old: AskedProbe[]): Promise<AskedProbe[]> {
  const results: AskedProbe[] = [];
  for (const [at, result] of next.entries()) {
    const before = old[at];
    const isInBoth = before?.isAnswered === true && result.isAnswered;
    const isEmptied = isInBoth && result.bodyLength() < before.bodyLength() * emptiedShare;
    results.push(isEmptied ? { ...result, isAnswered: false } : result);
    await yieldToOthers();
  }
  return results;
}

/**
 * Gives an answering passage the same cost in both versions: agents receive as much of it as fits, so a longer passage
 * is no worse. Tokens read before it count unchanged.
 */
function atOnePrice(results: AskedProbe[], others: AskedProbe[]): ProbeResult[] {
  return results.map(({ isAnswered, tokens, answerTokens }, at) => {
    const other = others[at];
    const isInBoth = isAnswered && other?.isAnswered === true;
    return { isAnswered, tokens: isInBoth ? tokens + Math.max(0, other.answerTokens - answerTokens) : tokens };
  });
}

/** Charges missed questions at least their old tokens: otherwise a version that finds nothing would cost nothing. */
function notForNothing(next: ProbeResult[], old: ProbeResult[]): ProbeResult[] {
  return next.map(({ isAnswered, tokens }, at) => ({
    isAnswered,
    tokens: isAnswered ? tokens : Math.max(tokens, old[at]?.tokens ?? 0),
  }));
}

/** Checks each question as an agent reads: passages in order, until one is from the page or the budget is used up. */
export async function askProbes(views: SegmentView[], probes: ProbeQuestion[]): Promise<AskedProbe[]> {
  const results: AskedProbe[] = [];
  for (const { question, address } of probes) {
    results.push(answerOf(views, question, address));
    // Searches are short; let requests run in between.
    await yieldToOthers();
  }
  return results;
}

function answerOf(views: SegmentView[], question: string, address: string): AskedProbe {
  let tokens = 0;
  for (const hit of searchSegments(views, question, { limit: passagesAsked })) {
    if (tokens + hit.snippet.tokens > limits.probeTokensMax) break;
    tokens += hit.snippet.tokens;
    if (hit.page.url !== address) continue;
    const bodyLength = () => bodyLengthOf(hit.view.segment, hit.pageIndex);
    return { isAnswered: true, tokens, answerTokens: hit.snippet.tokens, bodyLength };
  }
  return { isAnswered: false, tokens, answerTokens: 0, bodyLength: () => 0 };
}

/** Returns the length without headings, which stay when the text below them is lost and are most of a short page. */
function bodyLengthOf(segment: SegmentView['segment'], page: number): number {
  const { firstSnippet, snippetCount } = segment.page(page);
  const step = Math.max(1, snippetCount / passagesMeasured);
  let length = 0;
  for (let at = 0; at < snippetCount; at += step) {
    const { text } = segment.snippet(firstSnippet + Math.floor(at));
    length += step * text.replace(/^#{1,6} .*$|\s+/gm, '').length;
  }
  return length;
}

function scoreOf(results: ProbeResult[]): RunQuality['before'] {
  return {
    answered: results.filter(({ isAnswered }) => isAnswered).length,
    tokens: results.reduce((sum, result) => sum + result.tokens, 0),
  };
}

/**
 * Compares recall per token: answers divided by tokens, as a ratio of both versions. It is a ratio of sums over the
 * same questions, so the error of its logarithm is estimated by leaving out each question in turn (jackknife). If few
 * questions are still answered, they dominate that error, so answers lost are also tested against answers gained (sign
 * test).
 */
export function judge(old: ProbeResult[], next: ProbeResult[]): { isLower: boolean; drop: number } {
  const [oldSums, nextSums] = [scoreOf(old), scoreOf(next)];
  const change = logRatio(oldSums, nextSums);
  const without = old.map((result, at) =>
    logRatio(withoutResult(oldSums, result), withoutResult(nextSums, next[at] ?? result)),
  );
  const mean = without.reduce((sum, value) => sum + value, 0) / without.length;
  const squares = without.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const error = Math.sqrt((squares * (without.length - 1)) / without.length);
  const drop = 1 - Math.exp(change);
  const isCertain = -change > standardErrors * error || chanceOfLoss(old, next) < chanceMax;
  return { isLower: drop > shareMin && isCertain, drop };
}

/**
 * Returns the probability that at least this many of the changed answers were lost, if each were lost or gained with
 * equal chance.
 */
function chanceOfLoss(old: ProbeResult[], next: ProbeResult[]): number {
  const changed = old.filter(({ isAnswered }, at) => isAnswered !== next[at]?.isAnswered);
  const lost = changed.filter(({ isAnswered }) => isAnswered).length;
  let chance = 0;
  // Sum the probabilities of exactly `count` losses, from all changed answers down to the actual losses.
  let exactly = 0.5 ** changed.length;
  for (let count = changed.length; count >= lost; count -= 1) {
    chance += exactly;
    exactly = (exactly * count) / (changed.length - count + 1);
  }
  return chance;
}

/** Adds half an answer to both sides, so that the logarithm exists for zero answers. */
function logRatio(old: RunQuality['before'], next: RunQuality['before']): number {
  const recallPerToken = ({ answered, tokens }: RunQuality['before']) => (answered + 0.5) / Math.max(1, tokens);
  return Math.log(recallPerToken(next) / recallPerToken(old));
}

function withoutResult({ answered, tokens }: RunQuality['before'], result: ProbeResult): RunQuality['before'] {
  return { answered: answered - Number(result.isAnswered), tokens: tokens - result.tokens };
}
