export { openSearchCluster } from './open-search-cluster.ts';
export {
  type ClusterHealth,
  type ClusterPlace,
  type SearchCluster,
  type SearchClusterConfig,
  SearchClusterError,
} from './search-cluster.ts';
