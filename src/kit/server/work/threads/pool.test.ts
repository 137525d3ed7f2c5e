import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { WorkerPool, type PoolTerms } from './pool.ts'
import { ownProcess, thread, type StartWorker } from './workers.ts'
import { asBusiness } from './currentBusiness.ts'

/** A worker that does nothing until it is released, so that the order of service is observable without a clock. */
function inProcess() {
  const working: { job: { id: number; name?: string }; finish: (more?: object) => void }[] = []
  const ended: number[] = []
  let started = 0
  const memory: { mb: number | undefined } = { mb: undefined }
  const start: StartWorker = ({ answered }) => {
    const me = ++started
    return {
      send: (job) => {
        const mine = {
          job: job as { id: number },
          finish: (more = {}) => {
            working.splice(working.indexOf(mine), 1)
            answered({ id: mine.job.id, ...more })
          },
        }
        working.push(mine)
      },
      end: async () => void ended.push(me),
      hold: () => {},
      megabytes: () => memory.mb,
    }
  }
  return {
    working,
    ended,
    memory,
    start,
    count: () => started,
    names: () => working.map(({ job }) => job.name),
  }
}

const pools: WorkerPool<{ name: string }, { id: number }>[] = []
const poolOf = (terms: Partial<PoolTerms> & Pick<PoolTerms, 'start'>) => {
  const pool = new WorkerPool<{ name: string }, { id: number }>({
    most: 2,
    spare: true,
    longestMs: 60_000,
    ...terms,
  })
  pools.push(pool)
  return pool
}
afterEach(async () => void (await Promise.all(pools.splice(0).map((pool) => pool.close()))))

/** For a business; its refusal is waited for by nobody else. */
const asks = (pool: WorkerPool<{ name: string }, { id: number }>, by: string, ...names: string[]) =>
  names.map((name) => asBusiness(by, undefined, () => pool.ask({ name })).catch((e: unknown) => e))

describe('a pool shares its workers out fairly', () => {
  test('a business that asks for much never keeps another one waiting for all of it', async () => {
    const workers = inProcess()
    const pool = poolOf({ start: workers.start })
    asks(pool, 'a', 'a1', 'a2', 'a3', 'a4')
    expect(workers.names()).toEqual(['a1', 'a2'])
    // All workers belong to a: the other tenant gets a new one, a third one waits for the next that is free, before the
    // rest of a.
    asks(pool, 'b', 'b1', 'b2')
    asks(pool, 'c', 'c1')
    expect(workers.names()).toEqual(['a1', 'a2', 'b1'])
    workers.working[0]!.finish()
    await Promise.resolve()
    // Beyond the usual two there is nobody again until one of those three is done.
    expect(workers.names()).toEqual(['a2', 'b1'])
    workers.working[0]!.finish()
    expect(workers.names()).toEqual(['b1', 'c1'])
    workers.working[0]!.finish()
    expect(workers.names()).toEqual(['c1', 'a3'])
    workers.working[0]!.finish()
    expect(workers.names()).toEqual(['a3', 'b2'])
  })

  test('without a spare worker turns go round all the same', () => {
    const workers = inProcess()
    const pool = poolOf({ start: workers.start, most: 1, spare: false })
    asks(pool, 'a', 'a1', 'a2', 'a3')
    asks(pool, 'b', 'b1')
    const served: (string | undefined)[] = []
    while (workers.working.length) {
      served.push(workers.names()[0])
      workers.working[0]!.finish()
    }
    expect(served).toEqual(['a1', 'b1', 'a2', 'a3'])
    expect(workers.count()).toBe(1)
  })

  test('whoever grew beyond the bound is let go when its job is done, and a fresh one does the next', async () => {
    const workers = inProcess()
    const pool = poolOf({ start: workers.start, most: 1, mostKeptMb: 400 })
    const [first] = asks(pool, 'a', 'a1')
    workers.memory.mb = 401
    workers.working[0]!.finish()
    await first
    expect(workers.ended).toEqual([1])
    workers.memory.mb = 100
    const [second] = asks(pool, 'a', 'a2')
    expect(workers.count()).toBe(2)
    workers.working[0]!.finish()
    await second
    expect(workers.ended).toEqual([1])
  })

  test('one that takes too much while it works is ended over its job', async () => {
    const workers = inProcess()
    const pool = poolOf({ start: workers.start, most: 1, mostMb: 2000 })
    const [asked] = asks(pool, 'a', 'a1')
    workers.memory.mb = 2001
    expect(await asked).toMatchObject({ why: 'tooMuch' })
    expect(workers.ended).toEqual([1])
  })

  test('pieces arrive before the answer', async () => {
    const workers = inProcess()
    const pool = poolOf({ start: workers.start })
    const pieces: unknown[] = []
    const asked = pool.ask({ name: 'long' }, (piece) => void pieces.push(piece))
    const { job } = workers.working[0]!
    workers.working[0]!.finish({ piece: 1 })
    expect(pieces).toEqual([1])
    expect(job.id).toBe(1)
    await pool.close()
    await expect(asked).rejects.toMatchObject({ why: 'ended' })
  })
})

describe('workers that are made to stop', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pinkas-pool-'))
  const file = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return () => path
  }
  const threadFile = file(
    'thread.mjs',
    `import { parentPort } from 'node:worker_threads'
     parentPort.on('message', ({ id, name }) => {
       if (name === 'loop') for (;;);
       const all = []
       while (name === 'memory') all.push(new Array(100_000).fill(name + all.length))
       parentPort.postMessage({ id })
     })`,
  )
  const processFile = file(
    'process.mjs',
    `process.on('disconnect', () => process.exit())
     process.on('message', ({ id, name }) => {
       if (name === 'loop') for (;;);
       process.send({ id, secrets: Object.keys(process.env).filter((key) => /DATABASE|SECRET|PASSWORD|KEY/i.test(key)) })
     })`,
  )

  test.each([
    ['a thread', thread(threadFile, {}, { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 })],
    ['a process', ownProcess(processFile, {})],
  ] as const)('%s that never ends is ended, and the next job is done', async (_what, start) => {
    const pool = poolOf({ start, most: 1, longestMs: 1000 })
    await expect(pool.ask({ name: 'loop' })).rejects.toMatchObject({ why: 'tooSlow' })
    expect(pool.size).toBe(0)
  })

  test('a thread that eats its memory ends, and this one lives', async () => {
    const pool = poolOf({
      start: thread(threadFile, {}, { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 }),
      most: 1,
    })
    await expect(pool.ask({ name: 'memory' })).rejects.toMatchObject({ why: 'tooMuch' })
    expect(await pool.ask({ name: 'small' })).toMatchObject({ id: 2 })
  })

  test('a process knows no secret of the server', async () => {
    process.env.PINKAS_TEST_SECRET = 'x'
    const pool = poolOf({ start: ownProcess(processFile, {}), most: 1 })
    expect(await pool.ask({ name: 'small' })).toMatchObject({ secrets: [] })
    delete process.env.PINKAS_TEST_SECRET
  })
})
