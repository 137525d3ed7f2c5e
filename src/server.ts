import cluster from 'node:cluster'
import { createServer, type Server } from 'node:http'
import { readSettings, type Settings } from '#kit/server/settings.ts'
import { openStore, type Store } from '#kit/server/start.ts'

const settings = readOrEnd()

/** A wrong setting ends the start with one line that names it. */
function readOrEnd(): Settings {
  try {
    return readSettings()
  } catch (e) {
    console.error(`\nPinkas could not start: ${(e as Error).message}\n`)
    process.exit(1)
  }
}

// All features are read while the database starts; a process that only watches over others does without them.
const features = cluster.isWorker || settings.workers === 1 ? import('./serve.ts') : undefined

/**
 * A taken port is an error when it was asked for by name; otherwise the next free one is taken, so that two
 * clones can run side by side.
 */
async function freePort({ port, host, portAsked }: Settings): Promise<number> {
  const { createServer } = await import('node:net')
  const isFree = (p: number) =>
    new Promise<boolean>((resolve) => {
      const probe = createServer()
        .once('error', () => resolve(false))
        .listen(p, host, () => probe.close(() => resolve(true)))
    })
  if (port === 0) return 0
  for (let p = port; p < port + 100; p++) {
    if (await isFree(p)) return p
    if (portAsked) break
  }
  throw new Error(`port ${port} is taken: stop what uses it or set PORT`)
}

/** The store, waited for while its database cannot be reached; meanwhile every request is answered with 503. */
async function storeOnceThere(port: number): Promise<Store> {
  let closed: Server | undefined
  const store = await openStore(settings, (error, ms) => {
    console.error(`The database cannot be reached (${error.message}); next try in ${ms / 1000} s`)
    closed ??= createServer((_request, response) => {
      response.writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '5' })
      response.end(JSON.stringify({ status: 503, code: 'kit.unavailable', title: 'Starting' }))
    })
      .on('error', () => {})
      .listen(port, settings.host)
  })
  await new Promise<void>((resolve) => {
    if (!closed) return resolve()
    closed.close(() => resolve())
    closed.closeAllConnections()
  })
  return store
}

async function main(): Promise<void> {
  if (cluster.isWorker) {
    // The terminal's Ctrl+C reaches every process; only the first one decides, and its parting is what ends
    // this one.
    process.on('SIGINT', () => {})
    process.on('SIGTERM', () => {})
    const running = await (
      await features!
    ).serve(
      settings,
      { url: process.env.PINKAS_STORE!, isPooled: process.env.PINKAS_POOLED === '1' },
      Number(process.env.PINKAS_PORT),
    )
    const end = () => void running.close().finally(() => process.exit(0))
    process.on('disconnect', end)
    if (!process.connected) end()
    return
  }
  const port = await freePort(settings)
  const store = await storeOnceThere(port)
  const close: (() => Promise<void>)[] = []
  let address: string
  if (settings.workers === 1) {
    const running = await (await features!).serve(settings, store, port)
    address = running.address
    close.push(running.close)
  } else {
    let stopping = false
    const born = new Map<number, number>()
    const start = () => {
      if (!stopping)
        born.set(
          cluster.fork({
            PINKAS_STORE: store.url,
            PINKAS_POOLED: store.isPooled ? '1' : '',
            PINKAS_PORT: String(port),
          }).id,
          Date.now(),
        )
    }
    for (let n = 0; n < settings.workers; n++) start()
    // A process that dies is replaced; what it had not committed was never promised. One that cannot even
    // start is not hurried.
    cluster.on('exit', (worker) => {
      const lived = Date.now() - (born.get(worker.id) ?? 0)
      born.delete(worker.id)
      if (!stopping) setTimeout(start, lived < 5000 ? 3000 : 200)
    })
    await new Promise<void>((resolve) => {
      let listening = 0
      cluster.on('listening', () => ++listening === settings.workers && resolve())
    })
    address = `http://${settings.host}:${port}`
    close.push(async () => {
      stopping = true
      // Until they have ended: their sockets close long before the charge that one of them waits for is written down.
      const ended = Object.values(cluster.workers ?? {}).map(
        (worker) => new Promise<void>((resolve) => worker!.once('exit', () => resolve())),
      )
      cluster.disconnect()
      await Promise.all(ended)
    })
  }
  console.log(
    `\n  Pinkas: ${settings.publicUrl ?? address}\n  Open a business: ${settings.publicUrl ?? address}/signupinvoice   Log in: ${settings.publicUrl ?? address}/login\n  Data: ${settings.databaseUrl ? 'the database of DATABASE_URL' : settings.dataDir}   Stop: Ctrl+C\n`,
  )

  let ending = false
  const end = async () => {
    if (ending) return
    ending = true
    // Longer than an acquirer is waited for, and less than supervisors wait.
    setTimeout(() => process.exit(1), 28_000).unref()
    for (const one of close) await one().catch(() => {})
    await store.stop()
    process.exit(0)
  }
  process.on('SIGINT', () => void end())
  process.on('SIGTERM', () => void end())
}

main().catch((e: Error) => {
  console.error(`\nPinkas could not start: ${e.message}\n`)
  if (settings.logLevel === 'debug') console.error(e.stack)
  process.exit(1)
})
