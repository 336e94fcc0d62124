export { checkContents, checkSegments } from './check-contents.ts';
export { adoptCluster, requireOwnCluster } from './claim-cluster.ts';
export { listServedPlaces } from './cluster-store.ts';
export { countLacking } from './fill-cluster.ts';
export { fileAddress, folderAddress, folderNames, namesOfFolder } from './folder-address.ts';
export { repositoryKeyOf } from './git-address.ts';
export { compareVersions, isVersion } from './library-version.ts';
export { makePassageVectors } from './make-vectors.ts';
export {
  deleteModule,
  deleteSegmentRow,
  dropUnservedSegment,
  ensureModule,
  findKnownModuleIds,
  findModuleById,
  findModules,
  findSegmentByKey,
  findSegments,
  insertSegment,
  listAllModules,
  listDroppedSegments,
  listSegments,
  listWorkspaceModules,
  type ModuleRow,
  markModuleChecked,
  markModuleSegmentsDropped,
  markOtherSegmentsDropped,
  markSegmentsDropped,
  moveModuleRows,
  segmentIdsOf,
  setModuleName,
  setModuleSource,
  sumOtherModules,
  swapSegments,
} from './module-store.ts';
export { findReadableModule, getPrivateIndex, getPublicFigures, listModules } from './modules.ts';
export type { Catalog } from './open-catalog.ts';
export { PassageVectors, vectorsOfSegment, vectorsPrefix } from './passage-vectors.ts';
export {
  namesPlaces,
  ownerForReading,
  ownerForWriting,
  readableWorkspaces,
  refusedCode,
  requireMayChange,
  seesPathsOf,
  seesServerPaths,
  storagePrefix,
  tellsOfServer,
  workspaceForWriting,
} from './policy.ts';
export { limitsOf, placeOf, presentModule, visibilityOf } from './present-module.ts';
export { findLastEndedJob, findRunningJob, refreshStateOf, runningStatuses } from './refresh-state.ts';
export { isDamage } from './segment-damage.ts';
export { hiddenPagesOf, type OpenShelf } from './shelf.ts';
export type { FoundPage, ModuleView, ReadableModule, Shelf, UnreadableModule } from './shelf-types.ts';
export {
  defaultModuleId,
  gitSource,
  hostedCredentialId,
  hostedIdOf,
  isOwnDocs,
  isPdfFile,
  type JobSettings,
  ownDocsFolder,
  type ParsedSource,
  parseSource,
  type Source,
  type SourceOf,
  sourceIn,
  sourceOfKind,
  sourceOfRun,
  unknownSource,
} from './source.ts';
