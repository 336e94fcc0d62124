export { findPins, type LibraryPin } from './find-pins.ts';
export { libraryNamesOf } from './library-names.ts';
export { fitOf, nearestFirst } from './nearest-version.ts';
