# What scripts/flink and scripts/spark share. The script sets name, and home, where what is downloaded stays. Its
# function configure sets flags, those of java, and args, those of the job server, whose files are in $dir.
beam=$(cd "$(dirname "${BASH_SOURCE[0]}")/../beam" && pwd)
here=$beam/$name

# The usage is the comment that the script begins with.
usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
fail() { echo "$name: $*" >&2; exit 1; }

runs() { [ -s "$dir/pid" ] && kill -0 "$(cat "$dir/pid")" 2>/dev/null; }

# opens adds to flags the packages of java.base given, for what looks into them.
opens() {
  local o
  for o; do flags+=(--add-opens "java.base/$o=ALL-UNNAMED"); done
}

# install downloads the servers and compiles what is ours of them, unless that was done before.
install() {
  local sources=("$here/JobServer.java" "$beam/jobserver/OnLoopback.java")
  mkdir -p "$home"
  exec 9>"$home/lock"
  flock 9
  lib=$home/lib-$(cat "$here/pom.xml" "${sources[@]}" | cksum | cut -d' ' -f1)
  if [ ! -d "$lib" ]; then
    command -v mvn >/dev/null || fail "mvn is not there; scripts/services installs it"
    command -v javac >/dev/null || fail "javac is not there; scripts/services installs it"
    rm -rf "$lib.tmp"
    mvn -B -q -f "$here/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies \
      -DincludeScope=runtime -DoutputDirectory="$lib.tmp" >"$home/maven.log" 2>&1 || fail "maven: $(tail -5 "$home/maven.log")"
    # As a jar, for Flink sends all of the class path to its cluster, and takes no folder.
    { javac -cp "$lib.tmp/*" -d "$lib.tmp/classes" "${sources[@]}" && jar cf "$lib.tmp/jobserver.jar" -C "$lib.tmp/classes" .; } \
      >"$home/javac.log" 2>&1 || fail "javac: $(tail -5 "$home/javac.log")"
    rm -r "$lib.tmp/classes"
    mv "$lib.tmp" "$lib"
  fi
  exec 9>&-
}

# endpoint prints where the job server listens, once it does.
endpoint() {
  local address
  for _ in $(seq 1800); do
    address=$(sed -n 's/.*JobService started on [^:]*:\([0-9]*\).*/127.0.0.1:\1/p' "$dir/log" 2>/dev/null | head -1)
    [ -z "$address" ] || { echo "$address"; return; }
    runs || fail "it has ended: $(tail -5 "$dir/log" 2>/dev/null)"
    sleep 0.1
  done
  fail "it is not up after three minutes: see $dir/log"
}

start() {
  if runs; then
    endpoint
    return
  fi
  command -v java >/dev/null || fail "java is not there; scripts/services installs it"
  install
  mkdir -p "$dir/tmp"
  : >"$dir/log"
  local flags=() args=()
  configure
  setsid java -Xshare:auto "${flags[@]}" -Djava.net.preferIPv4Stack=true -Djava.io.tmpdir="$dir/tmp" \
    -Dorg.slf4j.simpleLogger.defaultLogLevel=warn -Dorg.slf4j.simpleLogger.log.org.apache.beam.runners.jobsubmission=info \
    -cp "$lib/*" JobServer \
    --job-host 127.0.0.1 --job-port "${1:-0}" --artifact-port 0 --expansion-port -1 --artifacts-dir "$dir/artifacts" \
    "${args[@]}" >"$dir/log" 2>&1 </dev/null 9>&- &
  echo $! >"$dir/pid"
  endpoint
}

stop() {
  runs || return 0
  local pid
  pid=$(cat "$dir/pid")
  kill "$pid"
  for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null || return 0; sleep 0.1; done
  kill -9 "$pid"
}

main() {
  [ $# -ge 2 ] || usage
  local what=$1
  mkdir -p "$2"
  dir=$(cd "$2" && pwd)
  shift 2
  case $what in
  start) start "$@" ;;
  stop) stop ;;
  *) usage ;;
  esac
}
