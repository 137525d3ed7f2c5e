import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { compress } from './tools/compressPlugin.ts'

/** The page of a payer, built separately: a phone that is sent its address fetches some kilobytes and not the application. */
export default defineConfig({
  publicDir: false,
  plugins: [compress('assets/pay')],
  resolve: { alias: { zod: fileURLToPath(new URL('./src/kit/web/noZod.ts', import.meta.url)) } },
  build: {
    outDir: 'dist/web',
    emptyOutDir: false,
    assetsDir: 'assets/pay',
    target: 'es2022',
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: { input: 'pay.html' },
  },
})
