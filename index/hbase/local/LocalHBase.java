import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * Runs HBase in this one process: ZooKeeper, a master and some region servers, on the loopback
 * device alone. The arguments are a directory, the port of ZooKeeper (0 for any) and the number of region
 * servers. The directory gets a file "quorum" when the cluster is up; what is written to a file "command"
 * there is carried out, and the outcome is in the file "answer".
 */
public final class LocalHBase {
  private static Path dir;
  private static LocalHBaseCluster cluster;
  private static Configuration conf;
  private static int next; // the index of the next region server

  public static void main(String[] args) {
    try {
      run(args);
    } catch (Exception e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1); // its threads would go on without it
    }
  }

  private static void run(String[] args) throws Exception {
    dir = new File(args[0]).getAbsoluteFile().toPath();
    int port = Integer.parseInt(args[1]);
    int servers = Integer.parseInt(args[2]);

    // Lets several servers of a process register the same metrics.
    DefaultMetricsSystem.setMiniClusterMode(true);
    MiniZooKeeperCluster zk = new MiniZooKeeperCluster();
    if (port != 0) {
      zk.setDefaultClientPort(port);
    }
    int got = zk.startup(dir.resolve("zookeeper").toFile());
    if (port != 0 && got != port) {
      throw new IOException("port " + port + " of ZooKeeper is taken");
    }

    conf = HBaseConfiguration.create();
    next = servers;
    conf.set(HConstants.HBASE_DIR, "file://" + dir.resolve("data"));
    conf.set("hbase.tmp.dir", dir.resolve("tmp").toString());
    conf.set(HConstants.ZOOKEEPER_QUORUM, "127.0.0.1");
    conf.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, got);
    conf.setBoolean(HConstants.CLUSTER_DISTRIBUTED, false);
    // The checksumming file system keeps up to 511 bytes back that were flushed; this one keeps none.
    conf.set("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    for (String who : new String[] {"master", "regionserver"}) {
      conf.set("hbase." + who + ".ipc.address", "127.0.0.1");
      conf.setInt("hbase." + who + ".port", 0);
      conf.setInt("hbase." + who + ".info.port", -1);
    }
    conf.set("hbase.master.hostname", "127.0.0.1");
    conf.set("hbase.unsafe.regionserver.hostname", "127.0.0.1");
    conf.setInt("hbase.master.wait.on.regionservers.mintostart", servers);
    conf.setInt("hbase.regionserver.msginterval", 1000);
    conf.setInt("zookeeper.session.timeout", 30000);
    // After a crash the next master waits until the session of the last one is over.
    conf.setInt("hbase.master.start.timeout.localHBaseCluster", 300000);
    conf.setInt("hbase.regionserver.handler.count", 16);

    cluster = new LocalHBaseCluster(conf, 1, servers);
    cluster.startup();
    try (Connection connection = ConnectionFactory.createConnection(conf); Admin admin = connection.getAdmin()) {
      // Up as soon as every server has come and the tables of the system are served.
      while (cluster.getActiveMaster() == null || !cluster.getActiveMaster().isInitialized()
          || admin.getClusterMetrics().getLiveServerMetrics().size() < servers
          || !admin.isTableAvailable(TableName.META_TABLE_NAME)
          || !admin.isTableAvailable(TableName.valueOf("hbase:namespace"))) {
        Thread.sleep(50);
      }
      write("quorum", "127.0.0.1:" + got);
      long owner = Long.getLong("owner", 0);
      Path command = dir.resolve("command");
      while (true) {
        Thread.sleep(50);
        if (owner != 0 && ProcessHandle.of(owner).isEmpty()) {
          Runtime.getRuntime().halt(1);
        }
        if (!Files.exists(command)) {
          continue;
        }
        String[] words = Files.readString(command).trim().split("\\s+");
        Files.delete(command);
        try {
          write("answer", obey(admin, words));
        } catch (Exception e) {
          write("answer", "error: " + e);
        }
        if (words[0].equals("stop")) {
          break;
        }
      }
    }
    cluster.shutdown();
    cluster.join();
    zk.shutdown();
    System.exit(0);
  }

  private static String obey(Admin admin, String[] words) throws Exception {
    switch (words[0]) {
      case "region":
        RegionServerThread victim = null;
        for (RegionServerThread t : cluster.getLiveRegionServers()) {
          if (!t.getRegionServer().isAborted() && !t.getRegionServer().isStopped()) {
            victim = t;
          }
        }
        String name = victim.getRegionServer().getServerName().toString();
        victim.getRegionServer().abort("asked for by a command");
        victim.join();
        RegionServerThread fresh = cluster.addRegionServer(new Configuration(conf), next++);
        fresh.start();
        return "aborted " + name;
      case "compact":
        for (int i = 1; i < words.length; i++) {
          TableName table = TableName.valueOf(words[i]);
          admin.flush(table);
          admin.majorCompact(table);
          do {
            Thread.sleep(500);
          } while (admin.getCompactionState(table) != CompactionState.NONE);
        }
        return "compacted";
      case "stop":
        return "stopping";
      default:
        return "error: unknown command " + words[0];
    }
  }

  private static void write(String name, String text) throws IOException {
    Path aside = dir.resolve(name + ".tmp");
    Files.writeString(aside, text + "\n");
    Files.move(aside, dir.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
