import { sql, type RawBuilder } from 'kysely'
import { documentTypeById, labelOf } from '#domain/documents/kinds.ts'
import { formatMoment } from '#domain/format.ts'
import { canDocument, seesWhole } from '#kit/describe/session.ts'
import { text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { momentCursor } from '#kit/server/data/cursors.ts'
import { exportTable } from '#kit/server/described/exports/exportTable.ts'
import type { ExportTable } from '#kit/server/described/exports/table.ts'
import { Later, type FileAnswer } from '#kit/server/contract/implement.ts'
import { say, wordsOf } from '#kit/server/words.ts'
import { oneWorker } from './people.ts'

export interface Deed {
  id: string
  at: string
  action: string
  entity: string
  entityId: string | null
  /** What it was done to, in words: 'Tax invoice 1044', a customer's name. */
  about: string
  address: string
}

interface Row extends Omit<Deed, 'about'> {
  docType: number | null
  docNumber: number | null
  subType: number | null
  pro: boolean | null
  party: string | null
  item: string | null
  told: string | null
}

/** Lines of the log by one person, newest first. What the reader may not see is not named. */
export async function deedsOf(
  ctx: Ctx,
  userId: string,
  more: RawBuilder<unknown>[],
  limit: number,
): Promise<Deed[]> {
  const { rows } = await sql<Row>`
    select a.id, a.at, a.action, a.entity, a.entity_id as "entityId", a.address, d.type as "docType",
      d.number as "docNumber", d.sub_type as "subType", d.pro, p.name as party, i.name as item,
      coalesce(a.after->>'name', a.before->>'name', a.after->>'fullName') as told
    from audit_log a left join documents d on a.entity = 'documents' and d.company_id = a.company_id
      and d.id = a.entity_id
      left join parties p on a.entity in ('customers', 'suppliers') and p.company_id = a.company_id
        and p.id = a.entity_id
      left join items i on a.entity = 'items' and i.company_id = a.company_id and i.id = a.entity_id
    where ${sql.join([sql`a.company_id = ${ctx.companyId}`, sql`a.user_id = ${userId}`, ...more], sql` and `)}
    order by a.at desc, a.id desc limit ${limit}`.execute(ctx.tx)
  const { language } = ctx.caller
  return rows.map(({ docType, docNumber, subType, pro, party, item, told, ...row }) => {
    const type = docType === null || !canDocument(ctx.caller, docType) ? undefined : documentTypeById(docType)
    const about = type
      ? `${say(language, `documents.types.${labelOf({ type: docType!, subType: subType ?? 0, pro: pro ?? false }) ?? type}`)}${docNumber === null ? '' : ` ${docNumber}`}`
      : (party ?? item ?? (seesWhole(ctx.caller) ? told : null) ?? '')
    return { ...row, about }
  })
}

interface Asked {
  id: string
  area?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

const conditionsOf = ({ area, from, to }: Asked): RawBuilder<unknown>[] => [
  ...(area ? [sql`split_part(a.action, '.', 1) = ${area}`] : []),
  ...(from ? [sql`a.at >= (${from}::date)::timestamp at time zone 'Asia/Jerusalem'`] : []),
  ...(to ? [sql`a.at < (${to}::date + 1)::timestamp at time zone 'Asia/Jerusalem'`] : []),
]

const pageSize = 50

export async function activity(ctx: Ctx, { cursor, ...asked }: Asked & { cursor?: string | undefined }) {
  const person = await oneWorker(ctx, asked.id)
  const conditions = conditionsOf(asked)
  if (cursor) {
    const [at, id] = momentCursor(cursor)
    conditions.push(sql`(a.at, a.id) < (${at}::timestamptz, ${id}::uuid)`)
  }
  const rows = await deedsOf(ctx, person.id, conditions, pageSize + 1)
  const { rows: areas } = await sql<{
    area: string
  }>`select distinct split_part(action, '.', 1) as area from audit_log where company_id = ${ctx.companyId}
      and user_id = ${person.id} order by 1`.execute(ctx.tx)
  const shown = rows.slice(0, pageSize)
  const last = shown.at(-1)
  return {
    rows: shown,
    areas: areas.map(({ area }) => area),
    nextCursor: rows.length > pageSize && last ? `${last.at}|${last.id}` : null,
  }
}

const mostExported = 20_000

export async function exportActivity(
  ctx: Ctx,
  { format, ...asked }: Asked & { format: 'csv' | 'xlsx' },
): Promise<Later<FileAnswer>> {
  const person = await oneWorker(ctx, asked.id)
  const deeds = await deedsOf(ctx, person.id, conditionsOf(asked), mostExported)
  const { language } = ctx.caller
  const words = wordsOf(language)
  const column = (name: string) => ({
    name,
    field: text(),
    title: `team.activity.${name}`,
    words: 'team.activity',
  })
  const table: ExportTable = {
    format,
    language,
    name: 'activity',
    title: 'team.tabs.activity',
    columns: ['at', 'action', 'about', 'address'].map(column),
    rows: deeds.map((deed) => ({
      at: formatMoment(new Date(deed.at)),
      action: words[`companies.audit.${deed.action}`] ?? deed.action,
      about: deed.about,
      address: deed.address,
    })),
  }
  return new Later(() => exportTable(table))
}
