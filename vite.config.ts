import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

/** The server of development; `npm run dev` starts it and says where. */
const api = `http://127.0.0.1:${process.env.API_PORT ?? '3001'}`

export default defineConfig({
  plugins: [react(), tailwindcss()],
  resolve: {
    alias: {
      // The schemas of endpoints are the server's: in the browser their builder does nothing. The whole of zod weighs 95 kB (gzip), half
      // as much as everything else of the first page; types come from the real one all the same.
      zod: fileURLToPath(new URL('./src/kit/web/noZod.ts', import.meta.url)),
    },
  },
  build: { outDir: 'dist/web', emptyOutDir: true, target: 'es2022', sourcemap: false, reportCompressedSize: false },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(['/api', '/static', '/healthz', '/metrics'].map((path) => [path, { target: api, changeOrigin: false }])),
  },
})
