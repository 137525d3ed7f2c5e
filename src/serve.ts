import type { AddressInfo } from 'node:net'
import {
  doors,
  findCaller,
  implementations,
  jobs,
  languageFile,
  letterhead,
  reports,
  starts,
  systemJobs,
  wingOf,
} from './features.ts'
import { backgroundRests } from '#kit/server/work/background.ts'
import { openDatabase } from '#kit/server/data/db.ts'
import { startHousekeeping } from '#kit/server/work/housekeeping.ts'
import { createHttp } from '#kit/server/http/http.ts'
import { startWorker } from '#kit/server/work/jobs.ts'
import type { Settings } from '#kit/server/settings.ts'
import { createApp, type Store } from '#kit/server/start.ts'

/** A process with fewer connections could not answer while each lane of jobs holds one. */
const leastConnections = 8

/** One server process: answers calls and runs jobs. */
export async function serve(
  settings: Settings,
  { url, isPooled }: Pick<Store, 'url' | 'isPooled'>,
  port: number,
): Promise<{ address: string; close: () => Promise<void> }> {
  const connections = Math.max(leastConnections, Math.floor(settings.databaseConnections / settings.workers))
  const db = openDatabase(url, connections, { isPooled })
  let address = `http://${settings.host}:${port}`
  const app = createApp(settings, db, () => address)
  // Calls always find connections that no job holds.
  const worker = startWorker(app, jobs, systemJobs, { connections: Math.floor(connections / 2) })
  app.nudge = worker.nudge
  const housekeeping = startHousekeeping(app)
  const http = await createHttp(app, {
    implementations,
    doors,
    reports,
    findCaller,
    languageFile,
    letterhead,
    wingOf,
  })
  await http.listen({ port, host: settings.host })
  address = `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${(http.server.address() as AddressInfo).port}`
  const stops = await Promise.all(starts.map((start) => start(app)))
  return {
    address,
    close: async () => {
      for (const stop of stops) await stop().catch(() => {})
      housekeeping.stop()
      await http.close()
      await worker.stop()
      await backgroundRests()
      await db.close()
    },
  }
}
