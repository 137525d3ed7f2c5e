import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A PostgreSQL of the distribution, which is older than the product's own. */
export interface Served {
  url: string
  version: string
  stop: () => void
}

/**
 * Starts the newest PostgreSQL that Debian installed, as the user postgres, over an empty database in memory where there
 * is room; undefined where there is none or we are not root. It holds nothing that anybody keeps.
 */
export function startServed(): Served | undefined {
  const base = '/usr/lib/postgresql'
  const version = existsSync(base)
    ? readdirSync(base)
        .filter((one) => existsSync(join(base, one, 'bin/initdb')))
        .sort((a, b) => Number(b) - Number(a))[0]
    : undefined
  const uid = Number(spawnSync('id', ['-u', 'postgres'], { encoding: 'utf8' }).stdout)
  if (!version || !uid || process.getuid?.() !== 0) return undefined
  const bin = join(base, version, 'bin')
  const folder = mkdtempSync(
    join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), `pinkas-served-${process.pid}-`),
  )
  chownSync(folder, uid, -1)
  const run = (program: string, ...args: string[]) =>
    execFileSync(
      'setpriv',
      ['--reuid=postgres', '--regid=postgres', '--clear-groups', join(bin, program), ...args],
      { cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] },
    )
  const data = join(folder, 'data')
  run('initdb', '-D', data, '-U', 'pinkas', '-E', 'UTF8', '--locale=C.UTF-8', '--auth=trust')
  // Without jit: tests ask large statements once, and compiling one takes longer than running it.
  const settings = `-k ${folder} -c listen_addresses= -c max_connections=120 -c shared_buffers=256MB -c jit=off -c fsync=on -c synchronous_commit=off -c full_page_writes=off`
  run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', settings, 'start')
  run('createdb', '-h', folder, '-U', 'pinkas', 'pinkas')
  const stop = () => {
    try {
      run('pg_ctl', '-D', data, '-m', 'immediate', 'stop')
    } catch {
      // It has ended already.
    }
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', stop)
  return { url: `postgres://pinkas@localhost/pinkas?host=${folder}`, version: `PostgreSQL ${version}`, stop }
}
