import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.index.reindex.ReindexPlugin;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.Plugin;
import org.opensearch.transport.Netty4Plugin;

/** One node of a cluster on loopback, until it is killed: name, folder, port of HTTP, port of the cluster, all nodes' ports of the cluster. */
public final class SearchNode extends Node {
  private SearchNode(Environment environment, List<Class<? extends Plugin>> plugins) {
    super(environment, plugins, true);
  }

  public static void main(String[] args) throws Exception {
    String[] members = args[4].split(",");
    Settings.Builder settings =
        Settings.builder()
            .put("cluster.name", "lectern-test")
            .put("node.name", args[0])
            .put("path.home", args[1])
            .put("path.data", Path.of(args[1], "data").toString())
            .put("path.logs", Path.of(args[1], "logs").toString())
            .put("network.host", "127.0.0.1")
            .put("http.port", args[2])
            .put("transport.port", args[3])
            .put("transport.type", "netty4")
            .put("http.type", "netty4")
            .put("node.processors", 2)
            .put("cluster.routing.allocation.disk.threshold_enabled", false);
    if (members.length == 1) settings.put("discovery.type", "single-node");
    else {
      settings.putList("discovery.seed_hosts", members);
      settings.putList("cluster.initial_cluster_manager_nodes", names(members.length));
    }
    Environment environment =
        InternalSettingsPreparer.prepareEnvironment(settings.build(), Map.of(), null, () -> args[0]);
    Node node =
        new SearchNode(
            environment,
            List.of(Netty4Plugin.class, CommonAnalysisPlugin.class, ReindexPlugin.class));
    node.start();
    System.out.println("started");
    Thread.currentThread().join();
  }

  private static List<String> names(int count) {
    return java.util.stream.IntStream.rangeClosed(1, count).mapToObj((at) -> "node-" + at).toList();
  }
}
