import { build } from "esbuild";
import { bundle } from "../../../internal/charts/bundle.mjs";

await bundle(build, import.meta.url, { entryPoints: ["src/report.js", "src/report.css"], format: "iife" });
