import { stem } from './stem.ts';

const functionWords = `a an the this that these those there here it its i me my we us our you your he him his she her they them their
  am is are was were be been being do does did doing done has have had having can could may might must shall should will would
  and or but nor so than then as at by for from in into of off on onto out over to under up down with via about between
  how what when where which who whom whose why whether if else while
  s t d ll re ve m dont doesnt didnt isnt arent wasnt cant couldnt wont wouldnt shouldnt hasnt havent ive im youre thats whats
  not no any some all each every both either neither such same very too just also only even still yet ever again once`;

const fillerWords = `get got getting use used using make making want need needed try trying tried work working works way ways
  possible possibly proper properly correct correctly best better good right easy easily simple simply help please thanks
  question problem issue mean means understand explain example examples different difference differences like does doing
  cause causes happen happens happening vs versus seem seems trouble able unable instead without within across`;

const stemsOf = (words: string): Set<string> => new Set(words.split(/\s+/).map((word) => stem(word)));

const stops = stemsOf(functionWords);
const fillers = stemsOf(fillerWords);

/** Character pairs of Chinese and Korean question words. */
const cjkStops = new Set(
  '什么 甚麼 如何 怎么 怎麼 怎样 怎樣 么样 是什 么是 請問 请问 为什 為什 哪些 哪个 是否 무엇 어떻 떻게 입니 니까 인가 가요 나요 하나 방법'.split(
    ' ',
  ),
);
/** In Japanese, particles and verb endings have two hiragana in a row; content words hardly ever do. */
const hiraganaPair = /^\p{Script=Hiragana}{2}$/u;
const particleBeside = /^(?:[はがをにのとで何]\P{Script=Hiragana}|\P{Script=Hiragana}[はがをにのとでへも])$/u;

/** Returns true for function and question words: they are no evidence if the query has any other words. */
export function isStopTerm(term: string): boolean {
  return stops.has(term) || cjkStops.has(term) || hiraganaPair.test(term) || particleBeside.test(term);
}

/** Returns true for words that people wrap a question in; they are weak evidence. */
export function isFillerTerm(term: string): boolean {
  return fillers.has(term);
}
