// splitter returns a function that is given a stream of server-sent events piece by piece, and returns
// the data of those that have become complete.
export function splitter() {
  let rest = "";
  return (piece) => {
    const events = (rest + piece).split(/\r?\n\r?\n/);
    rest = events.pop();
    return events.map((e) => e.split(/\r?\n/).filter((l) => l.startsWith("data:")).map((l) => l.slice(5).trimStart()).join("\n")).filter(Boolean);
  };
}
