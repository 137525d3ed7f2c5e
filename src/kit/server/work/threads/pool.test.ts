import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { WorkerPool, type CrewTerms } from './pool.ts'
import { ownProcess, thread, type StartWorker } from './workers.ts'
import { asBusiness } from './currentBusiness.ts'

/** A worker that does nothing until it is released, so that the order of service is observable without a clock. */
function byHand() {
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

const crews: WorkerPool<{ name: string }, { id: number }>[] = []
const crewOf = (terms: Partial<CrewTerms> & Pick<CrewTerms, 'start'>) => {
  const crew = new WorkerPool<{ name: string }, { id: number }>({
    most: 2,
    spare: true,
    longestMs: 60_000,
    ...terms,
  })
  crews.push(crew)
  return crew
}
afterEach(async () => void (await Promise.all(crews.splice(0).map((crew) => crew.close()))))

/** For a business; its refusal is waited for by nobody else. */
const asks = (crew: WorkerPool<{ name: string }, { id: number }>, by: string, ...names: string[]) =>
  names.map((name) => asBusiness(by, undefined, () => crew.ask({ name })).catch((e: unknown) => e))

describe('a crew shares its hands out fairly', () => {
  test('a business that asks for much never keeps another one waiting for all of it', async () => {
    const hands = byHand()
    const crew = crewOf({ start: hands.start })
    asks(crew, 'a', 'a1', 'a2', 'a3', 'a4')
    expect(hands.names()).toEqual(['a1', 'a2'])
    // All workers belong to a: the other tenant gets a new one, a third one waits for the next that is free, before the
    // rest of a.
    asks(crew, 'b', 'b1', 'b2')
    asks(crew, 'c', 'c1')
    expect(hands.names()).toEqual(['a1', 'a2', 'b1'])
    hands.working[0]!.finish()
    await Promise.resolve()
    // Beyond the usual two there is nobody again until one of those three is done.
    expect(hands.names()).toEqual(['a2', 'b1'])
    hands.working[0]!.finish()
    expect(hands.names()).toEqual(['b1', 'c1'])
    hands.working[0]!.finish()
    expect(hands.names()).toEqual(['c1', 'a3'])
    hands.working[0]!.finish()
    expect(hands.names()).toEqual(['a3', 'b2'])
  })

  test('without a spare hand turns go round all the same', () => {
    const hands = byHand()
    const crew = crewOf({ start: hands.start, most: 1, spare: false })
    asks(crew, 'a', 'a1', 'a2', 'a3')
    asks(crew, 'b', 'b1')
    const served: (string | undefined)[] = []
    while (hands.working.length) {
      served.push(hands.names()[0])
      hands.working[0]!.finish()
    }
    expect(served).toEqual(['a1', 'b1', 'a2', 'a3'])
    expect(hands.count()).toBe(1)
  })

  test('whoever grew beyond the bound is let go when its job is done, and a fresh one does the next', async () => {
    const hands = byHand()
    const crew = crewOf({ start: hands.start, most: 1, mostKeptMb: 400 })
    const [first] = asks(crew, 'a', 'a1')
    hands.memory.mb = 401
    hands.working[0]!.finish()
    await first
    expect(hands.ended).toEqual([1])
    hands.memory.mb = 100
    const [second] = asks(crew, 'a', 'a2')
    expect(hands.count()).toBe(2)
    hands.working[0]!.finish()
    await second
    expect(hands.ended).toEqual([1])
  })

  test('one that takes too much while it works is ended over its job', async () => {
    const hands = byHand()
    const crew = crewOf({ start: hands.start, most: 1, mostMb: 2000 })
    const [asked] = asks(crew, 'a', 'a1')
    hands.memory.mb = 2001
    expect(await asked).toMatchObject({ why: 'tooMuch' })
    expect(hands.ended).toEqual([1])
  })

  test('pieces arrive before the answer', async () => {
    const hands = byHand()
    const crew = crewOf({ start: hands.start })
    const pieces: unknown[] = []
    const asked = crew.ask({ name: 'long' }, (piece) => void pieces.push(piece))
    const { job } = hands.working[0]!
    hands.working[0]!.finish({ piece: 1 })
    expect(pieces).toEqual([1])
    expect(job.id).toBe(1)
    await crew.close()
    await expect(asked).rejects.toMatchObject({ why: 'ended' })
  })
})

describe('hands that are made to stop', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pinkas-crew-'))
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
    const crew = crewOf({ start, most: 1, longestMs: 1000 })
    await expect(crew.ask({ name: 'loop' })).rejects.toMatchObject({ why: 'tooSlow' })
    expect(crew.size).toBe(0)
  })

  test('a thread that eats its memory ends, and this one lives', async () => {
    const crew = crewOf({
      start: thread(threadFile, {}, { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 }),
      most: 1,
    })
    await expect(crew.ask({ name: 'memory' })).rejects.toMatchObject({ why: 'tooMuch' })
    expect(await crew.ask({ name: 'small' })).toMatchObject({ id: 2 })
  })

  test('a process knows no secret of the server', async () => {
    process.env.PINKAS_TEST_SECRET = 'x'
    const crew = crewOf({ start: ownProcess(processFile, {}), most: 1 })
    expect(await crew.ask({ name: 'small' })).toMatchObject({ secrets: [] })
    delete process.env.PINKAS_TEST_SECRET
  })
})
