import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readSettings, root } from '#kit/server/settings.ts'

// The development start: the server again at every change, the browser at once. The log-in page offers a demo
// business.
const apiPort = process.env.API_PORT ?? '3001'
const env = {
  ...process.env,
  PINKAS_DEV: '1',
  API_PORT: apiPort,
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
  MAIL_IN_PORT: process.env.MAIL_IN_PORT ?? '2525',
}
const { dataDir, databaseUrl } = readSettings()
// A fresh place begins with the demo world, and its log-ins are printed.
if (!databaseUrl && !existsSync(join(dataDir, 'pg/PG_VERSION')))
  spawnSync(process.execPath, ['--import', 'tsx', join(root, 'tools/demo.ts')], {
    cwd: root,
    stdio: 'inherit',
    env,
  })

const children: ChildProcess[] = [
  spawn(
    process.execPath,
    [join(root, 'node_modules/tsx/dist/cli.mjs'), 'watch', '--clear-screen=false', 'src/server.ts'],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...env, PORT: apiPort },
    },
  ),
  spawn(
    process.execPath,
    [
      join(root, 'node_modules/vite/bin/vite.js'),
      '--port',
      process.env.PORT ?? '3000',
      '--host',
      process.env.HOST ?? '127.0.0.1',
    ],
    { cwd: root, stdio: 'inherit', env },
  ),
]
const end = () => children.forEach((child) => child.kill('SIGINT'))
process.on('SIGINT', end)
process.on('SIGTERM', end)
for (const child of children) child.on('exit', end)
