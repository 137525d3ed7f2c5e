import { sql } from 'kysely'
import type { z } from 'zod'
import { documentTypes } from '#domain/documents/kinds.ts'
import { fail, forbidden, failField } from '#kit/describe/errors.ts'
import { can, seesWhole } from '#kit/describe/session.ts'
import { newId } from '#kit/server/context.ts'
import { momentCursor } from '#kit/server/data/cursors.ts'
import { implement, implementOpen } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { registerAttachable } from '#features/base/files/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { addCertificate, listCertificates, makeCertificate, signerOf } from './certificates.ts'
import { changeCompany, companyOf } from './company.ts'
import { setLanguage } from './languages.ts'
import { dropLogo, getLogo, setLogo } from './logo.ts'
import { addCompany, companiesWithPlans, switchCompany } from './mine.ts'
import { dropAdvanceRate, listAdvanceRates, setAdvanceRate } from './advanceRates.ts'
import { addPaper, changePaper, dropPaper, listPapers } from './papers.ts'
import { signUp } from './signUp.ts'
import { listVatFrequencies } from './vatFrequencies.ts'

import './mailFace.ts'

export { signerOf } from './certificates.ts'
export { advanceRateOn } from './advanceRates.ts'
export { companyOf } from './company.ts'
export { faceOf, headOf, businessOnPaper } from './face.ts'
export { letterhead } from './letterhead.ts'
export { getLogo, logoOf } from './logo.ts'
export { registerBusinessPage } from './pageFace.ts'
export { mostCompanies, registerPlans } from './mine.ts'
export { newPerson, onSignUp, openCompany } from './signUp.ts'
export { smallElections, smallIn } from './smallBusiness.ts'
export { openVatPeriodOf, reportingDaysOf, vatPeriodsOf } from './vatFrequencies.ts'

registerAttachable('companyPapers', {
  see: 'companies.see',
  change: 'companies.change',
  table: 'company_papers',
})

const done = { done: true as const }
const auditPage = 50

/** The numbers of one type in one branch: 'taxInvoice@Haifa'. */
const branchSeries = /^(\w+)@([\p{L}\p{N} _-]{1,20})$/u

export const implementations = [
  implementOpen(calls.signUp, signUp),
  implement(calls.myCompanies, companiesWithPlans),
  implement(calls.addCompany, addCompany),
  implement(calls.switchCompany, switchCompany),
  implement(calls.listPapers, listPapers),
  implement(calls.addPaper, addPaper),
  implement(calls.changePaper, changePaper),
  implement(calls.dropPaper, dropPaper),
  implement(calls.listAdvanceRates, listAdvanceRates),
  implement(calls.setAdvanceRate, setAdvanceRate),
  implement(calls.dropAdvanceRate, dropAdvanceRate),
  implement(calls.listVatFrequencies, listVatFrequencies),
  implement(calls.getCompany, companyOf),
  implement(calls.changeCompany, changeCompany),
  implement(calls.setCompanyLanguage, setLanguage),
  implement(calls.getLogo, getLogo),
  implement(calls.setLogo, setLogo),
  implement(calls.dropLogo, dropLogo),
  implement(calls.listCertificates, listCertificates),
  implement(calls.addCertificate, addCertificate),
  implement(calls.makeCertificate, makeCertificate),
  implement(calls.listSeries, async (ctx) => {
    const { rows } = await sql<{
      series: string
      nextNumber: number
      started: boolean
    }>`select series, next_number as "nextNumber", last_day is not null as started from number_series
      where company_id = ${ctx.companyId}`.execute(ctx.tx)
    const known = new Map(rows.map((r) => [r.series, r]))
    const main = Object.entries(documentTypes).map(([series, { id }]) => ({
      series,
      branch: '',
      type: id,
      nextNumber: 1,
      started: false,
      ...known.get(series),
    }))
    // What was written by hand numbers itself and is not set here.
    const branches = rows.flatMap((row) => {
      const [, name = '', branch = ''] = branchSeries.exec(row.series) ?? []
      return Object.hasOwn(documentTypes, name)
        ? [{ ...row, branch, type: documentTypes[name as keyof typeof documentTypes].id }]
        : []
    })
    return {
      rows: [...main, ...branches.toSorted((a, b) => a.branch.localeCompare(b.branch) || a.type - b.type)],
    }
  }),
  implement(calls.setSeries, async (ctx, { series, nextNumber }) => {
    if (!Object.hasOwn(documentTypes, branchSeries.exec(series)?.[1] ?? series))
      throw failField('series', 'fields.choice')
    const { rows } = await sql`insert into number_series as s (company_id, series, next_number)
        values (${ctx.companyId}, ${series}, ${nextNumber})
      on conflict (company_id, series) do update set next_number = excluded.next_number
      where s.last_day is null returning 1`.execute(ctx.tx)
    // A number once given out cannot be given again or skipped.
    if (!rows.length) throw fail('companies.seriesStarted')
    await ctx.audit('companies.setSeries', 'number_series', null, undefined, { series, nextNumber })
    return done
  }),
  implement(calls.listAudit, async (ctx, { cursor, entityId, action }) => {
    // The log tells of everything and everybody.
    if (!seesWhole(ctx.caller)) throw forbidden({ sight: 'whole' })
    const [at, id] = momentCursor(cursor)
    const { rows } = await sql<{
      id: string
      at: string
      who: string | null
      address: string
      action: string
      entity: string
      entityId: string | null
      before: unknown
      after: unknown
    }>`
      select a.id, a.at, u.full_name as who, a.address, a.action, a.entity, a.entity_id as "entityId",
        a.before, a.after from audit_log a left join users u on u.id = a.user_id
      where a.company_id = ${ctx.companyId} and (a.at, a.id) < (${at}::timestamptz, ${id}::uuid)
        and (${entityId ?? null}::uuid is null or a.entity_id = ${entityId ?? null})
        and (${action ?? null}::text is null or a.action = ${action ?? null}) order by a.at desc, a.id desc
        limit ${auditPage + 1}`.execute(ctx.tx)
    const shown = rows.slice(0, auditPage)
    const last = shown.at(-1)
    return { rows: shown, nextCursor: rows.length > auditPage && last ? `${last.at}|${last.id}` : null }
  }),
  implement(calls.listViews, async (ctx, { list }) => {
    const { rows } = await sql<
      z.output<typeof calls.savedView>
    >`select id, name, query, is_shared as "isShared",
        user_id = ${ctx.caller.userId} or (is_shared and ${can(ctx.caller, 'companies.shareViews')}) as
        "mayDrop"
      from saved_views where company_id = ${ctx.companyId} and list = ${list}
        and (user_id = ${ctx.caller.userId} or is_shared) order by is_shared desc, created_at`.execute(ctx.tx)
    return { rows }
  }),
  implement(calls.saveView, async (ctx, { list, name, query, isShared = false }) => {
    if (isShared && !can(ctx.caller, 'companies.shareViews'))
      throw forbidden({ rule: 'companies.shareViews' })
    const id = newId()
    await sql`insert into saved_views (company_id, id, user_id, list, name, query, is_shared)
      values (${ctx.companyId}, ${id}, ${ctx.caller.userId}, ${list}, ${name}, ${JSON.stringify(query)},
        ${isShared})`.execute(ctx.tx)
    if (isShared) await ctx.audit('companies.shareView', 'saved_views', id, undefined, { list, name })
    return { id, name, query, isShared, mayDrop: true }
  }),
  implement(calls.dropView, async (ctx, { list, id }) => {
    const { rows } = await sql<{
      name: string
      isShared: boolean
    }>`delete from saved_views where company_id = ${ctx.companyId} and list = ${list} and id = ${id}
      and (user_id = ${ctx.caller.userId} or (is_shared and ${can(ctx.caller, 'companies.shareViews')}))
      returning name, is_shared as "isShared"`.execute(ctx.tx)
    if (!rows[0]) throw fail('kit.notFound')
    if (rows[0].isShared)
      await ctx.audit('companies.dropView', 'saved_views', id, { list, name: rows[0].name })
    return done
  }),
]

export const jobs: Record<string, Job> = {
  // Made ahead, so that the first invoice does not wait for a key.
  'companies.certificate': async (ctx) => void (await signerOf(ctx)),
}

export const machines: Machines = {
  'companies.certificate': { inside: 'the key of the business, made ahead' },
}
