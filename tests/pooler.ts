import { spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

const program = '/usr/sbin/pgbouncer'

/** Why no pooler can be started here; empty where one can. */
export const noPooler = existsSync(program) ? '' : 'there is no PgBouncer (apt-get install pgbouncer)'

const nobody = 65_534

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })

/**
 * A PgBouncer in transaction mode before the server of an address. Its pool holds what one server process opens (10 in tests):
 * a call may need a second connection while it has one. Answers
 * how an address of that server is reached through it.
 */
export async function startPooler(
  address: string,
): Promise<{ through: (address: string) => string; stop: () => void }> {
  const server = new URL(address)
  const host = server.searchParams.get('host') ?? server.hostname
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'pooler-'))
  const password = server.password ? ` password='${decodeURIComponent(server.password)}'` : ''
  const config = join(folder, 'pgbouncer.ini')
  writeFileSync(
    config,
    `[databases]
* = host=${host}${server.port ? ` port=${server.port}` : ''} user=${server.username}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 12
max_client_conn = 500
server_idle_timeout = 5
logfile =
`,
  )
  // It does not run as root: as nobody, who then needs the way to the server's socket.
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    for (const path of [folder, config]) chownSync(path, nobody, nobody)
    if (host.startsWith('/')) chmodSync(host, 0o711)
  }
  const [command, ...args] = isRoot
    ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', program, '-q', config]
    : [program, '-q', config]
  const child = spawn(command!, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const stop = () => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', stop)
  const through = (other: string): string => {
    const { pathname } = new URL(other)
    return `postgres://${server.username}@127.0.0.1:${port}${pathname}`
  }
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString: through(address) })
    try {
      await client.connect()
      await client.query('select 1')
      await client.end()
      return { through, stop }
    } catch (e) {
      if (tries > 50) throw e
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
