export type { Declared } from './readers.ts';
export {
  createPackageRegistries,
  type PackageRegistries,
  publicRegistries,
  type RegistryAddresses,
} from './registries.ts';
export { RegistryError } from './registry-error.ts';
