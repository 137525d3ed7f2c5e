import { sql } from 'kysely'
import { fold } from '#domain/fold.ts'
import { Failure } from '#kit/describe/errors.ts'
import { defineResource } from '#kit/describe/resource.ts'
import { email, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { registerGroupedImport, type GivenValues } from '#kit/server/described/groupedImports.ts'
import { languages, say } from '#kit/server/words.ts'
import { starterNames } from '../starters.ts'
import { workers } from '../workers.ts'
import { inviteWorker, remove } from './change.ts'
import { oneWorker, type GivenRights } from './people.ts'

/** A row of a file of workers: whom to invite, and by which set of rights. Owners are invited one by one. */
const workerRows = defineResource({
  name: workers.name,
  table: workers.table,
  title: 'name',
  fields: {
    name: text({ need: true, max: 120 }),
    email: email({ need: true }),
    job: text({ max: 80 }),
    setName: text({ max: 120 }),
  },
  list: { columns: ['name', 'email', 'job', 'setName'], filters: [], sort: ['name', 'asc'] },
  form: [{ section: 'person', fields: ['name', 'email', 'job', 'setName'] }],
  allow: workers.allow,
  screens: workers.screens,
})

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/**
 * The set of rights of a name: one of the business's own, or a ready-made one in any language. Rights without
 * a set are nothing a file can say.
 */
async function setOf(ctx: Ctx, word: string): Promise<GivenRights> {
  const refused = (code: string) =>
    new Failure('kit.badInput', {}, [
      { path: 'setName', code, ...(word ? { params: { text: word.slice(0, 60) } } : {}) },
    ])
  if (!word) throw refused('fields.need')
  const same = (name: string) => (fold(name) || name) === (fold(word) || word)
  const { rows } = await sql<{
    number: number
    name: string
    starter: string | null
  }>`select number, name, starter from permission_sets
    where company_id = ${ctx.companyId}`.execute(ctx.tx)
  const own = rows.filter(({ name }) => same(name))
  if (own.length > 1) throw refused('imports.refMany')
  const ready = starterNames.find(
    (name) =>
      name === own[0]?.starter ||
      (!own.length && languages.some((language) => same(say(language, `team.starters.${name}`)))),
  )
  if (ready) return { starter: ready }
  if (!own[0]) throw refused('imports.refMissing')
  return { ruleId: own[0].number }
}

/** A member or an invited person is not invited again: the existing row is that person's. */
async function refuseTwin(ctx: Ctx, address: string): Promise<void> {
  const { rows } = await sql<{
    id: string
  }>`select id from team where company_id = ${ctx.companyId} and email = ${address}`.execute(ctx.tx)
  if (rows[0]) throw new Failure('team.alreadyHere', { id: rows[0].id })
}

registerGroupedImport({
  resource: workerRows,
  keyOf: (row: GivenValues) => textOf(row.email).toLowerCase() || undefined,
  make: async (ctx, rows) => {
    // One address twice is two people or a slip: which, only a person can say.
    if (rows[1]) throw new Failure('kit.badInput', {}, [{ path: 'rows.1.email', code: 'team.alreadyHere' }])
    const [{ name, email: address, job, setName } = {}] = rows
    const to = textOf(address).toLowerCase()
    await refuseTwin(ctx, to)
    const rights = await setOf(ctx, textOf(setName))
    const { id } = await inviteWorker(ctx, {
      ...rights,
      fullName: textOf(name),
      email: to,
      job: textOf(job),
      typeId: 9,
    })
    return { id }
  },
  twinOf: ({ code, params }) => (code === 'team.alreadyHere' && params.id ? String(params.id) : undefined),
  placeOf: (path) =>
    path === 'rows.1.email'
      ? { row: 1, field: 'email' }
      : { row: 0, field: path === 'fullName' ? 'name' : path || null },
  // The person who has joined meanwhile is no longer a row of a file.
  takeBack: async (ctx, id) => {
    const one = await oneWorker(ctx, id).catch(() => undefined)
    if (!one) return 'gone'
    if (one.state !== 'invited') return 'used'
    await remove(ctx, id)
    return 'archived'
  },
})
