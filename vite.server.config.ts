import { defineConfig } from 'vite'

/** The server as one file beside the packages it needs; templates, words and migrations stay where they are. */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: 'src/server.ts',
    outDir: 'dist/server',
    target: 'node20',
    emptyOutDir: true,
    minify: false,
    rollupOptions: { output: { entryFileNames: 'server.js' } },
  },
})
