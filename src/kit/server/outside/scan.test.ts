import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eicar, startClamd, type Clamd } from '../../../../tests/clamd.ts'
import { newBusiness, raw, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { uploadFile } from '#features/base/files/endpoints.ts'
import { allImplementations } from '../contract/implement.ts'
import { askScanner } from './scan.ts'

const of = (...pieces: (string | Buffer)[]) => Readable.from(pieces.map((one) => Buffer.from(one)))

describe('a scanner', () => {
  test.each(['tcp', 'unix'])('is asked over %s, in pieces of any size', async (way) => {
    const at = way === 'unix' ? join(mkdtempSync(join(tmpdir(), 'clamd-')), 'clamd.ctl') : undefined
    const clamd = await startClamd(at ? { at } : {})
    try {
      expect(clamd.address.startsWith(way)).toBe(true)
      expect(await askScanner(clamd.address, of('clean'))).toEqual({ clean: true })
      const big = Buffer.alloc(1_000_000, 7)
      expect(await askScanner(clamd.address, of(big, 'and the end'))).toEqual({ clean: true })
      expect(clamd.scanned.at(-1)!.equals(Buffer.concat([big, Buffer.from('and the end')]))).toBe(true)
      expect(await askScanner(clamd.address, of(eicar.slice(0, 20), eicar.slice(20)))).toEqual({
        clean: false,
        signature: 'Eicar-Test-Signature',
      })
      expect(await askScanner(clamd.address, of())).toEqual({ clean: true })
    } finally {
      await clamd.close()
    }
  })

  test('that is away, or takes no file of this size, says nothing of it', async () => {
    const clamd = await startClamd({ mostBytes: 100_000 })
    await expect(askScanner(clamd.address, of(Buffer.alloc(5_000_000)))).rejects.toThrow(/size limit/)
    await clamd.close()
    await expect(askScanner(clamd.address, of('x'))).rejects.toThrow()
  })
})

describe('uploads', () => {
  let world: World
  let me: Business
  let clamd: Clamd
  beforeAll(async () => {
    world = await startWorld()
    me = await newBusiness(world)
    clamd = await startClamd()
  })
  afterAll(async () => {
    await world.close()
    await clamd.close().catch(() => undefined)
  })
  beforeEach(() => {
    world.app.settings.virusScanner = clamd.address
  })

  test('each door of a file has it scanned before anything else looks at it', async () => {
    const doors = allImplementations().filter(({ endpoint }) => endpoint.upload)
    expect(doors.length).toBeGreaterThan(15)
    for (const { endpoint } of doors) {
      const input = Object.fromEntries(
        [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [
          name,
          '00000000-0000-7000-8000-000000000000',
        ]),
      )
      const answer = await raw(
        world,
        endpoint,
        { ...input, bytes: Buffer.from(`<x>${eicar}`) },
        { token: me.token },
      )
      const { code } = answer.json<{ code: string }>()
      if (code === 'kit.areaOff' || code === 'session.forbidden' || code === 'kit.moduleNeeded') continue
      expect([endpoint.name, answer.statusCode, code]).toEqual([endpoint.name, 422, 'uploads.infected'])
    }
  })

  test('nothing is taken while the scanner is away, and everything while none is set', async () => {
    world.app.settings.virusScanner = 'tcp://127.0.0.1:9'
    const upload = () =>
      raw(world, uploadFile, { name: 'a.txt', bytes: Buffer.from('a note') } as never, { token: me.token })
    const refused = await upload()
    expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([503, 'kit.unavailable'])
    world.app.settings.virusScanner = undefined
    expect((await upload()).statusCode).not.toBe(503)
    expect(clamd.scanned.some((file) => file.includes('a note'))).toBe(false)
  })
})
