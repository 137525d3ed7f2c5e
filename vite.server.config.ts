import { defineConfig } from 'vite'

/** The server, and what its threads read with, as one file each beside the packages it needs; templates, words and migrations stay where they are. */
export default defineConfig({
  publicDir: false,
  // Packages of very many small files are read in a fifth of the time as part of the one.
  ssr: { noExternal: ['kysely', 'zod', 'uuid'] },
  build: {
    ssr: true,
    outDir: 'dist/server',
    target: 'node20',
    emptyOutDir: true,
    minify: false,
    rollupOptions: {
      input: {
        server: 'src/server.ts',
        readers: 'src/readers.ts',
        describe: 'src/describe.ts',
        client: 'clients/typescript/src/index.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
