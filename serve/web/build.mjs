import { build } from "esbuild";
import { bundle } from "../../internal/charts/bundle.mjs";

await bundle(build, import.meta.url, {
  entryPoints: ["src/app.jsx", "src/app.css"],
  splitting: true,
  chunkNames: "[name]-[hash]",
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
}, {
  copied: ["index.html", "icon.svg"],
  beside: { "../browsertest/axe.min.js": "node_modules/axe-core/axe.min.js" }, // the tests of the pages look at them with axe
});
