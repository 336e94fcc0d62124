/** Words beside a name that say what kind of thing it is, or that its page is wanted. */
const besideNames = new Set(
  (
    'class classes struct interface trait enum enumeration union record type typedef module package namespace function func method ' +
    'constructor property attribute field member signal macro constant exception error api docs doc documentation reference ' +
    'signature usage definition the of in for'
  ).split(' '),
);
/** A name with what qualifies it: `Class.method`, `Class#method`, `ns::Class`, `lists:map/2`, `obj->call()`, `Array#<<`. */
const name =
  /^[&@]?((?:::)?[\p{L}_$~][\p{L}\p{N}_$~-]*[!?']*(?:(?:::|->|[.#:/\\])~?[\p{L}_$][\p{L}\p{N}_$-]*[!?']*)*(?:(?:::|[.#])(?:operator)?[-+*%&|^~<>=![\]]{1,4}\??)?)(?:\/\d{1,2}|\([^()]{0,200}\))?[.,;?]?$/u;
const partsMax = 16;

/**
 * The parts of the name that a query is, in lower case: names of the library and words like `class` beside it are passed over.
 * Undefined for a query that asks more, or something else.
 */
export function askedName(query: string, libraryNames: readonly string[] = []): string[] | undefined {
  const words = query.slice(0, 500).replaceAll('`', ' ').replace(/\s+\(/g, '(').split(/\s+/).filter(Boolean);
  const ofLibrary = new Set(libraryNames.flatMap((one) => one.toLowerCase().split(/\s+/)));
  const isBeside = (word: string): boolean => ofLibrary.has(word.toLowerCase()) || besideNames.has(word.toLowerCase());
  const left = words.filter((word) => !isBeside(word));
  // A name that begins with the library's, or is nothing but one.
  const [only, ...others] = left.length > 0 ? left : words.filter((word) => !besideNames.has(word.toLowerCase()));
  if (only === undefined || others.length > 0) return undefined;
  const found = name.exec(only)?.[1];
  const parts = found === undefined ? [] : partsOfName(found);
  return parts.length === 0 || parts.length > partsMax ? undefined : parts;
}

/** `std::vec::Vec` as its parts, in lower case. */
export function partsOfName(written: string): string[] {
  return written
    .toLowerCase()
    .split(/::|->|[.#:/\\]/)
    .filter((part) => part !== '');
}
