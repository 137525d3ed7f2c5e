import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isProof } from '#kit/server/http/challenge.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { root } from '#kit/server/settings.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import {
  callAs,
  dataDir,
  newBusiness,
  raw,
  startWorld,
  type Business,
  type World,
} from '../../../../tests/world.ts'
import { readPdf } from '#kit/server/seal/pdfFile.ts'
import { pagesOf, writtenEntries } from '#kit/server/seal/pdfValues.ts'
import { fieldNamed, sealPdf } from '#kit/server/seal/seal.ts'
import { Additions } from '#kit/server/seal/stamp.ts'
import { refusedByDatabase } from '../../../../tests/nets.ts'
import { handmadePdf } from '../../../../tests/pdf.ts'
import { certificateOf } from '../../../../tests/signing.ts'
import { timeStampAuthority } from '../../../../tests/timeStampAuthority.ts'
import * as calls from './endpoints.ts'
import type { SignField, SignerInput } from './shapes.ts'
import { asCaller, systemCaller } from '#kit/server/context.ts'
import { consequenceOf } from './server/consequences.ts'
import { sweepSigning } from './server/index.ts'

let world: World
let shop: Business
let now: Date | undefined
beforeAll(async () => {
  world = await startWorld(() => now ?? new Date())
  shop = await newBusiness(world)
})
afterAll(() => world.close())

const sample = readFileSync(join(root, 'tests/papers/samples/classic-2.pdf'))
const folder = mkdtempSync(join(tmpdir(), 'signing-'))
const onDisk = (bytes: Uint8Array) => {
  const file = join(folder, `${Math.random()}.pdf`)
  writeFileSync(file, bytes)
  return file
}
const run = (tool: string, ...args: string[]) =>
  execFileSync(tool, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
const marks = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const textOf = (bytes: Uint8Array) => run('pdftotext', '-layout', onDisk(bytes), '-').replace(marks, '')

const field = (id: string, kind: SignField['kind'], role = 'r1', more: Partial<SignField> = {}) => ({
  id,
  kind,
  role,
  page: 1,
  x: 60,
  y: 450,
  w: 200,
  h: 22,
  label: '',
  must: true,
  check: 'none' as const,
  merge: 'none' as const,
  options: [] as string[],
  ...more,
})
const role = (id: string, order = 1, above: number | null = null) => ({
  id,
  name: `תפקיד ${id}`,
  order,
  above,
})
const signer = (of: string, more: Partial<SignerInput> = {}) => ({
  role: of,
  name: `חותם ${of}`,
  email: `${of}@example.com`,
  channel: 'mail' as const,
  ...more,
})

/** The template of the sample as it was last saved. */
let shared: { id: string; version: number } | undefined
/**
 * A template with these fields. A new thread reads each upload, which takes most of the time of these tests:
 * the sample is uploaded once, and a request keeps the version that it was sent with.
 */
async function template(fields: ReturnType<typeof field>[], roles = [role('r1')]) {
  shared ??= { ...(await shop.call(calls.uploadTemplate, { name: 'הסכם.pdf', bytes: sample })), version: 1 }
  const { id } = shared
  shared = { id, version: (await shop.call(calls.saveTemplate, { ...shared, roles, fields })).version }
  return id
}
/** A template that nobody else uses: for its open link, its versions, another file. */
async function ownTemplate(
  fields: ReturnType<typeof field>[],
  roles = [role('r1')],
  bytes: Uint8Array = sample,
) {
  const { id } = await shop.call(calls.uploadTemplate, { name: 'הסכם.pdf', bytes })
  await shop.call(calls.saveTemplate, { id, version: 1, roles, fields })
  return id
}
/** Keys of those whose turn it is. */
const keysOf = async (id: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await shop.call(calls.getRequest, { id })).signers
      .filter(({ url }) => url)
      .map(({ role: of, url }) => [of, url!.split('/').at(-1)!]),
  )
const strokes = {
  strokes: [
    [
      [10, 60],
      [40, 10],
      [70, 80],
      [120, 20],
    ] as [number, number][],
  ],
  width: 200,
  height: 100,
}
const open = <E extends Parameters<typeof callAs>[1]>(endpoint: E, input: Parameters<typeof callAs<E>>[2]) =>
  callAs(world, endpoint, input)
const signAs = (key: string, values: Record<string, unknown>, visit?: string) =>
  open(calls.signPaper, {
    key,
    values: values as never,
    shown: 'he',
    seconds: 12,
    ...(visit ? { visit } : {}),
  })
async function work(): Promise<void> {
  await asSystem(world.app.db, (tx) => sql`delete from outbox where name not like 'signing.%'`.execute(tx))
  await world.worker.drain()
}

/** What every sealed file must be, by programs that are not ours. */
export function holds(bytes: Uint8Array, seals = 1): void {
  const file = onDisk(bytes)
  const told = run('pdfsig', file)
  expect(told.match(/Signature is Valid/g) ?? []).toHaveLength(seals)
  expect(told).toContain('Total document signed')
  expect(run('qpdf', '--check', file)).toContain('No syntax or stream encoding errors')
}

test('a template is uploaded, sent to one signer, signed on his page, and sealed with its evidence', async () => {
  const id = await template([
    field('name', 'name', 'r1', { merge: 'signer.name' }),
    field('text', 'text', 'r1', { y: 480, label: 'כתובת' }),
    field('sign', 'signature', 'r1', { y: 520, h: 60 }),
  ])
  const sent = await shop.call(calls.sendTemplate, { id, signers: [signer('r1', { name: 'דנה לוי' })] })
  const before = await shop.call(calls.getRequest, { id: sent.id })
  expect(before).toMatchObject({
    state: 'sent',
    signers: [{ name: 'דנה לוי', state: 'open' }],
    hasFile: false,
  })
  const { r1: key } = await keysOf(sent.id)
  expect(key).toMatch(/^[\w-]{43}$/)
  const page = await open(calls.signPage, { key: key! })
  expect(page).toMatchObject({ needs: 'nothing', state: 'turn', name: 'הסכם' })
  expect(page.fields.map(({ id: of, mine, value }) => [of, mine, value])).toEqual([
    ['name', true, 'דנה לוי'],
    ['text', true, null],
    ['sign', true, null],
  ])
  const picture = await raw(world, calls.signPicture, { key, page: 1 })
  expect(picture.headers['content-type']).toContain('image/webp')
  await expect(signAs(key!, { name: 'דנה לוי', text: '', sign: strokes })).rejects.toMatchObject({
    errors: [{ path: 'values.text', code: 'fields.need' }],
  })
  expect(await signAs(key!, { name: 'דנה לוי', text: 'רחוב הגפן 12, חיפה', sign: strokes })).toEqual({
    state: 'sealing',
  })
  await expect(signAs(key!, { name: 'דנה לוי', text: 'x', sign: strokes })).rejects.toMatchObject({
    code: 'signing.done',
  })
  await work()
  const after = await shop.call(calls.getRequest, { id: sent.id })
  expect(after).toMatchObject({ state: 'done', hasFile: true })
  expect(after.acts.map(({ kind }) => kind)).toEqual(['sent', 'opened', 'signed', 'sealed'])
  const bytes = (await shop.call(calls.requestPdf, { id: sent.id })) as Uint8Array
  holds(bytes)
  const text = textOf(bytes)
  expect(text).toContain('דנה לוי')
  for (const word of ['רחוב', 'הגפן', 'חיפה']) expect(text).toContain(word)
  expect(text).toContain('עמוד ראיות לחתימה')
  expect(after.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  // The signer has the same bytes.
  const given = await raw(world, calls.signPagePdf, { key })
  expect(given.rawPayload.equals(Buffer.from(bytes))).toBe(true)
  const verdict = await open(calls.verifyFile, { bytes })
  expect(verdict).toMatchObject({
    verdict: 'holds',
    isKnown: true,
    changedPages: [],
    evidence: { signers: [{ name: 'דנה לוי' }] },
  })
})

test('a customer or a document that is not there is refused at its field', async () => {
  const id = await template([field('sign', 'signature', 'r1')])
  const nobody = '00000000-0000-4000-8000-000000000000'
  for (const path of ['customerId', 'documentId'])
    for (const send of [
      () => shop.call(calls.sendTemplate, { id, [path]: nobody, signers: [signer('r1')] }),
      () =>
        shop.call(calls.bulkTemplate, {
          id,
          [path]: nobody,
          rows: [signer('r1')].map(({ role: _, ...row }) => row),
        }),
    ])
      await expect(send()).rejects.toMatchObject({ status: 422, errors: [{ path, code: 'fields.ref' }] })
})

test('a changed byte is found and its page named', async () => {
  const id = await template([field('text', 'text'), field('sign', 'signature', 'r1', { y: 520, h: 60 })])
  const sent = await shop.call(calls.sendTemplate, { id, signers: [signer('r1')] })
  await signAs((await keysOf(sent.id)).r1!, { text: 'סכום 1,000', sign: { typed: 'דנה' } })
  await work()
  const bytes = Buffer.from((await shop.call(calls.requestPdf, { id: sent.id })) as Uint8Array)
  expect(await open(calls.verifyFile, { bytes })).toMatchObject({ verdict: 'holds' })
  // A byte of the form that lies on the first page.
  const at = bytes.indexOf('/Subtype /Form')
  const inside = bytes.indexOf('stream\n', at) + 20
  const changed = Buffer.from(bytes)
  changed[inside] = changed[inside]! ^ 1
  expect(await open(calls.verifyFile, { bytes: changed })).toMatchObject({
    verdict: 'changed',
    changedPages: [1],
    isKnown: false,
  })
  let found = 0
  for (let n = 0; n < 60; n++) {
    const place = Math.floor((bytes.length * (n + 0.5)) / 60)
    const other = Buffer.from(bytes)
    other[place] = other[place]! ^ 1
    if ((await open(calls.verifyFile, { bytes: other })).verdict !== 'holds') found++
  }
  expect(found).toBe(60)
  expect(await open(calls.verifyFile, { bytes: sample })).toMatchObject({ verdict: 'unsealed', seals: [] })
  // Something behind the end.
  expect(
    await open(calls.verifyFile, { bytes: Buffer.concat([bytes, Buffer.from('\n% more')]) }),
  ).toMatchObject({ verdict: 'changed' })
})

test('a seal after each signer: later ones never break earlier ones', async () => {
  const roles = [role('r1', 1), role('r2', 2)]
  const id = await template(
    [
      field('text', 'text', 'r1'),
      field('sign1', 'signature', 'r1', { y: 520, h: 60 }),
      field('tick', 'tick', 'r2', { x: 320, w: 20, h: 20 }),
      field('sign2', 'signature', 'r2', { x: 320, y: 520, h: 60 }),
    ],
    roles,
  )
  const sent = await shop.call(calls.sendTemplate, {
    id,
    mode: 'each',
    signers: [signer('r1'), signer('r2', { name: 'محمد' })],
  })
  await signAs((await keysOf(sent.id)).r1!, { text: 'שלום', sign1: strokes })
  await work()
  const { rows } = await asSystem(world.app.db, (tx) =>
    sql<{ bytes: Buffer }>`select bytes from sign_sealed where request_id = ${sent.id} order by no`.execute(
      tx,
    ),
  )
  expect(rows).toHaveLength(2)
  holds(rows[1]!.bytes, 2)
  await signAs((await keysOf(sent.id)).r2!, { tick: true, sign2: { typed: 'محمد' } })
  await work()
  const bytes = Buffer.from((await shop.call(calls.requestPdf, { id: sent.id })) as Uint8Array)
  holds(bytes, 3)
  // Each revision is the one before with something behind it.
  expect(bytes.subarray(0, rows[1]!.bytes.length).equals(rows[1]!.bytes)).toBe(true)
  const verdict = await open(calls.verifyFile, { bytes })
  expect(verdict.verdict).toBe('holds')
  expect(verdict.seals.map(({ isValid, after }) => [isValid, after])).toEqual([
    [true, 'allowed'],
    [true, 'allowed'],
    [true, 'nothing'],
  ])
  for (const word of ['שלום', 'محمد']) expect(textOf(bytes)).toContain(word)
})

describe('who is told apart', () => {
  test('nothing leaks before the code; a code has five tries', async () => {
    const id = await template([field('sign', 'signature', 'r1', { h: 60 })])
    const sent = await shop.call(calls.sendTemplate, {
      id,
      name: 'סודי ביותר',
      signers: [signer('r1', { name: 'שם סודי', identity: 'code', phone: '050-1234567' })],
    })
    const key = (await keysOf(sent.id)).r1!
    const shut = await raw(world, calls.signPage, { key })
    expect(shut.body).not.toContain('סודי')
    expect(JSON.parse(shut.body)).toMatchObject({
      needs: 'code',
      codeTo: '050-•••-4567',
      pages: [],
      fields: [],
    })
    for (const call of [calls.signPicture, calls.signPagePdf])
      expect((await raw(world, call, { key, page: 1 })).statusCode).toBe(403)
    await expect(signAs(key, { sign: strokes })).rejects.toMatchObject({ code: 'signing.needCode' })
    await open(calls.askSignCode, { key })
    await work()
    const text = readdirSync(join(dataDir, 'sms'))
      .map((name) => readFileSync(join(dataDir, 'sms', name), 'utf8'))
      .find((one) => one.includes('הקוד'))!
    const code = /\d{6}/.exec(text.split('\n')[1]!)![0]
    const wrong = code === '000000' ? '111111' : '000000'
    for (let n = 0; n < 4; n++)
      await expect(open(calls.giveSignCode, { key, code: wrong })).rejects.toMatchObject({
        code: 'signing.wrongCode',
      })
    await expect(open(calls.giveSignCode, { key, code: wrong })).rejects.toMatchObject({
      code: 'signing.codeEnded',
    })
    // The right one comes too late.
    await expect(open(calls.giveSignCode, { key, code })).rejects.toMatchObject({ code: 'signing.codeEnded' })
    await open(calls.askSignCode, { key })
    await work()
    const codes = readdirSync(join(dataDir, 'sms')).map(
      (name) => /\d{6}/.exec(readFileSync(join(dataDir, 'sms', name), 'utf8').split('\n')[1]!)?.[0],
    )
    let visit: string | undefined
    for (const one of codes) {
      if (one === code) continue
      visit = (await open(calls.giveSignCode, { key, code: one! })).visit
      break
    }
    expect(await open(calls.signPage, { key, visit: visit! })).toMatchObject({
      needs: 'nothing',
      name: 'סודי ביותר',
    })
    expect(await signAs(key, { sign: strokes }, visit)).toEqual({ state: 'sealing' })
    const acts = (await shop.call(calls.getRequest, { id: sent.id })).acts.map(({ kind }) => kind)
    expect(acts.filter((kind) => kind === 'wrongCode')).toHaveLength(6)
  })

  test('a code ends after ten minutes', async () => {
    const id = await template([field('sign', 'signature', 'r1', { h: 60 })])
    const sent = await shop.call(calls.sendTemplate, {
      id,
      signers: [signer('r1', { identity: 'code', phone: '052-7654321' })],
    })
    const key = (await keysOf(sent.id)).r1!
    await open(calls.askSignCode, { key })
    await work()
    const code = readdirSync(join(dataDir, 'sms'))
      .map((name) => readFileSync(join(dataDir, 'sms', name), 'utf8'))
      .filter((one) => one.includes('0527654321'))
      .map((one) => /\d{6}/.exec(one.split('\n')[1]!)![0])[0]!
    now = new Date(Date.now() + 11 * 60_000)
    await expect(open(calls.giveSignCode, { key, code })).rejects.toMatchObject({ code: 'signing.codeEnded' })
    now = undefined
  })

  test('a new code ends the previous one, also after the new one was used', async () => {
    const id = await template([field('sign', 'signature', 'r1', { h: 60 })])
    const sent = await shop.call(calls.sendTemplate, {
      id,
      signers: [signer('r1', { identity: 'code', phone: '053-1112223' })],
    })
    const key = (await keysOf(sent.id)).r1!
    const codes = () =>
      readdirSync(join(dataDir, 'sms'))
        .map((name) => readFileSync(join(dataDir, 'sms', name), 'utf8'))
        .filter((one) => one.includes('0531112223'))
        .flatMap((one) => /\d{6}/.exec(one.split('\n')[1]!)?.[0] ?? [])
    await open(calls.askSignCode, { key })
    await work()
    const [first] = codes()
    await open(calls.askSignCode, { key })
    await work()
    const second = codes().find((one) => one !== first)!
    expect(await open(calls.giveSignCode, { key, code: second })).toHaveProperty('visit')
    await expect(open(calls.giveSignCode, { key, code: first! })).rejects.toMatchObject({
      code: 'signing.codeEnded',
    })
  })

  test('log-in: only with the signer’s own mail', async () => {
    const other = await newBusiness(world)
    const id = await template([field('sign', 'signature', 'r1', { h: 60 })])
    const sent = await shop.call(calls.sendTemplate, {
      id,
      signers: [signer('r1', { identity: 'login', email: other.email })],
    })
    const key = (await keysOf(sent.id)).r1!
    await expect(open(calls.signLogin, { key })).rejects.toMatchObject({ code: 'signing.needLogin' })
    await expect(callAs(world, calls.signLogin, { key }, { token: shop.token })).rejects.toMatchObject({
      code: 'signing.wrongLogin',
    })
    const { visit } = await callAs(world, calls.signLogin, { key }, { token: other.token })
    expect(await open(calls.signPage, { key, visit })).toMatchObject({ needs: 'nothing', state: 'turn' })
  })
})

test('roles in order and side by side; what a signer may see and do', async () => {
  const roles = [role('r1', 1), role('r2', 1), role('r3', 2)]
  const id = await template(
    [
      field('a', 'text', 'r1'),
      field('s1', 'signature', 'r1', { y: 520 }),
      field('s2', 'signature', 'r2', { y: 550 }),
      field('s3', 'signature', 'r3', { y: 580 }),
    ],
    roles,
  )
  const sent = await shop.call(calls.sendTemplate, {
    id,
    signers: [signer('r1'), signer('r2'), signer('r3')],
  })
  const keys = await keysOf(sent.id)
  expect(Object.keys(keys).sort()).toEqual(['r1', 'r2'])
  await signAs(keys.r1!, { a: 'סוד של ראשון', s1: strokes })
  // At the same time, not earlier: hidden from this signer.
  expect(JSON.stringify(await open(calls.signPage, { key: keys.r2! }))).not.toContain('סוד של ראשון')
  await expect(signAs(keys.r2!, { s2: strokes, a: 'אחר' })).rejects.toMatchObject({
    errors: [{ path: 'values.a', code: 'fields.unknown' }],
  })
  await signAs(keys.r2!, { s2: { typed: 'ב' } })
  const third = (await keysOf(sent.id)).r3!
  // Earlier: it is part of the document to sign.
  expect((await open(calls.signPage, { key: third })).fields.find(({ id: of }) => of === 'a')).toMatchObject({
    mine: false,
    value: 'סוד של ראשון',
  })
  await signAs(third, { s3: { typed: 'ג' } })
  await work()
  holds((await shop.call(calls.requestPdf, { id: sent.id })) as Uint8Array)
})

test('a group that signs in turn parts those whom the template leaves side by side, and never passes over its order', async () => {
  const people = ['r2', 'r1', 'r3'].map((of) => ({
    role: `תפקיד ${of}`,
    name: `חותם ${of}`,
    email: `${of}@example.com`,
  }))
  const made = await shop.call(calls.createGroup, { name: 'הנהלה', people, inTurn: true })
  expect((await shop.call(calls.listGroups, {})).rows.find(({ id }) => id === made.id)).toMatchObject({
    inTurn: true,
    people,
  })
  const away = await shop.call(calls.createGroup, { name: 'ישנה', people })
  await shop.send('DELETE', `/api4/invoice/signGroups/${away.id}`)
  const ids = async (input: { archived?: 'true' }) =>
    (await shop.call(calls.listGroups, input)).rows.map(({ id }) => id)
  expect(await ids({})).not.toContain(away.id)
  expect(await ids({ archived: 'true' })).toContain(away.id)
  expect((await shop.get('/api4/invoice/signGroups?inTurn=true')).rows).toMatchObject([
    { id: made.id, members: 'חותם r2, חותם r1, חותם r3' },
  ])
  const id = await ownTemplate(
    [
      field('s1', 'signature'),
      field('s2', 'signature', 'r2', { y: 520 }),
      field('s3', 'signature', 'r3', { y: 560 }),
    ],
    [role('r1', 2), role('r2', 2), role('r3', 1)],
  )
  const sent = await shop.call(calls.sendTemplate, {
    id,
    signers: [
      signer('r1', { turn: 2 }),
      signer('r1', { name: 'סגן', email: 'deputy@example.com' }),
      signer('r2', { turn: 1 }),
      signer('r3', { turn: 3 }),
    ],
  })
  const turns: string[][] = []
  for (const values of [{ s3: strokes }, { s2: strokes }, { s1: strokes }]) {
    const keys = await keysOf(sent.id)
    turns.push(Object.keys(keys))
    await signAs(Object.values(keys)[0]!, values)
  }
  expect(turns).toEqual([['r3'], ['r2'], ['r1']])
  expect(
    (await shop.call(calls.getRequest, { id: sent.id })).signers.map(({ role: of, order }) => [of, order]),
  ).toEqual([
    ['r3', 1],
    ['r2', 2],
    ['r1', 3],
    ['r1', 3],
  ])
  // The report of signatures has a line for the person who signed, with the times of that turn; a person whose deputy
  // signed is left out.
  const today = dayInJerusalem(new Date())
  const report = await shop.get(
    `/api4/invoice/reports/signatures?from=${today}&to=${today}&show=signer&template=${id}&state=signed`,
  )
  expect(
    report.rows.map((row: Record<string, string>) => [row.name, row.role, row.state, row.open, row.openedAt]),
  ).toEqual(
    [
      ['חותם r3', 'r3'],
      ['חותם r2', 'r2'],
      ['סגן', 'r1'],
    ].map(([name, of]) => [name, `תפקיד ${of}`, 'signed', `/invoice/signrequest/${sent.id}`, null]),
  )
  const moments = report.rows
    .map((row: Record<string, string>) => [row.sentAt, row.signedAt].map((at) => Date.parse(at!)))
    .flat()
  expect(moments).toEqual(moments.toSorted((a: number, b: number) => a - b))
  expect(Object.keys(report.shape.columns)).toEqual([
    'name',
    'role',
    'paper',
    'state',
    'sentAt',
    'signedAt',
    'hours',
  ])
})

test('of two in one role the first to sign signs, at the same second too', async () => {
  const id = await template([field('s', 'signature')])
  const sent = await shop.call(calls.sendTemplate, {
    id,
    signers: [signer('r1', { name: 'א' }), signer('r1', { name: 'ב', email: 'b@example.com' })],
  })
  const keys = (await shop.call(calls.getRequest, { id: sent.id })).signers.map(({ url }) =>
    url!.split('/').at(-1)!,
  )
  const tries = await Promise.allSettled(keys.map((key) => signAs(key, { s: strokes })))
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await work()
  const after = await shop.call(calls.getRequest, { id: sent.id })
  expect(after.signers.map(({ state }) => state).sort()).toEqual(['signed', 'spared'])
  expect(after.state).toBe('done')
})

test('a manager signs above his sum only', async () => {
  const id = await template(
    [field('s', 'signature'), field('m', 'signature', 'r2', { y: 520 })],
    [role('r1'), role('r2', 2, 1_000_000)],
  )
  const small = await shop.call(calls.sendTemplate, {
    id,
    sumAgorot: 1_000_000,
    signers: [signer('r1'), signer('r2')],
  })
  expect((await shop.call(calls.getRequest, { id: small.id })).signers).toHaveLength(1)
  await expect(
    shop.call(calls.sendTemplate, { id, sumAgorot: 1_000_001, signers: [signer('r1')] }),
  ).rejects.toMatchObject({
    errors: [{ code: 'signing.roleEmpty' }],
  })
  const large = await shop.call(calls.sendTemplate, {
    id,
    sumAgorot: 1_000_001,
    signers: [signer('r1'), signer('r2')],
  })
  expect((await shop.call(calls.getRequest, { id: large.id })).signers).toHaveLength(2)
})

test('declined, delegated, recalled, expired: one right end each', async () => {
  const id = await template([field('s', 'signature')])
  const send = async () => {
    const { id: of } = await shop.call(calls.sendTemplate, { id, signers: [signer('r1')] })
    return { of, key: (await keysOf(of)).r1! }
  }
  const declined = await send()
  await open(calls.declinePaper, { key: declined.key, reason: 'המחיר אחר' })
  expect(await shop.call(calls.getRequest, { id: declined.of })).toMatchObject({
    state: 'declined',
    reason: 'המחיר אחר',
  })
  await expect(signAs(declined.key, { s: strokes })).rejects.toMatchObject({ code: 'signing.hasEnded' })

  const handed = await send()
  await open(calls.delegatePaper, { key: handed.key, name: 'רות', email: 'ruth@example.com' })
  await expect(signAs(handed.key, { s: strokes })).rejects.toMatchObject({ code: 'signing.notYourTurn' })
  expect(await open(calls.signPage, { key: handed.key })).toMatchObject({ state: 'delegated', pages: [] })
  await signAs((await keysOf(handed.of)).r1!, { s: strokes })
  await work()
  expect(await shop.call(calls.getRequest, { id: handed.of })).toMatchObject({ state: 'done' })
  expect(textOf((await shop.call(calls.requestPdf, { id: handed.of })) as Uint8Array)).toContain('הועבר מאת')

  const recalled = await send()
  await shop.call(calls.recallRequest, { id: recalled.of })
  expect(await open(calls.signPage, { key: recalled.key })).toMatchObject({
    state: 'ended',
    pages: [],
    fields: [],
  })
  await expect(shop.call(calls.recallRequest, { id: recalled.of })).rejects.toMatchObject({
    code: 'signing.hasEnded',
  })

  const expired = await send()
  now = new Date(Date.now() + 40 * 86_400_000)
  await expect(signAs(expired.key, { s: strokes })).rejects.toMatchObject({ code: 'signing.hasEnded' })
  while ((await sweepSigning(world.app)) > 0);
  expect(await shop.call(calls.getRequest, { id: expired.of })).toMatchObject({ state: 'expired' })
  now = undefined
})

test('reminders go out by their days and once each', async () => {
  const id = await template([field('s', 'signature')])
  const { id: of } = await shop.call(calls.sendTemplate, { id, remindDays: [2, 5], signers: [signer('r1')] })
  const reminded = async () =>
    (await shop.call(calls.getRequest, { id: of })).acts.filter(({ kind }) => kind === 'reminded').length
  for (const [day, count] of [
    [1, 0],
    [2, 1],
    [3, 1],
    [6, 2],
    [8, 2],
  ] as const) {
    now = new Date(Date.now() + day * 86_400_000 + 60_000)
    await sweepSigning(world.app)
    expect(await reminded(), `day ${day}`).toBe(count)
  }
  now = undefined
})

test('what was sent never changes, and the next version is another', async () => {
  const id = await ownTemplate([field('s', 'signature')])
  const sent = await shop.call(calls.sendTemplate, { id, signers: [signer('r1')] })
  const next = await shop.call(calls.saveTemplate, {
    id,
    version: 1,
    roles: [role('r1')],
    fields: [field('s', 'signature'), field('t', 'text', 'r1', { y: 500 })],
  })
  expect(next.version).toBe(2)
  await expect(
    shop.call(calls.saveTemplate, { id, version: 1, roles: [role('r1')], fields: [] }),
  ).rejects.toMatchObject({
    code: 'signing.moved',
  })
  expect((await open(calls.signPage, { key: (await keysOf(sent.id)).r1! })).fields).toHaveLength(1)
})

describe('an open link', () => {
  /** The work a page does before it sends. */
  function prove(challenge: string, bits: number): string {
    for (let n = 0; ; n++) if (isProof(challenge, String(n), bits)) return String(n)
  }
  /** What the page got, with its work done, as long after as a person needs. */
  async function shownTo(key: string) {
    const { challenge, bits } = await open(calls.openLink, { key })
    now = new Date((now ?? new Date()).getTime() + 4000)
    return { challenge, proof: prove(challenge, bits) }
  }
  const beginAs = async (key: string, given: { name: string; email: string; language: 'he' }) =>
    open(calls.beginLink, { key, ...(await shownTo(key)), ...given })

  test('anybody may sign, each a paper of his own, within its limits', async () => {
    const id = await ownTemplate([field('s', 'signature')])
    const opened = await shop.call(calls.openTemplate, { id, isOpen: true, most: 2, each: 1 })
    const key = opened.open.url.split('/').at(-1)!
    expect(await open(calls.openLink, { key })).toMatchObject({ state: 'open', name: 'הסכם' })
    const one = { name: 'אורח', email: 'guest@example.com', language: 'he' as const }
    const begin = (more: object = {}) => beginAs(key, { ...one, ...more })
    const first = await begin()
    await signAs(first.key, { s: strokes })
    await expect(begin()).rejects.toMatchObject({ code: 'signing.full' })
    await begin({ email: 'other@example.com' })
    expect(await open(calls.openLink, { key })).toMatchObject({ state: 'full' })
    await shop.call(calls.openTemplate, { id, isOpen: false })
    expect(await open(calls.openLink, { key })).toMatchObject({ state: 'closed', name: '' })
  })

  test('programs open no paper: who is fast, does no work, fills the trap, writes as spam does, or comes twice with one work', async () => {
    const id = await ownTemplate([field('s', 'signature')])
    const { open: opened } = await shop.call(calls.openTemplate, { id, isOpen: true, most: null, each: 50 })
    const key = opened.url.split('/').at(-1)!
    const other = await shop.call(calls.openTemplate, {
      id: await ownTemplate([field('s', 'signature')]),
      isOpen: true,
      most: null,
      each: 1,
    })
    const one = { name: 'אורח', email: 'guest@example.com', language: 'he' as const }
    const attempt = async (more: object) =>
      beginAs(key, { ...one, ...more }).then(
        ({ key: paper }) => paper,
        (e: { code: string }) => e.code,
      )
    const foreign = await shownTo(other.open.url.split('/').at(-1)!)
    for (const more of [
      { website: 'https://x.example' },
      { proof: '' },
      { challenge: '' },
      foreign,
      { name: 'Buy backlinks www.rank.top' },
    ])
      expect(await attempt(more)).toBe('signing.notPerson')
    const { challenge, bits } = await open(calls.openLink, { key })
    const proof = prove(challenge, bits)
    const quick = () => open(calls.beginLink, { key, ...one, challenge, proof })
    await expect(quick()).rejects.toMatchObject({ code: 'signing.notPerson' })
    now = new Date((now ?? new Date()).getTime() + 4000)
    expect((await quick()).key).toMatch(/^[\w-]{20,}$/)
    await expect(quick()).rejects.toMatchObject({ code: 'kit.tooMany' })
    now = undefined
  })
})

describe('refused by name', () => {
  const changed = (...how: string[]) => {
    const to = join(folder, `${Math.random()}.pdf`)
    run('qpdf', onDisk(sample), ...how, to)
    return readFileSync(to)
  }
  test.each([
    ['no PDF', () => Buffer.from('<html>'), 'signing.notPdf'],
    ['nothing more than a head', () => Buffer.from('%PDF-1.7\nx'), 'signing.broken'],
    ['locked', () => changed('--encrypt', 'a', 'b', '256', '--'), 'signing.locked'],
    [
      '300 pages',
      () => changed('--pages', ...Array.from({ length: 300 }, () => ['.', '1']).flat(), '--'),
      'signing.tooLong',
    ],
  ])('%s', async (_name, bytes, code) => {
    await expect(shop.call(calls.uploadTemplate, { name: 'x.pdf', bytes: bytes() })).rejects.toMatchObject({
      code,
    })
  })

  test.each([90, 180, 270])('a page turned by %i is filled where it is shown', async (turn) => {
    const id = await ownTemplate(
      [
        field('t', 'text', 'r1', { x: 100, y: 100 }),
        field('s', 'signature', 'r1', { x: 100, y: 140, h: 50 }),
      ],
      [role('r1')],
      changed(`--rotate=${turn}`),
    )
    const sent = await shop.call(calls.sendTemplate, { id, signers: [signer('r1')] })
    await signAs((await keysOf(sent.id)).r1!, { t: 'TURNED', s: strokes })
    await work()
    const bytes = (await shop.call(calls.requestPdf, { id: sent.id })) as Uint8Array
    holds(bytes)
    const box = run('pdftotext', '-bbox', '-f', '1', '-l', '1', onDisk(bytes), '-')
    const [x, y] = /xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>TURNED</.exec(box)!.slice(1).map(Number) as [
      number,
      number,
    ]
    expect(x).toBeGreaterThanOrEqual(98)
    expect(x).toBeLessThan(300)
    expect(y).toBeGreaterThan(95)
    expect(y).toBeLessThan(125)
  })

  test.each([
    ['a field outside its page', [field('s', 'signature', 'r1', { x: 500 })], 'signing.fieldOutside'],
    ['a page that is not there', [field('s', 'signature', 'r1', { page: 2 })], 'signing.fieldOutside'],
    ['a role that is not there', [field('s', 'signature', 'r9')], 'signing.roleUnknown'],
    ['a choice of one', [field('s', 'choice', 'r1', { options: ['א'] })], 'signing.needOptions'],
    ['two of one mark', [field('s', 'text'), field('s', 'text')], 'signing.doubleField'],
  ])('%s', async (_name, fields, code) => {
    await expect(template(fields)).rejects.toMatchObject({ errors: [expect.objectContaining({ code })] })
  })

  test('a signer without a way to reach him', async () => {
    const id = await template([field('s', 'signature')])
    for (const [more, code] of [
      [{ email: null }, 'signing.noWay'],
      [{ channel: 'sms', phone: '03-1234567' }, 'sms.notMobile'],
      [{ channel: 'person', email: null, identity: 'code' }, 'signing.codeNeedsWay'],
      [{ channel: 'person', email: null, identity: 'login' }, 'signing.loginNeedsMail'],
    ] as const)
      await expect(
        shop.call(calls.sendTemplate, { id, signers: [signer('r1', more)] }),
      ).rejects.toMatchObject({
        errors: [expect.objectContaining({ code })],
      })
  })

  test('a file that a program could run, and values that are none', async () => {
    const id = await template([
      field('f', 'file', 'r1'),
      field('n', 'number', 'r1', { y: 480 }),
      field('d', 'date', 'r1', { y: 510 }),
      field('c', 'choice', 'r1', { y: 540, options: ['כן', 'לא'] }),
      field('t', 'text', 'r1', { y: 570, check: 'taxId' }),
      field('s', 'signature', 'r1', { y: 600 }),
    ])
    const sent = await shop.call(calls.sendTemplate, { id, signers: [signer('r1')] })
    const key = (await keysOf(sent.id)).r1!
    await expect(
      open(calls.addSignFile, {
        key,
        field: 'f',
        name: 'a.pdf.exe',
        bytes: Buffer.from('MZ\u0090\u0000program'),
      }),
    ).rejects.toMatchObject({ code: 'signing.badFile' })
    const refused = await signAs(key, {
      f: 'x',
      n: 'many',
      d: '2026-02-30',
      c: 'אולי',
      t: '123',
      s: { typed: '漢字' },
    }).catch((e: { errors: { path: string; code: string }[] }) => e)
    expect(
      Object.fromEntries(
        (refused as { errors: { path: string; code: string }[] }).errors.map(({ path, code }) => [
          path.split('.')[1],
          code,
        ]),
      ),
    ).toEqual({
      f: 'signing.badFile',
      n: 'fields.decimal',
      d: 'fields.day',
      c: 'fields.choice',
      t: 'fields.taxId',
      s: 'signing.unprintable',
    })
    const added = await open(calls.addSignFile, { key, field: 'f', name: 'תעודה.pdf', bytes: sample })
    await signAs(key, {
      f: added.id,
      n: '12.5',
      d: '2026-02-28',
      c: 'כן',
      t: '777777715',
      s: { typed: 'דנה' },
    })
    await work()
    const bytes = (await shop.call(calls.requestPdf, { id: sent.id })) as Uint8Array
    holds(bytes)
    expect(run('qpdf', '--list-attachments', onDisk(bytes))).toContain('evidence.json')
    expect(textOf(bytes)).toContain('28/02/2026')
  })
})

test('Hebrew, Arabic, Russian and French in every kind of field', async () => {
  const kinds = ['name', 'text', 'initials', 'signature', 'choice'] as const
  const words = { he: 'שלום', ar: 'مرحبا', ru: 'Привет', fr: 'Œuvre' }
  const fields = kinds.flatMap((kind, row) =>
    Object.values(words).map((word, column) =>
      field(`${kind.slice(0, 3)}${column}`, kind, 'r1', {
        x: 40 + column * 130,
        y: 400 + row * 40,
        w: 120,
        h: 30,
        ...(kind === 'choice' ? { options: [word, 'x'] } : {}),
      }),
    ),
  )
  const id = await template(fields)
  const sent = await shop.call(calls.sendTemplate, { id, signers: [signer('r1')] })
  const values = Object.fromEntries(
    kinds.flatMap((kind) =>
      Object.values(words).map((word, column) => [
        `${kind.slice(0, 3)}${column}`,
        kind === 'signature' || kind === 'initials' ? { typed: word } : word,
      ]),
    ),
  )
  await signAs((await keysOf(sent.id)).r1!, values)
  await work()
  const bytes = (await shop.call(calls.requestPdf, { id: sent.id })) as Uint8Array
  holds(bytes)
  for (const word of Object.values(words))
    expect(textOf(bytes).split(word).length - 1, word).toBeGreaterThanOrEqual(5)
})

test('whoever may not, does not: another business, a person without the right, one who sees his own alone', async () => {
  const id = await template([field('s', 'signature')])
  const sent = await shop.call(calls.sendTemplate, { id, signers: [signer('r1')] })
  const stranger = await newBusiness(world)
  for (const call of [calls.getRequest, calls.requestPdf, calls.recallRequest])
    expect((await raw(world, call, { id: sent.id }, { token: stranger.token })).statusCode).toBe(404)
  expect((await raw(world, calls.getTemplate, { id }, { token: stranger.token })).statusCode).toBe(404)
  expect((await raw(world, calls.signPage, { key: sent.id })).statusCode).toBe(404)
  const { companyId } = await shop.get('/api/user/session')
  await asSystem(world.app.db, (tx) =>
    sql`update memberships set rules = '{290}' where company_id = ${companyId}`.execute(tx),
  )
  try {
    expect((await raw(world, calls.recallRequest, { id: sent.id }, { token: shop.token })).statusCode).toBe(
      403,
    )
    expect(
      (await raw(world, calls.sendTemplate, { id, signers: [signer('r1')] }, { token: shop.token }))
        .statusCode,
    ).toBe(403)
    // Sent by the signer.
    const own = await shop.call(calls.getRequest, { id: sent.id })
    expect(own.signers[0]!.url).toBeNull()
    await asSystem(world.app.db, (tx) => sql`alter table sign_requests disable trigger user`.execute(tx))
    await asSystem(world.app.db, (tx) =>
      sql`update sign_requests set sent_by = null where id = ${sent.id}`.execute(tx),
    )
    expect((await raw(world, calls.getRequest, { id: sent.id }, { token: shop.token })).statusCode).toBe(404)
  } finally {
    await asSystem(world.app.db, (tx) => sql`alter table sign_requests enable trigger user`.execute(tx))
    await asSystem(world.app.db, (tx) =>
      sql`update memberships set rules = '{}' where company_id = ${companyId}`.execute(tx),
    )
  }
})

test('a quote that is signed becomes an order by itself, once', async () => {
  const buyer = await shop.customer('כהן', { email: 'cohen@example.com' })
  const quote = await shop.call(createDocument, {
    type: 1,
    customerId: buyer.id,
    lines: [{ description: 'דוד שמש', unitPrice: '3000' }],
  })
  const { id } = await shop.call(calls.signDocument, {
    documentId: quote.id,
    becomesOrder: true,
    signer: { name: 'רות כהן', email: 'ruth@example.com' },
  })
  const key = (await keysOf(id)).r1!
  expect((await open(calls.signPage, { key })).fields.map(({ id: of, value }) => [of, value])).toEqual([
    ['name', 'רות כהן'],
    ['date', null],
    ['sign', null],
  ])
  await signAs(key, { name: 'רות כהן', date: '2026-11-25', sign: strokes })
  await work()
  await work()
  holds((await shop.call(calls.requestPdf, { id })) as Uint8Array)
  const orders = (await shop.get('/api4/invoice/documents?type=2')).rows
  expect(orders).toHaveLength(1)
  expect(orders[0]).toMatchObject({ status: 'issued', customerId: buyer.id })
  const invoice = await shop.invoice(buyer.id, '10')
  await expect(
    shop.call(calls.signDocument, { documentId: invoice.id, signer: { name: 'x', email: 'x@example.com' } }),
  ).rejects.toMatchObject({
    code: 'signing.notAgreement',
  })
})

test('a consent to computerised documents that is signed stands on the customer’s card, and what he takes back stays taken back', async () => {
  const buyer = await shop.customer('לוי', { email: 'levi@example.com', language: 'ru' })
  const { id } = await shop.call(calls.askConsent, {
    customerId: buyer.id,
    signer: { name: 'Лев Леви', email: 'levi@example.com' },
  })
  const card = () => shop.get(`/api4/invoice/customers/${buyer.id}`)
  expect((await card()).consentAt).toBeNull()
  await signAs((await keysOf(id)).r1!, {
    email: 'levi@example.com',
    name: 'Лев Леви',
    date: '2026-11-25',
    sign: { typed: 'Лев Леви' },
  })
  await work()
  await work()
  expect(await card()).toMatchObject({ consentHow: 'signed', consentBy: 'Лев Леви' })
  expect(await shop.call(calls.signAbout, { about: buyer.id, purposes: 'consent' })).toMatchObject({
    rows: [{ id, state: 'done' }],
  })
  const bytes = (await shop.call(calls.requestPdf, { id })) as Uint8Array
  holds(bytes)
  for (const word of ['Согласие', 'Лев Леви', 'levi@example.com']) expect(textOf(bytes)).toContain(word)
  await shop.send('DELETE', `/api4/invoice/customers/${buyer.id}/consent`)
  const { id: companyId } = await shop.get('/api4/invoice/company')
  await asCaller(world.app, systemCaller(companyId), '', async (ctx) =>
    consequenceOf('consent')!(ctx, {
      id,
      name: '',
      purpose: 'consent',
      purposeId: buyer.id,
      customerId: buyer.id,
      fields: [],
    }),
  )
  expect((await card()).consentAt).toBeNull()
})

describe('a signer’s own certificate', () => {
  const each = async () => {
    const id = await template(
      [
        field('text', 'text'),
        field('sign1', 'signature', 'r1', { y: 520, h: 60 }),
        field('sign2', 'signature', 'r2', { x: 320, y: 520, h: 60 }),
      ],
      [role('r1', 1), role('r2', 2)],
    )
    return (await shop.call(calls.sendTemplate, { id, mode: 'each', signers: [signer('r1'), signer('r2')] }))
      .id
  }
  const own = () => certificateOf('רות כהן', 'Test Authority')
  const given = { values: { text: 'שלום', sign1: strokes } as never, shown: 'he' as const, seconds: 3 }

  test('signs his part at once, and only then the paper says secure; a wrong password is said at its field and signs nothing', async () => {
    const id = await each()
    const key = (await keysOf(id)).r1!
    expect(await open(calls.signPage, { key })).toMatchObject({ mayCertify: true })
    const { pkcs12 } = own()
    const refused = async (more: object) =>
      open(calls.signOwn, { key, ...given, pkcs12, password: 'right', ...more } as never).then(
        () => 'signed',
        (e: { errors: { path: string; code: string }[] }) =>
          e.errors.map(({ path, code }) => `${path} ${code}`).join(),
      )
    expect(await refused({ password: 'wrong' })).toBe('password signing.certificatePassword')
    expect(await refused({ pkcs12: Buffer.from('no certificate').toString('base64') })).toBe(
      'pkcs12 signing.certificateBroken',
    )
    expect(await refused({ pkcs12: certificateOf('Self', 'Self').pkcs12 })).toBe(
      'pkcs12 signing.certificateSelfMade',
    )
    expect(await refused({ pkcs12: certificateOf('Old', 'Test Authority', -10).pkcs12 })).toBe(
      'pkcs12 signing.certificateEnded',
    )
    expect(await open(calls.signPage, { key })).toMatchObject({ state: 'turn' })
    expect(await open(calls.signOwn, { key, ...given, pkcs12, password: 'right' })).toEqual({
      state: 'signed',
    })
    await work()
    await signAs((await keysOf(id)).r2!, { sign2: { typed: 'שני' } })
    await work()
    const bytes = Buffer.from((await shop.call(calls.requestPdf, { id })) as Uint8Array)
    holds(bytes, 3)
    const { seals, verdict } = await open(calls.verifyFile, { bytes })
    expect(verdict).toBe('holds')
    expect(seals.map(({ name, issuer }) => [name, issuer])[1]).toEqual(['רות כהן', 'Test Authority'])
    const text = textOf(bytes)
    expect(text.match(/מאובטחת בתעודה/g)).toHaveLength(1)
    expect(text).toContain('Test Authority')
    // Nothing of the certificate or its password lies anywhere.
    const { rows } = await asSystem(world.app.db, (tx) =>
      sql<{
        n: number
      }>`select count(*)::int as n from sign_acts
        where request_id = ${id} and (detail::text like '%right%' or detail::text like '%pkcs12%')`.execute(
        tx,
      ),
    )
    expect(rows[0]!.n).toBe(0)
  })

  test('outside: what comes back must be what went out with one signature more', async () => {
    const id = await each()
    const key = (await keysOf(id)).r1!
    await open(calls.prepareOutside, { key, ...given })
    const out = (await raw(world, calls.handout, { key })).rawPayload
    const back = (bytes: Uint8Array) =>
      open(calls.handBack, { key, bytes }).then(
        ({ state }) => state,
        (e: { code: string; errors: { code: string }[] }) => e.errors?.[0]?.code ?? e.code,
      )
    const { signer: his } = own()
    const words = { name: 'רות כהן', reason: 'x', at: new Date() }
    const place = (bytes: Buffer) => ({ field: fieldNamed(readPdf(bytes), 'sign.r1')! })
    expect(await back(out)).toBe('signing.backUnsigned')
    expect(await back(sample)).toBe('signing.backOther')
    // A signature in a place of its own changes the page and the form.
    expect(await back(sealPdf(out, his, words))).toBe('signing.backChanged')
    const into = new Additions(readPdf(out))
    const page = pagesOf(into.file)[0]!
    into.objects.set(page.number, writtenEntries(new Map([...into.entries(page.number), ['UserUnit', '2']])))
    expect(await back(sealPdf(out, his, words, { ...place(out), additions: into }))).toBe(
      'signing.backChanged',
    )
    expect(await back(sealPdf(out, certificateOf('Self', 'Self').signer, words, place(out)))).toBe(
      'signing.certificateSelfMade',
    )
    // In the place of the other signer.
    const other = { field: fieldNamed(readPdf(out), 'sign.r2')! }
    expect(await back(sealPdf(out, his, words, other))).toBe('signing.backElsewhere')
    const broken = Buffer.from(sealPdf(out, his, words, place(out)))
    broken[out.length + 40] = broken[out.length + 40]! ^ 1
    expect(['signing.backBroken', 'signing.backChanged', 'signing.backUnsigned']).toContain(
      await back(broken),
    )
    expect(await back(sealPdf(out, his, words, place(out)))).toBe('signed')
    await work()
    await signAs((await keysOf(id)).r2!, { sign2: { typed: 'שני' } })
    await work()
    const bytes = Buffer.from((await shop.call(calls.requestPdf, { id })) as Uint8Array)
    holds(bytes, 3)
    expect((await shop.call(calls.getRequest, { id })).acts.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['handedOut', 'handedBack', 'sealed']),
    )
  })

  test('a paper with one seal in the end has no room for it', async () => {
    const id = await template([field('sign1', 'signature', 'r1', { y: 520, h: 60 })])
    const sent = await shop.call(calls.sendTemplate, { id, signers: [signer('r1')] })
    const key = (await keysOf(sent.id)).r1!
    expect(await open(calls.signPage, { key })).toMatchObject({ mayCertify: false })
    await expect(
      open(calls.signOwn, { key, ...given, pkcs12: own().pkcs12, password: 'right' }),
    ).rejects.toMatchObject({
      code: 'signing.onlyEach',
    })
  })
})

describe('a time-stamp authority', () => {
  let authority: Awaited<ReturnType<typeof timeStampAuthority>>
  beforeAll(async () => {
    world.app.settings.webhooks = { http: true, local: true }
    authority = await timeStampAuthority()
    await shop.call(calls.setSignSettings, { tsaUrl: authority.url, remindDays: [2, 5], expireDays: 30 })
  })
  afterAll(async () => {
    await shop.call(calls.setSignSettings, { tsaUrl: '', remindDays: [2, 5], expireDays: 30 })
    await authority.close()
  })

  test('stamps every seal of a paper that is sealed after each signer; when it is silent the work waits for it', async () => {
    const id = await template(
      [
        field('text', 'text'),
        field('sign1', 'signature', 'r1', { y: 520, h: 60 }),
        field('sign2', 'signature', 'r2', { x: 320, y: 520, h: 60 }),
      ],
      [role('r1', 1), role('r2', 2)],
    )
    const sent = await shop.call(calls.sendTemplate, {
      id,
      mode: 'each',
      signers: [signer('r1'), signer('r2')],
    })
    await signAs((await keysOf(sent.id)).r1!, { text: 'שלום', sign1: strokes })
    await work()
    // The certified form and the first signer's part.
    expect(authority.asked()).toBe(2)
    authority.failNext(1)
    await signAs((await keysOf(sent.id)).r2!, { sign2: { typed: 'שני' } })
    await work()
    expect((await shop.call(calls.getRequest, { id: sent.id })).state).toBe('sealing')
    await asSystem(world.app.db, (tx) =>
      sql`update outbox set run_after = now() - interval '1 minute'`.execute(tx),
    )
    await work()
    const after = await shop.call(calls.getRequest, { id: sent.id })
    expect(after).toMatchObject({ state: 'done', stamped: true })
    const bytes = Buffer.from((await shop.call(calls.requestPdf, { id: sent.id })) as Uint8Array)
    holds(bytes, 3)
    const { verdict, seals } = await open(calls.verifyFile, { bytes })
    expect(verdict).toBe('holds')
    expect(seals.map(({ stampedAt }) => typeof stampedAt)).toEqual(['string', 'string', 'string'])
    expect(textOf(bytes)).toContain('חתימת זמן')
    // A byte of a token is as much of the seal as any other.
    const changed = Buffer.from(bytes)
    const token = changed.indexOf(Buffer.from('060b2a864886f70d010910020e', 'hex').toString('hex'))
    expect(token).toBeGreaterThan(0)
    const place = token + 600
    changed[place] = changed[place] === 0x30 ? 0x31 : 0x30
    expect((await open(calls.verifyFile, { bytes: changed })).verdict).toBe('changed')
  })

  test('stamps the one seal of a paper that is sealed in the end', async () => {
    const id = await template([field('sign', 'signature', 'r1', { y: 520, h: 60 })])
    const sent = await shop.call(calls.sendTemplate, { id, signers: [signer('r1')] })
    await signAs((await keysOf(sent.id)).r1!, { sign: strokes })
    await work()
    const bytes = Buffer.from((await shop.call(calls.requestPdf, { id: sent.id })) as Uint8Array)
    holds(bytes)
    expect((await open(calls.verifyFile, { bytes })).seals).toMatchObject([
      { stampedAt: expect.any(String), isValid: true },
    ])
  })
})

describe('what is refused', () => {
  const sign = field('s', 'signature', 'r1', { h: 60 })
  const stream = '<</Length 1>>\nstream\nx\nendstream'

  test.each<[what: string, code: string, bytes: () => Buffer]>([
    [
      'a script that runs when it is opened',
      'signing.active',
      () => handmadePdf({ catalog: '/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>' }),
    ],
    [
      'a form of XFA',
      'signing.xfa',
      () => handmadePdf({ catalog: '/AcroForm<</XFA 4 0 R/Fields[]>>', more: [stream] }),
    ],
    ['more than 299 pages', 'signing.tooLong', () => handmadePdf({ pages: 300 })],
    [
      'what somebody has signed',
      'signing.signedAlready',
      () => Buffer.concat([sample, Buffer.from('\n% /ByteRange [0 1 2 3]\n')]),
    ],
  ])('a file: %s', async (_, code, bytes) => {
    await expect(shop.call(calls.uploadTemplate, { name: 'a.pdf', bytes: bytes() })).rejects.toMatchObject({
      status: 422,
      code,
    })
  })
  test('and a plain one of 299 pages is taken', async () => {
    await shop.call(calls.uploadTemplate, { name: 'a.pdf', bytes: handmadePdf({ pages: 299 }) })
  })

  test('fields too small, and too many of them', async () => {
    const { id } = await shop.call(calls.uploadTemplate, { name: 'a.pdf', bytes: sample })
    const save = (fields: ReturnType<typeof field>[]) =>
      shop.call(calls.saveTemplate, { id, version: 1, roles: [role('r1')], fields })
    for (const [side, path] of [
      [{ w: 7 }, 'fields.0.w'],
      [{ h: 7.9 }, 'fields.0.h'],
    ] as const)
      await expect(save([{ ...sign, ...side }])).rejects.toMatchObject({
        status: 422,
        errors: [{ path, code: 'signing.fieldSmall' }],
      })
    const many = Array.from({ length: 301 }, (_, n) => field(`f${n}`, 'text'))
    await expect(save(many)).rejects.toMatchObject({
      status: 422,
      errors: [{ path: 'fields', code: 'signing.tooMany' }],
    })
    await save(many.slice(1))
  })

  test('an open link of a paper that strangers cannot sign, and one that is closed', async () => {
    const roles = [role('r1'), role('r2')]
    const both = await ownTemplate([sign, field('s2', 'signature', 'r2')], roles)
    const none = await ownTemplate([field('t', 'text')])
    const id = await ownTemplate([sign])
    const openIt = (of: string, more: { until?: string } = {}) =>
      shop.call(calls.openTemplate, { id: of, isOpen: true, ...more })
    await expect(openIt(both)).rejects.toMatchObject({ status: 422, code: 'signing.noRole' })
    await expect(openIt(none)).rejects.toMatchObject({ status: 422, code: 'signing.needSignature' })
    const today = dayInJerusalem(now ?? new Date())
    await expect(openIt(id, { until: addDays(today, -1) })).rejects.toMatchObject({
      status: 422,
      errors: [{ path: 'until', code: 'signing.dayPast' }],
    })
    const { open: opened } = await openIt(id, { until: today })
    const key = opened.url.split('/').at(-1)!
    const { challenge, bits } = await open(calls.openLink, { key })
    now = new Date((now ?? new Date()).getTime() + 4000)
    let n = 0
    while (!isProof(challenge, String(n), bits)) n++
    await shop.call(calls.openTemplate, { id, isOpen: false })
    await expect(
      open(calls.beginLink, {
        key,
        challenge,
        proof: String(n),
        name: 'אורח',
        email: 'guest@example.com',
        language: 'he',
      }),
    ).rejects.toMatchObject({ status: 409, code: 'signing.closed' })
    const bulk = (of: string) =>
      shop.call(calls.bulkTemplate, {
        id: of,
        rows: [{ name: 'דנה', email: 'dana@example.com', channel: 'mail' }],
      })
    await expect(bulk(both)).rejects.toMatchObject({ status: 422, code: 'signing.noRole' })
    await expect(bulk(none)).rejects.toMatchObject({ status: 422, code: 'signing.needSignature' })
  })

  test('what does not fit its field, a paper that is not sealed yet, and one put away before its end', async () => {
    const id = await template([
      field('digits', 'text', 'r1', { check: 'digits' }),
      field('letters', 'text', 'r1', { check: 'letters', y: 480 }),
      { ...sign, y: 520 },
    ])
    await expect(
      shop.call(calls.sendTemplate, {
        id,
        signers: [signer('r1')],
        expiresDay: addDays(dayInJerusalem(now ?? new Date()), -1),
      }),
    ).rejects.toMatchObject({ status: 422, errors: [{ path: 'expiresDay', code: 'signing.dayPast' }] })
    const sent = await shop.call(calls.sendTemplate, { id, signers: [signer('r1')] })
    const key = (await keysOf(sent.id)).r1!
    const good = { digits: '0123', letters: 'אבי בן־דוד', s: strokes }
    for (const [name, value, code] of [
      ['digits', '12a', 'signing.notDigits'],
      ['letters', 'אבי 7', 'signing.notLetters'],
      ['s', { picture: Buffer.from('no picture').toString('base64') }, 'signing.badPicture'],
    ] as const)
      await expect(signAs(key, { ...good, [name]: value })).rejects.toMatchObject({
        status: 422,
        errors: [{ path: `values.${name}`, code }],
      })
    await expect(shop.call(calls.requestPdf, { id: sent.id })).rejects.toMatchObject({
      status: 409,
      code: 'signing.notSealed',
    })
    const away = () => shop.send('DELETE', `/api4/invoice/signRequests/${sent.id}`)
    await expect(away()).rejects.toMatchObject({ status: 409, code: 'signing.isSent' })
    await signAs(key, good)
    await work()
    await shop.call(calls.requestPdf, { id: sent.id })
    expect(
      await refusedByDatabase(world, sql`update sign_requests set name = 'אחר' where id = ${sent.id}`),
    ).toBe('signing.isSent')
    await away()
  })
})
