export { findPins, type LibraryPin } from './find-pins.ts';
export { getProfile, listProfiles } from './get-profile.ts';
export { libraryNamesOf } from './library-names.ts';
export { fitOf, nearestFirst } from './nearest-version.ts';
export { moveProfiles, removePersonalProfiles, removeProfile, removeTeamProfiles } from './remove-profile.ts';
export { setProfile } from './set-profile.ts';
