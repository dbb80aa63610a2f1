// A comparison that is shared travels in the fragment of its address, which browsers do not
// send to any server: JSON, deflated, as base64 for addresses.

const mostText = 4 << 20; // characters: an address that unpacks to more is refused

export async function pack(value) {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const packed = new Uint8Array(await through(bytes, new CompressionStream("deflate-raw"), Infinity));
  let binary = "";
  for (let i = 0; i < packed.length; i += 0x8000) binary += String.fromCharCode(...packed.subarray(i, i + 0x8000));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

// unpack throws where the text is not what pack made.
export async function unpack(packed) {
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
  const text = await through(bytes, new DecompressionStream("deflate-raw"), mostText);
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
}

async function through(bytes, stream, most) {
  const writer = stream.writable.getWriter();
  // What goes wrong is told by reading; here it would only be told twice.
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const chunks = [];
  let size = 0;
  for await (const chunk of stream.readable) {
    size += chunk.length;
    if (size > most) throw new RangeError(`share: unpacks to more than ${most} bytes`);
    chunks.push(chunk);
  }
  return new Blob(chunks).arrayBuffer();
}
