import { sql } from 'kysely'
import { Zip, ZipPassThrough } from 'fflate'
import type { Day } from '#domain/day.ts'
import type { SplitRule } from '#domain/committee/split.ts'
import { day, money, text, type Field } from '#kit/fields/field.ts'
import { asCaller, type Ctx, type Language } from '#kit/server/context.ts'
import { exportTable } from '#kit/server/described/exports/exportTable.ts'
import type { StreamAnswer } from '#kit/server/contract/implement.ts'
import { say } from '#kit/server/words.ts'
import { plainName } from '#features/purchases/expensesBackup/server/index.ts'
import { expenseTypeName } from '#features/purchases/expenses/server/index.ts'
import { people } from '../committee.ts'
import { debtsOf, leviesOf } from './grid.ts'
import type { House } from './house.ts'

/** Of the till: what came from whom, or went for what with which papers. */
interface Move {
  day: Day
  isIn: boolean
  what: string
  who: string
  agorot: number
  /** The number of the receipt or of the supplier's paper. */
  number: string
  files: string[]
}

interface Resident {
  flat: string
  /** People change their contact details themselves, so these are read when they are requested. */
  customerId: string
  name: string
  role: string
  pays: boolean
  fromDay: Day
  toDay: Day | null
}

/** What is handed over with a house, as it stood that day. */
export interface Package {
  openedOn: Day
  openingAgorot: number
  reserveAgorot: number
  rate: { rule: SplitRule; agorot: number } | null
  residents: Resident[]
  debts: { flat: string; name: string; agorot: number }[]
  levies: {
    name: string
    purpose: string
    agorot: number
    paidAgorot: number
    decidedOn: Day
    files: string[]
  }[]
  moves: Move[]
}

const flatName = sql`concat_ws('/', nullif(f.entrance, ''), f.number)`
const byFlat = sql`f.entrance, lpad(f.number, 10, '0')`

/** Everything that goes with a house today. */
export async function gather(ctx: Ctx, house: House): Promise<Package> {
  const { rows: residents } =
    await sql<Resident>`select ${flatName} as flat, p.customer_id as "customerId", c.name, p.role, p.pays,
        p.from_day as "fromDay", p.to_day as "toDay" from committee_people p
      join committee_flats f on f.company_id = p.company_id and f.id = p.flat_id
      join parties c on c.company_id = p.company_id and c.id = p.customer_id
    where p.company_id = ${ctx.companyId} and f.building_id = ${house.id} and f.archived_at is null
      and p.archived_at is null and (p.to_day is null or p.to_day >= ${ctx.today})
    order by ${byFlat}, p.from_day, p.id`.execute(ctx.tx)
  const debts = (await debtsOf(ctx, house.id, ctx.today)).map(({ flat, payer, agorot }) => ({
    flat,
    name: payer ?? '',
    agorot,
  }))
  const { rows: protocols } = await sql<{
    levyId: string
    fileId: string
  }>`select l.id as "levyId", i.file_id as "fileId" from committee_levies l
      join file_links i on i.company_id = l.company_id and i.entity = 'committeelevies' and i.entity_id = l.id
    where l.company_id = ${ctx.companyId} and l.building_id = ${house.id} and l.cancelled_at is null
    order by i.created_at, i.file_id`.execute(ctx.tx)
  const levies = (await leviesOf(ctx, house.id)).map(
    ({ id, name, purpose, agorot, paidAgorot, decidedOn }) => ({
      name,
      purpose,
      agorot,
      paidAgorot,
      decidedOn,
      files: protocols.filter(({ levyId }) => levyId === id).map(({ fileId }) => fileId),
    }),
  )
  const { rows: rate } = await sql<
    NonNullable<Package['rate']>
  >`select rule, agorot from committee_rates where company_id = ${ctx.companyId} and building_id = ${house.id}
      and from_month <= ${ctx.today} order by from_month desc limit 1`.execute(ctx.tx)
  const { openedOn, openingAgorot, reserveAgorot } = house
  return {
    openedOn,
    openingAgorot,
    reserveAgorot,
    rate: rate[0] ?? null,
    residents,
    debts,
    levies,
    moves: await movesOf(ctx, house),
  }
}

/** What came into the till and what went out of it from the first day to today, in the order of the days. */
async function movesOf(ctx: Ctx, house: House): Promise<Move[]> {
  const { rows } = await sql<Move>`select y.day, true as "isIn", ${flatName} as what, c.name as who, y.agorot,
        coalesce(t.number::text, y.reference) as number, '[]'::jsonb as files, y.id
    from committee_payments y join committee_flats f on f.company_id = y.company_id and f.id = y.flat_id
    join parties c on c.company_id = y.company_id and c.id = y.customer_id
      left join documents t on t.company_id = y.company_id and t.id = y.document_id
        and sees_type(t.type)
    where y.company_id = ${ctx.companyId} and f.building_id = ${house.id} and y.cancelled_at is null
      and y.day <= ${ctx.today}
    union all
    select e.day, false, coalesce(nullif(x.said, ''), ${expenseTypeName(ctx.caller.language)}),
      coalesce(p.name, ''), e.ils_total_agorot, e.supplier_number,
      (select coalesce(jsonb_agg(i.file_id order by i.created_at, i.file_id), '[]') from file_links i
      where i.company_id = e.company_id and i.entity = 'expenses' and i.entity_id = e.id), e.id
    from committee_expenses x join expenses e on e.company_id = x.company_id and e.id = x.expense_id left
    join parties p on p.company_id = e.company_id and p.id = e.supplier_id
      left join expense_types t on t.company_id = e.company_id and t.id = e.type_id
    where x.company_id = ${ctx.companyId} and x.building_id = ${house.id}
      and e.state not in ('cancelled', 'rejected', 'draft') and e.day <= ${ctx.today}
    order by day, id`.execute(ctx.tx)
  return rows.map(({ day: on, isIn, what, who, agorot, number, files }) => ({
    day: on,
    isIn,
    what,
    who,
    agorot,
    number,
    files,
  }))
}

/** The papers of a package, each once. */
export const filesIn = ({ moves = [], levies = [] }: Partial<Package>): string[] => [
  ...new Set([...levies.flatMap(({ files }) => files), ...moves.flatMap(({ files }) => files)]),
]

interface Sheet {
  name: string
  columns: Record<string, Field>
  rows: Record<string, unknown>[]
  totals?: Record<string, number>
}

/** The lists of a package: tenants with contact details, debts, decisions, and the fund line by line. */
async function sheetsOf(
  ctx: Ctx,
  of: Package,
  papers: ReadonlyMap<string, string>,
  language: Language,
): Promise<Sheet[]> {
  const { rows: reached } = await sql<{
    id: string
    email: string
    phone: string
  }>`select id, coalesce(email, '') as email, coalesce(nullif(mobile, ''), phone, '') as phone from parties
    where company_id = ${ctx.companyId}
      and id = any(${of.residents.map(({ customerId }) => customerId)}::uuid[])`.execute(ctx.tx)
  let till = of.openingAgorot
  const moves = of.moves.map((one) => {
    till += one.isIn ? one.agorot : -one.agorot
    return {
      ...one,
      cameAgorot: one.isIn ? one.agorot : null,
      wentAgorot: one.isIn ? null : one.agorot,
      tillAgorot: till,
      papers: one.files.flatMap((id) => papers.get(id) ?? []).join(', '),
    }
  })
  const sum = (rows: readonly Record<string, unknown>[], name: string) =>
    rows.reduce((all, row) => all + Number(row[name] ?? 0), 0)
  const opening = {
    day: of.openedOn,
    what: say(language, 'committee.year.opening'),
    who: '',
    tillAgorot: of.openingAgorot,
  }
  return [
    {
      name: 'residents',
      columns: {
        flat: text(),
        name: text(),
        role: { ...people.fields.role, words: 'committeepeople.role' },
        pays: people.fields.pays,
        fromDay: day(),
        toDay: day(),
        phone: text(),
        email: text(),
      },
      rows: of.residents.map((one) => ({ ...one, ...reached.find(({ id }) => id === one.customerId) })),
    },
    {
      name: 'debts',
      columns: { flat: text(), name: text(), agorot: money() },
      rows: of.debts,
      totals: { agorot: sum(of.debts, 'agorot') },
    },
    {
      name: 'levies',
      columns: {
        name: text(),
        purpose: text(),
        decidedOn: day(),
        agorot: money(),
        paidAgorot: money(),
        papers: text(),
      },
      rows: of.levies.map((one) => ({
        ...one,
        papers: one.files.flatMap((id) => papers.get(id) ?? []).join(', '),
      })),
    },
    {
      name: 'till',
      columns: {
        day: day(),
        what: text(),
        who: text(),
        number: text(),
        cameAgorot: money(),
        wentAgorot: money(),
        tillAgorot: money(),
        papers: text(),
      },
      rows: [opening, ...moves],
      totals: { cameAgorot: sum(moves, 'cameAgorot'), wentAgorot: sum(moves, 'wentAgorot') },
    },
  ]
}

/** The name of each document in the archive: its day and its subject; two of one name are distinguished. */
async function namesOf(ctx: Ctx, of: Package): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`select id, name from files
    where company_id = ${ctx.companyId} and id = any(${filesIn(of)}::uuid[])`.execute(ctx.tx)
  const [names, taken] = [new Map<string, string>(), new Set<string>()]
  const put = (folder: string, begin: string, files: readonly string[]) => {
    for (const id of files) {
      const file = rows.find((one) => one.id === id)
      if (!file || names.has(id)) continue
      const ending = /\.\w{1,5}$/.exec(file.name)?.[0] ?? ''
      let name = `${folder}/${plainName(begin)}${ending}`
      for (let n = 2; taken.has(name.toLowerCase()); n++)
        name = `${folder}/${plainName(begin)} (${n})${ending}`
      taken.add(name.toLowerCase())
      names.set(id, name)
    }
  }
  for (const one of of.levies) put('protocols', `${one.decidedOn} ${one.name}`, one.files)
  for (const one of of.moves) put('papers', `${one.day} ${one.what}`, one.files)
  return names
}

/**
 * The package as one archive: its lists as spreadsheets, then the papers one after another, none of them held
 * longer than it is written.
 */
export async function zipOf(
  ctx: Ctx,
  of: Package,
  { house, day: on, language }: { house: string; day: Day; language: Language },
): Promise<StreamAnswer> {
  const names = await namesOf(ctx, of)
  const sheets = (await sheetsOf(ctx, of, names, language)).filter(({ rows }) => rows.length)
  const { app, caller, now } = ctx
  async function* pieces(): AsyncGenerator<Uint8Array> {
    let waiting: Uint8Array[] = []
    const zip = new Zip((error, chunk) => {
      if (error) throw error
      waiting.push(chunk)
    })
    const written = (name: string, bytes: Uint8Array): Uint8Array[] => {
      // Spreadsheets, pictures and PDFs are packed already.
      const entry = new ZipPassThrough(name)
      entry.mtime = now
      zip.add(entry)
      entry.push(bytes, true)
      const all = waiting
      waiting = []
      return all
    }
    for (const { name, columns, rows, totals } of sheets) {
      const file = await exportTable({
        format: 'xlsx',
        language,
        name,
        title: `committee.package.${name}.title`,
        columns: Object.entries(columns).map(([column, field]) => ({
          name: column,
          field,
          title: `committee.package.columns.${column}`,
          words: `committee.package.${column}`,
        })),
        rows,
        ...(totals ? { totals } : {}),
      })
      yield* written(`${name}.xlsx`, file.bytes)
    }
    for (const [id, name] of names) {
      const { rows } = await asCaller(app, caller, '', ({ tx, companyId }) =>
        sql<{
          bytes: Buffer
        }>`select c.bytes from files f join file_contents c on c.company_id = f.company_id
            and c.sha256 = f.sha256
          where f.company_id = ${companyId} and f.id = ${id}`.execute(tx),
      )
      // Thrown away since: the lists still name it.
      if (rows[0]) yield* written(name, rows[0].bytes)
    }
    zip.end()
    yield* waiting
  }
  return { name: `${plainName(`${house} ${on}`)}.zip`, mime: 'application/zip', pieces: pieces() }
}
