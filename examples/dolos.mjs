// Dolos (npm install @dodona/dolos-lib @dodona/dolos-parsers) as a method of alike, with its
// own settings; DOLOS is the folder that holds node_modules:
//
//     DOLOS=. alike eval --data ir-plag --method 'exec:node examples/dolos.mjs java'
//
// Texts are kept as fingerprints of their syntax trees. Dolos scores no text of fewer
// tokens than a fingerprint spans.
import { createInterface } from "node:readline";
import { resolve } from "node:path";
import { readFileSync } from "node:fs";

const lib = resolve(process.env.DOLOS ?? ".", "node_modules/@dodona/dolos-lib");
const { File, FingerprintIndex, LanguagePicker, Options } = await import(lib + "/dist/index.js");
const { version } = JSON.parse(readFileSync(lib + "/package.json"));
const language = await new LanguagePicker().findLanguage(process.argv[2]);
const tokenizer = await language.createTokenizer({ includeComments: false });
const index = new FingerprintIndex(Options.defaultKgramLength, Options.defaultKgramsInWindow);

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");
const files = new Map();
say({ alike: 1, name: "Dolos", version, kind: "scores" });
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { id, text, score } = JSON.parse(line);
  if (score) {
    say({ scores: score.map(([a, b]) => (a === b ? 1 : index.getPair(files.get(a), files.get(b)).similarity)) });
    continue;
  }
  const file = tokenizer.tokenizeFile(new File(id, text));
  index.addFiles([file]);
  files.set(id, file);
  const { kgrams } = index.entries().at(-1);
  say({ id, bytes: 4 * kgrams.length, empty: kgrams.length === 0 });
}
