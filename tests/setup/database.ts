import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

/**
 * One real PostgreSQL for the whole run (postgres.ts). It is started by another process: Vitest reads the stack of an
 * error in its own process through its cache of modules, and fails there.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const child = fork(join(import.meta.dirname, 'postgres.ts'), {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const { url, dataDir } = await new Promise<{ url: string; dataDir: string }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { url: string; dataDir: string }))
    child.once('exit', (code) => reject(new Error(`the database of the tests did not start (${code})`)))
  })
  project.provide('databaseUrl', url)
  project.provide('dataDir', dataDir)
  return () =>
    new Promise((done) => {
      child.once('exit', () => done())
      child.disconnect()
    })
}
