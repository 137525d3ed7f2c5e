import { defineConfig } from 'vite'

/** The server as one file beside the packages it needs; templates, words and migrations stay where they are. */
export default defineConfig({
  publicDir: false,
  // Packages of very many small files are read in a fifth of the time as part of the one.
  ssr: { noExternal: ['kysely', 'zod', 'uuid'] },
  build: {
    ssr: 'src/server.ts',
    outDir: 'dist/server',
    target: 'node20',
    emptyOutDir: true,
    minify: false,
    rollupOptions: { output: { entryFileNames: 'server.js', chunkFileNames: '[name].js' } },
  },
})
