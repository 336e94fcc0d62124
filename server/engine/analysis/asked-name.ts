/** Words beside a name that state its kind, or that ask for its page. */
const besideNames = new Set(
  (
    'class classes struct interface trait enum enumeration union record type typedef module package namespace function func method ' +
    'constructor property attribute field member signal macro constant exception error api docs doc documentation reference ' +
    'signature usage definition the of in for'
  ).split(' '),
);
/** A name with what qualifies it: `Class.method`, `Class#method`, `ns::Class`, `lists:map/2`, `obj->call()`, `Array#<<`, `#call`. */
const name =
  /^[&@]?((?:::|->|[.#])?[\p{L}_$~][\p{L}\p{N}_$~-]*[!?']*(?:(?:::|->|[.#:/\\])~?[\p{L}_$][\p{L}\p{N}_$-]*(?:[!?']*|=))*(?:(?:::|[.#])(?:operator)?[-+*%&|^~<>=![\]]{1,4}\??)?)(?:\/\d{1,2}|\([^()]{0,200}\))?[.,;?]?$/u;
const partsMax = 16;

/**
 * Returns the lower-case parts of the name if the query is nothing but a name; library names and words like `class`
 * beside it are ignored. Returns undefined for any other query.
 */
export function askedName(query: string, libraryNames: readonly string[] = []): string[] | undefined {
  const words = query.slice(0, 500).replaceAll('`', ' ').replace(/\s+\(/g, '(').split(/\s+/).filter(Boolean);
  const ofLibrary = new Set(libraryNames.flatMap((one) => one.toLowerCase().split(/\s+/)));
  const isBeside = (word: string): boolean => ofLibrary.has(word.toLowerCase()) || besideNames.has(word.toLowerCase());
  const left = words.filter((word) => !isBeside(word));
  // If only library names are left, one of them is the name that was asked for.
  const [only, ...others] = left.length > 0 ? left : words.filter((word) => !besideNames.has(word.toLowerCase()));
  if (only === undefined || others.length > 0) return undefined;
  const found = name.exec(only)?.[1];
  const parts = found === undefined ? [] : partsOfName(found);
  return parts.length === 0 || parts.length > partsMax ? undefined : parts;
}

/** Returns the lower-case parts of a name such as `std::vec::Vec`. */
export function partsOfName(written: string): string[] {
  return written
    .toLowerCase()
    .split(/::|->|[.#:/\\]/)
    .filter((part) => part !== '');
}
