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
  cause causes happen happens happening seem seems trouble able unable instead without within across`;

const stemsOf = (words: string): Set<string> => new Set(words.split(/\s+/).map((word) => stem(word)));

const stops = stemsOf(functionWords);
const fillers = stemsOf(fillerWords);

/** Function and question words: never evidence by themselves, as long as the query has anything else. */
export function isStopTerm(term: string): boolean {
  return stops.has(term);
}

/** Words people wrap a question in; weak evidence. */
export function isFillerTerm(term: string): boolean {
  return fillers.has(term);
}
