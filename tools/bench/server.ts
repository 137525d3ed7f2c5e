import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { root } from '#kit/server/settings.ts'
import { completeCheckDigit } from '#domain/taxId.ts'

export interface Running {
  url: string
  pid: number
  /** From the start of the process to the first good answer of /readyz. */
  startMs: number
  /** Processor time the process itself used until then. */
  startProcessorMs: number | undefined
  /** Bytes of objects in use after a collection; undefined unless the server was started with `tellsHeap`. */
  heapHeld: () => Promise<number | undefined>
  /** An orderly stop; the database goes with it. */
  stop: () => Promise<void>
}

const teller = `import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc')
process.on('SIGUSR2', () => { gc(); gc(); process.stderr.write('held ' + process.memoryUsage().heapUsed + ' ') })`
/**
 * Environment of a server that says, when it is asked, what is left after a collection: what it has taken of
 * the system's memory says more of when it last cleaned up.
 */
export const tellsHeap = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(teller)}` }

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })

const running = new Set<ChildProcess>()

/** The built server on a free port, as a person would start it, with its log thrown away. */
export async function startServer(dataDir: string, env: Record<string, string> = {}): Promise<Running> {
  const port = await freePort()
  const started = performance.now()
  const child = spawn(process.execPath, [join(root, 'dist/server/server.js')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      PUBLIC_URL: '',
      SMTP_URL: '',
      SMS_URL: '',
      ...env,
    },
  })
  running.add(child)
  let said = ''
  child.stderr!.on('data', (d: Buffer) => (said = (said + d.toString()).slice(-2000)))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve(void running.delete(child))))
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    if (
      await call(url, 'GET', '/readyz').then(
        (a) => a.status === 200,
        () => false,
      )
    )
      break
    if (child.exitCode !== null || performance.now() - started > 60_000)
      throw new Error(`the server did not start: ${said}`)
    await pause(10)
  }
  return {
    url,
    pid: child.pid!,
    startMs: performance.now() - started,
    startProcessorMs: processorTime(child.pid!),
    heapHeld: async () => {
      if (env.NODE_OPTIONS !== tellsHeap.NODE_OPTIONS) return undefined
      said = ''
      child.kill('SIGUSR2')
      for (let n = 0; n < 100; n++) {
        await pause(50)
        const [, bytes] = /held (\d+) /.exec(said) ?? []
        if (bytes) return Number(bytes)
      }
      return undefined
    },
    stop: async () => {
      child.kill('SIGINT')
      await ended
    },
  }
}

/** For an end in the middle: nothing that was started stays behind. */
export async function stopAll(): Promise<void> {
  await Promise.all(
    [...running].map(
      (child) => new Promise<void>((resolve) => child.once('exit', () => resolve()).kill('SIGINT')),
    ),
  )
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/** What a process holds in memory now, in bytes; undefined where the system does not say. */
export function memoryOf(pid: number): number | undefined {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
  } catch {
    return undefined
  }
}

/** Processor time a process has used so far, in milliseconds; undefined where the system does not say. */
export function processorTime(pid: number): number | undefined {
  try {
    // After the name in brackets: state, parent, … and, as the 12th and 13th, the clock ticks spent in the
    // program and in the system.
    const after = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(after[11]) + Number(after[12])) * 10
  } catch {
    return undefined
  }
}

/** The same for PostgreSQL with all its backends. */
export function databaseTime(dataDir: string): number | undefined {
  try {
    const postmaster = readFileSync(join(dataDir, 'pg/postmaster.pid'), 'utf8').split('\n')[0]!
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ')
    return [postmaster, ...children].reduce((sum, pid) => sum + (processorTime(Number(pid)) ?? 0), 0)
  } catch {
    return undefined
  }
}

export interface Answer {
  status: number
  body: Buffer
  ms: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/**
 * One request on a kept connection. Node's own fetch would cost the machine more than many of the calls
 * measured.
 */
export function call(
  url: string,
  method: string,
  path: string,
  { token, body, key }: { token?: string; body?: unknown; key?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const started = performance.now()
    const sent = request(
      url + path,
      {
        method,
        agent,
        headers: {
          ...(text === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          ...(token ? { 'x-access-token': token } : {}),
          ...(key ? { 'idempotency-key': key } : {}),
        },
      },
      (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            body: Buffer.concat(parts),
            ms: performance.now() - started,
          }),
        )
        answer.on('error', reject)
      },
    )
    // A connection that lay idle for minutes may have been closed by the server meanwhile: the call never
    // reached it, and one with a key may be made twice.
    const mayRepeat = method === 'GET' || key !== undefined
    sent.on('error', (e: NodeJS.ErrnoException) =>
      sent.reusedSocket && (e.code === 'EPIPE' || (e.code === 'ECONNRESET' && mayRepeat))
        ? resolve(call(url, method, path, { token, body, key }))
        : reject(e),
    )
    sent.end(text)
  })
}

/** The same, for what must succeed: a figure of a refused call would be a lie. */
export async function ask(
  url: string,
  method: string,
  path: string,
  more: Parameters<typeof call>[3] = {},
): Promise<Answer> {
  const answer = await call(url, method, path, more)
  if (answer.status >= 300)
    throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body.toString().slice(0, 300)}`)
  return answer
}

export const json = <T = any>(answer: Answer): T => JSON.parse(answer.body.toString()) as T

export interface Company {
  url: string
  id: string
  token: string
  customerId: string
}

let companies = 0

/** A new business, signed up through the API, with one customer. */
export async function newCompany(url: string): Promise<Company> {
  const n = ++companies
  const business = {
    name: `אלומת הצפון ${n}`,
    kind: 'licensedDealer',
    taxId: completeCheckDigit(String(30_000_000 + n)),
  }
  const signedUp = await ask(url, 'POST', '/api/user/signup', {
    body: {
      email: `bench${n}-${Date.now()}@pinkas.example`,
      password: 'a long enough password',
      fullName: 'נועה ורדי',
      business,
    },
  })
  const token = json<{ UserKey: string }>(signedUp).UserKey
  const customer = await ask(url, 'POST', '/api4/invoice/customers', {
    token,
    body: { name: 'מאפיית שיפון הגליל', city: 'כרמיאל', email: 'rye@galil.example' },
  })
  const session = await ask(url, 'GET', '/api/user/session', { token })
  return {
    url,
    id: json<{ companyId: string }>(session).companyId,
    token,
    customerId: json<{ id: string }>(customer).id,
  }
}
