import path from 'node:path'
import { sql } from 'kysely'
import type { App, Ctx } from '#kit/server/context.ts'
import { renderPdf } from '#kit/server/paper/engine.ts'
import { readPdf, textString } from '#kit/server/seal/pdfFile.ts'
import { writtenEntries } from '#kit/server/seal/pdfValues.ts'
import { fieldNamed, type SealPlace } from '#kit/server/seal/seal.ts'
import { Additions, Guest } from '#kit/server/seal/stamp.ts'
import { writeIn } from '#kit/server/work/threads/read.ts'
import { say } from '#kit/server/words.ts'
import { matrixOf, type SignField } from '../shapes.ts'
import type { FormField } from './compose.ts'
import { evidenceCommon, evidenceOf, signerFacts } from './evidence.ts'
import { loadRequest, signersOf, type StoredSigner } from './load.ts'
import { fieldsPdf, folder } from './paper/fields.ts'
import type { readers } from './readers.ts'
import { finish, keepSealed, lookedAt, sealed, shownValue, within, type Material } from './material.ts'

/*
 * A seal after every signer. All fields, all signatures and the places of the evidence are created before the first
 * seal, which certifies the document (DocMDP, P 2); each signer's revision fills in that signer's fields and signs,
 * and locks them (FieldMDP). Nothing else ever changes, so no seal breaks another.
 */

const panel = { x: 51, width: 493, height: 168, first: 250, gap: 8, a4: { width: 595.28, height: 841.89 } }
/** So many signers' places on the first page of evidence, and on each further one. */
const [onFirst, onOthers] = [3, 4]

const placeOf = (index: number): { page: number; x: number; y: number } => {
  const step = panel.height + panel.gap
  if (index < onFirst) return { page: 0, x: panel.x, y: panel.first + index * step }
  const rest = index - onFirst
  return { page: 1 + Math.floor(rest / onOthers), x: panel.x, y: 50 + (rest % onOthers) * step }
}

const evidenceField = (role: string) => `evidence.${role}`
const signatureField = (role: string) => `sign.${role}`

/** The first signature of a role is the one that carries its seal. */
const sealOf = (fields: readonly SignField[], role: string): SignField | undefined =>
  fields.find((one) => one.role === role && one.kind === 'signature')

function formFields({ request: r, told }: Material, roles: readonly string[]): FormField[] {
  const paper = r.fields.map((field): FormField => {
    const shape = told.file.pages[field.page - 1]!
    const [a, b, c, d, e, f] = matrixOf(shape, field)
    const corners = [
      [e, f],
      [a * field.w + c * field.h + e, b * field.w + d * field.h + f],
    ] as const
    const xs = corners.map(([x]) => x)
    const ys = corners.map(([, y]) => y)
    const isSeal = sealOf(r.fields, field.role)?.id === field.id
    return {
      name: isSeal ? signatureField(field.role) : field.id,
      page: field.page,
      rect: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)],
      kind: isSeal ? 'signature' : 'text',
    }
  })
  const behind = told.file.pages.length
  const evidence = roles.map((role, index): FormField => {
    const { page, x, y } = placeOf(index)
    const top = panel.a4.height - y
    return {
      name: evidenceField(role),
      page: behind + 1 + page,
      rect: [x, top - panel.height, x + panel.width, top],
      kind: 'text',
    }
  })
  // A role that only fills in has a signature of no size, so that its part is sealed like the others.
  const unseen = roles
    .filter((role) => !sealOf(r.fields, role))
    .map((role): FormField => ({
      name: signatureField(role),
      page: behind + 1,
      rect: [0, 0, 0, 0],
      kind: 'signature',
    }))
  return [...paper, ...evidence, ...unseen]
}

async function firstPages(m: Material, roles: number): Promise<Uint8Array> {
  const { data, t } = evidenceCommon(m.told, m.request.language)
  return renderPdf({
    template: path.join(folder, 'sign-form.typ'),
    data: {
      ...data,
      facts: data.facts.filter(([name]) => name !== t('chainHash')),
      more: Math.max(0, Math.ceil((roles - onFirst) / onOthers)),
    },
    standard: '1.7',
    tagged: false,
  })
}

async function panelPdf(m: Material, s: StoredSigner): Promise<Uint8Array> {
  const { data, free } = evidenceCommon(m.told, m.request.language)
  return renderPdf({
    template: path.join(folder, 'sign-panel.typ'),
    data: {
      ...data,
      width: panel.width,
      height: panel.height,
      signer: { name: free(s.name), role: free(s.roleName), facts: signerFacts(m.told, s) },
    },
    standard: '1.7',
    tagged: false,
  })
}

/** One form's drawing, fitted to a widget on a page that is shown turned. */
const turned = (rotate: number, w: number, h: number): string => {
  switch (rotate) {
    case 90:
      return `/Matrix [0 1 -1 0 ${h} 0]`
    case 180:
      return `/Matrix [-1 0 0 -1 ${w} ${h}]`
    case 270:
      return `/Matrix [0 -1 1 0 0 ${w}]`
    default:
      return ''
  }
}

/** The file with one signer's fields filled in, ready to be signed in the signer's field. */
export async function filledFor(
  m: Material,
  before: Uint8Array,
  s: StoredSigner,
): Promise<SealPlace & { additions: Additions; field: number }> {
  const { request: r, told } = m
  const into = new Additions(readPdf(Buffer.from(before)))
  const fields = r.fields.filter(({ role }) => role === s.role)
  const set = fields.flatMap((field) => {
    const value = shownValue(m, s, field.id)
    return value === undefined || value === false || value === '' ? [] : [{ field, value }]
  })
  const guest = set.length ? new Guest(await fieldsPdf(set, r.language), into) : undefined
  const put = (name: string, form: number, value?: string) => {
    const number = fieldNamed(into.file, name)
    if (number === undefined) throw new Error(`the form has no field ${name}`)
    const entries = into.entries(number)
    entries.set('AP', `<< /N ${form} 0 R >>`)
    if (value !== undefined) entries.set('V', textString(value))
    into.objects.set(number, writtenEntries(entries))
    return number
  }
  const seal = sealOf(r.fields, s.role)
  for (const [index, { field, value }] of set.entries()) {
    const form = guest!.drawing(index, turned(told.file.pages[field.page - 1]!.rotate, field.w, field.h))
    const text = typeof value === 'string' ? value : value === true ? 'V' : ''
    if (field.id === seal?.id) put(signatureField(s.role), form)
    else put(field.id, form, text)
  }
  const panelGuest = new Guest(await panelPdf(m, s), into)
  const evidence = evidenceOf({ ...told, signers: told.signers.filter(({ id }) => id === s.id) })
  put(
    evidenceField(s.role),
    panelGuest.drawing(0),
    JSON.stringify({
      format: evidence.format,
      request: r.id,
      signer: (evidence.signers as unknown[])[0],
      chain: evidence.chain,
    }),
  )
  const field = fieldNamed(into.file, signatureField(s.role))!
  const locks = [
    ...fields.filter(({ id }) => id !== seal?.id).map(({ id }) => id),
    evidenceField(s.role),
    signatureField(s.role),
  ]
  return { additions: into, field, locks }
}

interface Kept {
  no: number
  signerId: string | null
  bytes: Buffer
}

const keptOf = async (ctx: Ctx, requestId: string): Promise<Kept[]> =>
  (
    await sql<Kept>`select no, signer_id as "signerId", bytes from sign_sealed
      where company_id = ${ctx.companyId} and request_id = ${requestId} order by no`.execute(ctx.tx)
  ).rows

/** The revisions there are, the last one last; the certified form is made first where it is not. */
export async function begun(app: App, companyId: string, m: Material, isLast: boolean): Promise<Kept[]> {
  const requestId = m.request.id
  const kept = await within(app, companyId, (ctx) => keptOf(ctx, requestId))
  if (kept.length) return kept
  const roles = m.request.roles
    .filter(({ id }) => m.request.fields.some(({ role }) => role === id))
    .map(({ id }) => id)
  const form = await writeIn<typeof readers>()('signing.form', {
    base: m.told.file.bytes,
    evidencePages: await firstPages(m, roles.length),
    fields: formFields(m, roles),
    evidence: {
      ...evidenceOf({ ...m.told, signers: [], acts: m.told.acts.filter(({ no }) => no === 1) }),
      signers: [],
    },
    at: m.told.at.toISOString(),
    words: {
      evidence: say(m.request.language, 'signing.paper.evidenceFile'),
      file: say(m.request.language, 'signing.paper.addedFile'),
    },
  })
  const made = await sealed(app, form, m, isLast, { certifies: true })
  await lookedAt(made.bytes)
  return within(app, companyId, async (ctx) => {
    await loadRequest(ctx, requestId, true)
    // The person who came second finds what the first made.
    if (!(await keptOf(ctx, requestId)).length)
      await keepSealed(ctx, requestId, { no: 1, signerId: null, ...made })
    return keptOf(ctx, requestId)
  })
}

/**
 * The certified form, then one revision for each signer in the order of signing; each is kept under its own
 * number, which two cannot take.
 */
export async function fillForm(app: App, companyId: string, m: Material, isLast: boolean): Promise<void> {
  const requestId = m.request.id
  const keep = async (
    no: number,
    signerId: string | null,
    made: { bytes: Uint8Array; stamped: boolean },
  ): Promise<Kept> => {
    await lookedAt(made.bytes)
    await within(app, companyId, async (ctx) => {
      await loadRequest(ctx, requestId, true)
      await keepSealed(ctx, requestId, { no, signerId, ...made })
    })
    return { no, signerId, bytes: Buffer.from(made.bytes) }
  }
  const kept = await begun(app, companyId, m, isLast)
  let last = kept.at(-1)!
  const done = new Set(kept.map(({ signerId }) => signerId))
  const signed = m.told.signers
    .filter(({ id, state }) => state === 'signed' && !done.has(id))
    .sort((left, right) => (left.signedAt! < right.signedAt! ? -1 : 1))
  let stamped = false
  for (const s of signed) {
    const made = await sealed(app, last.bytes, m, isLast, await filledFor(m, last.bytes, s))
    stamped = made.stamped
    last = await keep(last.no + 1, s.id, made)
  }
  await within(app, companyId, async (ctx) => {
    const r = await loadRequest(ctx, requestId, true)
    if (r.state !== 'sealing') return
    const all = await signersOf(ctx, requestId)
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from sign_sealed where company_id = ${companyId}
        and request_id = ${requestId} and signer_id is not null`.execute(ctx.tx)
    // Somebody signed while this one was being sealed: that signer's job runs next, and completes the document.
    if (rows[0]!.n < all.filter(({ state }) => state === 'signed').length) return
    await finish(ctx, r, last.bytes, stamped)
  })
}
