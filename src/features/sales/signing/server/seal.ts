import type { App } from '#kit/server/context.ts'
import { writeIn } from '#kit/server/work/threads/read.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { say } from '#kit/server/words.ts'
import { matrixOf } from '../shapes.ts'
import { consequenceOf } from './consequences.ts'
import { evidenceOf, evidencePdf } from './evidence.ts'
import { loadRequest } from './load.ts'
import {
  finish,
  keepSealed,
  lookedAt,
  materialOf,
  sealed,
  shownValue,
  within,
  type Material,
  type Upload,
} from './material.ts'
import { fieldsPdf, type SetField } from './paper/fields.ts'
import type { readers } from './readers.ts'
import { fillForm } from './sealEach.ts'

async function composed(m: Material): Promise<Uint8Array> {
  const { request: r, told, uploads } = m
  const byRole = new Map(told.signers.filter(({ state }) => state === 'signed').map((s) => [s.role, s]))
  const set: (SetField & { page: number; x: number; y: number })[] = []
  for (const field of r.fields) {
    const s = byRole.get(field.role)
    const value = s && shownValue(m, s, field.id)
    if (value !== undefined && value !== false && value !== '')
      set.push({ field, value, page: field.page, x: field.x, y: field.y })
  }
  return writeIn<typeof readers>()('signing.compose', {
    base: told.file.bytes,
    set: await fieldsPdf(set, r.language),
    placements: set.map(({ field, page, x, y }) => ({
      page,
      matrix: matrixOf(told.file.pages[page - 1]!, { x, y, h: field.h }),
    })),
    evidencePages: await evidencePdf(told),
    evidence: evidenceOf(told),
    files: namedApart(uploads).map(({ name, mime, bytes }) => ({ name, mime, bytes })),
    at: told.at.toISOString(),
    words: {
      evidence: say(r.language, 'signing.paper.evidenceFile'),
      file: say(r.language, 'signing.paper.addedFile'),
    },
  })
}

/** Two files of one name would hide each other. */
function namedApart(uploads: readonly Upload[]): Upload[] {
  const taken = new Map<string, number>()
  return uploads.map((one) => {
    const before = taken.get(one.name) ?? 0
    taken.set(one.name, before + 1)
    return before ? { ...one, name: `${before + 1}-${one.name}` } : one
  })
}

/**
 * Composes and seals a paper that all have signed, and ends it. Everything long happens between two
 * transactions; the second finds the paper as the first left it, or leaves it be: the person who comes second sees
 * it done.
 */
export async function sealRequest(
  app: App,
  companyId: string,
  requestId: string,
  isLast = false,
): Promise<void> {
  const m = await within(app, companyId, (ctx) => materialOf(ctx, requestId))
  if (m.request.mode === 'each') {
    await fillForm(app, companyId, m, isLast)
    return
  }
  if (m.request.state !== 'sealing') return
  const { bytes, stamped } = await sealed(app, await composed(m), m, isLast)
  await lookedAt(bytes)
  await within(app, companyId, async (ctx) => {
    const r = await loadRequest(ctx, requestId, true)
    if (r.state !== 'sealing') return
    await keepSealed(ctx, requestId, { no: 1, signerId: null, bytes, stamped })
    await finish(ctx, r, bytes, stamped)
  })
}

export const sealJob: Job = async (ctx, { requestId }, isLast) =>
  sealRequest(ctx.app, ctx.companyId, String(requestId), isLast)

/** What a signed paper brings about, apart from the signing: a mistake there must not undo a signature. */
export const followJob: Job = async (ctx, { requestId }) => {
  const r = await loadRequest(ctx, String(requestId))
  if (r.state === 'done') await consequenceOf(r.purpose)?.(ctx, r)
}
