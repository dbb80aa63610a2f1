import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.runners.flink.FlinkJobInvoker;
import org.apache.beam.runners.flink.FlinkJobServerDriver.FlinkServerConfiguration;
import org.apache.beam.runners.flink.FlinkPipelineOptions;
import org.apache.beam.runners.jobsubmission.JobInvocation;
import org.apache.beam.runners.jobsubmission.JobServerDriver;
import org.apache.beam.runners.jobsubmission.PortablePipelineRunner;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.PortablePipelineOptions;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.util.concurrent.ListeningExecutorService;
import org.kohsuke.args4j.CmdLineException;
import org.kohsuke.args4j.CmdLineParser;

/** Beam's FlinkJobServerDriver on the loopback device alone, and with an option that the SDK of Go has no way to send. */
public class JobServer extends JobServerDriver {
  private static class Invoker extends FlinkJobInvoker {
    Invoker(FlinkServerConfiguration configuration) {
      super(configuration);
    }

    @Override
    protected JobInvocation createJobInvocation(
        String id,
        String retrievalToken,
        ListeningExecutorService executor,
        RunnerApi.Pipeline pipeline,
        FlinkPipelineOptions options,
        PortablePipelineRunner runner) {
      // As for Spark: by default a worker ends as soon as no task uses it, and one that ends before its log is
      // connected keeps the task for a minute. The price is a thread and some memory that each job leaves behind.
      options.as(PortablePipelineOptions.class).setEnvironmentCacheMillis(10_000);
      return super.createJobInvocation(id, retrievalToken, executor, pipeline, options, runner);
    }
  }

  private JobServer(FlinkServerConfiguration c) {
    super(c, new OnLoopback(c.getPort()), new OnLoopback(c.getArtifactPort()), () -> new Invoker(c));
  }

  public static void main(String[] args) throws CmdLineException {
    FileSystems.setDefaultPipelineOptions(PipelineOptionsFactory.create());
    FlinkServerConfiguration c = new FlinkServerConfiguration();
    new CmdLineParser(c).parseArgument(args);
    new JobServer(c).run();
  }
}
