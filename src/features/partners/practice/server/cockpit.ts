import { sql } from 'kysely'
import { closingState, daysLeft } from '#domain/closing/closing.ts'
import { addMonths, dayInJerusalem, endOfMonth, startOfMonth, type Day } from '#domain/day.ts'
import { dueOfPeriod } from '#domain/law/dues.ts'
import { fail } from '#kit/describe/errors.ts'
import type { ClientFacts, ClientRow } from '../endpoints.ts'
import { allMarks, summariseEach, withDays, type BookFacts } from './facts.ts'
import { engagementsOf, entersClient, inClient, officeOf, type Office, type Who } from './office.ts'

/** The month the office works on: the one before this. */
export const usualMonth = (who: Who): Day =>
  startOfMonth(addMonths(startOfMonth(dayInJerusalem(who.app.now())), -1))

interface Template {
  id: string
  name: string
  kinds: string[]
  skips: string[]
  own: string[]
}

interface Stored {
  id: string
  name: string
  taxId: string
  kind: ClientRow['kind']
  vatMonths: number
  state: ClientRow['state']
  rights: ClientRow['rights']
  responsibleId: string | null
  responsibleName: string | null
  templateId: string | null
  needsFactor: boolean
  facts: BookFacts | null
  madeAt: string | null
}

export async function templatesOf(who: Who, office: Office): Promise<Template[]> {
  const { rows } = await sql<Template>`select id, name, kinds, skips, own from closing_templates
      where company_id = ${office.id} and archived_at is null order by name, id`.execute(who.app.db.kysely)
  return rows
}

/**
 * The rows of the page, from what the clients' own jobs laid down: one question, whatever the number of
 * clients.
 */
export async function rowsOf(
  who: Who,
  office: Office,
  month: Day,
  only?: readonly string[],
): Promise<ClientRow[]> {
  // Both at once, each a separate statement: they need not be consistent with each other.
  const [templates, { rows: stored }] = await Promise.all([
    templatesOf(who, office),
    sql<Stored>`/*=*/ select e.client_id as id, c.name, c.tax_id as "taxId", c.kind,
        c.vat_period_months as "vatMonths", e.state, e.rights,
        e.responsible_id as "responsibleId", u.full_name as "responsibleName", e.template_id as "templateId",
        f.needed as "needsFactor", s.facts, s.made_at as "madeAt"
      from engagements e join companies c on c.id = e.client_id
        cross join lateral (select c.factor_required_at is not null and exists (select 1 from users me
          where me.id = ${office.userId} and me.totp_secret is null) as needed) f
        left join users u on u.id = e.responsible_id
        left join duty_summaries s on s.company_id = e.company_id and s.client_id = e.client_id
          and s.month = ${month} and e.state = 'active' and not f.needed
      where e.company_id = ${office.id} and e.state <> 'ended'
        and (${only ? [...only] : null}::uuid[] is null
        or e.client_id = any(${only ? [...only] : null}::uuid[])) and ${entersClient(office)}
      order by c.name, c.id`.execute(who.app.db.kysely),
  ])
  const today = dayInJerusalem(who.app.now())
  return stored.map((row) => shown(row, templates, month, today))
}

function shown(row: Stored, templates: readonly Template[], month: Day, today: Day): ClientRow {
  const { facts: stored, responsibleId, responsibleName, ...rest } = row
  const kept = stored && withDays(stored, endOfMonth(month), row.kind)
  const facts = kept && withTemplate(kept, templateFor(row, templates))
  const dueDay = kept?.vat?.dueDay ?? kept?.advance?.dueDay ?? dueOfPeriod('advances', endOfMonth(month)).day
  return {
    ...rest,
    responsible: responsibleId ? { id: responsibleId, name: responsibleName ?? '' } : null,
    facts,
    closing: facts && closingState({ ...facts, vat: facts.vat }),
    dueDay,
    daysLeft: daysLeft(today, dueDay),
  }
}

/** The list chosen for a client, else the one for businesses of that kind. */
const templateFor = (
  row: Pick<Stored, 'templateId' | 'kind'>,
  templates: readonly Template[],
): Template | undefined =>
  templates.find(({ id }) => id === row.templateId) ?? templates.find(({ kinds }) => kinds.includes(row.kind))

/**
 * Leaves out what the list does not ask, and adds what it asks besides: signed by hand, and open until then.
 */
function withTemplate(facts: BookFacts, template: Template | undefined): ClientFacts {
  const marks = new Map(facts.lines.map((line) => [line.line, line]))
  const asked = facts.lines
    // What stops stays on every list, and so does what marks of a list that changed since were set for.
    .filter(
      (line) =>
        !line.line.startsWith('own:') && (line.state === 'stop' || !template?.skips.includes(line.line)),
    )
    .map((line) => ({ ...line, title: null }))
  const own = (template?.own ?? []).map((title) => {
    const line = `own:${title}`.slice(0, 60)
    const mark = marks.get(line)
    return {
      line,
      title,
      state: mark?.isSigned ? ('ok' as const) : ('look' as const),
      count: mark?.isSigned ? 0 : 1,
      open: null,
      isSigned: mark?.isSigned ?? false,
      signedBy: mark?.signedBy ?? null,
      signedAt: mark?.signedAt ?? null,
    }
  })
  return { ...facts, lines: [...asked, ...own] }
}

export async function cockpit(who: Who, { month }: { month?: string | undefined }) {
  const office = await officeOf(who)
  const first = month ? `${month}-01` : usualMonth(who)
  return { month: first.slice(0, 7), rows: await rowsOf(who, office, first) }
}

export async function refresh(who: Who, { month, clientIds }: { month: string; clientIds: string[] }) {
  const office = await officeOf(who)
  const first = `${month}-01`
  const engaged = (await engagementsOf(who, office, clientIds)).map(({ clientId }) => clientId)
  const failed = await summariseEach(who.app, engaged, [first])
  return { rows: await rowsOf(who, office, first, clientIds), failed }
}

/** The month of one client as its books are now. */
export async function client(who: Who, { clientId, month }: { clientId: string; month: string }) {
  const office = await officeOf(who)
  const first = `${month}-01`
  if (first > dayInJerusalem(who.app.now())) throw fail('practice.monthAhead')
  const { marks, email, phone } = await inClient(who, clientId, async (ctx) => {
    const { rows } = await sql<{
      email: string
      phone: string
    }>`select email, phone from companies where id = ${ctx.companyId}`.execute(ctx.tx)
    return { marks: await allMarks(ctx, first), ...rows[0]! }
  })
  await summariseEach(who.app, [clientId], [first])
  const [row] = await rowsOf(who, office, first, [clientId])
  if (!row) throw fail('kit.notFound')
  return { ...row, month, marks, email, phone }
}
