import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentTypes, documentTypeNames, type DocumentTypeName } from '#domain/documents/kinds.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { closePaper } from '#kit/server/paper/engine.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'
import { typeById } from './types/index.ts'

/*
 * Every paper is an archive file (PDF/A-2b) and can be read aloud (tagged). What a validator would ask of the
 * whole file is asked here of its objects, as qpdf lists them; the seal came last and must have spoiled none
 * of it.
 */
const folder = mkdtempSync(path.join(tmpdir(), 'papers-'))
let world: World
let shop: Business
const papers = new Map<string, Uint8Array>()
const languages = ['he', 'ar', 'en'] as const
beforeAll(async () => {
  world = await startWorld()
  shop = await newBusiness(world)
})
afterAll(async () => {
  await closePaper()
  await world.close()
  rmSync(folder, { recursive: true })
})

/** An issued document of a type, in a language; a credit of a new invoice. */
async function issued(name: DocumentTypeName, language: (typeof languages)[number]) {
  const type = typeById(documentTypes[name].id)!
  const isPurchase = documentTypes[name].side === 'purchases'
  const party = isPurchase
    ? (await shop.send('POST', '/api4/invoice/suppliers', { name: `ספק Supplier مورد ${language} ${name}` }))
        .id
    : (await shop.customer(`לקוח Customer زبون ${language} ${name}`)).id
  const lines = [
    { description: 'עבודה Work عمل', quantity: '2', unitPrice: '12.5' },
    { description: 'אגרה', unitPrice: '3', vatKind: 4 as const },
  ]
  const common = { customerId: party, language }
  if (name === 'creditInvoice') {
    const invoice = await shop.call(calls.createDocument, { ...common, type: 8, lines })
    return shop.call(calls.creditDocument, { id: invoice.id, reason: 'החזרה' })
  }
  const money = type.parts.includes('payments')
  const content = { ...common, type: documentTypes[name].id, ...(type.linesOptional ? {} : { lines }) }
  const total = type.linesOptional
    ? 3250
    : (await shop.call(calls.createDocument, { ...content, draft: true })).totals.totalAgorot
  const payments = [
    { means: 4, amountAgorot: 1000, cardBrand: 'visa', cardLast4: '4821' },
    { means: 2, amountAgorot: total - 1000, number: '77', bank: '12', branch: '600', account: '123' },
  ]
  return shop.call(calls.createDocument, { ...content, ...(money ? { payments } : {}) })
}

async function paperOf(
  name: DocumentTypeName,
  language: (typeof languages)[number],
  variant: 'original' | 'thermal' = 'original',
) {
  const key = `${name} ${language} ${variant}`
  if (!papers.has(key))
    papers.set(
      key,
      (await shop.call(calls.pdfOfDocument, {
        id: (await issued(name, language)).id,
        variant,
      })) as Uint8Array,
    )
  return papers.get(key)!
}

type Value = Record<string, any>
/** The objects of a file, and what a reference in them points to. */
function read(bytes: Uint8Array) {
  const file = path.join(folder, 'paper.pdf')
  writeFileSync(file, bytes)
  const said = spawnSync(
    'qpdf',
    ['--json', '--json-stream-data=inline', '--decode-level=generalized', file],
    {
      encoding: 'utf8',
      maxBuffer: 100_000_000,
    },
  )
  const { qpdf, encrypt } = JSON.parse(said.stdout) as {
    qpdf: [Value, Value]
    encrypt: { encrypted: boolean }
  }
  const objects = qpdf[1]
  const dictionary = (o: Value) => (o.stream ? o.stream.dict : o.value) as Value
  const at = (value: any): any =>
    typeof value === 'string' && value.endsWith(' R') ? dictionary(objects[`obj:${value}`]) : value
  const all = Object.entries(objects)
    .filter(([name]) => name.startsWith('obj:'))
    .map(([, o]) => dictionary(o as Value))
  const streamOf = (reference: string) => Buffer.from(objects[`obj:${reference}`].stream.data ?? '', 'base64')
  const trailer = (objects.trailer as { value: Value }).value
  return {
    objects,
    all,
    at,
    streamOf,
    trailer,
    catalog: at(trailer['/Root']) as Value,
    encrypted: encrypt.encrypted,
  }
}

/** What is wrong with a file as an archive file; nothing when it is one. */
function faults(bytes: Uint8Array, language: string): string[] {
  const { all, at, streamOf, trailer, catalog, encrypted } = read(bytes)
  const found: string[] = []
  const must = (holds: unknown, what: string) => {
    if (!holds) found.push(what)
  }
  const intents = (at(catalog['/OutputIntents']) ?? []) as unknown[]
  must(intents.length === 1, `${intents.length} output intents`)
  const intent = at(intents[0]) as Value | undefined
  must(intent?.['/S'] === '/GTS_PDFA1', 'the output intent is not that of PDF/A')
  must(
    intent?.['/DestOutputProfile'] &&
      streamOf(intent['/DestOutputProfile']).subarray(36, 40).toString() === 'acsp',
    'no ICC profile',
  )
  const xmp = catalog['/Metadata'] ? streamOf(catalog['/Metadata']).toString() : ''
  must(/pdfaid:part>2<|pdfaid:part="2"/.test(xmp), 'XMP does not say part 2')
  must(/pdfaid:conformance>B<|pdfaid:conformance="B"/.test(xmp), 'XMP does not say conformance B')
  must(!encrypted && !trailer['/Encrypt'], 'encrypted')
  must(trailer['/ID'], 'no file identifier')
  const names = Object.values(at(catalog['/Names']) ?? {})
  must(
    !('/JavaScript' in (at(catalog['/Names']) ?? {})) && !names.some((name) => at(name)?.['/JS']),
    'JavaScript among the names',
  )
  for (const o of all) {
    if (!o || typeof o !== 'object' || Array.isArray(o)) continue
    must(
      !['/JavaScript', '/Launch', '/Movie', '/Sound', '/ImportData', '/ResetForm'].includes(o['/S']),
      `an action ${o['/S']}`,
    )
    must(o['/Type'] !== '/Font' || isEmbedded(o, at), `the font ${o['/BaseFont']} is not embedded`)
    must(
      !(o['/Type'] === '/FontDescriptor') || ['/FontFile', '/FontFile2', '/FontFile3'].some((key) => o[key]),
      'a font without its file',
    )
    must(!(o['/Filter'] === '/LZWDecode' || o['/Filter']?.includes?.('/LZWDecode')), 'LZW')
    must(!o['/F'] || !o['/Length'], 'a stream outside the file')
  }
  must(at(catalog['/MarkInfo'])?.['/Marked'] === true, 'not marked as tagged')
  const tree = at(catalog['/StructTreeRoot']) as Value | undefined
  must(tree?.['/K'], 'no tree of structure')
  must(String(catalog['/Lang']).replace(/^u:/, '').startsWith(language), `language ${catalog['/Lang']}`)
  must(
    catalog['/ViewerPreferences'] === undefined ||
      at(catalog['/ViewerPreferences'])['/DisplayDocTitle'] !== false,
    'shows no title',
  )
  return [...new Set(found)]
}

/**
 * A font whose glyphs are in the file: by its descriptor, or that of the font it is composed of; type 3 draws
 * its own.
 */
function isEmbedded(font: Value, at: (value: any) => any): boolean {
  if (font['/Subtype'] === '/Type3') return true
  const inner = at(font['/DescendantFonts']) as unknown[] | undefined
  if (inner) return inner.every((one) => isEmbedded(at(one), at))
  const descriptor = at(font['/FontDescriptor']) as Value | undefined
  return ['/FontFile', '/FontFile2', '/FontFile3'].some((key) => descriptor?.[key] !== undefined)
}

describe('as an archive file', () => {
  describe.each(documentTypeNames)('%s', (name) => {
    test.each(languages)('in %s', async (language) => {
      expect(faults(await paperOf(name, language), language)).toEqual([])
    })
  })

  test('a slip of 80 mm is one too', async () => {
    expect(faults(await paperOf('receipt', 'he', 'thermal'), 'he')).toEqual([])
  })

  test('what is no archive file is found out', async () => {
    const file = path.join(folder, 'paper.pdf')
    writeFileSync(file, await paperOf('receipt', 'he'))
    const locked = path.join(folder, 'locked.pdf')
    spawnSync('qpdf', ['--encrypt', '', 'x', '256', '--', file, locked])
    expect(faults(readFileSync(locked), 'he')).toContain('encrypted')
    expect(faults(await paperOf('receipt', 'he'), 'fr')).toEqual([expect.stringMatching(/^language .*he/)])
  })
})

describe('means of payment', () => {
  test.each([
    ['he', 'ויזה'],
    ['ar', 'فيزا'],
    ['en', 'Visa'],
  ] as const)('a card has its brand’s name in %s', async (language, brand) => {
    const file = path.join(folder, 'card.pdf')
    writeFileSync(file, await paperOf('receipt', language))
    const text = spawnSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }).stdout.normalize('NFKC')
    expect(text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')).toContain(brand)
    expect(text).not.toContain('visa')
  })
})

test('where to transfer the money to stands on what asks for money, and on nothing else', async () => {
  const own = await newBusiness(world)
  await own.send('PATCH', '/api4/invoice/company', {
    bankDetails: 'בנק 12, סניף 702\nIBAN IL620108000000099999999',
  })
  const { id: customerId } = await own.customer('משלם בהעברה')
  const textOf = async (type: number) => {
    const made = await own.call(calls.createDocument, {
      type,
      customerId,
      lines: [{ description: 'עבודה', quantity: '1', unitPrice: '100' }],
    })
    const file = path.join(folder, 'transfer.pdf')
    writeFileSync(
      file,
      (await own.call(calls.pdfOfDocument, { id: made.id, variant: 'original' })) as Uint8Array,
    )
    return spawnSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }).stdout
  }
  for (const type of [5, 8])
    for (const piece of ['IL620108000000099999999', '702']) expect(await textOf(type)).toContain(piece)
  expect(await textOf(1)).not.toContain('IL62')
  world.app.settings.testAcquirer = true
  await own.send('POST', '/api4/invoice/terminals', { gateway: 'test' })
  // What asks for money can be clicked, and the file keeps to the rules of archives.
  const invoice = await own.invoice(customerId, '10')
  const bytes = (await own.call(calls.pdfOfDocument, { id: invoice.id, variant: 'original' })) as Uint8Array
  const clicks = read(bytes).all.map((o) => (o?.['/A'] as Value | undefined)?.['/URI'])
  expect(clicks).toContain(`u:${invoice.urls.page}`)
  expect(faults(bytes, 'he')).toEqual([])
})

test('papers asked for together in a business that has no certificate yet come all, under one certificate', async () => {
  const young = await newBusiness(world)
  const customer = await young.customer('רחל')
  const ids = [
    await young.invoice(customer.id, '100'),
    await young.invoice(customer.id, '200'),
    await young.invoice(customer.id, '300'),
  ]
  const answers = await Promise.all(ids.map(({ id }) => young.call(calls.pdfOfDocument, { id })))
  expect(answers).toHaveLength(3)
  const { rows } = await young.get<{ rows: { active: boolean }[] }>('/api4/invoice/company/certificates')
  expect(rows.filter(({ active }) => active)).toHaveLength(1)
})

describe('whoever waits for a paper to be drawn', () => {
  test('holds no connection of the database meanwhile: as a person, as who was sent it, for a report', async () => {
    const { id: customerId } = await shop.customer('אולם התצוגה')
    const lines = Array.from({ length: 60 }, (_, n) => ({
      description: `סחורה ${n}`,
      quantity: '1',
      unitPrice: '10',
    }))
    const { id } = await shop.invoice(customerId, '0', { lines })
    const { rows } = await asSystem(world.app.db, (tx) =>
      sql<{ key: string }>`select page_key as key from documents where id = ${id}`.execute(tx),
    )
    const { pool } = world.app.db
    const ask: Record<string, () => Promise<unknown>> = {
      pictures: () => shop.get(`/api4/invoice/documents/${id}/pictures`),
      page: () => world.http.inject({ url: `/api2/invoice/page/${rows[0]!.key}` }),
      report: () =>
        world.http.inject({
          url: '/api4/invoiceexport/reports/trialBalance.pdf?from=2026-01-01&to=2026-12-31',
          headers: { 'x-access-token': shop.token },
        }),
    }
    for (const [name, call] of Object.entries(ask)) {
      await call()
      let isDone = false
      const all = Promise.all(Array.from({ length: pool.options.max * 2 }, call)).finally(
        () => (isDone = true),
      )
      await expect
        .poll(() => pool.totalCount - pool.idleCount + pool.waitingCount, { interval: 2 })
        .toBeGreaterThan(0)
      await expect
        .poll(() => pool.totalCount - pool.idleCount + pool.waitingCount, { interval: 2, timeout: 60_000 })
        .toBe(0)
      expect([name, isDone]).toEqual([name, false])
      await all
    }
  }, 120_000)
})
