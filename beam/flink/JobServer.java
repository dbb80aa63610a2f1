import org.apache.beam.runners.flink.FlinkJobInvoker;
import org.apache.beam.runners.flink.FlinkJobServerDriver.FlinkServerConfiguration;
import org.apache.beam.runners.jobsubmission.JobServerDriver;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.kohsuke.args4j.CmdLineException;
import org.kohsuke.args4j.CmdLineParser;

/**
 * Beam's FlinkJobServerDriver on the loopback device alone. Jobs have its options: with workers that stay for a time
 * after a task, as for Spark, each job would leave a thread behind, and Flink has not been seen to wait for workers.
 */
public class JobServer extends JobServerDriver {
  private JobServer(FlinkServerConfiguration c) {
    super(c, new OnLoopback(c.getPort()), new OnLoopback(c.getArtifactPort()), () -> FlinkJobInvoker.create(c));
  }

  public static void main(String[] args) throws CmdLineException {
    FileSystems.setDefaultPipelineOptions(PipelineOptionsFactory.create());
    FlinkServerConfiguration c = new FlinkServerConfiguration();
    new CmdLineParser(c).parseArgument(args);
    new JobServer(c).run();
  }
}
