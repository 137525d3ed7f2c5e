// `npm start`: installs what is missing, builds what has changed, starts the server. A second start does
// nothing twice.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { install, root } from './install.mjs'

/** What a build depends on: names, sizes and times are enough, and take milliseconds. */
function fingerprint() {
  const hash = createHash('sha256')
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) walk(path)
      else {
        const { size, mtimeMs } = statSync(path)
        hash.update(`${path}:${size}:${mtimeMs}\n`)
      }
    }
  }
  for (const folder of ['src', 'public']) if (existsSync(join(root, folder))) walk(join(root, folder))
  for (const file of [
    'index.html',
    'pay.html',
    'vite.pay.config.ts',
    'vite.config.ts',
    'tools/wordGroups.ts',
    'tools/wordsPlugin.ts',
    'tools/endpointsPlugin.ts',
    'tools/firstChunks.ts',
    'tools/compressPlugin.ts',
    'package-lock.json',
  ])
    if (existsSync(join(root, file))) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

export function build() {
  const marker = join(root, 'dist/.built')
  const wanted = fingerprint()
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return
  console.log('Building …')
  for (const args of [
    ['build', '--logLevel', 'warn'],
    ['build', '--logLevel', 'warn', '--config', 'vite.pay.config.ts'],
    ['build', '--logLevel', 'warn', '--config', 'vite.server.config.ts'],
  ]) {
    const done = spawnSync(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), ...args], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, NODE_ENV: 'production' },
    })
    if (done.status !== 0) {
      console.error('The build failed; see above.')
      process.exit(1)
    }
  }
  writeFileSync(marker, wanted)
}

if (process.argv[1]?.endsWith('start.mjs')) {
  await install()
  build()
  const server = spawn(process.execPath, [join(root, 'dist/server/server.js')], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  // The terminal sends Ctrl+C to both; the server ends and takes its database with it.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => server.kill('SIGTERM'))
  server.on('exit', (code) => process.exit(code ?? 0))
}
