import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { compress } from './tools/compressPlugin.ts'
import { firstChunks } from './tools/firstChunks.ts'
import { early } from './tools/earlyPlugin.ts'
import { endpoints } from './tools/endpointsPlugin.ts'
import { locales } from './tools/localesPlugin.ts'
import { words } from './tools/wordsPlugin.ts'

/** The server of development; `npm run dev` starts it and says where. */
const api = `http://127.0.0.1:${process.env.API_PORT ?? '3001'}`

const { ofLists, toEnter, inHome, isDoor } = firstChunks()

/** What comes before the first screen, by the names of the groups below and of the entry. */
const firstFiles: ReadonlySet<string> = new Set(['index', 'vendor', 'base', 'enter', 'home', 'lists'])

export default defineConfig({
  plugins: [
    words(),
    early(),
    react(),
    tailwindcss(),
    VitePWA({
      // public/manifest.webmanifest and src/kit/web/serviceWorker.ts are ours.
      manifest: false,
      injectRegister: null,
      registerType: 'prompt',
      workbox: {
        // The page, its entry and styles wait in the cache; screens and their words are kept as they are opened, answers of the server never.
        globPatterns: [
          'index.html',
          'icons/*',
          'assets/{index,vendor,lists,enter,home}-*.{js,css}',
          'assets/rubik-{hebrew,latin}-{400,500}-*.woff2',
        ],
        navigateFallback: '/index.html',
        navigateFallbackDenylist: [
          /[?&]picture=1(&|$)/,
          /^\/api(?!\/doc\b)/,
          /^\/static\//,
          /^\/(healthz|readyz|metrics)/,
          /^\/(paymentpage|payment2|p)\//,
        ],
        cleanupOutdatedCaches: true,
        runtimeCaching: [
          {
            urlPattern: ({ url, sameOrigin }) =>
              sameOrigin && url.pathname.startsWith('/assets/') && !url.pathname.endsWith('.webm'),
            handler: 'CacheFirst',
            options: { cacheName: 'assets', expiration: { maxEntries: 800, maxAgeSeconds: 90 * 86_400 } },
          },
        ],
      },
    }),
    endpoints(),
    locales(),
    compress(),
  ],
  resolve: {
    alias: {
      // The schemas of endpoints are the server's: in the browser their builder does nothing. The whole of zod weighs 95 kB (gzip), half
      // as much as everything else of the first page; types come from the real one all the same.
      zod: fileURLToPath(new URL('./src/kit/web/noZod.ts', import.meta.url)),
    },
  },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2022',
    reportCompressedSize: false,
    rolldownOptions: {
      // A build without warnings stays one. How long plugins take says only how busy the machine is.
      checks: { pluginTimings: false },
      onLog(level, log, print) {
        if (level === 'warn' && log.code !== 'MODULE_LEVEL_DIRECTIVE')
          throw new Error(`The build warns: ${log.message}`)
        print(level, log)
      },
      // Building what is not used has no effect: schemas here are the empty builder's.
      // And a door does nothing itself: who takes one thing through it does not carry the rest.
      treeshake: {
        manualPureFunctions: ['z', 'defineEndpoint'],
        moduleSideEffects: (id) => (isDoor(id) ? false : undefined),
      },
      output: {
        // Nearly everything in these files runs at the start: said so, Chromium reads it while it comes over the line, and not once more when it is called.
        postBanner: ({ name }) => (firstFiles.has(name) ? '//# allFunctionsCalledOnLoad' : ''),
        codeSplitting: {
          // Measured: without groups the first page asks for some thirty files, most of them single icons.
          groups: [
            { name: 'vendor', tags: ['$initial'], test: /node_modules/, priority: 5 },
            { name: 'base', tags: ['$initial'], priority: 4 },
            { name: 'enter', test: toEnter, priority: 3 },
            // The lists of screens and what they describe, for people who are signed in.
            { name: 'lists', test: ofLists, priority: 2.5 },
            { name: 'home', test: inHome, priority: 2 },
            { name: 'icons', test: /lucide-react/, minShareCount: 2, priority: 1 },
            // What most screens need comes in one file: a phone far from the server pays for each file.
            { name: 'parts', test: /\/src\/(kit|domain)\//, minShareCount: 12, priority: 1 },
            { name: 'calls', test: /\/endpoints\.ts$/, minShareCount: 6, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(
      ['/api', '/static', '/healthz', '/metrics'].map((path) => [
        path,
        // /api/doc is a page of the application although it begins like a call.
        { target: api, bypass: ({ url = '' }) => (/^\/api\/doc\b/.test(url) ? '/index.html' : undefined) },
      ]),
    ),
  },
})
