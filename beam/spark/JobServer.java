import java.util.UUID;
import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.runners.fnexecution.provisioning.JobInfo;
import org.apache.beam.runners.jobsubmission.JobInvocation;
import org.apache.beam.runners.jobsubmission.JobInvoker;
import org.apache.beam.runners.jobsubmission.JobServerDriver;
import org.apache.beam.runners.spark.SparkPipelineRunner;
import org.apache.beam.runners.spark.SparkPortableStreamingPipelineOptions;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.util.construction.PipelineOptionsTranslation;
import org.apache.beam.vendor.grpc.v1p60p1.com.google.protobuf.Struct;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.util.concurrent.ListeningExecutorService;
import org.kohsuke.args4j.CmdLineException;
import org.kohsuke.args4j.CmdLineParser;
import org.kohsuke.args4j.Option;

/**
 * Beam's SparkJobServerDriver on the loopback device alone, and with two options of a job set that the SDK of Go has
 * no way to send.
 */
public class JobServer extends JobServerDriver {
  public static class Configuration extends ServerConfiguration {
    @Option(name = "--spark-master-url", required = true)
    String master;
  }

  private static class Invoker extends JobInvoker {
    private final Configuration configuration;

    Invoker(Configuration configuration) {
      super("spark-job-invoker-%d");
      this.configuration = configuration;
    }

    @Override
    protected JobInvocation invokeWithExecutor(
        RunnerApi.Pipeline pipeline, Struct sent, String retrievalToken, ListeningExecutorService executor) {
      SparkPortableStreamingPipelineOptions options =
          PipelineOptionsTranslation.fromProto(sent).as(SparkPortableStreamingPipelineOptions.class);
      options.setRunner(null);
      options.setSparkMaster(configuration.master);
      // By default every task ends its worker. One that ends before its log is connected then keeps the
      // task for the minute that the server of logs waits for it.
      options.setEnvironmentCacheMillis(10_000);
      // What several steps read is computed anew for each where it does not fit in memory, which is the default.
      options.setStorageLevel("MEMORY_AND_DISK");
      String id = options.getJobName() + "_" + UUID.randomUUID();
      if (options.getAppName() == null) {
        options.setAppName(id);
      }
      JobInfo info = JobInfo.create(id, options.getJobName(), retrievalToken, PipelineOptionsTranslation.toProto(options));
      SparkPipelineRunner runner = new SparkPipelineRunner(options);
      return new JobInvocation(info, executor, pipeline, (p, i) -> {
        synchronized (configuration) { // a process has one context of Spark at a time
          return runner.run(p, i);
        }
      });
    }
  }

  private JobServer(Configuration c) {
    super(c, new OnLoopback(c.getPort()), new OnLoopback(c.getArtifactPort()), () -> new Invoker(c));
  }

  public static void main(String[] args) throws CmdLineException {
    FileSystems.setDefaultPipelineOptions(PipelineOptionsFactory.create());
    Configuration c = new Configuration();
    new CmdLineParser(c).parseArgument(args);
    new JobServer(c).run();
  }
}
