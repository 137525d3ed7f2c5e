import { fork, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '#kit/server/data/db.ts'
import { root } from '#kit/server/settings.ts'
import {
  callAs,
  databaseUrl,
  dataDir,
  newBusiness,
  startWorld,
  type Business,
  type World,
} from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'
import { step, type FlowSigner } from './flow.ts'
import { canonical, linkHash } from './server/acts.ts'
import { sealRequest } from './server/seal.ts'
import { sweepSigning } from './server/index.ts'

/**
 * Papers that live at random: orders, several people in a role, declining, handing on, recalling, running out
 * of time, two at the same moment, a seal that is cut off in the middle and begun again. `FLOWS=500` lives
 * more of them, `SEED=` says which.
 */
const flows = Number(process.env.FLOWS ?? 8)
const seed = Number(process.env.SEED ?? 1)

let world: World
let shop: Business
let now = new Date()
beforeAll(async () => {
  world = await startWorld(() => now)
  shop = await newBusiness(world)
})
const folder = mkdtempSync(join(tmpdir(), 'flows-'))
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true })
})

const sample = readFileSync(join(root, 'tests/papers/samples/classic-2.pdf'))
const run = (tool: string, ...args: string[]) =>
  execFileSync(tool, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/** Numbers that look thrown and can be thrown again (mulberry32). */
function thrower(from: number): (most: number) => number {
  let state = from >>> 0
  return (most) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % most
  }
}

test('who signs next: no order of deeds leaves two ends or none', () => {
  const throws = thrower(seed)
  for (let n = 0; n < 3000; n++) {
    let signers: FlowSigner[] = Array.from({ length: 1 + throws(6) }, (_, id) => {
      const role = throws(4)
      return { id: String(id), role: `r${role}`, order: 1 + (role % 3), state: 'waiting' }
    })
    for (let deed = 0; deed < 20; deed++) {
      const { opens, spares, state } = step(signers)
      const open = signers.filter((one) => one.state === 'open' && !spares.includes(one.id))
      expect(opens.every((id) => signers.find((one) => one.id === id)!.state === 'waiting')).toBe(true)
      if (state !== 'going') {
        if (state === 'complete')
          for (const role of new Set(signers.map((one) => one.role)))
            expect(signers.filter((one) => one.role === role && one.state === 'signed')).toHaveLength(1)
        break
      }
      // Somebody can always go on.
      expect(opens.length + open.length).toBeGreaterThan(0)
      signers = signers.map((one) => ({
        ...one,
        state: spares.includes(one.id) ? 'spared' : opens.includes(one.id) ? 'open' : one.state,
      }))
      const turn = signers.filter((one) => one.state === 'open')
      const who = turn[throws(turn.length)]!
      signers = signers.map((one) =>
        one === who ? { ...one, state: throws(5) === 0 ? 'declined' : 'signed' } : one,
      )
    }
  }
})

const killEach = Number(process.env.KILL_EACH ?? 8)
let kills = 0

/**
 * Lets a process of its own seal and kills it (SIGKILL) so many milliseconds after it began; says whether it
 * was still at it.
 */
async function killedSealing(companyId: string, requestId: string, ms: number): Promise<number> {
  const child = fork(
    join(root, 'tests/faults/sealChild.ts'),
    [databaseUrl, dataDir, companyId, requestId, String(now.getTime())],
    {
      execArgv: ['--import', 'tsx'],
      stdio: 'ignore',
    },
  )
  let hasEnded = false
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  await new Promise<void>((done) => {
    child.on('message', (said) => {
      if (said === 'begins') setTimeout(done, ms)
      else hasEnded = true
    })
    child.once('exit', () => done())
  })
  child.kill('SIGKILL')
  await gone
  return hasEnded ? 0 : 1
}

const words = ['שלום עולם', 'مرحبا بالعالم', 'Привет мир', 'Œuvre été', 'רחוב הגפן 12']

test(
  `${flows} papers end right, each in one way, and every sealed file holds`,
  { timeout: 60_000 + flows * 6000 },
  async () => {
    const templates = new Map<number, string>()
    for (const count of [1, 2, 3]) {
      const { id } = await shop.call(calls.uploadTemplate, { name: `${count}.pdf`, bytes: sample })
      const field = { page: 1, w: 180, must: true }
      await shop.call(calls.saveTemplate, {
        id,
        version: 1,
        roles: Array.from({ length: count }, (_, n) => ({
          id: `r${n}`,
          name: `תפקיד ${n}`,
          order: count === 3 && n > 0 ? 2 : n + 1,
        })),
        fields: Array.from({ length: count }, (_, n) => [
          { ...field, id: `t${n}`, kind: 'text' as const, role: `r${n}`, x: 40 + n * 185, y: 440, h: 22 },
          {
            ...field,
            id: `s${n}`,
            kind: 'signature' as const,
            role: `r${n}`,
            x: 40 + n * 185,
            y: 470,
            h: 50,
          },
        ]).flat(),
      })
      templates.set(count, id)
    }
    const drain = async () => {
      await asSystem(world.app.db, (tx) =>
        sql`delete from outbox where name not like 'signing.%'`.execute(tx),
      )
      await world.worker.drain()
    }
    for (let n = 0; n < flows; n++) {
      const label = `SEED=${seed} flow ${n}`
      const throws = thrower(seed * 100_003 + n)
      const count = 1 + throws(3)
      const mode = throws(2) ? ('each' as const) : ('once' as const)
      const signers = Array.from({ length: count }, (_, r) =>
        Array.from({ length: 1 + (throws(4) === 0 ? 1 : 0) }, (_, k) => ({
          role: `r${r}`,
          name: `חותם ${r}${k}`,
          email: `f${n}r${r}k${k}@example.com`,
          channel: 'person' as const,
        })),
      ).flat()
      const { id } = await shop.call(calls.sendTemplate, { id: templates.get(count)!, mode, signers })
      const written = new Map<string, string>()
      for (let deed = 0; deed < 12; deed++) {
        const request = await shop.call(calls.getRequest, { id })
        const turn = request.signers.filter(({ url }) => url)
        if (!turn.length) break
        const who = turn[throws(turn.length)]!
        const key = who.url!.split('/').at(-1)!
        const values = (of: (typeof turn)[number]) => {
          const word = words[throws(words.length)]!
          const r = of.role.slice(1)
          return {
            word,
            of,
            values: {
              [`t${r}`]: word,
              [`s${r}`]: throws(2)
                ? { typed: word }
                : {
                    strokes: [
                      [
                        [1, 1],
                        [50, 40],
                        [90, 5],
                        [120, 60],
                      ] as [number, number][],
                    ],
                    width: 200,
                    height: 90,
                  },
            },
          }
        }
        const sign = async (of: (typeof turn)[number]) => {
          const given = values(of)
          await callAs(world, calls.signPaper, {
            key: of.url!.split('/').at(-1)!,
            values: given.values,
            shown: 'he',
            seconds: 3,
          })
          written.set(of.role, given.word)
        }
        const chance = throws(20)
        if (chance === 0) await callAs(world, calls.declinePaper, { key, reason: 'לא' })
        else if (chance === 1)
          await callAs(world, calls.delegatePaper, { key, name: 'אחר', email: `d${n}${deed}@example.com` })
        else if (chance === 2) await shop.call(calls.recallRequest, { id })
        else if (chance === 3) {
          now = new Date(now.getTime() + 31 * 86_400_000)
          while ((await sweepSigning(world.app)) > 0);
        } else {
          // Everybody whose turn it is, at the same moment; of one role one is taken.
          const all = throws(2) ? turn : [who]
          const ends = await Promise.allSettled(all.map(sign))
          for (const role of new Set(all.map((one) => one.role)))
            expect(
              ends.filter(({ status }, at) => status === 'fulfilled' && all[at]!.role === role),
              label,
            ).toHaveLength(1)
        }
        if (throws(3) === 0) await drain()
      }
      const before = await shop.call(calls.getRequest, { id })
      if (before.state === 'sealing') {
        // Two hands at once, as after a server that was killed: one of them writes.
        const { companyId } = await shop.get('/api/user/session')
        // One in so many is sealed by a process that is killed while it does: what it left is gone on with,
        // or begun again.
        if (n % killEach === 0) kills += await killedSealing(companyId, id, throws(900))
        const hands = await Promise.allSettled([
          sealRequest(world.app, companyId, id),
          sealRequest(world.app, companyId, id),
        ])
        expect(
          hands.some(({ status }) => status === 'fulfilled'),
          label,
        ).toBe(true)
      }
      await drain()
      const after = await shop.call(calls.getRequest, { id })
      expect(['done', 'declined', 'expired', 'recalled'], label).toContain(after.state)
      // The chain is whole.
      const { rows } = await asSystem(world.app.db, (tx) =>
        sql<{
          no: number
          kind: string
          signerId: string | null
          at: string
          address: string
          agent: string
          detail: Record<string, unknown>
          before: Buffer
          hash: Buffer
        }>`select no, kind,
        signer_id as "signerId", at, address, agent, detail, before_hash as before, hash from sign_acts
        where request_id = ${id} order by no`.execute(tx),
      )
      rows.forEach(({ before: from, hash, ...link }, at) => {
        expect(link.no, label).toBe(at + 1)
        expect(linkHash(from, link).equals(hash), `${label} ${canonical(link)}`).toBe(true)
        if (at) expect(from.equals(rows[at - 1]!.hash), label).toBe(true)
      })
      if (after.state !== 'done') {
        expect(after.hasFile, label).toBe(false)
        continue
      }
      const signed = after.signers.filter(({ state }) => state === 'signed')
      expect(new Set(signed.map(({ role }) => role)).size, label).toBe(count)
      expect(signed, label).toHaveLength(count)
      const bytes = (await shop.call(calls.requestPdf, { id })) as Uint8Array
      const told = await callAs(world, calls.verifyFile, { bytes })
      expect(told, label).toMatchObject({ verdict: 'holds', isKnown: true })
      const file = join(folder, `${n}.pdf`)
      writeFileSync(file, bytes)
      const seals = mode === 'each' ? count + 1 : 1
      expect(run('pdfsig', file).match(/Signature is Valid/g) ?? [], label).toHaveLength(seals)
      expect(run('qpdf', '--check', file), label).toContain('No syntax or stream encoding errors')
      const text = run('pdftotext', '-layout', file, '-').replace(
        /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
        '',
      )
      for (const word of written.values())
        for (const part of word.split(' ')) expect(text, label).toContain(part)
    }
    if (flows > 50) console.log(`${flows} flows, ${kills} seals cut off by SIGKILL`)
  },
)
