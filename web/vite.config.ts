// Builds the page into the gateway's folder. The names carry no hash: the gateway answers with ETags, so two releases side
// by side never ask each other for a file that the other one does not have.

import { defineConfig } from "vite";

export default defineConfig({
  base: "/",
  publicDir: "public",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../services/gateway/page",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: { fileName: "assets/licenses.md" },
    rolldownOptions: {
      output: {
        entryFileNames: "assets/app.js",
        chunkFileNames: "assets/[name].js",
        assetFileNames: "assets/app[extname]",
      },
    },
  },
});
