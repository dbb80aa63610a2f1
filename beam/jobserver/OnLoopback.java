import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.beam.model.pipeline.v1.Endpoints;
import org.apache.beam.sdk.fn.server.GrpcContextHeaderAccessorProvider;
import org.apache.beam.sdk.fn.server.ServerFactory;
import org.apache.beam.vendor.grpc.v1p60p1.io.grpc.BindableService;
import org.apache.beam.vendor.grpc.v1p60p1.io.grpc.Server;
import org.apache.beam.vendor.grpc.v1p60p1.io.grpc.ServerInterceptors;
import org.apache.beam.vendor.grpc.v1p60p1.io.grpc.netty.NettyServerBuilder;

/** As Beam's own, which listens on all devices: whoever reaches a job server can have it run a command. */
class OnLoopback extends ServerFactory {
  private final int port;

  OnLoopback(int port) {
    this.port = port;
  }

  @Override
  public Server allocateAddressAndCreate(List<BindableService> services, Endpoints.ApiServiceDescriptor.Builder made)
      throws IOException {
    Server server = serve(services, port);
    made.setUrl("127.0.0.1:" + server.getPort());
    return server;
  }

  @Override
  public Server create(List<BindableService> services, Endpoints.ApiServiceDescriptor wanted) throws IOException {
    return serve(services, port);
  }

  private static Server serve(List<BindableService> services, int port) throws IOException {
    NettyServerBuilder server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .permitKeepAliveTime(20, TimeUnit.SECONDS);
    for (BindableService s : services) {
      server.addService(ServerInterceptors.intercept(s, GrpcContextHeaderAccessorProvider.interceptor()));
    }
    return server.build().start();
  }
}
