// How the page is built. File names are stable, so that the committed `dist` changes only where the
// page does; nothing is inlined, because the server forbids inline script and style.
import { defineConfig } from "vitest/config";

/** Where `npm run dev` finds the server: `sixproof serve --port ...`. */
const server = process.env.SIXPROOF_SERVER ?? "http://127.0.0.1:6266";

export default defineConfig({
  base: "./",
  publicDir: "public",
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        entryFileNames: "assets/[name].js",
        chunkFileNames: "assets/[name].js",
        assetFileNames: "assets/[name][extname]",
      },
    },
  },
  server: {
    host: "127.0.0.1",
    // The server answers its own page only: requests through the proxy must look like that.
    proxy: {
      "/api": { target: server, ws: true, changeOrigin: true, headers: { origin: server } },
    },
  },
  test: {
    environment: "happy-dom",
    include: ["test/**/*.test.{ts,tsx}"],
    isolate: false,
    setupFiles: "test/setup.ts",
  },
});
