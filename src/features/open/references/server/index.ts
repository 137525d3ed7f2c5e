import type { z } from 'zod'
import * as kinds from '#domain/documents/kinds.ts'
import { languageIds } from '#domain/languages.ts'
import { fail, forbidden } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { MarkedEntity } from '#kit/fields/marks.ts'
import type { Ctx } from '#kit/server/context.ts'
import { implement } from '#kit/server/contract/implement.ts'
import { oneRow } from '#kit/server/data/lists.ts'
import { keepMarks, markedAs, marksOf } from '#kit/server/data/marks.ts'
import { servedFor } from '#kit/server/described/resources.ts'
import { say } from '#kit/server/words.ts'
import * as calls from '../endpoints.ts'

type Answer = z.input<typeof calls.findReference.output>

/** As its list shows it to this caller: hidden records do not exist. */
async function shown(ctx: Ctx, entity: MarkedEntity, id: string, way: 'see' | 'change'): Promise<Answer> {
  const source = servedFor(ctx, entity)
  if (!source) throw fail('kit.notFound')
  if (!can(ctx.caller, source.resource.allow[way])) throw forbidden({ rule: source.resource.allow[way] })
  const row = await oneRow<{ status?: string; state?: string }>(ctx, source, id)
  const kept = (await marksOf(ctx, entity, [id])).get(id)
  return {
    entity,
    id,
    externalId: kept?.externalId ?? null,
    metadata: kept?.metadata ?? {},
    state: row.status ?? row.state ?? null,
    see: `${entity}.get`,
    path: `${source.resource.prefix ?? '/api4/invoice'}/${entity}/${id}`,
  }
}

/** Each language in itself, as who chooses one looks for it. */
const languageNames = { he: 'עברית', en: 'English', ar: 'العربية', ru: 'Русский', fr: 'Français' } as const

function numbers({ caller: { language } }: Ctx): z.input<typeof calls.listNumbers.output> {
  const listed = <N extends string>(
    ids: Readonly<Record<N, number>>,
    nameOf: (code: N, id: number) => string,
  ) => (Object.entries(ids) as [N, number][]).map(([code, id]) => ({ id, code, name: nameOf(code, id) }))
  return {
    documentTypes: Object.entries(kinds.documentTypes).map(([code, { id }]) => ({
      id,
      code,
      name: say(language, `documents.types.${code}`),
    })),
    documentStatuses: listed(kinds.documentStatuses, (code) => say(language, `documents.status.${code}`)),
    vatKinds: listed(kinds.vatKinds, (_, id) => say(language, `documents.vatKind.${id}`)),
    languages: listed(languageIds, (code) => languageNames[code]),
    means: listed(kinds.paymentMeans, (code) => say(language, `documents.means.${code}`)),
    businessKinds: listed(kinds.businessKinds, (code) => say(language, `companies.kind.${code}`)),
  }
}

export const implementations = [
  implement(calls.listNumbers, async (ctx) => numbers(ctx)),
  implement(calls.findReference, async (ctx, { entity, id: externalId }) => {
    const id = await markedAs(ctx, entity, externalId)
    if (!id) throw fail('kit.notFound')
    return shown(ctx, entity, id, 'see')
  }),
  implement(calls.keepReference, async (ctx, { entity, id, ...marks }) => {
    await shown(ctx, entity, id, 'change')
    await keepMarks(ctx, entity, id, marks)
    await ctx.audit('references.keep', entity, id, undefined, marks)
    return shown(ctx, entity, id, 'see')
  }),
]
