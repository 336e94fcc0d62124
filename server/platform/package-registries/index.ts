export type { Declared } from './readers.ts';
export {
  createPackageRegistries,
  type PackageRegistries,
  publicRegistries,
  type RegistryAddresses,
  RegistryError,
} from './registries.ts';
