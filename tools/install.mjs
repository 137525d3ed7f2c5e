// Installs the packages when they are missing or the lock file has changed since. Plain JavaScript: nothing
// is there before it.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

export async function install() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`Pinkas needs Node 20.19 or newer; this is ${process.versions.node}.`)
    process.exit(1)
  }
  const marker = join(root, 'node_modules/.pinkas-installed')
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package.json')))
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return
  console.log('Installing packages (once) …')
  // `install` rather than `ci`: a registry copy may lack packages of other platforms that the lock file would
  // have to name.
  const done = spawnSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--no-save', '--include=dev', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
    },
  )
  if (done.status !== 0) {
    console.error('npm install failed; see above.')
    process.exit(1)
  }
  writeFileSync(marker, wanted)
}
